/**
 * What the second thread of a large ingest does while the main one counts and writes: it sorts the values of the last
 * columns, as many as let both threads end at about the same time, and hashes the source. For smaller files there is no
 * second thread, and the main one does everything.
 */

import type { SortedEntries } from '../../engine/columns/dictionary.ts'
import type { EncodedRecords } from '../cells/encoded-records.ts'
import { digestOf, type SourceFile } from '../source/source.ts'
import type { LoadedColumn } from '../values/validation.ts'

/** Nanoseconds, measured on a small server: to count and write a cell, sort a value, hash a byte. */
const CELL_COST = 13
const VALUE_COST = 200
const BYTE_COST = 1
/** Values are copied for the other thread: not those of larger columns, and only for this many columns at a time. */
const LARGEST_COPY = 16 * 2 ** 20
const AHEAD = 2

export function shareThread(records: EncodedRecords, columns: readonly LoadedColumn[], source: SourceFile) {
  const { secondThread } = records
  /** Columns that the second thread sorts, in order. */
  const shared = secondThread === null ? [] : chooseShared(records.rows, columns, source)
  const orders = new Map<number, Promise<SortedEntries> | undefined>()
  let hash: Promise<string> | undefined
  let asked = 0
  /** Requests the next column, and after the last one, once, the hash. */
  const askNext = () => {
    const column = shared[asked]
    if (column !== undefined) {
      const { type, values } = (columns[column] as LoadedColumn).typed
      orders.set(column, secondThread?.sort(type, values))
    } else if (asked === shared.length && source.sha256 === undefined) hash = secondThread?.hash(source.path)
    asked++
  }
  for (let i = 0; i < AHEAD; i++) askNext()
  return {
    /** The order of a column's values; undefined: the main thread has to sort. Call it for each column, in order. */
    async orderOf(column: number): Promise<SortedEntries | undefined> {
      const order = await orders.get(column)
      if (orders.delete(column)) askNext()
      return order
    },

    /** The hash of the source's bytes, in lower-case hex. Call it last. */
    sha256: async (): Promise<string> => (await hash) ?? digestOf(source),
  }
}

/** Chooses as many of the last columns that sorting them, with the hash, is half of the work. */
function chooseShared(
  rows: number,
  columns: readonly LoadedColumn[],
  { bytes, sha256 }: SourceFile,
): number[] {
  const costs = columns.map(({ typed }) => (typed.values.offsets.length - 1) * VALUE_COST)
  const hashing = sha256 === undefined ? bytes * BYTE_COST : 0
  const all = costs.reduce((sum, cost) => sum + cost, hashing + rows * columns.length * CELL_COST)
  const chosen: number[] = []
  let sum = hashing
  for (const [column, { typed }] of [...columns.entries()].reverse()) {
    const { heap, offsets } = typed.values
    if (heap.length + offsets.byteLength > LARGEST_COPY) continue
    sum += costs[column] as number
    if (sum > all / 2) break
    chosen.unshift(column)
  }
  return chosen
}
