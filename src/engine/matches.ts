/** Which rows a query's filters match: a bit mask and its total, kept for the next page of the same query. */

import type { Kept } from './kept-regions.ts'
import { SCAN, type ScanMode } from './kernel/instantiate.ts'
import { maskWords, type OpenDataset } from './memory.ts'
import { type Plan, planFilters, releaseTables, type Scan } from './plan.ts'
import type { Filter } from './query.ts'
import { blocksOf, type Work } from './turns.ts'

/** Matching rows, in use until `leaveMatches`. */
export interface Matches {
  /** Address of the mask; 0 when every row matches or none does. */
  readonly mask: number
  readonly total: number
  /** Names the filters; the same for the same filters. */
  readonly key: string
  readonly kept: Kept | null
}

const WORD_ROWS = 64

/** Cost of testing a row, per byte of code, and of looking its code up. */
const RANGE_BYTE_COST = 0.05
const TABLE_COST = 2

/**
 * The rows that all filters match.
 * @throws DamagedFileError when a segment does not load
 */
export function* findMatches(dataset: OpenDataset, filters: readonly Filter[]): Work<Matches> {
  if (filters.length === 0) return { mask: 0, total: dataset.rows, key: '', kept: null }
  const key = JSON.stringify(filters)
  for (;;) {
    const kept = dataset.masks.use(key)
    if (kept) return { mask: kept.at, total: kept.count, key, kept }
    if (!dataset.building) break
    yield dataset.building
  }
  const kept = yield* buildAlone(dataset, () => buildMatches(dataset, filters, key))
  return { mask: kept.at, total: kept.count, key, kept }
}

/** Every `findMatches` wants one; the mask may be gone afterwards. */
export function leaveMatches(dataset: OpenDataset, matches: Matches): void {
  if (matches.kept) dataset.masks.leave(matches.kept)
}

/** Does the work while `dataset.building` keeps others from starting theirs. */
export function* buildAlone<T>(dataset: OpenDataset, build: () => Work<T>): Work<T> {
  const { promise, resolve } = Promise.withResolvers<void>()
  dataset.building = promise
  try {
    return yield* build()
  } finally {
    dataset.building = null
    resolve()
  }
}

function* buildMatches(dataset: OpenDataset, filters: readonly Filter[], key: string): Work<Kept> {
  const { kernel, regions, rows } = dataset
  const plan = yield* planFilters(dataset, filters)
  let mask = 0
  try {
    if (plan.nothing || rows === 0) return dataset.masks.keep(key, 0, 0, 0)
    if (plan.scans.length === 0) return dataset.masks.keep(key, 0, 0, rows)
    const words = maskWords(rows)
    mask = regions.allocate(words * 8)
    yield* runScans(dataset, plan, mask, words)
    kernel.clearTail(mask, rows, words)
    const total = kernel.countBits(mask, 0, words) >>> 0
    if (total === 0) regions.release(mask)
    return total === 0 ? dataset.masks.keep(key, 0, 0, 0) : dataset.masks.keep(key, mask, words * 8, total)
  } catch (error) {
    if (mask !== 0) regions.release(mask)
    throw error
  } finally {
    releaseTables(dataset, plan.tables)
  }
}

function* runScans(dataset: OpenDataset, plan: Plan, mask: number, words: number): Work<void> {
  let mode: ScanMode = SCAN.set
  for (const scan of plan.scans) {
    const isFirst = mode === SCAN.set
    if (isFirst && scan.test.kind === 'outside') dataset.kernel.fillBits(mask, 0, words * WORD_ROWS - 1)
    const codes = dataset.segment(scan.column, 'codes')
    for (const [from, to] of blocksOf(dataset.rows)) {
      scanWords(dataset, scan, codes, from / WORD_ROWS, maskWords(to), mask, mode)
      yield (to - from) * rowCost(scan)
    }
    mode = SCAN.and
  }
}

function rowCost(scan: Scan): number {
  return scan.test.kind === 'table' && scan.width > 1 ? TABLE_COST : RANGE_BYTE_COST * scan.width
}

function scanWords(
  dataset: OpenDataset,
  scan: Scan,
  codes: number,
  from: number,
  to: number,
  mask: number,
  mode: ScanMode,
): void {
  const { test, width } = scan
  if (test.kind === 'table') {
    dataset.kernel.scanTable(codes, width, from, to, test.table, mask, mode)
    return
  }
  const [low, high] = test.range
  dataset.kernel.scanRange(
    codes,
    width,
    from,
    to,
    low,
    high - low,
    mask,
    test.kind === 'outside' ? SCAN.andNot : mode,
  )
}
