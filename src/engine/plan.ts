/** From typed filters to scans over codes. */

import { fold } from '../text/fold.ts'
import { type CodeRange, type CodeRanges, gapsBetween, intersectRanges, joinRanges } from './code-ranges.ts'
import type { CodeWidth, Value } from './column.ts'
import { findEqual, findPrefix } from './entry-search.ts'
import { maskWords, type OpenDataset } from './memory.ts'
import type { Filter } from './query.ts'
import type { Work } from './turns.ts'

/** One pass over a column's codes. The rows a query matches are those that every scan keeps. */
export interface Scan {
  readonly column: number
  readonly width: CodeWidth
  /** Share of the dictionary that passes: a guess at how selective the scan is. */
  readonly share: number
  readonly test: ScanTest
}

/** Keeps codes inside a range, outside of it, or those whose bit is set in a code mask at address `table`. */
type ScanTest =
  | { readonly kind: 'inside' | 'outside'; readonly range: CodeRange }
  | { readonly kind: 'table'; readonly table: number }

/** Scans in the order in which to run them; `nothing` when no row can match. No scans: every row matches. */
export interface Plan {
  readonly nothing: boolean
  readonly scans: readonly Scan[]
  /** Code masks to release after the scans. */
  readonly tables: readonly number[]
}

const NOTHING: Plan = { nothing: true, scans: [], tables: [] }

/** Bytes of dictionary text searched between two yields, and the cost of one. */
const TEXT_BLOCK = 4 * 2 ** 20
const TEXT_BYTE_COST = 0.3

/**
 * Compiles filters to scans, cheap and selective ones first. The caller releases the plan's tables.
 * @throws DamagedFileError when a dictionary does not load
 */
export function* planFilters(dataset: OpenDataset, filters: readonly Filter[]): Work<Plan> {
  const scans: Scan[] = []
  const tables: number[] = []
  try {
    for (const [column, group] of groupByColumn(filters)) {
      const isEmpty = yield* planColumn(dataset, column, group, scans, tables)
      if (!isEmpty) continue
      releaseTables(dataset, tables)
      return NOTHING
    }
  } catch (error) {
    releaseTables(dataset, tables)
    throw error
  }
  return { nothing: false, scans: scans.sort(compareScans), tables }
}

/** Gives a plan's code masks back. */
export function releaseTables(dataset: OpenDataset, tables: readonly number[]): void {
  for (const table of tables) dataset.regions.release(table)
}

function groupByColumn(filters: readonly Filter[]): Map<number, Filter[]> {
  const groups = new Map<number, Filter[]>()
  for (const filter of filters) {
    const group = groups.get(filter.column)
    if (group) group.push(filter)
    else groups.set(filter.column, [filter])
  }
  return groups
}

function compareScans(a: Scan, b: Scan): number {
  return scanCost(a) - scanCost(b) || a.share - b.share
}

/** Bytes read per row; a look-up in a table of wide codes costs about as much as a word of four bytes more. */
function scanCost(scan: Scan): number {
  return scan.test.kind === 'table' && scan.width > 1 ? scan.width + 4 : scan.width
}

/** Adds the scans of one column; true when no code passes. */
function* planColumn(
  dataset: OpenDataset,
  column: number,
  filters: readonly Filter[],
  scans: Scan[],
  tables: number[],
): Work<boolean> {
  const { distinct, nullCount } = dataset.columns[column]!
  // Codes that occur: without nulls, code 0 need not be excluded.
  const lowest = nullCount === 0 ? 1 : 0
  let ranges: CodeRanges = [[lowest, distinct]]
  for (const filter of filters) {
    if (filter.operator === 'contains') continue
    ranges = intersectRanges(
      ranges,
      joinRanges(filter.operands.flatMap((o) => operandRanges(dataset, filter, o))),
    )
  }
  for (const filter of filters) {
    if (filter.operator !== 'contains' || ranges.length === 0) continue
    const table = allocateTable(dataset, distinct)
    tables.push(table)
    yield* findContaining(dataset, column, filter, table)
    const passing = dataset.kernel.countBits(table, 0, maskWords(distinct + 1))
    if (passing === 0) return true
    scans.push(tableScan(dataset, column, table, passing))
  }
  addRangeScans(dataset, column, ranges, lowest, scans, tables)
  return ranges.length === 0
}

function operandRanges(dataset: OpenDataset, filter: Filter, values: readonly Value[]): CodeRanges {
  const { column, operator } = filter
  const { distinct } = dataset.columns[column]!
  const value = values[0]!
  if (operator === 'is_null') return value === true ? [[0, 0]] : [[1, distinct]]
  if (operator === 'starts_with') return [findPrefix(dataset, column, String(value))]
  if (operator === 'in' || operator === 'not_in') {
    const listed = joinRanges(values.map((item) => findEqual(dataset, column, item)))
    return operator === 'in' ? listed : gapsBetween(listed, 1, distinct)
  }
  const [low, high] = findEqual(dataset, column, value)
  switch (operator) {
    case 'eq':
      return [[low, high]]
    case 'ne':
      return gapsBetween(low <= high ? [[low, high]] : [], 1, distinct)
    case 'gt':
      return [[high + 1, distinct]]
    case 'gte':
      return [[low, distinct]]
    case 'lt':
      return [[1, low - 1]]
    case 'lte':
      return [[1, high]]
    case 'contains':
      throw new Error('contains has no ranges')
  }
}

/** So many passes over wide codes cost no more than one look-up per row. */
const MOST_GAPS = 4

/** Ranges as the cheapest passes: inside one range, outside one or a few, else one look-up in a table. */
function addRangeScans(
  dataset: OpenDataset,
  column: number,
  ranges: CodeRanges,
  lowest: number,
  scans: Scan[],
  tables: number[],
): void {
  const { distinct, codeWidth: width } = dataset.columns[column]!
  const gaps = gapsBetween(ranges, lowest, distinct)
  if (gaps.length === 0 || ranges.length === 0) return
  const passing = ranges.reduce((sum, [low, high]) => sum + high - low + 1, 0)
  const share = passing / (distinct + 1)
  if (ranges.length === 1) scans.push({ column, width, share, test: { kind: 'inside', range: ranges[0]! } })
  else if (gaps.length === 1 || (gaps.length <= MOST_GAPS && width > 1)) {
    for (const range of gaps) scans.push({ column, width, share, test: { kind: 'outside', range } })
  } else {
    const table = allocateTable(dataset, distinct)
    tables.push(table)
    for (const [low, high] of ranges) dataset.kernel.fillBits(table, low, high)
    scans.push(tableScan(dataset, column, table, passing))
  }
}

function allocateTable(dataset: OpenDataset, distinct: number): number {
  // One byte of code finds its bit among 256, however few are in use.
  const bytes = Math.max(maskWords(distinct + 1) * 8, 32)
  const table = dataset.regions.allocate(bytes)
  dataset.regions.bytes.fill(0, table, table + bytes)
  return table
}

/** A table whose codes are neighbours is scanned as a range, which is faster. */
function tableScan(dataset: OpenDataset, column: number, table: number, passing: number): Scan {
  const { distinct, codeWidth: width } = dataset.columns[column]!
  const words = maskWords(distinct + 1)
  const low = dataset.kernel.findBit(table, words, 0)
  const high = dataset.kernel.findBit(table, words, passing - 1)
  const share = passing / (distinct + 1)
  if (high - low + 1 === passing)
    return { column, width, share, test: { kind: 'inside', range: [low, high] } }
  return { column, width, share, test: { kind: 'table', table } }
}

/** Sets the bits of the codes whose folded text contains any of the filter's operands. */
function* findContaining(dataset: OpenDataset, column: number, filter: Filter, table: number): Work<void> {
  const { segments, distinct } = dataset.columns[column]!
  // Without folds of their own the raw texts are folded.
  const isFolded = segments.fold_heap !== undefined
  const offsets = dataset.segment(column, isFolded ? 'fold_offsets' : 'offsets')
  const heap = dataset.segment(column, isFolded ? 'fold_heap' : 'heap')
  const length = (isFolded ? segments.fold_heap : segments.heap) ?? 0
  for (const [value] of filter.operands) {
    const text = Buffer.from(fold(String(value)), 'utf8')
    if (text.length === 0) dataset.kernel.fillBits(table, 1, distinct)
    if (text.length === 0 || text.length > length) continue
    const needle = dataset.regions.allocate(text.length)
    dataset.regions.bytes.set(text, needle)
    const end = length - text.length + 1
    try {
      for (let at = 0, entry = 1; at < end; entry = dataset.kernel.textEntryReached()) {
        const to = Math.min(at + TEXT_BLOCK, end)
        const from = at
        at =
          dataset.kernel.findText(heap, offsets, entry, distinct, from, to, needle, text.length, table) >>> 0
        if (at < end) yield (to - from) * TEXT_BYTE_COST
      }
    } finally {
      dataset.regions.release(needle)
    }
  }
}
