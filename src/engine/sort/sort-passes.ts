/** The two halves of a counting sort of all rows by one column, in turns. */

import type { OpenDataset } from '../memory/open-dataset.ts'
import { blocksOf, type Work } from '../turns.ts'
import type { SortColumn } from './sort-column.ts'

/** One-byte codes are counted fourfold. */
const FEWEST_COUNTERS = 4 * 2 ** 8

/** Cost of one row. One in an order already made is looked up first; and more counters than these leave the caches. */
const COUNT_COST = 1.5
const MOVE_COST = 5
const MOVE_LISTED_COST = 10
const CACHED_COUNTERS = 2 ** 17
const UNCACHED = 2
/** Cost of clearing a counter, and of summing up. */
const COUNTER_COST = 1

function slowdownOf({ top }: SortColumn): number {
  return top > CACHED_COUNTERS ? UNCACHED : 1
}

/** Two lists of all rows taking turns; 0: not allocated yet. No `rows` yet: they are as in the file. */
export interface Lists {
  rows: number
  spare: number
}

/** Address of a new region with how often each code, or rank, occurs. */
export function* countCodes({ kernel, regions, rows }: OpenDataset, column: SortColumn): Work<number> {
  const bytes = 4 * Math.max(column.top + 1, FEWEST_COUNTERS)
  const counts = regions.allocate(bytes)
  let isCounted = false
  try {
    regions.bytes.fill(0, counts, counts + bytes)
    yield column.top * COUNTER_COST
    for (const [from, to] of blocksOf(rows)) {
      kernel.countCodes(column.codes, column.width, column.ranks, from, to, counts)
      yield (to - from) * COUNT_COST * slowdownOf(column)
    }
    kernel.foldCounts(column.width, column.ranks, counts)
    isCounted = true
    return counts
  } finally {
    if (!isCounted) regions.release(counts)
  }
}

/** Sorts the rows by a column whose codes are counted, ties staying as they are; the counts become each code's end. */
export function* moveByCode(
  { kernel, regions, rows: count }: OpenDataset,
  column: SortColumn,
  counts: number,
  lists: Lists,
): Work<void> {
  const { codes, width, ranks, top, descending } = column
  kernel.sumCodes(counts, top, descending)
  yield top * COUNTER_COST
  lists.spare ||= regions.allocate(count * 4)
  const { rows, spare } = lists
  const cost = (rows === 0 ? MOVE_COST : MOVE_LISTED_COST) * slowdownOf(column)
  for (const [from, to] of blocksOf(count)) {
    kernel.moveByCode(codes, width, ranks, rows, from, to, counts, spare)
    yield (to - from) * cost
  }
  lists.rows = spare
  lists.spare = rows
}
