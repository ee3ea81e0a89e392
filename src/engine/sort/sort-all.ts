/**
 * The order of all rows: by the leading columns alone, where these tell most rows apart; else one counting pass per column,
 * the least significant first, each keeping the order of the ones before among equal codes. A dictionary never has more
 * entries than there are rows, so every column takes one pass.
 */

import type { OpenDataset } from '../memory/open-dataset.ts'
import type { Work } from '../turns.ts'
import { joinColumns, MOST_JOINT_CODES } from './joint-codes.ts'
import type { SortColumn } from './sort-column.ts'
import { type SortedRows, sortByLeading } from './sort-leading.ts'
import { countCodes, type Lists, moveByCode } from './sort-passes.ts'

/** All rows, sorted, in a new region. */
export function* sortAll(dataset: OpenDataset, columns: readonly SortColumn[]): Work<SortedRows> {
  return (yield* sortByLeading(dataset, columns)) ?? (yield* sortInPasses(dataset, columns))
}

function* sortInPasses(dataset: OpenDataset, columns: readonly SortColumn[]): Work<SortedRows> {
  const { kernel, regions, rows: count } = dataset
  const lists: Lists = { rows: 0, spare: 0 }
  try {
    for (const group of groupColumns(columns)) {
      if (group.length === 1) yield* sortByCode(dataset, group[0]!, lists)
      else yield* sortJointly(dataset, group, lists)
    }
    if (lists.rows === 0) {
      lists.rows = regions.allocate(count * 4)
      kernel.enumerate(lists.rows, 0, count)
    }
    const at = lists.rows
    lists.rows = 0
    return { at, bytes: count * 4, ties: null }
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
  const joint = yield* joinColumns(dataset, group)
  try {
    yield* sortByCode(dataset, joint, lists)
  } finally {
    dataset.regions.release(joint.codes)
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
