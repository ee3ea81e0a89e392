/** The two halves of a counting sort of all rows by one column, in turns. */

import type { OpenDataset } from '../memory/open-dataset.ts'
import type { Scratch } from '../memory/scratch.ts'
import { blocksOf, type Work } from '../turns.ts'

/** They are sorted as one when their joint codes, from 1 on, fit into two bytes. */
export const MOST_JOINT_CODES = 2 ** 16 - 1

/** Cost of joining the code of one row. */
const JOIN_COST = 1.5

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
export function* countCodes(
  { kernel, rows }: OpenDataset,
  column: SortColumn,
  scratch: Scratch,
): Work<number> {
  const counts = scratch.cleared(4 * Math.max(column.top + 1, FEWEST_COUNTERS))
  yield column.top * COUNTER_COST
  for (const [from, to] of blocksOf(rows)) {
    kernel.countCodes(column.codes, column.width, column.ranks, from, to, counts)
    yield (to - from) * COUNT_COST * slowdownOf(column)
  }
  kernel.foldCounts(column.width, column.ranks, counts)
  return counts
}

/** Sorts the rows by a column whose codes are counted, ties staying as they are; the counts become each code's end. */
export function* moveByCode(
  { kernel, rows: count }: OpenDataset,
  column: SortColumn,
  counts: number,
  lists: Lists,
  scratch: Scratch,
): Work<void> {
  const { codes, width, ranks, top, descending } = column
  kernel.sumCodes(counts, top, descending)
  yield top * COUNTER_COST
  lists.spare ||= scratch.allocate(count * 4)
  const { rows, spare } = lists
  const cost = (rows === 0 ? MOVE_COST : MOVE_LISTED_COST) * slowdownOf(column)
  for (const [from, to] of blocksOf(count)) {
    kernel.moveByCode(codes, width, ranks, rows, from, to, counts, spare)
    yield (to - from) * cost
  }
  lists.rows = spare
  lists.spare = rows
}

/** A column of a sort, as the kernel's loops take it. */
export interface SortColumn {
  /** Address of the codes, and their width in bytes. */
  readonly codes: number
  readonly width: number
  /** Address of the ranks; 0 where no two codes compare equal. */
  readonly ranks: number
  /** The highest code or rank. */
  readonly top: number
  readonly descending: number
  /** How many values there are to tell apart, null among them. */
  readonly size: number
}

/** How many values columns have together, at most. */
export function jointSize(columns: readonly SortColumn[]): number {
  return columns.reduce((product, column) => product * column.size, 1)
}

/** The columns as one, most significant first; its codes are a new region. */
export function* joinColumns(
  { kernel, rows }: OpenDataset,
  columns: readonly SortColumn[],
  scratch: Scratch,
): Work<SortColumn> {
  const joint = scratch.allocate(rows * 2)
  for (const [position, { codes, width, ranks, top, descending, size }] of columns.entries()) {
    const isFirst = position === 0 ? 1 : 0
    for (const [from, to] of blocksOf(rows)) {
      kernel.joinCodes(codes, width, ranks, top, descending, from, to, size, isFirst, joint)
      yield (to - from) * JOIN_COST
    }
  }
  const size = jointSize(columns)
  return { codes: joint, width: 2, ranks: 0, top: size, descending: 0, size }
}

/** Neighbouring columns that have no more than `most` values together; least significant group first. */
export function groupColumns(columns: readonly SortColumn[], most: number): SortColumn[][] {
  const groups: SortColumn[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const column of columns.toReversed()) {
    size *= column.size
    if (size <= most) {
      groups.at(-1)!.unshift(column)
      continue
    }
    groups.push([column])
    size = column.size
  }
  return groups
}
