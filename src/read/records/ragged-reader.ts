/** The cells of records of another width, read from the file again by their places. */

import { closeSync, openSync, readSync } from 'node:fs'
import type { RecordMender } from './record-mender.ts'
import { RecordSplitter } from './record-splitter.ts'
import { blockRoom, type Separators } from './separators.ts'

/** A record's cells as they stand, without their quotes. */
export interface RaggedCells {
  readonly texts: readonly string[]
  readonly quoted: readonly boolean[]
  /** As in `CutRecord`: nobody knows for certain where its cells end. */
  readonly hasStray: boolean
}

/** Cells of a record that are looked into. */
const MOST_CELLS = 4096

export class RaggedReader {
  readonly #file: number
  readonly #places: RaggedPlaces
  readonly #splitter: RecordSplitter
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #block = new Uint8Array(blockRoom(1 << 12))
  #found: RaggedCells | null = null

  constructor(path: string, separators: Separators, places: RaggedPlaces) {
    this.#file = openSync(path, 'r')
    this.#places = places
    const mender: RecordMender = {
      mostCells: MOST_CELLS,
      mend: (record) => {
        const { bytes, starts, ends, hasStray } = record
        const texts = starts.map((start, i) => this.#decoder.decode(bytes.subarray(start, ends[i])))
        this.#found = { texts, quoted: [...record.quoted], hasStray }
        return null
      },
    }
    this.#splitter = new RecordSplitter(separators, 0, { mender })
  }

  /** @returns null for a record with more cells than anybody looks into, and one that a quote broke */
  read(place: number): RaggedCells | null {
    const length = this.#places.lengths[place] as number
    if ((this.#places.cells[place] as number) > MOST_CELLS) return null
    if (blockRoom(length) > this.#block.length) this.#block = new Uint8Array(blockRoom(2 * length))
    readSync(this.#file, this.#block, 0, length, this.#places.offsets[place] as number)
    this.#found = null
    this.#splitter.split(this.#block, length, true)
    return this.#found
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }
}

/** Why nothing is asked about a record, if so: it belongs to the layout, or a quote broke it. */
export const OPEN = 0
export const LAYOUT = 1
export const BROKEN = 2

/** Where the records of another width stand: some thirty bytes each, in file order. */
export class RaggedPlaces {
  size = 0
  lines = new Uint32Array(64)
  offsets = new Float64Array(64)
  lengths = new Uint32Array(64)
  cells = new Uint32Array(64)
  /** Rows of the right width before each. */
  rowsBefore = new Uint32Array(64)
  /** Whether and why nothing is asked about a record. It stands between its neighbours all the same. */
  settled = new Uint8Array(64)

  add(line: number, offset: number, length: number, cells: number, rowsBefore: number, settled: number) {
    const at = this.size++
    if (at === this.lines.length) this.#grow()
    this.lines[at] = line
    this.offsets[at] = offset
    this.lengths[at] = length
    this.cells[at] = cells
    this.rowsBefore[at] = rowsBefore
    this.settled[at] = settled
  }

  #grow(): void {
    const enlarge = <T extends Uint8Array | Uint32Array | Float64Array>(old: T, grown: T): T => {
      grown.set(old)
      return grown
    }
    const room = 2 * this.lines.length
    this.lines = enlarge(this.lines, new Uint32Array(room))
    this.offsets = enlarge(this.offsets, new Float64Array(room))
    this.lengths = enlarge(this.lengths, new Uint32Array(room))
    this.cells = enlarge(this.cells, new Uint32Array(room))
    this.rowsBefore = enlarge(this.rowsBefore, new Uint32Array(room))
    this.settled = enlarge(this.settled, new Uint8Array(room))
  }
}
