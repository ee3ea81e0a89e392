/** Reads one JSON object (RFC 8259) as cells, straight from its bytes. `JSON.parse` would round long numbers. */

// Bytes that JSON is built of.
export const QUOTE = 0x22
export const BACKSLASH = 0x5c
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d
export const OPEN_ARRAY = 0x5b
export const CLOSE_ARRAY = 0x5d

/** What is wrong with a text that is not JSON, and where. */
export class JsonError extends Error {
  /** Offset in the bytes. */
  at: number
  /** The option that may help, or null. */
  readonly override: string | null

  constructor(message: string, at: number, override: string | null = null) {
    super(message)
    this.at = at
    this.override = override
  }
}

/** Objects within objects that become columns; deeper ones stay JSON text. */
const DEEPEST_COLUMN = 32
export const DEEPEST_JSON = 1000
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
export class ObjectReader {
  readonly #sink: (path: string, text: string | null) => void
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  #end = 0

  /** @param sink takes the members of an object; `text` is null for JSON's null */
  constructor(sink: (path: string, text: string | null) => void) {
    this.#sink = sink
  }

  /**
   * Reads the one object in `bytes[start .. end)` and passes its members to the sink, nested ones with their path:
   * `{"a":{"b":1}}` is `a.b`. Arrays stay JSON text, without white space.
   * @throws JsonError when it is anything else
   */
  read(bytes: Buffer, start: number, end: number): void {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
    if (this.#peekSign() !== OPEN_OBJECT) throw new JsonError('an object was expected', this.#at)
    this.#readObject('', 1)
    this.#skipSpace()
    if (this.#at < end) throw new JsonError('something follows the object', this.#at)
  }

  #readObject(prefix: string, depth: number): void {
    this.#at++
    if (this.#peekSign() === CLOSE_OBJECT) {
      this.#at++
      return
    }
    for (;;) {
      this.#skipSpace()
      const name = prefix + this.#readString()
      this.#passColon()
      this.#readValue(name, depth)
      const sign = this.#peekSign()
      this.#at++
      if (sign === CLOSE_OBJECT) return
      if (sign !== COMMA) throw new JsonError('a comma or } was expected', this.#at - 1)
    }
  }

  #readValue(path: string, depth: number): void {
    const sign = this.#peekSign()
    if (sign === QUOTE) this.#sink(path, this.#readString())
    else if (sign === OPEN_OBJECT && depth < DEEPEST_COLUMN) this.#readObject(`${path}.`, depth + 1)
    else if (sign === OPEN_OBJECT || sign === OPEN_ARRAY) this.#sink(path, this.#readNested(depth))
    else {
      const word = this.#readWord()
      this.#sink(path, word === 'null' ? null : word)
    }
  }

  /** A number, `true`, `false` or `null`. */
  #readWord(): string {
    const from = this.#at
    const bytes = this.#bytes
    let at = from
    while (at < this.#end && IN_WORD[bytes[at] as number] === 1) at++
    this.#at = at
    const word = bytes.toString('latin1', from, at)
    if (word === 'true' || word === 'false' || word === 'null' || NUMBER.test(word)) return word
    throw new JsonError('a value was expected', from)
  }

  /** An array, or an object nested too deeply, as JSON text. */
  #readNested(above: number): string {
    const closing: number[] = []
    let text = ''
    let expectsValue = true
    for (;;) {
      const sign = this.#peekSign()
      if (sign === OPEN_ARRAY || sign === OPEN_OBJECT) {
        if (!expectsValue) throw new JsonError('a comma was expected', this.#at)
        const isArray = sign === OPEN_ARRAY
        text += isArray ? '[' : '{'
        if (closing.push(isArray ? CLOSE_ARRAY : CLOSE_OBJECT) + above > DEEPEST_JSON)
          throw new JsonError(`nested deeper than ${DEEPEST_JSON} levels`, this.#at)
        this.#at++
        if (this.#peekSign() === closing.at(-1)) expectsValue = false
        else if (!isArray) text += this.#readName()
      } else if (sign === closing.at(-1) && !expectsValue) {
        text += sign === CLOSE_ARRAY ? ']' : '}'
        this.#at++
        closing.pop()
        if (closing.length === 0) return text
      } else if (sign === COMMA && !expectsValue) {
        text += ','
        this.#at++
        this.#skipSpace()
        if (closing.at(-1) === CLOSE_OBJECT) text += this.#readName()
        expectsValue = true
      } else {
        if (!expectsValue) throw new JsonError('a comma was expected', this.#at)
        text += sign === QUOTE ? this.#readRawString() : this.#readWord()
        expectsValue = false
      }
    }
  }

  #readName(): string {
    const name = this.#readRawString()
    this.#passColon()
    return `${name}:`
  }

  #passColon(): void {
    if (this.#peekSign() !== COLON) throw new JsonError('a colon was expected', this.#at)
    this.#at++
  }

  #readRawString(): string {
    const from = this.#at
    this.#readString()
    return this.#bytes.toString('utf8', from, this.#at)
  }

  #readString(): string {
    if (this.#peek() !== QUOTE) throw new JsonError('a text in double quotes was expected', this.#at)
    const bytes = this.#bytes
    const from = this.#at + 1
    let at = from
    let escaped = false
    for (; ; at++) {
      if (at >= this.#end) throw new JsonError('a text is never closed', from - 1)
      const byte = bytes[at] as number
      if (byte === QUOTE) break
      if (byte < 0x20) throw new JsonError('a text holds a line end or another control character', at)
      if (byte === BACKSLASH) {
        escaped = true
        at++
      }
    }
    this.#at = at + 1
    const text = bytes.toString('utf8', from, at)
    if (!escaped) return text
    try {
      return JSON.parse(`"${text}"`) as string
    } catch {
      const [, sign] = /\\(.)/s.exec(text.replace(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/g, '')) ?? []
      throw new JsonError(`\\${sign} means nothing`, from)
    }
  }

  #peek(): number {
    return this.#at < this.#end ? (this.#bytes[this.#at] as number) : -1
  }

  #peekSign(): number {
    this.#skipSpace()
    return this.#peek()
  }

  #skipSpace(): void {
    while (this.#at < this.#end && isSpace(this.#bytes[this.#at] as number)) this.#at++
  }
}

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Letters, digits, and the signs of a number. */
const IN_WORD = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(/[\w.+-]/.test(String.fromCharCode(byte)) && byte !== 0x5f),
)
