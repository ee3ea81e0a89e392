/** Reads a file of records, lines or elements in blocks, each of which begins with one. */

import { closeSync, fstatSync, openSync } from 'node:fs'
import type { CommandError } from '../../base/errors.ts'
import { readFully } from '../report/disk.ts'

/** Half a megabyte: cells are encoded while their block is still in the processor's cache. */
const BLOCK_BYTES = 1 << 19
/** At least this much of the end is in the last block, as what follows a table is judged together. */
const TAIL_BYTES = 1 << 16

/** Bytes that may be read past the end of a cell: cells are read four bytes at a time. */
export const READ_AHEAD = 8

/** Bytes that an array needs so that a block of `length` bytes can be split in it. */
export function blockRoom(length: number): number {
  return 2 * length + 2 * READ_AHEAD
}

export class BlockReader {
  bytes = new Uint8Array(blockRoom(BLOCK_BYTES))
  view = new DataView(this.bytes.buffer)
  /** Size of the block, and its offset in the file. */
  length = 0
  offset: number
  final = false
  #capacity = BLOCK_BYTES
  readonly #file: number
  readonly #longest: number
  readonly #tooLong: (offset: number) => CommandError
  readonly fileBytes: number

  /** @param longest the largest size of a block in bytes; a longer record is refused with the error from `tooLong` */
  constructor(path: string, offset: number, longest: number, tooLong: (offset: number) => CommandError) {
    this.#file = openSync(path, 'r')
    this.fileBytes = fstatSync(this.#file).size
    this.offset = offset
    this.#longest = longest
    this.#tooLong = tooLong
  }

  /** Reads more; false when nothing is left. */
  fill(): boolean {
    if (this.final) return false
    const rest = this.fileBytes - this.offset - this.#capacity
    if (rest >= 0 && rest <= TAIL_BYTES) this.#enlarge(this.#capacity + TAIL_BYTES)
    const room = this.bytes.subarray(this.length, this.#capacity)
    const read = readFully(this.#file, room, this.offset + this.length)
    this.length += read
    this.final = read < room.length
    return this.length > 0
  }

  /** Drops the used bytes. If none were used, the record needs a larger block. @throws CommandError when it is too long */
  advance(used: number): void {
    if (used === 0 && this.length === this.#capacity) {
      if (this.#capacity >= this.#longest) throw this.#tooLong(this.offset)
      this.#enlarge(this.#capacity * 2)
    }
    this.bytes.copyWithin(0, used, this.length)
    this.length -= used
    this.offset += used
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }

  #enlarge(capacity: number): void {
    this.#capacity = capacity
    const grown = new Uint8Array(blockRoom(this.#capacity))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
    this.view = new DataView(grown.buffer)
  }
}
