/** How often each value of a column occurs in the rows that filters match: what charts and summaries are made of. */

import type { ColumnType } from './columns/column.ts'
import { entryText } from './filter/entry-search.ts'
import { findMatches, leaveMatches, type Matches } from './filter/matches.ts'
import type { OpenDataset } from './memory/open-dataset.ts'
import type { Filter } from './query.ts'
import { blocksOf, runInTurns, type Work } from './turns.ts'

/** Cost of a row that is counted: 8 ns where columns of different widths take turns. */
const ROW_COST = 8

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
  try {
    const { type, distinct } = dataset.columns[column]!
    const byCode = new Uint32Array(distinct + 1)
    if (matches.rows !== 0) yield countListed(dataset, column, matches, byCode)
    else if (matches.total > 0) yield* countScanned(dataset, column, matches, byCode)
    return take({
      type,
      total: matches.total,
      missing: byCode[0]!,
      distinct: countOccurring(byCode),
      byCode,
      textOf: (code) => entryText(dataset, column, code),
    })
  } finally {
    leaveMatches(dataset, matches)
  }
}

function countOccurring(byCode: Uint32Array): number {
  let occurring = 0
  for (let code = 1; code < byCode.length; code++) if (byCode[code]! > 0) occurring++
  return occurring
}

type Codes = Uint8Array | Uint16Array | Uint32Array

/** The column's codes; the view holds until something is allocated. */
function codesOf(dataset: OpenDataset, column: number): Codes {
  const at = dataset.segment(column, 'codes')
  const { buffer } = dataset.regions.memory
  const { codeWidth } = dataset.columns[column]!
  if (codeWidth === 4) return new Uint32Array(buffer, at, dataset.rows)
  return codeWidth === 2
    ? new Uint16Array(buffer, at, dataset.rows)
    : new Uint8Array(buffer, at, dataset.rows)
}

function countListed(
  dataset: OpenDataset,
  column: number,
  { rows, total }: Matches,
  byCode: Uint32Array,
): number {
  const codes = codesOf(dataset, column)
  const { words } = dataset.regions
  for (let index = 0; index < total; index++) byCode[codes[words[rows / 4 + index]!]!]! += 1
  return total * ROW_COST
}

/** Blocks begin at multiples of 32 rows, so that every word of the mask belongs to one. */
function* countScanned(
  dataset: OpenDataset,
  column: number,
  { mask }: Matches,
  byCode: Uint32Array,
): Work<void> {
  for (const [from, until] of blocksOf(dataset.rows)) {
    // A new view: others may have allocated since the last block.
    const codes = codesOf(dataset, column)
    if (mask === 0) countAll(codes, from, until, byCode)
    else countMasked(codes, dataset.regions.words, mask / 4, from, until, byCode)
    yield (until - from) * ROW_COST
  }
}

/** A separate function: inside a generator the loop is compiled much later. */
function countAll(codes: Codes, from: number, until: number, byCode: Uint32Array): void {
  for (let row = from; row < until; row++) byCode[codes[row]!]! += 1
}

function countMasked(
  codes: Codes,
  words: Uint32Array,
  mask: number,
  from: number,
  until: number,
  byCode: Uint32Array,
): void {
  for (let first = from; first < until; first += 32) {
    for (let bits = words[mask + first / 32]!; bits !== 0; bits &= bits - 1) {
      const row = first + 31 - Math.clz32(bits & -bits)
      if (row < until) byCode[codes[row]!]! += 1
    }
  }
}
