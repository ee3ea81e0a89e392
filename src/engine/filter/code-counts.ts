/** How often each code of a column occurs in the rows that filters match, for facets and charts. */

import { withValue } from '../../base/value-or-promise.ts'
import type { ColumnType } from '../columns/column.ts'
import { BRINGING, type KernelCall } from '../kernel/kernel-calls.ts'
import { MOST_COUNTERS, maskWords, type Needs, type OpenDataset } from '../memory/open-dataset.ts'
import { runParts, shareOut, shareParts, threadsFor } from '../memory/parts.ts'
import { Scratch } from '../memory/scratch.ts'
import type { Filter } from '../row-query.ts'
import { BLOCK_ROWS, runInTurns, type Work } from '../turns.ts'
import { entryText } from './entry-search.ts'
import { findMatches, type Matches } from './matches.ts'
import { rowNeeds } from './plan.ts'

type MatchingRows = Pick<Matches, 'mask' | 'rows' | 'total'>

/** One-byte codes are counted in four sets of counters. */
const FEWEST_COUNTERS = 4 * 2 ** 8
/** Cost of counting a row, in nanoseconds, where the counters fit into the processor's cache and where they do not. */
const NEAR_COST = 1.5
const FAR_COST = 6
const NEAR_COUNTERS = 2 ** 16
/** Cost of 64 rows of which none matches, in nanoseconds. */
const WORD_COST = 0.5
const WORD_ROWS = 64

/** How many counters of four bytes the codes of a column take. */
export function countersOf({ columns }: OpenDataset, column: number): number {
  return Math.max(columns[column]!.distinct + 1, FEWEST_COUNTERS)
}

/**
 * Counts the codes of some columns in one pass over the matches.
 * @returns the addresses of their counters, four bytes for each code from 0
 * @throws DamagedFileError when a segment does not load
 */
export function* countCodes(
  dataset: OpenDataset,
  matches: MatchingRows,
  columns: readonly number[],
  scratch: Scratch,
): Work<readonly number[]> {
  const counters = columns.map((column) => scratch.cleared(countersOf(dataset, column) * 4))
  if (matches.total === 0) return counters
  const counted = columns.map((column, index) => ({
    codes: dataset.segment(column, 'codes'),
    width: dataset.columns[column]!.codeWidth,
    at: counters[index]!,
    counters: countersOf(dataset, column),
    cost: countersOf(dataset, column) > NEAR_COUNTERS ? FAR_COST : NEAR_COST,
  }))
  yield* countParts(dataset, matches, counted, scratch)
  for (const { width, at } of counted) dataset.kernel.foldCounts(width, 0, at)
  return counters
}

interface Counted {
  readonly codes: number
  readonly width: number
  /** Address of the counters, and how many there are. */
  readonly at: number
  readonly counters: number
  readonly cost: number
}

/** Each thread has its own set of counters; there are no more threads than sets that fit into the bound. */
function* countParts(
  dataset: OpenDataset,
  matches: MatchingRows,
  columns: readonly Counted[],
  scratch: Scratch,
): Work<void> {
  const { rows, total } = matches
  const size = rows !== 0 ? total : dataset.rows
  const costs = columns.map(({ cost }) =>
    rows !== 0 ? FAR_COST : cost * (total / size) + WORD_COST / WORD_ROWS,
  )
  const cost = costs.reduce((sum, one) => sum + one, 0)
  const counters = columns.reduce((sum, { counters }) => sum + counters, 0)
  const threads = Math.min(threadsFor(dataset, size * cost), Math.floor(MOST_COUNTERS / counters))
  const shares = shareOut(size, Math.max(1, threads), BLOCK_ROWS)
  const sets = shares.map((_, share) =>
    share === 0
      ? columns
      : columns.map((column) => ({ ...column, at: scratch.cleared(column.counters * 4) })),
  )
  const parts = shareParts(shares, cost / columns.length, (from, to, share) =>
    sets[share]!.map((column) => countCall(matches, column, from, to)),
  )
  yield* runParts(dataset, parts)
  for (const set of sets.slice(1))
    for (const [index, { at, counters }] of set.entries()) {
      dataset.kernel.bringIn(columns[index]!.at, at, counters * 4, BRINGING.sum)
      scratch.release(at)
    }
}

/** The call that counts one block, short enough that its part of the mask stays in the processor's cache. */
function countCall(
  { mask, rows }: MatchingRows,
  { codes, width, at }: Counted,
  from: number,
  to: number,
): KernelCall {
  if (rows !== 0) return ['countListed', codes, width, rows + from * 4, to - from, at]
  if (mask === 0) return ['countCodes', codes, width, 0, from, to, at]
  return ['countMasked', codes, width, mask, maskWords(from), maskWords(to), at]
}

/** How often each value of a column occurs in the rows that filters match, for charts and summaries. */
export interface ValueCounts {
  readonly type: ColumnType
  readonly total: number
  readonly missing: number
  readonly distinct: number
  /** Occurrences by code; codes 1..n follow the column's order. */
  readonly byCode: Uint32Array
  /** The text of a code; call it while the dataset is open. */
  readonly textOf: (code: number) => string
}

/**
 * Counts the values of a column. `take` turns the counts into the result while the dataset is open.
 * @throws DamagedFileError when a segment does not load
 */
export function countValues<T>(
  dataset: OpenDataset,
  column: number,
  filters: readonly Filter[],
  take: (counts: ValueCounts) => T,
): T | Promise<T> {
  const needs: Needs = [[[column], 'valued'], ...rowNeeds(dataset, filters)]
  return withValue(dataset.load(needs), () => runInTurns(countsOf(dataset, column, filters, take)))
}

function* countsOf<T>(
  dataset: OpenDataset,
  column: number,
  filters: readonly Filter[],
  take: (counts: ValueCounts) => T,
): Work<T> {
  using matches = yield* findMatches(dataset, filters)
  using scratch = new Scratch(dataset)
  const { type, distinct } = dataset.columns[column]!
  const [counters] = yield* countCodes(dataset, matches, [column], scratch)
  const byCode = dataset.regions.words.slice(counters! / 4, counters! / 4 + distinct + 1)
  let occurring = 0
  for (let code = 1; code < byCode.length; code++) if (byCode[code]! > 0) occurring++
  return take({
    type,
    total: matches.total,
    missing: byCode[0]!,
    distinct: occurring,
    byCode,
    textOf: (code) => entryText(dataset, column, code),
  })
}

/**
 * The code in whose spelling each rank (from 1) is shown: among values that are equal under `eq` but written differently, the
 * most frequent in the whole dataset, then the first by code point, which is the first by code. Null where no two codes
 * compare equal, so that every rank is a code.
 * @throws DamagedFileError when a segment does not load
 */
export function* findShownCodes(dataset: OpenDataset, column: number): Work<Uint32Array | null> {
  const { distinct } = dataset.columns[column]!
  const ranks = dataset.segment(column, 'ranks') / 4
  if (ranks === 0) return null
  using scratch = new Scratch(dataset)
  const all = { mask: 0, rows: 0, total: dataset.rows }
  const [counters] = yield* countCodes(dataset, all, [column], scratch)
  const { words } = dataset.regions
  const counts = counters! / 4
  const shown = new Uint32Array(words[ranks + distinct]! + 1)
  for (let code = 1; code <= distinct; code++) {
    const rank = words[ranks + code]!
    const best = shown[rank]!
    if (best === 0 || words[counts + code]! > words[counts + best]!) shown[rank] = code
  }
  return shown
}
