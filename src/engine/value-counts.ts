/** How often each value of a column occurs in the rows that filters match: what charts and summaries are made of. */

import type { ColumnType } from './columns/column.ts'
import { countCodes } from './filter/code-counts.ts'
import { entryText } from './filter/entry-search.ts'
import { findMatches, leaveMatches } from './filter/matches.ts'
import type { OpenDataset } from './memory/open-dataset.ts'
import type { Filter } from './query.ts'
import { runInTurns, type Work } from './turns.ts'

export interface ValueCounts {
  readonly type: ColumnType
  /** Rows that match; those without a value among them. */
  readonly total: number
  readonly missing: number
  /** Distinct values that occur. */
  readonly distinct: number
  /** Occurrences by code; codes 1..n follow the column's order. */
  readonly byCode: Uint32Array
  /** The text of a code; call it while the dataset is open. */
  readonly textOf: (code: number) => string
}

/**
 * Counts the values of a column. `take` makes the result of the counts while the dataset is open.
 * @throws DamagedFileError when a segment does not load
 */
export function countValues<T>(
  dataset: OpenDataset,
  column: number,
  filters: readonly Filter[],
  take: (counts: ValueCounts) => T,
): T | Promise<T> {
  return runInTurns(countsOf(dataset, column, filters, take))
}

function* countsOf<T>(
  dataset: OpenDataset,
  column: number,
  filters: readonly Filter[],
  take: (counts: ValueCounts) => T,
): Work<T> {
  const matches = yield* findMatches(dataset, filters)
  const counters: number[] = []
  try {
    const { type, distinct } = dataset.columns[column]!
    yield* countCodes(dataset, matches, [column], counters)
    const from = counters[0]! / 4
    const byCode = dataset.regions.words.slice(from, from + distinct + 1)
    return take({
      type,
      total: matches.total,
      missing: byCode[0]!,
      distinct: countOccurring(byCode),
      byCode,
      textOf: (code) => entryText(dataset, column, code),
    })
  } finally {
    for (const at of counters) dataset.regions.release(at)
    leaveMatches(dataset, matches)
  }
}

function countOccurring(byCode: Uint32Array): number {
  let occurring = 0
  for (let code = 1; code < byCode.length; code++) if (byCode[code]! > 0) occurring++
  return occurring
}
