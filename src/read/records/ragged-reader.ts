/** Reads the cells of records of another width from the file again, by their places. */

import { closeSync, openSync } from 'node:fs'
import { enlarge } from '../../engine/columns/byte-sink.ts'
import { readFully } from '../report/disk.ts'
import { type RecordCells, readAlone } from './record-mender.ts'
import type { Separators } from './separators.ts'

/** The most cells of a record that are read. */
const MOST_CELLS = 4096

export class RaggedReader {
  readonly #file: number
  readonly #places: RaggedPlaces
  readonly #separators: Separators

  constructor(path: string, separators: Separators, places: RaggedPlaces) {
    this.#file = openSync(path, 'r')
    this.#places = places
    this.#separators = separators
  }

  /** @returns null for a record with too many cells, or one that a quote broke */
  read(place: number): RecordCells | null {
    const { cells, lengths, offsets, settled } = this.#places
    if ((cells[place] as number) > MOST_CELLS || settled[place] === BROKEN) return null
    const bytes = new Uint8Array(lengths[place] as number)
    readFully(this.#file, bytes, offsets[place] as number)
    return readAlone(bytes, this.#separators, cells[place] as number)
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }
}

/** Whether a record is settled, and why: it belongs to the layout, or a quote broke it. */
export const OPEN = 0
export const LAYOUT = 1
export const BROKEN = 2

/** The places of records of another width: about thirty bytes each, in file order. */
export class RaggedPlaces {
  size = 0
  lines = new Uint32Array(64)
  offsets = new Float64Array(64)
  lengths = new Uint32Array(64)
  cells = new Uint32Array(64)
  /** Number of rows of the right width before each. */
  rowsBefore = new Uint32Array(64)
  /** OPEN, LAYOUT or BROKEN. A settled record still separates its neighbours. */
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
    const room = 2 * this.lines.length
    this.lines = enlarge(this.lines, room)
    this.offsets = enlarge(this.offsets, room)
    this.lengths = enlarge(this.lengths, room)
    this.cells = enlarge(this.cells, room)
    this.rowsBefore = enlarge(this.rowsBefore, room)
    this.settled = enlarge(this.settled, room)
  }
}
