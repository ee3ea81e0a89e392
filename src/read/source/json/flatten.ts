/**
 * One JSON object (RFC 8259) as cells, straight from its bytes: numbers keep the digits they are written with, which
 * `JSON.parse` would round.
 */

import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './signs.ts'

/** Takes what an object holds. `text` is null for JSON's null. */
export type CellSink = (path: string, text: string | null) => void

/** What is wrong with a text that is not JSON, and where. */
export class JsonError extends Error {
  /** Offset in the bytes. */
  readonly at: number
  /** What a person can do about it. */
  readonly remedy: string
  /** The option that does it, or null. */
  readonly override: string | null

  constructor(
    message: string,
    at: number,
    remedy = 'get the whole file or have it mended',
    override: string | null = null,
  ) {
    super(message)
    this.name = 'JsonError'
    this.at = at
    this.remedy = remedy
    this.override = override
  }
}

/** Objects within objects that become columns; deeper ones stay JSON text. */
const DEEPEST_COLUMN = 32
export const DEEPEST_JSON = 1000
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

export class ObjectReader {
  private readonly sink: CellSink
  private bytes: Buffer = Buffer.alloc(0)
  private at = 0
  private end = 0

  constructor(sink: CellSink) {
    this.sink = sink
  }

  /**
   * Reads the one object that stands in `bytes[start .. end)`, and tells its members to the sink, nested ones by their
   * path: `{"a":{"b":1}}` is `a.b`. Arrays stay JSON text, white space left out.
   * @throws JsonError when it is anything else
   */
  read(bytes: Buffer, start: number, end: number): void {
    this.bytes = bytes
    this.at = start
    this.end = end
    this.skipSpace()
    if (this.peek() !== OPEN_OBJECT) throw new JsonError('an object was expected', this.at)
    this.readObject('', 1)
    this.skipSpace()
    if (this.at < end) throw new JsonError('something follows the object', this.at)
  }

  private readObject(prefix: string, depth: number): void {
    this.at++
    this.skipSpace()
    if (this.peek() === CLOSE_OBJECT) {
      this.at++
      return
    }
    for (;;) {
      this.skipSpace()
      const name = prefix + this.readString()
      this.skipSpace()
      if (this.peek() !== COLON) throw new JsonError('a colon was expected', this.at)
      this.at++
      this.skipSpace()
      this.readValue(name, depth)
      this.skipSpace()
      const sign = this.peek()
      this.at++
      if (sign === CLOSE_OBJECT) return
      if (sign !== COMMA) throw new JsonError('a comma or } was expected', this.at - 1)
    }
  }

  private readValue(path: string, depth: number): void {
    const sign = this.peek()
    if (sign === QUOTE) this.sink(path, this.readString())
    else if (sign === OPEN_OBJECT && depth < DEEPEST_COLUMN) this.readObject(`${path}.`, depth + 1)
    else if (sign === OPEN_OBJECT || sign === OPEN_ARRAY) this.sink(path, this.readNested(depth))
    else {
      const word = this.readWord()
      this.sink(path, word === 'null' ? null : word)
    }
  }

  /** A number, `true`, `false` or `null`. */
  private readWord(): string {
    const from = this.at
    const { bytes, end } = this
    let at = from
    while (at < end && isWordByte(bytes[at] as number)) at++
    this.at = at
    const word = bytes.toString('latin1', from, at)
    if (word === 'true' || word === 'false' || word === 'null' || NUMBER.test(word)) return word
    throw new JsonError('a value was expected', from)
  }

  /** An array, or an object that lies too deep, as JSON text. */
  private readNested(above: number): string {
    const closing: number[] = []
    let text = ''
    let expectsValue = true
    for (;;) {
      this.skipSpace()
      const sign = this.peek()
      if (sign === OPEN_ARRAY || sign === OPEN_OBJECT) {
        if (!expectsValue) throw new JsonError('a comma was expected', this.at)
        const isArray = sign === OPEN_ARRAY
        text += isArray ? '[' : '{'
        if (closing.push(isArray ? CLOSE_ARRAY : CLOSE_OBJECT) + above > DEEPEST_JSON)
          throw new JsonError(`nested deeper than ${DEEPEST_JSON} levels`, this.at)
        this.at++
        this.skipSpace()
        if (this.peek() === closing.at(-1)) expectsValue = false
        else if (!isArray) text += this.readName()
      } else if (sign === closing.at(-1) && !expectsValue) {
        text += sign === CLOSE_ARRAY ? ']' : '}'
        this.at++
        closing.pop()
        if (closing.length === 0) return text
      } else if (sign === COMMA && !expectsValue) {
        text += ','
        this.at++
        this.skipSpace()
        if (closing.at(-1) === CLOSE_OBJECT) text += this.readName()
        expectsValue = true
      } else {
        if (!expectsValue) throw new JsonError('a comma was expected', this.at)
        text += sign === QUOTE ? this.readRawString() : this.readWord()
        expectsValue = false
      }
    }
  }

  private readName(): string {
    const name = this.readRawString()
    this.skipSpace()
    if (this.peek() !== COLON) throw new JsonError('a colon was expected', this.at)
    this.at++
    return `${name}:`
  }

  private readRawString(): string {
    const from = this.at
    this.readString()
    return this.bytes.toString('utf8', from, this.at)
  }

  private readString(): string {
    if (this.peek() !== QUOTE) throw new JsonError('a text in double quotes was expected', this.at)
    const { bytes, end } = this
    const from = this.at + 1
    let at = from
    let escaped = false
    for (; ; at++) {
      if (at >= end) throw new JsonError('a text is never closed', from - 1)
      const byte = bytes[at] as number
      if (byte === QUOTE) break
      if (byte < 0x20) throw new JsonError('a text holds a line end or another control character', at)
      if (byte === BACKSLASH) {
        escaped = true
        at++
      }
    }
    this.at = at + 1
    const text = bytes.toString('utf8', from, at)
    return escaped ? this.unescape(text, from) : text
  }

  private unescape(text: string, from: number): string {
    return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.)|$)/gs, (_, code: string | undefined, sign: string) => {
      const plain = code === undefined ? ESCAPES[sign] : String.fromCharCode(Number.parseInt(code, 16))
      if (plain === undefined) throw new JsonError(`\\${sign} means nothing`, from)
      return plain
    })
  }

  private peek(): number {
    return this.at < this.end ? (this.bytes[this.at] as number) : -1
  }

  private skipSpace(): void {
    const { bytes, end } = this
    while (this.at < end && isSpace(bytes[this.at] as number)) this.at++
  }
}

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Letters, digits, and the signs of a number. */
function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e
  )
}
