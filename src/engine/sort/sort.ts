/** Orders of rows, kept by sort, so that a page at any offset is a look-up. */

import { type Matches, workAlone } from '../filter/matches.ts'
import { MOST_COUNTERS, maskWords, type OpenDataset } from '../memory/open-dataset.ts'
import type { Kept } from '../memory/regions.ts'
import { Scratch } from '../memory/scratch.ts'
import type { SortField } from '../row-query.ts'
import { blocksOf, type Work } from '../turns.ts'
import { type SortedRows, settle, sortByLeading, type Ties } from './sort-leading.ts'
import {
  countCodes,
  groupColumns,
  joinColumns,
  jointSize,
  type Lists,
  MOST_JOINT_CODES,
  moveByCode,
  type SortColumn,
} from './sort-passes.ts'

/** With less than one match in this many rows, sorting only the matches beats walking the order of all rows. */
export const FEW_MATCHES = 16

const FEWEST_COUNTERS = 2 ** 8

/** The fields that decide the order: those of the query, then the default order. */
export function effectiveSort(dataset: OpenDataset, sort: readonly SortField[]): readonly SortField[] {
  const named = new Set(sort.map((field) => field.column))
  return [...sort, ...dataset.defaultSort.filter((field) => !named.has(field.column))]
}

/** Names an order. */
export function orderKeyOf(sort: readonly SortField[], matches: Matches | null): string {
  const fields = sort.map((field) => `${field.descending ? '-' : ''}${field.column}`).join()
  return `${fields}|${matches?.key ?? ''}`
}

/**
 * All rows, or the matching ones, in the order of `sort` (from `effectiveSort`), nulls last, ties as in the file. The
 * caller disposes of it. Places are final after `settleOrder`.
 * @throws DamagedFileError when a segment does not load
 */
export function* findOrder(
  dataset: OpenDataset,
  sort: readonly SortField[],
  matches: Matches | null,
): Work<Kept> {
  const key = orderKeyOf(sort, matches)
  for (;;) {
    const kept = dataset.orders.use(key)
    if (kept) return kept
    if (!dataset.building) break
    yield dataset.building
  }
  return yield* workAlone(dataset, 'building', () => buildOrder(dataset, sort, matches, key))
}

/**
 * Sorts all rows by the leading columns alone, where these tell most rows apart; else in one counting pass per column, the
 * least significant first, each keeping the previous order among equal codes. A dictionary never has more entries than
 * there are rows, so every column takes one pass.
 */
function* buildOrder(
  dataset: OpenDataset,
  sort: readonly SortField[],
  matches: Matches | null,
  key: string,
): Work<Kept> {
  // A column with one value decides nothing.
  const columns = sort.map((field) => sortColumn(dataset, field)).filter(({ size }) => size > 1)
  if (matches) {
    const count = matches.total
    return dataset.orders.keep(key, yield* sortListed(dataset, columns, matches), count * 4, count)
  }
  const sorted = (yield* sortByLeading(dataset, columns)) ?? (yield* sortInPasses(dataset, columns))
  const order = dataset.orders.keep(key, sorted.at, sorted.bytes, dataset.rows)
  if (sorted.ties) tiesIn.set(order, sorted.ties)
  return order
}

/** The ties of orders that are not yet final. */
const tiesIn = new WeakMap<Kept, Ties>()

/** Makes the places `from` to `to` of an order from `findOrder` final. Call it before reading them. */
export function* settleOrder(dataset: OpenDataset, order: Kept, from: number, to: number): Work<void> {
  const ties = tiesIn.get(order)
  if (ties) yield* settle(dataset, order.at, ties, from, to)
}

function sortColumn(dataset: OpenDataset, { column, descending }: SortField): SortColumn {
  const { distinct, nullCount, codeWidth, segments } = dataset.columns[column]!
  const codes = dataset.segment(column, 'codes')
  const ranks = dataset.segment(column, 'ranks')
  const top = segments.ranks === undefined ? distinct : dataset.regions.words[ranks / 4 + distinct]!
  const size = nullCount === 0 ? top : top + 1
  return { codes, width: codeWidth, ranks, top, descending: descending ? 1 : 0, size }
}

function* sortInPasses(dataset: OpenDataset, columns: readonly SortColumn[]): Work<SortedRows> {
  const { kernel, rows: count } = dataset
  const lists: Lists = { rows: 0, spare: 0 }
  using scratch = new Scratch(dataset)
  for (const group of groupColumns(columns, MOST_JOINT_CODES)) {
    using ofPass = new Scratch(dataset)
    const column = group.length === 1 ? group[0]! : yield* joinColumns(dataset, group, ofPass)
    const starts = yield* countCodes(dataset, column, lists.rows, ofPass)
    yield* moveByCode(dataset, column, starts, lists, scratch)
  }
  if (lists.rows === 0) {
    lists.rows = scratch.allocate(count * 4)
    kernel.enumerate(lists.rows, 0, count)
  }
  return { at: scratch.keep(lists.rows), bytes: count * 4, ties: null }
}

/** Sorts the matching rows by keys composed of the columns. @returns the address of a new region of row numbers */
function* sortListed(dataset: OpenDataset, columns: readonly SortColumn[], matches: Matches): Work<number> {
  const { kernel, regions } = dataset
  const count = matches.total
  using scratch = new Scratch(dataset)
  const rows = scratch.allocate(count * 4)
  if (matches.rows !== 0) regions.words.copyWithin(rows / 4, matches.rows / 4, matches.rows / 4 + count)
  else kernel.collect(matches.mask, 0, maskWords(dataset.rows), rows, count)
  const keys = scratch.allocate(count * 4)
  const lists: Lists = { rows: 0, spare: 0 }
  for (const group of groupColumns(columns, digitsFor(count))) {
    yield* composeKeys(dataset, rows, count, group, keys)
    yield* sortByKeys(dataset, keys, count, jointSize(group), lists, scratch)
  }
  if (lists.rows === 0) {
    lists.rows = scratch.allocate(count * 4)
    kernel.enumerate(lists.rows, 0, count)
  }
  kernel.positionsToRows(lists.rows, count, rows)
  return scratch.keep(lists.rows)
}

/**
 * How many values one radix pass tells apart. Another pass costs more than counters that leave the fastest caches, but
 * clearing more counters than rows does not pay.
 */
function digitsFor(count: number): number {
  return Math.min(Math.max(2 ** (32 - Math.clz32(count)), FEWEST_COUNTERS), MOST_COUNTERS)
}

function* composeKeys(
  { kernel }: OpenDataset,
  rows: number,
  count: number,
  group: readonly SortColumn[],
  keys: number,
): Work<void> {
  for (const [position, { codes, width, ranks, top, descending, size }] of group.entries()) {
    const isFirst = position === 0 ? 1 : 0
    for (const [from, to] of blocksOf(count)) {
      kernel.appendKeys(codes, width, ranks, top, descending, rows, from, to, size, isFirst, keys)
      yield
    }
  }
}

/** Sorts positions (none yet: file order) by keys below `size`; ties stay as they are. */
function* sortByKeys(
  { kernel, regions }: OpenDataset,
  keys: number,
  count: number,
  size: number,
  lists: Lists,
  scratch: Scratch,
): Work<void> {
  const bits = 32 - Math.clz32(size - 1)
  const passes = Math.ceil(bits / Math.log2(digitsFor(count)))
  const digitBits = Math.ceil(bits / passes)
  const digits = 2 ** digitBits
  const starts = scratch.allocate(digits * 4)
  for (let shift = 0; shift < bits; shift += digitBits) {
    regions.bytes.fill(0, starts, starts + digits * 4)
    for (const [from, to] of blocksOf(count)) {
      kernel.countDigits(keys, from, to, shift, digits - 1, starts)
      yield
    }
    kernel.sumCounts(starts, digits)
    lists.spare ||= scratch.allocate(count * 4)
    const { rows, spare } = lists
    for (const [from, to] of blocksOf(count)) {
      kernel.moveByDigit(keys, rows, from, to, shift, digits - 1, starts, spare)
      yield
    }
    lists.rows = spare
    lists.spare = rows
  }
  scratch.release(starts)
}
