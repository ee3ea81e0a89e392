/**
 * The entry ids of all rows, in a work file while the columns' types are still unknown: by block, within a block by column,
 * each in the narrowest width that holds its ids.
 */

import { closeSync, openSync } from 'node:fs'
import { type CodeWidth, codeWidthFor, viewCodes } from '../../engine/columns/column.ts'
import { readFully, writeFully } from '../report/disk.ts'

/** The data needed to read a spill that another thread wrote. */
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

  /** @param written an index: opens an existing spill for reading; left out: creates the file, which must not exist */
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
   * @param laneOf returns the numbers of one lane, which are read immediately, so the array may be reused; `largest` bounds
   * them
   */
  writeBlock(rows: number, laneOf: (lane: number) => { values: Uint32Array; largest: number }): void {
    if (rows === 0) return
    const block: Block = { rows, offsets: new Float64Array(this.#lanes), widths: new Uint8Array(this.#lanes) }
    for (let lane = 0; lane < this.#lanes; lane++) {
      const { values, largest } = laneOf(lane)
      const width = codeWidthFor(largest)
      block.offsets[lane] = this.#append(values.subarray(0, rows), width)
      block.widths[lane] = width
    }
    this.#blocks.push(block)
    this.rows += rows
  }

  /** Call it once, after the last block and before reading. */
  flush(): void {
    this.#write()
    this.#buffer = new Uint8Array(0)
  }

  /** The numbers of one lane in row order, a block at a time; each array is overwritten by the next one. */
  *read(lane: number): Generator<Uint32Array> {
    let bytes = new Uint8Array(0)
    let values = new Uint32Array(0)
    for (const { rows, offsets, widths } of this.#blocks) {
      const width = widths[lane] as CodeWidth
      if (values.length < rows) {
        values = new Uint32Array(rows)
        bytes = new Uint8Array(rows * 4)
      }
      this.#read(bytes.subarray(0, rows * width), offsets[lane] as number)
      values.set(viewCodes(width, bytes.buffer, 0, rows))
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
        this.#read(bytes.subarray(0, width), (offsets[lane] as number) + (row - first) * width)
        picked.push(new Uint32Array(bytes.buffer)[0] as number)
      }
      first += rows
    }
    return picked
  }

  close(): void {
    closeSync(this.#file)
  }

  /** @returns the offset of the values in the file */
  #append(values: Uint32Array, width: CodeWidth): number {
    // The next lane begins at an offset that is aligned for any width.
    const bytes = Math.ceil((values.length * width) / 4) * 4
    if (this.#filled + bytes > this.#buffer.length) {
      this.#write()
      if (bytes > this.#buffer.length) this.#buffer = new Uint8Array(bytes)
    }
    const at = this.#filled
    viewCodes(width, this.#buffer.buffer, at, values.length).set(values)
    this.#filled += bytes
    return this.#end + at
  }

  #write(): void {
    writeFully(this.#file, this.#buffer.subarray(0, this.#filled), this.#path)
    this.#end += this.#filled
    this.#filled = 0
  }

  #read(target: Uint8Array, offset: number): void {
    if (readFully(this.#file, target, offset) < target.length)
      throw new Error('a work file of the ingest ends early')
  }
}
