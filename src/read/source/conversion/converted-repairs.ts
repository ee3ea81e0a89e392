/** What a conversion mended, by the cell of its records. */

import type { FormatFacts } from './conversion.ts'

export interface ConvertedRepairs {
  /** Cells that got the value of their merged block, and cells that held an error. */
  merged(cell: number): number
  errors(cell: number): number
}

/** @param firstRow record, from 1, below the header: what was filled above is not data */
export function countConverted(
  { filled, errors: cells }: Pick<FormatFacts, 'filled' | 'errors'>,
  firstRow: number,
): ConvertedRepairs {
  const merged = new Map<number, number>()
  for (const { cell, from, to } of filled) {
    const rows = to - Math.max(from, firstRow) + 1
    if (rows > 0) merged.set(cell, (merged.get(cell) ?? 0) + rows)
  }
  const errors = new Map(cells.map(({ cell, count }) => [cell, count]))
  return { merged: (cell) => merged.get(cell) ?? 0, errors: (cell) => errors.get(cell) ?? 0 }
}
