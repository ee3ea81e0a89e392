/**
 * What the second thread of a large ingest does while the main one counts and writes: it sorts the values of the last
 * columns and hashes the source, so many columns that both end at about the same time. Without a second thread, for a
 * smaller file, the main one does all of it.
 */

import type { SortedEntries } from '../engine/dictionary.ts'
import type { EncodedRecords } from './records/encode.ts'
import { hashFile, type SourceFile } from './source/source.ts'
import type { LoadedColumn } from './values/validation.ts'

/** Nanoseconds, measured on a small server: for a cell to be counted and written, a value to be sorted, a byte to be hashed. */
const CELL_COST = 13
const VALUE_COST = 200
const BYTE_COST = 1
/** Values are copied for the other thread: not more than this, so that memory stays bounded. */
const LARGEST_COPY = 16 * 2 ** 20

export class ThreadSharing {
  private readonly records: EncodedRecords
  private readonly source: SourceFile
  /** Columns from here on are sorted by the second thread, but for the largest. */
  private readonly from: number
  private readonly columns: readonly LoadedColumn[]

  constructor(records: EncodedRecords, columns: readonly LoadedColumn[], source: SourceFile) {
    this.records = records
    this.source = source
    this.columns = columns
    this.from = firstShared(records, columns, source)
    const { secondThread } = records
    if (secondThread === null) return
    for (const [column, { typed }] of columns.entries())
      if (this.isShared(column)) secondThread.askOrder(column, typed.type, typed.values)
    secondThread.askHash(source.path)
  }

  /** The order of a column's values; undefined: the main thread is to find it out. To be asked once. */
  async orderOf(column: number): Promise<SortedEntries | undefined> {
    return this.isShared(column) ? this.records.secondThread?.order(column) : undefined
  }

  /** Of the source's own bytes, in lower-case hex. */
  async sha256(): Promise<string> {
    return this.records.secondThread?.hash() ?? hashFile(this.source.path)
  }

  private isShared(column: number): boolean {
    const { heap } = (this.columns[column] as LoadedColumn).typed.values
    return this.records.secondThread !== null && column >= this.from && heap.length <= LARGEST_COPY
  }
}

/** The first of the columns at the end whose sorting, with the hash, is half of all that is to be done. */
function firstShared(
  { rows }: EncodedRecords,
  columns: readonly LoadedColumn[],
  { bytes }: SourceFile,
): number {
  const sorting = columns.map(({ typed }) => (typed.values.offsets.length - 1) * VALUE_COST)
  const hashing = bytes * BYTE_COST
  const all = sorting.reduce((sum, cost) => sum + cost, hashing + rows * columns.length * CELL_COST)
  let from = columns.length
  for (let shared = hashing; from > 0; from--) {
    shared += sorting[from - 1] as number
    if (shared > all / 2) break
  }
  return from
}
