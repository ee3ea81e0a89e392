/** The cells of records of another width, read from the file again by their places. */

import { closeSync, openSync, readSync } from 'node:fs'
import type { RaggedPlaces } from './ragged-places.ts'
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

/** To be closed. */
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

  close(): void {
    closeSync(this.#file)
  }
}
