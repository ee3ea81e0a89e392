/** Finds the arrays of a JSON file and their elements without building values, in a window over the file. */

import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  DEEPEST_JSON,
  isSpace,
  JsonError,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from '../../../base/json-object.ts'
import { refuse } from '../../report/reasons.ts'
import { BlockReader } from '../block-reader.ts'
import type { OnRead } from '../conversion/conversion.ts'

/** A longer line or element is not a row. */
const LARGEST = 1 << 26

/**
 * The blocks of a JSON text, from an offset on. @throws CommandError `refused` while reading, for a row that is too long
 */
export function openJson(path: string, offset: number): BlockReader {
  return new BlockReader(path, offset, LARGEST, (at) =>
    refuse('json_long_row', {}, `longer than ${LARGEST >> 20} MB, at byte ${at}`),
  )
}

/** An array somewhere in the file. */
export interface FoundArray {
  /** Names of the members that lead to it; empty: the file is the array. */
  readonly path: readonly string[]
  /** Offset of its opening bracket. */
  readonly offset: number
  /** Number of objects in it, if they were counted. */
  readonly objects: number
}

/** The byte order mark of UTF-8. */
export const MARK = [0xef, 0xbb, 0xbf]
/** Levels of objects around the array; deeper objects are skipped. */
const DEEPEST_WRAPPER = 8

export class JsonScanner {
  readonly #blocks: BlockReader
  readonly #onRead: OnRead
  /** The current block. */
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  /** Start of the bytes that must stay in the window; -1: none. */
  #kept = -1

  /** @param onRead receives the number of bytes read so far */
  constructor(path: string, offset: number, onRead: OnRead) {
    this.#blocks = openJson(path, offset)
    this.#onRead = onRead
    if (offset === 0) for (const byte of MARK) if (this.#peek() === byte) this.#at++
  }

  [Symbol.dispose](): void {
    this.#blocks[Symbol.dispose]()
  }

  /**
   * All arrays of objects; only the array itself if the file is one.
   * @throws JsonError when the file is not JSON; its offset counts from the start of the file
   */
  findArrays(): FoundArray[] {
    const sign = this.#peekSign()
    if (sign === OPEN_ARRAY) return [{ path: [], offset: this.#offset, objects: 0 }]
    if (sign !== OPEN_OBJECT) throw this.#error('an array or an object was expected')
    const found: FoundArray[] = []
    this.#lookInto([], found)
    this.refuseMore()
    return found
  }

  /**
   * Reads the elements of the array at the current position.
   * @param take receives the bounds of each; the bytes are overwritten by the next one
   * @returns the number of elements
   */
  readElements(take: (bytes: Buffer, start: number, end: number, offset: number) => void): number {
    this.#step(OPEN_ARRAY, 'an array was expected')
    if (this.#peekSign() === CLOSE_ARRAY) {
      this.#at++
      return 0
    }
    for (let count = 1; ; count++) {
      this.#peekSign()
      this.#kept = this.#at
      this.#passValue()
      take(this.#bytes, this.#kept, this.#at, this.#blocks.offset)
      this.#kept = -1
      const sign = this.#peekSign()
      this.#at++
      if (sign === CLOSE_ARRAY) return count
      if (sign !== COMMA) throw this.#error('a comma or ] was expected', this.#at - 1)
    }
  }

  /** @throws JsonError when anything follows */
  refuseMore(): void {
    if (this.#peekSign() >= 0) throw this.#error('something follows the end')
  }

  #lookInto(path: readonly string[], found: FoundArray[]): void {
    this.#step(OPEN_OBJECT, 'an object was expected')
    if (this.#peekSign() === CLOSE_OBJECT) {
      this.#at++
      return
    }
    for (;;) {
      const name = this.#readName()
      this.#step(COLON, 'a colon was expected')
      const sign = this.#peekSign()
      if (sign === OPEN_ARRAY) {
        const offset = this.#offset
        let objects = 0
        this.readElements((bytes, start) => {
          if (bytes[start] === OPEN_OBJECT) objects++
        })
        if (objects > 0) found.push({ path: [...path, name], offset, objects })
      } else if (sign === OPEN_OBJECT && path.length < DEEPEST_WRAPPER) this.#lookInto([...path, name], found)
      else this.#passValue()
      const next = this.#peekSign()
      this.#at++
      if (next === CLOSE_OBJECT) return
      if (next !== COMMA) throw this.#error('a comma or } was expected', this.#at - 1)
    }
  }

  #readName(): string {
    if (this.#peekSign() !== QUOTE) throw this.#error('a text in double quotes was expected')
    this.#kept = this.#at
    this.#passValue()
    const raw = this.#bytes.toString('utf8', this.#kept, this.#at)
    this.#kept = -1
    try {
      return JSON.parse(raw) as string
    } catch {
      throw this.#error('a text was expected')
    }
  }

  /** Skips one value. Errors inside it are left to its reader. */
  #passValue(): void {
    const sign = this.#peekSign()
    if (sign === QUOTE) this.#passString()
    else if (sign === OPEN_ARRAY || sign === OPEN_OBJECT) this.#passNested()
    else {
      const from = this.#offset
      for (let byte = sign; byte >= 0; byte = this.#peek()) {
        if (isSpace(byte) || isStructure(byte) || byte === COMMA || byte === COLON) break
        this.#at++
      }
      if (this.#offset === from) throw this.#error('a value was expected')
    }
  }

  #passNested(): void {
    let depth = 0
    for (;;) {
      const byte = this.#peek()
      if (byte < 0) throw this.#error('the file ends in the middle of a value')
      if (byte === QUOTE) {
        this.#passString()
        continue
      }
      this.#at++
      if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (++depth > DEEPEST_JSON) throw this.#error(`nested deeper than ${DEEPEST_JSON} levels`)
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        if (--depth === 0) return
      }
      const bytes = this.#bytes
      let at = this.#at
      while (at < bytes.length && !isStructure(bytes[at] as number)) at++
      this.#at = at
    }
  }

  #passString(): void {
    this.#at++
    for (;;) {
      const bytes = this.#bytes
      let at = this.#at
      while (at < bytes.length && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++
      this.#at = at
      const byte = this.#peek()
      if (byte < 0) throw this.#error('the file ends in the middle of a text')
      this.#at++
      if (byte === QUOTE) return
      if (byte === BACKSLASH && this.#peek() >= 0) this.#at++
    }
  }

  #step(sign: number, otherwise: string): void {
    if (this.#peekSign() !== sign) throw this.#error(otherwise)
    this.#at++
  }

  #peekSign(): number {
    for (;;) {
      const byte = this.#peek()
      if (byte < 0 || !isSpace(byte)) return byte
      this.#at++
    }
  }

  /** The current byte, -1 at the end of the file. */
  #peek(): number {
    const blocks = this.#blocks
    while (this.#at >= this.#bytes.length) {
      if (blocks.final) return -1
      const used = this.#kept < 0 ? this.#at : this.#kept
      blocks.advance(used)
      blocks.fill()
      this.#onRead(blocks.offset + blocks.length)
      this.#bytes = Buffer.from(blocks.bytes.buffer, 0, blocks.length)
      this.#at -= used
      if (this.#kept >= 0) this.#kept = 0
    }
    return this.#bytes[this.#at] as number
  }

  get #offset(): number {
    return this.#blocks.offset + this.#at
  }

  #error(message: string, at = this.#at): JsonError {
    return new JsonError(message, this.#blocks.offset + at)
  }
}

function isStructure(byte: number): boolean {
  if (byte === QUOTE || byte === OPEN_OBJECT || byte === CLOSE_OBJECT) return true
  return byte === OPEN_ARRAY || byte === CLOSE_ARRAY
}
