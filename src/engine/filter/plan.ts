/** From typed filters to conditions on codes, and from those to scans. */

import { fold } from '../../base/text/fold.ts'
import type { Value } from '../columns/column.ts'
import { maskWords, type OpenDataset } from '../memory/open-dataset.ts'
import { type ColumnFilter, type Filter, isColumnFilter } from '../query.ts'
import type { Work } from '../turns.ts'
import { type CodeRange, type CodeRanges, gapsBetween, intersectRanges, joinRanges } from './code-ranges.ts'
import { findEqual, findPrefix } from './entry-search.ts'
import { findEntriesWithWord } from './word-search.ts'

/** The rows a query matches are those that meet every condition. */
export type Condition = ColumnCondition | WordCondition

interface Named {
  /** Names the rows that meet it: the same for filters that are written differently and mean the same. */
  readonly key: string
}

/**
 * What the filters of one column ask of a row: a code in one of the ranges, or a folded text that contains one of the
 * texts.
 */
export interface ColumnCondition extends Named {
  readonly column: number
  readonly test:
    | { readonly kind: 'ranges'; readonly ranges: CodeRanges }
    | { readonly kind: 'contains'; readonly texts: readonly string[] }
}

/** A text column of the row has a value in which the word, folded, begins a word. */
export interface WordCondition extends Named {
  readonly word: string
}

/** Whether a condition is about a word in any text column. */
export function isWordCondition(condition: Condition): condition is WordCondition {
  return 'word' in condition
}

/** In the order of their keys; `nothing` when no row can match. No conditions: every row matches. */
export interface Plan {
  readonly nothing: boolean
  readonly conditions: readonly Condition[]
  /** Names the rows that match: the same for filters that are written differently and mean the same. */
  readonly key: string
}

/** One pass over a column's codes; the passes of a condition follow one another. */
export type Scan =
  /** Keeps codes inside a range, outside of it, or those whose bit is set in a code mask at address `table`. */
  | { readonly kind: 'inside' | 'outside'; readonly range: CodeRange }
  | { readonly kind: 'table'; readonly table: number }

const NOTHING: Plan = { nothing: true, conditions: [], key: 'nothing' }

/** Bytes of dictionary text searched between two yields, and the cost of one. */
const TEXT_BLOCK = 4 * 2 ** 20
const TEXT_BYTE_COST = 0.3

/** By dataset, then by list of filters; forgotten with either. */
const plansOf = new WeakMap<OpenDataset, WeakMap<readonly Filter[], Plan>>()

/**
 * Compiles filters to conditions on codes. The plan of a list of filters is kept as long as the list lives: asking again
 * with the same one saves the searches in the dictionaries.
 * @throws DamagedFileError when a dictionary does not load
 */
export function planFilters(dataset: OpenDataset, filters: readonly Filter[]): Plan {
  let plans = plansOf.get(dataset)
  if (plans === undefined) {
    plans = new WeakMap()
    plansOf.set(dataset, plans)
  }
  let plan = plans.get(filters)
  if (plan === undefined) {
    plan = makePlan(dataset, filters)
    plans.set(filters, plan)
  }
  return plan
}

function makePlan(dataset: OpenDataset, filters: readonly Filter[]): Plan {
  const searches = filters.flatMap((filter) => (isColumnFilter(filter) ? [] : [filter.words]))
  if (searches.some((words) => words.length === 0)) return NOTHING
  const conditions = wordConditions(searches.flat())
  for (const [column, group] of groupByColumn(filters.filter(isColumnFilter))) {
    const ranges = rangesOf(dataset, column, group)
    if (ranges.length === 0) return NOTHING
    conditions.push(...columnConditions(dataset, column, ranges, group))
  }
  conditions.sort((a, b) => (a.key < b.key ? -1 : 1))
  return { nothing: false, conditions, key: keyOf(conditions) }
}

function columnConditions(
  dataset: OpenDataset,
  column: number,
  ranges: CodeRanges,
  filters: readonly ColumnFilter[],
): Condition[] {
  const { distinct } = dataset.columns[column]!
  const isEverything =
    ranges.length === 1 && ranges[0]![1] - ranges[0]![0] === distinct - lowestCode(dataset, column)
  const searches = filters
    .filter(({ operator }) => operator === 'contains')
    .map(({ operands }): Condition => {
      const texts = [...new Set(operands.map(([value]) => fold(String(value))))].sort()
      return { key: `${column}~${JSON.stringify(texts)}`, column, test: { kind: 'contains', texts } }
    })
  if (isEverything) return searches
  return [{ key: `${column}:${ranges.join(';')}`, column, test: { kind: 'ranges', ranges } }, ...searches]
}

/** One for each word that no longer one begins with: where that is found, it is found. */
function wordConditions(words: readonly string[]): Condition[] {
  const sorted = [...new Set(words)].sort()
  return sorted
    .filter((word, at) => !sorted[at + 1]?.startsWith(word))
    .map((word) => ({ key: `q~${JSON.stringify(word)}`, word }))
}

/** Names a combination by its parts, in the order of their keys. */
export function keyOf(parts: readonly { readonly key: string }[]): string {
  return parts.map((part) => part.key).join('&')
}

function groupByColumn(filters: readonly ColumnFilter[]): Map<number, ColumnFilter[]> {
  const groups = new Map<number, ColumnFilter[]>()
  for (const filter of filters) {
    const group = groups.get(filter.column)
    if (group) group.push(filter)
    else groups.set(filter.column, [filter])
  }
  return groups
}

/** The lowest code that occurs: without nulls, code 0 need not be excluded. */
function lowestCode(dataset: OpenDataset, column: number): number {
  return dataset.columns[column]!.nullCount === 0 ? 1 : 0
}

/** The codes that pass every filter of a column, but for those that search texts. */
function rangesOf(dataset: OpenDataset, column: number, filters: readonly ColumnFilter[]): CodeRanges {
  let ranges: CodeRanges = [[lowestCode(dataset, column), dataset.columns[column]!.distinct]]
  for (const filter of filters) {
    if (filter.operator === 'contains') continue
    ranges = intersectRanges(
      ranges,
      joinRanges(filter.operands.flatMap((o) => operandRanges(dataset, filter, o))),
    )
  }
  return ranges
}

function operandRanges(dataset: OpenDataset, filter: ColumnFilter, values: readonly Value[]): CodeRanges {
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

/** Bytes a condition's scans read per row; a look-up in a table of wide codes costs as much as four bytes more. */
export function scanCost(dataset: OpenDataset, condition: Condition): number {
  if (isWordCondition(condition)) {
    return textColumns(dataset).reduce((sum, column) => sum + tableCost(dataset, column), 0)
  }
  const { column, test } = condition
  const isTable = test.kind === 'contains' || test.ranges.length > 1
  return isTable ? tableCost(dataset, column) : dataset.columns[column]!.codeWidth
}

function tableCost(dataset: OpenDataset, column: number): number {
  const { codeWidth } = dataset.columns[column]!
  return codeWidth > 1 ? codeWidth + 4 : codeWidth
}

/** Positions of the columns that words are looked for in. */
export function textColumns({ columns }: OpenDataset): number[] {
  return [...columns.keys()].filter((column) => columns[column]!.type === 'string')
}

/**
 * The scans that test a condition; null when no code passes. Code masks they need go to `tables`, for the caller to
 * release.
 * @throws DamagedFileError when a dictionary does not load
 */
export function* planScans(
  dataset: OpenDataset,
  condition: ColumnCondition,
  tables: number[],
): Work<Scan[] | null> {
  const { column, test } = condition
  if (test.kind === 'ranges') return rangeScans(dataset, column, test.ranges, tables)
  const table = allocateTable(dataset, dataset.columns[column]!.distinct, tables)
  yield* findContaining(dataset, column, test.texts, table)
  return tableScan(dataset, column, table)
}

/**
 * The scan for the rows whose value in a text column has the word; null when no value has. Its code mask goes to
 * `tables`, for the caller to release.
 * @throws DamagedFileError when the dictionary does not load
 */
export function* planWordScan(
  dataset: OpenDataset,
  column: number,
  word: string,
  tables: number[],
): Work<Scan[] | null> {
  const table = allocateTable(dataset, dataset.columns[column]!.distinct, tables)
  yield* findEntriesWithWord(dataset, column, word, table)
  return tableScan(dataset, column, table)
}

/** Ranges as the cheapest passes: inside one range, outside one or a few, else one look-up in a table. */
function rangeScans(dataset: OpenDataset, column: number, ranges: CodeRanges, tables: number[]): Scan[] {
  const { distinct, codeWidth } = dataset.columns[column]!
  if (ranges.length === 1) return [{ kind: 'inside', range: ranges[0]! }]
  const gaps = gapsBetween(ranges, lowestCode(dataset, column), distinct)
  if (gaps.length === 1 || (gaps.length <= MOST_GAPS && codeWidth > 1))
    return gaps.map((range) => ({ kind: 'outside', range }))
  const table = allocateTable(dataset, distinct, tables)
  for (const [low, high] of ranges) dataset.kernel.fillBits(table, low, high)
  return [{ kind: 'table', table }]
}

function allocateTable(dataset: OpenDataset, distinct: number, tables: number[]): number {
  // One byte of code finds its bit among 256, however few are in use.
  const bytes = Math.max(maskWords(distinct + 1) * 8, 32)
  const table = dataset.regions.allocate(bytes)
  tables.push(table)
  dataset.regions.bytes.fill(0, table, table + bytes)
  return table
}

/** Null when no code passes. A table whose codes are neighbours is scanned as a range, which is faster. */
function tableScan(dataset: OpenDataset, column: number, table: number): Scan[] | null {
  const words = maskWords(dataset.columns[column]!.distinct + 1)
  const passing = dataset.kernel.countBits(table, 0, words)
  if (passing === 0) return null
  const low = dataset.kernel.findBit(table, words, 0)
  const high = dataset.kernel.findBit(table, words, passing - 1)
  if (high - low + 1 === passing) return [{ kind: 'inside', range: [low, high] }]
  return [{ kind: 'table', table }]
}

/** Sets the bits of the codes whose folded text contains any of the texts. */
function* findContaining(
  dataset: OpenDataset,
  column: number,
  texts: readonly string[],
  table: number,
): Work<void> {
  const { segments, distinct } = dataset.columns[column]!
  // Without folds of their own the raw texts are folded.
  const isFolded = segments.fold_heap !== undefined
  const offsets = dataset.segment(column, isFolded ? 'fold_offsets' : 'offsets')
  const heap = dataset.segment(column, isFolded ? 'fold_heap' : 'heap')
  const length = (isFolded ? segments.fold_heap : segments.heap) ?? 0
  for (const folded of texts) {
    const text = Buffer.from(folded, 'utf8')
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
