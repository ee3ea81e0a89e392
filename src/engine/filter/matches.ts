/**
 * Which rows a query's filters match: a bit mask and its total. Queries differ, the conditions they consist of recur
 * (the same country, another month), so a mask is kept for each condition, and a combination is their intersection:
 * some tens of microseconds for millions of rows. That is kept too, for the next page of the same query.
 */

import { SCAN, type ScanMode } from '../kernel/instantiate.ts'
import type { Kept, KeptRegions } from '../memory/kept-regions.ts'
import { maskBytes, maskLines, maskWords, type OpenDataset } from '../memory/open-dataset.ts'
import type { Filter } from '../query.ts'
import { blocksOf, type Work } from '../turns.ts'
import {
  type ColumnCondition,
  type Condition,
  isWordCondition,
  keyOf,
  planFilters,
  planScans,
  planWordScan,
  type Scan,
  scanCost,
  textColumns,
  type WordCondition,
} from './plan.ts'

/** Matching rows, in use until `leaveMatches`. */
export interface Matches {
  /** Address of the mask, or of the ascending row numbers where they are few; both 0: every row matches, or none. */
  readonly mask: number
  readonly rows: number
  readonly total: number
  /** Names the matching rows; the same for filters that mean the same. */
  readonly key: string
  readonly kept: Kept | null
}

const WORD_ROWS = 64

/** Row numbers are kept instead of a mask that takes this many times their bytes. */
const LIST_GAIN = 8

/** Cost of testing a row, per byte of code, and of looking its code up. */
const RANGE_BYTE_COST = 0.05
const TABLE_COST = 2

/**
 * The rows that all filters match.
 * @throws DamagedFileError when a segment does not load
 */
export function* findMatches(dataset: OpenDataset, filters: readonly Filter[]): Work<Matches> {
  const { nothing, conditions, key } = planFilters(dataset, filters)
  if (nothing || dataset.rows === 0) return { mask: 0, rows: 0, total: 0, key, kept: null }
  if (conditions.length === 0) return { mask: 0, rows: 0, total: dataset.rows, key, kept: null }
  for (;;) {
    const kept = useKept(dataset, conditions, key)
    if (kept) return matchesOf(dataset, key, kept)
    if (!dataset.building) break
    yield dataset.building
  }
  const kept = yield* buildAlone(dataset, () => buildMatches(dataset, conditions, key))
  return matchesOf(dataset, key, kept)
}

function matchesOf(dataset: OpenDataset, key: string, kept: Kept): Matches {
  const isList = isKeptAsList(dataset, kept.count)
  return { mask: isList ? 0 : kept.at, rows: isList ? kept.at : 0, total: kept.count, key, kept }
}

/** Whether matches are kept as row numbers or as a mask follows from how many they are. */
function isKeptAsList({ rows }: OpenDataset, total: number): boolean {
  return total * 4 * LIST_GAIN <= maskBytes(rows)
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

/** What is kept, or quickly made of what is kept. */
function useKept(dataset: OpenDataset, conditions: readonly Condition[], key: string): Kept | undefined {
  const { masks, combinations } = dataset
  if (conditions.length === 1) return masks.use(key)
  const combination = combinations.use(key)
  if (combination || !conditions.every((condition) => masks.has(condition.key))) return combination
  const parts = conditions.map((condition) => masks.use(condition.key)!)
  try {
    return keepShared(dataset, parts, key)
  } finally {
    for (const part of parts) masks.leave(part)
  }
}

/** Keeps what is in all of the parts. */
function keepShared(dataset: OpenDataset, parts: readonly Kept[], key: string): Kept {
  const fewestFirst = parts.toSorted((a, b) => a.count - b.count)
  if (isKeptAsList(dataset, fewestFirst[0]!.count)) return keepSharedList(dataset, fewestFirst, key)
  const { mask, total } = intersect(dataset, fewestFirst)
  return keepMask(dataset, dataset.combinations, key, mask, total)
}

/** The same where the first part is a list: its rows are looked up in the others. */
function keepSharedList(dataset: OpenDataset, [first, ...others]: readonly Kept[], key: string): Kept {
  const { combinations, kernel, regions } = dataset
  let count = first!.count
  const list = regions.allocate(count * 4)
  try {
    copyWords(dataset, first!.at, count, list)
    for (const { at, count: size } of others) {
      if (isKeptAsList(dataset, size)) count = kernel.retainListed(list, count, at, size)
      else count = kernel.retainMasked(list, count, at)
    }
    const kept = count === 0 ? 0 : regions.allocate(count * 4)
    copyWords(dataset, list, count, kept)
    return combinations.keep(key, kept, count * 4, count)
  } finally {
    regions.release(list)
  }
}

function copyWords({ regions }: OpenDataset, from: number, count: number, to: number): void {
  regions.words.copyWithin(to / 4, from / 4, from / 4 + count)
}

/** Takes over a mask with `total` rows in it, as it is or as a list. */
function keepMask(dataset: OpenDataset, keep: KeptRegions, key: string, mask: number, total: number): Kept {
  const { kernel, regions, rows } = dataset
  if (!isKeptAsList(dataset, total)) return keep.keep(key, mask, maskBytes(rows), total)
  try {
    const list = total === 0 ? 0 : regions.allocate(total * 4)
    kernel.collect(mask, 0, maskWords(rows), list, total)
    return keep.keep(key, list, total * 4, total)
  } finally {
    regions.release(mask)
  }
}

/** A new mask of the rows that are in all of the parts. */
function intersect(dataset: OpenDataset, parts: readonly Kept[]): { mask: number; total: number } {
  const { kernel, regions, rows } = dataset
  const addresses = regions.allocate(parts.length * 4)
  try {
    const mask = regions.allocate(maskBytes(rows))
    for (const [i, { at }] of parts.entries()) regions.words[addresses / 4 + i] = at
    return { mask, total: kernel.intersect(addresses, parts.length, maskLines(rows), mask) >>> 0 }
  } finally {
    regions.release(addresses)
  }
}

function* buildMatches(dataset: OpenDataset, conditions: readonly Condition[], key: string): Work<Kept> {
  const parts: Kept[] = []
  try {
    const missing: Condition[] = []
    for (const condition of conditions) {
      const part = dataset.masks.use(condition.key)
      if (part) parts.push(part)
      else missing.push(condition)
    }
    const late: ColumnCondition[] = []
    for (const condition of missing.sort((a, b) => scanCost(dataset, a) - scanCost(dataset, b))) {
      // Nothing is in all of the parts: the others need no scan.
      if (parts.some(({ count }) => count === 0)) break
      const isFirst = parts.length === 0 || isWordCondition(condition)
      if (!isFirst && mayStayUnkept(dataset, condition)) late.push(condition)
      else parts.push(yield* buildMask(dataset, condition))
    }
    if (conditions.length === 1) return parts.pop()!
    return late.length === 0 ? keepShared(dataset, parts, key) : yield* scanLate(dataset, parts, late, key)
  } finally {
    for (const part of parts) dataset.masks.leave(part)
  }
}

/**
 * A new condition on wide codes may never be used again: it is only tested in the rows
 * that the other conditions leave, which can be few.
 */
function mayStayUnkept(dataset: OpenDataset, { column, test, key }: ColumnCondition): boolean {
  if (dataset.columns[column]!.codeWidth === 1 || test.kind === 'contains') return false
  if (dataset.asked.has(key)) return false
  dataset.asked.keep(key, 0, 0, 0)
  return true
}

/** The combination of what is kept and of conditions that are not. */
function* scanLate(
  dataset: OpenDataset,
  parts: readonly Kept[],
  late: readonly ColumnCondition[],
  key: string,
): Work<Kept> {
  let { mask, total } = maskOf(dataset, parts)
  try {
    for (const condition of late) if (total > 0) total = yield* scanInto(dataset, condition, mask, SCAN.and)
    const full = mask
    mask = 0
    return keepMask(dataset, dataset.combinations, key, full, total)
  } finally {
    if (mask !== 0) dataset.regions.release(mask)
  }
}

/** A new mask of the rows that are in all of the parts, whether those are masks or lists. */
function maskOf(dataset: OpenDataset, parts: readonly Kept[]): { mask: number; total: number } {
  const { combinations, kernel, regions, rows } = dataset
  const fewestFirst = parts.toSorted((a, b) => a.count - b.count)
  if (!isKeptAsList(dataset, fewestFirst[0]!.count)) return intersect(dataset, fewestFirst)
  const list = parts.length === 1 ? parts[0]! : keepSharedList(dataset, fewestFirst, keyOf(parts))
  try {
    const mask = regions.allocate(maskBytes(rows))
    regions.bytes.fill(0, mask, mask + maskBytes(rows))
    kernel.setBits(mask, list.at, list.count)
    return { mask, total: list.count }
  } finally {
    if (parts.length > 1) combinations.leave(list)
  }
}

function* buildMask(dataset: OpenDataset, condition: Condition): Work<Kept> {
  let mask = dataset.regions.allocate(maskBytes(dataset.rows))
  try {
    const total = isWordCondition(condition)
      ? yield* scanWord(dataset, condition, mask)
      : yield* scanInto(dataset, condition, mask, SCAN.set)
    const full = mask
    mask = 0
    return keepMask(dataset, dataset.masks, condition.key, full, total)
  } finally {
    if (mask !== 0) dataset.regions.release(mask)
  }
}

/** Sets the mask to the rows that meet the condition, or takes those away that do not; how many are in it then. */
function* scanInto(
  dataset: OpenDataset,
  condition: ColumnCondition,
  mask: number,
  mode: ScanMode,
): Work<number> {
  const { kernel, regions, rows } = dataset
  const tables: number[] = []
  try {
    const scans = yield* planScans(dataset, condition, tables)
    if (!scans) return 0
    yield* runScans(dataset, condition.column, scans, mask, mode)
    kernel.clearTail(mask, rows)
    return kernel.countBits(mask, 0, maskWords(rows)) >>> 0
  } finally {
    for (const table of tables) regions.release(table)
  }
}

/**
 * Sets the mask to the rows that have the word in any text column; how many they are. Rows that have it are taken away
 * from all rows, column by column, because scans cannot add to a mask; then the mask is turned over.
 */
function* scanWord(dataset: OpenDataset, { word }: WordCondition, mask: number): Work<number> {
  const { kernel, regions, rows } = dataset
  kernel.fillBits(mask, 0, maskBytes(rows) * 8 - 1)
  for (const column of textColumns(dataset)) {
    const tables: number[] = []
    try {
      const scans = yield* planWordScan(dataset, column, word, tables)
      if (scans) yield* runScans(dataset, column, scans, mask, SCAN.andNot)
    } finally {
      for (const table of tables) regions.release(table)
    }
  }
  const words = regions.words.subarray(mask / 4, (mask + maskBytes(rows)) / 4)
  for (let at = 0; at < words.length; at++) words[at] = ~words[at]!
  kernel.clearTail(mask, rows)
  return kernel.countBits(mask, 0, maskWords(rows)) >>> 0
}

/** Block by block, so that the second scan of a column finds its codes in the processor's cache. */
function* runScans(
  dataset: OpenDataset,
  column: number,
  scans: readonly Scan[],
  mask: number,
  mode: ScanMode,
): Work<void> {
  const codes = dataset.segment(column, 'codes')
  const width = dataset.columns[column]!.codeWidth
  const isOutside = scans[0]!.kind === 'outside'
  if (isOutside && mode === SCAN.set) dataset.kernel.fillBits(mask, 0, dataset.rows - 1)
  for (const [from, to] of blocksOf(dataset.rows)) {
    for (const scan of scans) {
      scanWords(dataset, scan, codes, width, from / WORD_ROWS, maskWords(to), mask, mode)
      yield (to - from) * (scan.kind === 'table' && width > 1 ? TABLE_COST : RANGE_BYTE_COST * width)
    }
  }
}

function scanWords(
  { kernel }: OpenDataset,
  scan: Scan,
  codes: number,
  width: number,
  from: number,
  to: number,
  mask: number,
  mode: ScanMode,
): void {
  if (scan.kind === 'table') {
    kernel.scanTable(codes, width, from, to, scan.table, mask, mode)
    return
  }
  const [low, high] = scan.range
  const scanMode = scan.kind === 'outside' ? SCAN.andNot : mode
  kernel.scanRange(codes, width, from, to, low, high - low, mask, scanMode)
}
