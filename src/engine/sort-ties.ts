/**
 * The order of all rows where the first column has many values: sorted by that one, few rows tie, and only those are
 * sorted by the others. Columns after the first then cost less, however many values they have.
 */

import type { OpenDataset } from './memory.ts'
import type { SortColumn } from './sort-column.ts'
import { countCodes, type Lists, moveByCode } from './sort-passes.ts'
import type { Work } from './turns.ts'

/** The first column has at least one value for so many rows. */
const MOST_ROWS_PER_VALUE = 32
/** Where more rows share one value, they are sorted as all others: the rows of one are sorted within one turn. */
const LARGEST_GROUP = 2 ** 19
/** Rows sorted between two yields, at least, and the cost of one. */
const ROWS_AT_A_TIME = 2 ** 16
const TIE_COST = 30

const COUNTER_BYTES = 4 * 2048
const ELEMENT_BYTES = 8
const COLUMN_BYTES = 24

/** Whether sorting ties promises to be faster than a pass over all rows for each column. */
export function maySortTies(dataset: OpenDataset, columns: readonly SortColumn[]): boolean {
  return columns.length > 1 && columns[0]!.size * MOST_ROWS_PER_VALUE >= dataset.rows
}

/** Sorts all rows; false, and nothing done, when too many share one value of the first column. */
export function* sortByTies(
  dataset: OpenDataset,
  columns: readonly SortColumn[],
  lists: Lists,
): Work<boolean> {
  const { kernel, regions } = dataset
  const first = columns[0]!
  const others = columns.slice(1)
  const counts = yield* countCodes(dataset, first)
  let scratch = 0
  try {
    const largest = kernel.largestCount(counts, first.top)
    if (largest > LARGEST_GROUP) return false
    yield* moveByCode(dataset, first, counts, lists)
    if (largest < 2) return true
    const groupBytes = COUNTER_BYTES + largest * 2 * ELEMENT_BYTES
    scratch = regions.allocate(groupBytes + others.length * COLUMN_BYTES)
    const table = scratch + groupBytes
    writeColumns(dataset, others, table)
    const tableEnd = table + others.length * COLUMN_BYTES
    const { top, descending } = first
    const { rows } = lists
    const most = ROWS_AT_A_TIME
    for (let from = 0; from <= top; from = kernel.tieReached()) {
      // biome-ignore format: ten arguments, one call
      const done = kernel.sortTies(rows, counts, top, descending, from, most, table, tableEnd, scratch, largest)
      yield done * TIE_COST
    }
    return true
  } finally {
    for (const region of [counts, scratch]) if (region !== 0) regions.release(region)
  }
}

function writeColumns({ regions }: OpenDataset, columns: readonly SortColumn[], table: number): void {
  for (const [i, { codes, width, ranks, top, descending, size }] of columns.entries())
    regions.words.set([codes, width, ranks, top, descending, size], (table + i * COLUMN_BYTES) / 4)
}
