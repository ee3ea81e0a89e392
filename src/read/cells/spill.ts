/**
 * The entry ids of all rows, kept in a work file while the columns' types are still unknown: block by block, within a
 * block column by column, each in the narrowest width that holds its ids.
 */

import { closeSync, openSync, readSync } from 'node:fs'
import { writeFully } from '../report/disk.ts'

/** What is needed to read a spill that another thread wrote. */
export type SpillIndex = Readonly<{ path: string; lanes: number; rows: number; blocks: readonly Block[] }>

interface Block {
  readonly rows: number
  /** Offset in the file and width (1, 2 or 4 bytes) of each lane. */
  readonly offsets: Float64Array
  readonly widths: Uint8Array
}

/** A lane holds one number per row. */
export class Spill {
  /** Rows written so far. */
  rows = 0
  readonly #path: string
  readonly #file: number
  readonly #lanes: number
  readonly #blocks: Block[]
  #end = 0
  #buffer: Uint8Array
  #filled = 0

  /** @param written an index: the spill is there and is only read; left out: it is made, and must not exist */
  constructor(path: string, lanes: number, written?: SpillIndex) {
    this.#path = path
    this.#lanes = lanes
    this.rows = written?.rows ?? 0
    this.#blocks = [...(written?.blocks ?? [])]
    this.#buffer = new Uint8Array(written ? 0 : 1 << 20)
    this.#file = written ? openSync(path, 'r') : openSync(path, 'wx+', 0o600)
  }

  get index(): SpillIndex {
    return { path: this.#path, lanes: this.#lanes, rows: this.rows, blocks: this.#blocks }
  }

  /**
   * Appends a block of rows.
   * @param laneOf the numbers of one lane, read at once: the array may be reused; `largest` bounds them
   */
  writeBlock(rows: number, laneOf: (lane: number) => { values: Uint32Array; largest: number }): void {
    if (rows === 0) return
    const block: Block = { rows, offsets: new Float64Array(this.#lanes), widths: new Uint8Array(this.#lanes) }
    for (let lane = 0; lane < this.#lanes; lane++) {
      const { values, largest } = laneOf(lane)
      const width = largest < 0x100 ? 1 : largest < 0x10000 ? 2 : 4
      block.offsets[lane] = this.#end + this.#filled
      block.widths[lane] = width
      this.#append(values, rows, width)
    }
    this.#blocks.push(block)
    this.rows += rows
  }

  /** To be called once, behind the last block and before reading. */
  flush(): void {
    if (this.#filled > 0) writeFully(this.#file, this.#buffer.subarray(0, this.#filled), this.#path)
    this.#end += this.#filled
    this.#filled = 0
    this.#buffer = new Uint8Array(0)
  }

  /** The numbers of one lane in row order, a block at a time; each array is overwritten by the next one. */
  *read(lane: number): Generator<Uint32Array> {
    let bytes = new Uint8Array(0)
    let values = new Uint32Array(0)
    for (const { rows, offsets, widths } of this.#blocks) {
      const width = widths[lane] as number
      if (values.length < rows) {
        values = new Uint32Array(rows)
        bytes = new Uint8Array(rows * 4)
      }
      readFully(this.#file, bytes.subarray(0, rows * width), offsets[lane] as number)
      if (width === 1) values.set(bytes.subarray(0, rows))
      else if (width === 2) values.set(new Uint16Array(bytes.buffer, 0, rows))
      else values.set(new Uint32Array(bytes.buffer, 0, rows))
      yield values.subarray(0, rows)
    }
  }

  /** The numbers of one lane in some rows, ascending. */
  pick(lane: number, wanted: readonly number[]): number[] {
    const bytes = new Uint8Array(4)
    const picked: number[] = []
    let first = 0
    for (const { rows, offsets, widths } of this.#blocks) {
      const width = widths[lane] as number
      for (
        let row = wanted[picked.length];
        row !== undefined && row < first + rows;
        row = wanted[picked.length]
      ) {
        readFully(this.#file, bytes.subarray(0, width), (offsets[lane] as number) + (row - first) * width)
        picked.push(new Uint32Array(bytes.buffer)[0] as number)
      }
      first += rows
    }
    return picked
  }

  close(): void {
    closeSync(this.#file)
  }

  #append(values: Uint32Array, rows: number, width: number): void {
    const bytes = rows * width
    if (this.#filled + bytes + 4 > this.#buffer.length) {
      writeFully(this.#file, this.#buffer.subarray(0, this.#filled), this.#path)
      this.#end += this.#filled
      this.#filled = 0
      if (bytes + 4 > this.#buffer.length) this.#buffer = new Uint8Array(bytes + 4)
    }
    const buffer = this.#buffer
    let at = this.#filled
    if (width === 1) {
      for (let row = 0; row < rows; row++) buffer[at + row] = values[row] as number
    } else if (width === 2) {
      for (let row = 0; row < rows; row++, at += 2) {
        const value = values[row] as number
        buffer[at] = value
        buffer[at + 1] = value >>> 8
      }
    } else {
      for (let row = 0; row < rows; row++, at += 4) {
        const value = values[row] as number
        buffer[at] = value
        buffer[at + 1] = value >>> 8
        buffer[at + 2] = value >>> 16
        buffer[at + 3] = value >>> 24
      }
    }
    this.#filled += bytes
  }
}

function readFully(file: number, target: Uint8Array, offset: number): void {
  for (let at = 0; at < target.length; ) {
    const read = readSync(file, target, at, target.length - at, offset + at)
    if (read === 0) throw new Error('a work file of the ingest ends early')
    at += read
  }
}
