/** Orders of rows, kept per sort, so that a page at any offset is a look-up. */

import { type Matches, workAlone } from '../filter/matches.ts'
import { MOST_COUNTERS, maskWords, type OpenDataset } from '../memory/open-dataset.ts'
import type { Kept } from '../memory/regions.ts'
import type { SortField } from '../query.ts'
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

/**
 * The order of matching rows, few of many: a radix sort of keys composed of the columns, whose counters are as few as
 * the rows are.
 */
const FEWEST_COUNTERS = 2 ** 8

/** Cost of one row in the steps of a sort. */
const KEY_COST = 1.5

const COUNT_COST = 2

const MOVE_COST = 8

/** The fields that decide the order: the sort asked for, then the default order. */
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
 * All rows, or the matching ones, in the order of `sort` (an effective one), nulls last, ties as in the file. In use
 * until `dataset.orders.leave`. Places are final after `settleOrder`.
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
  const { at, bytes, ties } = yield* sortAll(dataset, columns)
  const order = dataset.orders.keep(key, at, bytes, dataset.rows)
  if (ties) tiesIn.set(order, ties)
  return order
}

/** Where orders are not yet final. */
const tiesIn = new WeakMap<Kept, Ties>()

/**
 * Makes the places `from` to `to` of an order from `findOrder` final. To be called before they are read.
 * @returns as `settle`
 */
export function* settleOrder(dataset: OpenDataset, order: Kept, from: number, to: number): Work<number> {
  const ties = tiesIn.get(order)
  return ties ? yield* settle(dataset, order.at, ties, from, to) : 0
}

function sortColumn(dataset: OpenDataset, { column, descending }: SortField): SortColumn {
  const { distinct, nullCount, codeWidth, segments } = dataset.columns[column]!
  const codes = dataset.segment(column, 'codes')
  const ranks = dataset.segment(column, 'ranks')
  const top = segments.ranks === undefined ? distinct : dataset.regions.words[ranks / 4 + distinct]!
  const size = nullCount === 0 ? top : top + 1
  return { codes, width: codeWidth, ranks, top, descending: descending ? 1 : 0, size }
}

/**
 * All rows, sorted, in a new region: by the leading columns alone, where these tell most rows apart; else by one counting
 * pass per column, the least significant first, each keeping the order of the ones before among equal codes. A
 * dictionary never has more entries than there are rows, so every column takes one pass.
 */
function* sortAll(dataset: OpenDataset, columns: readonly SortColumn[]): Work<SortedRows> {
  return (yield* sortByLeading(dataset, columns)) ?? (yield* sortInPasses(dataset, columns))
}

function* sortInPasses(dataset: OpenDataset, columns: readonly SortColumn[]): Work<SortedRows> {
  const { kernel, regions, rows: count } = dataset
  const lists: Lists = { rows: 0, spare: 0 }
  try {
    for (const group of groupColumns(columns, MOST_JOINT_CODES)) {
      if (group.length === 1) yield* sortByCode(dataset, group[0]!, lists)
      else yield* sortJointly(dataset, group, lists)
    }
    if (lists.rows === 0) {
      lists.rows = regions.allocate(count * 4)
      kernel.enumerate(lists.rows, 0, count)
    }
    const at = lists.rows
    lists.rows = 0
    return { at, bytes: count * 4, ties: null }
  } finally {
    for (const region of [lists.rows, lists.spare]) if (region !== 0) regions.release(region)
  }
}

function* sortJointly(dataset: OpenDataset, group: readonly SortColumn[], lists: Lists): Work<void> {
  const joint = yield* joinColumns(dataset, group)
  try {
    yield* sortByCode(dataset, joint, lists)
  } finally {
    dataset.regions.release(joint.codes)
  }
}

function* sortByCode(dataset: OpenDataset, column: SortColumn, lists: Lists): Work<void> {
  const starts = yield* countCodes(dataset, column)
  try {
    yield* moveByCode(dataset, column, starts, lists)
  } finally {
    dataset.regions.release(starts)
  }
}

interface Subject {
  readonly rows: number
  readonly count: number
}

/** Scratch of one build: the keys of the pass under way, and two orders taking turns. 0: not allocated yet. */
interface Scratch {
  keys: number
  order: number
  spare: number
}

function* sortListed(dataset: OpenDataset, columns: readonly SortColumn[], matches: Matches): Work<number> {
  const { kernel, regions } = dataset
  const count = matches.total
  const scratch: Scratch = { keys: 0, order: 0, spare: 0 }
  const rows = regions.allocate(count * 4)
  try {
    if (matches.rows !== 0) regions.words.copyWithin(rows / 4, matches.rows / 4, matches.rows / 4 + count)
    else kernel.collect(matches.mask, 0, maskWords(dataset.rows), rows, count)
    for (const group of groupColumns(columns, digitsFor(count)))
      yield* sortByColumns(dataset, { rows, count }, group, scratch)
    if (scratch.order === 0) {
      scratch.order = regions.allocate(count * 4)
      kernel.enumerate(scratch.order, 0, count)
    }
    kernel.positionsToRows(scratch.order, count, rows)
    const order = scratch.order
    scratch.order = 0
    return order
  } finally {
    for (const region of [rows, scratch.keys, scratch.order, scratch.spare])
      if (region !== 0) regions.release(region)
  }
}

/**
 * How many values one radix pass tells apart. A further pass costs more than counters that leave the fastest caches;
 * but more counters than rows are not worth clearing.
 */
function digitsFor(count: number): number {
  return Math.min(Math.max(2 ** (32 - Math.clz32(count)), FEWEST_COUNTERS), MOST_COUNTERS)
}

/** Brings the scratch's order (none yet: file order) into the order of one group, ties staying as they are. */
function* sortByColumns(
  dataset: OpenDataset,
  subject: Subject,
  group: readonly SortColumn[],
  scratch: Scratch,
): Work<void> {
  const { regions } = dataset
  yield* composeKeys(dataset, subject, group, scratch)
  const size = jointSize(group)
  const bits = 32 - Math.clz32(size - 1)
  const passes = Math.ceil(bits / Math.log2(digitsFor(subject.count)))
  const digitBits = Math.ceil(bits / passes)
  const starts = regions.allocate(4 * 2 ** digitBits)
  try {
    for (let shift = 0; shift < bits; shift += digitBits)
      yield* sortByDigit(dataset, subject.count, scratch, starts, shift, 2 ** digitBits)
  } finally {
    regions.release(starts)
  }
}

function* composeKeys(
  dataset: OpenDataset,
  subject: Subject,
  group: readonly SortColumn[],
  scratch: Scratch,
): Work<void> {
  const { kernel, regions } = dataset
  scratch.keys ||= regions.allocate(subject.count * 4)
  for (const [position, { codes, width, ranks, top, descending, size }] of group.entries()) {
    const isFirst = position === 0 ? 1 : 0
    const { rows } = subject
    for (const [from, to] of blocksOf(subject.count)) {
      kernel.appendKeys(codes, width, ranks, top, descending, rows, from, to, size, isFirst, scratch.keys)
      yield (to - from) * KEY_COST
    }
  }
}

function* sortByDigit(
  dataset: OpenDataset,
  count: number,
  scratch: Scratch,
  starts: number,
  shift: number,
  digits: number,
): Work<void> {
  const { kernel, regions } = dataset
  regions.bytes.fill(0, starts, starts + digits * 4)
  for (const [from, to] of blocksOf(count)) {
    kernel.countDigits(scratch.keys, from, to, shift, digits - 1, starts)
    yield (to - from) * COUNT_COST
  }
  kernel.sumCounts(starts, digits)
  scratch.spare ||= regions.allocate(count * 4)
  for (const [from, to] of blocksOf(count)) {
    kernel.moveByDigit(scratch.keys, scratch.order, from, to, shift, digits - 1, starts, scratch.spare)
    yield (to - from) * MOVE_COST
  }
  ;[scratch.order, scratch.spare] = [scratch.spare, scratch.order]
}
