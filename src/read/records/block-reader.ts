/** A file of records in blocks that each begin with one. */

import { closeSync, fstatSync, openSync } from 'node:fs'
import { readFully } from '../report/disk.ts'
import { refuse } from '../report/reasons.ts'
import { blockRoom } from './separators.ts'

/** Half a megabyte: cells are encoded while their block is still in the processor's cache. */
const BLOCK_BYTES = 1 << 19
/** So much of the end comes with the last block: what stands below a table is judged together. */
const TAIL_BYTES = 1 << 16
/** A longer record is a quote that is never closed; while a block grows, the smaller ones before it take memory, too. */
const LONGEST_RECORD = 1 << 25

export class BlockReader {
  bytes = new Uint8Array(blockRoom(BLOCK_BYTES))
  view = new DataView(this.bytes.buffer)
  /** Bytes of the block, and where it begins in the file. */
  length = 0
  offset: number
  final = false
  #capacity = BLOCK_BYTES
  readonly #file: number
  readonly fileBytes: number

  constructor(path: string, offset: number) {
    this.#file = openSync(path, 'r')
    this.fileBytes = fstatSync(this.#file).size
    this.offset = offset
  }

  /** Reads on; false when nothing is left. */
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

  /** Drops the bytes used. When none could be, the record needs a larger block. */
  advance(used: number, line: number): void {
    if (used === 0 && !this.final) {
      if (this.#capacity >= LONGEST_RECORD)
        throw refuse('endless_record', { line }, `longer than ${LONGEST_RECORD >> 20} MB`)
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
