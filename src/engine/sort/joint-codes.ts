/** Neighbouring columns of few values as one column, in turns. */

import type { OpenDataset } from '../memory/open-dataset.ts'
import { blocksOf, type Work } from '../turns.ts'
import type { SortColumn } from './sort-column.ts'

/** They are sorted as one when their joint codes, from 1 on, fit into two bytes. */
export const MOST_JOINT_CODES = 2 ** 16 - 1
/** Cost of joining the code of one row. */
const JOIN_COST = 1.5

/** How many values columns have together, at most. */
export function jointSize(columns: readonly SortColumn[]): number {
  return columns.reduce((product, column) => product * column.size, 1)
}

/** The columns as one, most significant first; its codes are a new region. */
export function* joinColumns(
  { kernel, regions, rows }: OpenDataset,
  columns: readonly SortColumn[],
): Work<SortColumn> {
  const joint = regions.allocate(rows * 2)
  let isJoined = false
  try {
    for (const [position, { codes, width, ranks, top, descending, size }] of columns.entries()) {
      const isFirst = position === 0 ? 1 : 0
      for (const [from, to] of blocksOf(rows)) {
        kernel.joinCodes(codes, width, ranks, top, descending, from, to, size, isFirst, joint)
        yield (to - from) * JOIN_COST
      }
    }
    isJoined = true
    const size = jointSize(columns)
    return { codes: joint, width: 2, ranks: 0, top: size, descending: 0, size }
  } finally {
    if (!isJoined) regions.release(joint)
  }
}
