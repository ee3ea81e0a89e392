/** The two halves of a counting sort of all rows by one column, in turns. */

import { BRINGING, type KernelCall, type Part } from '../kernel/kernel-calls.ts'
import type { OpenDataset } from '../memory/open-dataset.ts'
import { runParts, shareOut, shareParts, threadsFor } from '../memory/parts.ts'
import { regionSize } from '../memory/regions.ts'
import type { Scratch } from '../memory/scratch.ts'
import { BLOCK_ROWS, blocksOf, type Work } from '../turns.ts'

/** Neighbouring columns are sorted as one when their joint codes, from 1, fit into two bytes. */
export const MOST_JOINT_CODES = 2 ** 16 - 1

/** One-byte codes have four sets of counters. */
const FEWEST_COUNTERS = 4 * 2 ** 8

/** Cost of one row, in nanoseconds. Listed rows are looked up first; more than `CACHED_COUNTERS` counters leave the caches. */
const JOIN_COST = 1.5
const COUNT_COST = 1.5
const COUNT_LISTED_COST = 4
const MOVE_COST = 5
const MOVE_LISTED_COST = 10
const CACHED_COUNTERS = 2 ** 17
const UNCACHED = 2

function slowdownOf({ top }: SortColumn): number {
  return top > CACHED_COUNTERS ? UNCACHED : 1
}

/** Two lists of all rows, swapped after each pass; 0: not allocated yet. While `rows` is 0, rows are as in the file. */
export interface Lists {
  rows: number
  spare: number
}

/** How often each code, or rank, occurs: in all rows, and in each of the shares that are counted and moved separately. */
export interface CodeCounts {
  /** Address of four bytes for each code. */
  readonly all: number
  readonly shares: readonly (readonly [from: number, to: number])[]
  /** Address of the counts of the first share, which is `all` if there is one share, and the bytes from one share to the next. */
  readonly ofShares: number
  readonly stride: number
}

/**
 * Counts in new regions, which take no more memory than an order.
 * @param list the rows in the order in which they will be moved; 0: as in the file. One share
 *   has the same counts in any order
 */
export function* countCodes(
  dataset: OpenDataset,
  column: SortColumn,
  list: number,
  scratch: Scratch,
): Work<CodeCounts> {
  const { kernel, rows } = dataset
  const { codes, width, ranks, top } = column
  const cost = (list === 0 ? COUNT_COST : COUNT_LISTED_COST) * slowdownOf(column)
  const stride = regionSize(4 * Math.max(top + 1, FEWEST_COUNTERS))
  const atMost = list !== 0 && ranks !== 0 ? 1 : Math.floor((rows * 4) / stride) - 1
  const threads = Math.min(threadsFor(dataset, rows * cost), atMost)
  const shares = shareOut(rows, Math.max(1, threads), BLOCK_ROWS)
  const all = scratch.cleared(stride)
  const ofShares = shares.length > 1 ? scratch.cleared(stride * shares.length) : all
  yield
  const inFileOrder = list === 0 || shares.length === 1
  const parts = shareParts(shares, cost, (from, to, share) => [
    inFileOrder
      ? ['countCodes', codes, width, ranks, from, to, ofShares + share * stride]
      : ['countListed', codes, width, list + from * 4, to - from, ofShares + share * stride],
  ])
  yield* runParts(dataset, parts)
  for (const share of shares.keys()) {
    kernel.foldCounts(width, ranks, ofShares + share * stride)
    if (shares.length > 1) kernel.bringIn(all, ofShares + share * stride, (top + 1) * 4, BRINGING.sum)
  }
  return { all, shares, ofShares, stride }
}

/** Sorts the rows by a column whose codes are counted; ties stay as they are. The counts `all` become each code's end. */
export function* moveByCode(
  dataset: OpenDataset,
  column: SortColumn,
  { all, shares, ofShares, stride }: CodeCounts,
  lists: Lists,
  scratch: Scratch,
): Work<void> {
  const { kernel } = dataset
  const { codes, width, ranks, top, descending } = column
  kernel.sumCodes(all, top, descending)
  if (shares.length > 1) kernel.shareStarts(all, top, ofShares, stride, shares.length)
  yield
  lists.spare ||= scratch.allocate(dataset.rows * 4)
  const { rows, spare } = lists
  const cost = (rows === 0 ? MOVE_COST : MOVE_LISTED_COST) * slowdownOf(column)
  const parts = shareParts(shares, cost, (from, to, share) => [
    ['moveByCode', codes, width, ranks, rows, from, to, ofShares + share * stride, spare],
  ])
  yield* runParts(dataset, parts)
  lists.rows = spare
  lists.spare = rows
}

/** A column of a sort, as the kernel takes it. */
export interface SortColumn {
  /** Address of the codes, and their width in bytes. */
  readonly codes: number
  readonly width: number
  /** Address of the ranks; 0 where no two codes compare equal. */
  readonly ranks: number
  /** The highest code or rank. */
  readonly top: number
  readonly descending: number
  /** The number of distinct values, including null. */
  readonly size: number
}

/** The number of combinations of the columns' values. */
export function jointSize(columns: readonly Pick<SortColumn, 'size'>[]): number {
  return columns.reduce((product, column) => product * column.size, 1)
}

/** Joins columns, the most significant first, into one, whose codes are a new region. */
export function* joinColumns(
  dataset: OpenDataset,
  columns: readonly SortColumn[],
  scratch: Scratch,
): Work<SortColumn> {
  const joint = scratch.allocate(dataset.rows * 2)
  const parts = blocksOf(dataset.rows).map(([from, to]): Part => {
    const calls = columns.map(({ codes, width, ranks, top, descending, size }, position): KernelCall => {
      const isFirst = position === 0 ? 1 : 0
      return ['joinCodes', codes, width, ranks, top, descending, from, to, size, isFirst, joint]
    })
    return { calls, cost: (to - from) * JOIN_COST }
  })
  yield* runParts(dataset, [...parts])
  const size = jointSize(columns)
  return { codes: joint, width: 2, ranks: 0, top: size, descending: 0, size }
}

/** Groups of neighbouring columns with at most `most` combinations of values; the least significant group first. */
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
