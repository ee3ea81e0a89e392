/**
 * The order of all rows: one counting pass per column, the least significant first, each keeping the order of the ones
 * before among equal codes. A dictionary never has more entries than there are rows, so every column takes one pass.
 */

import type { OpenDataset } from './memory.ts'
import type { SortColumn } from './sort-column.ts'
import { countCodes, type Lists, moveByCode } from './sort-passes.ts'
import { maySortTies, sortByTies } from './sort-ties.ts'
import { blocksOf, type Work } from './turns.ts'

/** Neighbouring columns of few values are sorted as one when their joint codes, from 1 on, fit into two bytes. */
const MOST_JOINT_CODES = 2 ** 16 - 1
/** Cost of joining the code of one row. */
const JOIN_COST = 1.5

/** Address of a new region with all row numbers, sorted. */
export function* sortAll(dataset: OpenDataset, columns: readonly SortColumn[]): Work<number> {
  const { kernel, regions, rows: count } = dataset
  const lists: Lists = { rows: 0, spare: 0 }
  try {
    const isSorted = maySortTies(dataset, columns) && (yield* sortByTies(dataset, columns, lists))
    for (const group of isSorted ? [] : groupColumns(columns)) {
      if (group.length === 1) yield* sortByCode(dataset, group[0]!, lists)
      else yield* sortJointly(dataset, group, lists)
    }
    if (lists.rows === 0) {
      lists.rows = regions.allocate(count * 4)
      kernel.enumerate(lists.rows, 0, count)
    }
    const sorted = lists.rows
    lists.rows = 0
    return sorted
  } finally {
    for (const region of [lists.rows, lists.spare]) if (region !== 0) regions.release(region)
  }
}

/** Neighbours that can be sorted as one; least significant group first. */
function groupColumns(columns: readonly SortColumn[]): SortColumn[][] {
  const groups: SortColumn[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const column of columns.toReversed()) {
    size *= column.size
    if (size <= MOST_JOINT_CODES) {
      groups.at(-1)!.unshift(column)
      continue
    }
    groups.push([column])
    size = column.size
  }
  return groups
}

function* sortJointly(dataset: OpenDataset, group: readonly SortColumn[], lists: Lists): Work<void> {
  const { kernel, regions, rows: count } = dataset
  const joint = regions.allocate(count * 2)
  try {
    for (const [position, { codes, width, ranks, top, descending, size }] of group.entries()) {
      const isFirst = position === 0 ? 1 : 0
      for (const [from, to] of blocksOf(count)) {
        kernel.joinCodes(codes, width, ranks, top, descending, from, to, size, isFirst, joint)
        yield (to - from) * JOIN_COST
      }
    }
    const size = group.reduce((product, column) => product * column.size, 1)
    yield* sortByCode(dataset, { codes: joint, width: 2, ranks: 0, top: size, descending: 0, size }, lists)
  } finally {
    regions.release(joint)
  }
}

/** Brings the rows into the order of one column, ties staying as they are. */
function* sortByCode(dataset: OpenDataset, column: SortColumn, lists: Lists): Work<void> {
  const starts = yield* countCodes(dataset, column)
  try {
    yield* moveByCode(dataset, column, starts, lists)
  } finally {
    dataset.regions.release(starts)
  }
}
