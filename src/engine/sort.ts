/** Orders of rows: stable radix sorts on codes, kept per sort, so that a page at any offset is a look-up. */

import type { Kept } from './kept-regions.ts'
import { buildAlone, type Matches } from './matches.ts'
import { MOST_COUNTERS, maskWords, type OpenDataset } from './memory.ts'
import type { SortField } from './query.ts'
import { blocksOf, type Work } from './turns.ts'

const FEWEST_COUNTERS = 2 ** 8

/** Cost of one row in the steps of a sort. */
const KEY_COST = 1.5
const COUNT_COST = 2
const MOVE_COST = 8

/** The rows to sort: all of them (`rows` 0), or `count` row numbers at address `rows`. */
interface Subject {
  readonly rows: number
  readonly count: number
}

/** One column of a sort: `top` is its highest code or rank, and the key of null; `size` how many keys there are. */
interface KeyColumn {
  readonly column: number
  readonly descending: boolean
  readonly ranks: number
  readonly top: number
  readonly size: number
}

/** Scratch of one build: the keys of the pass under way, and two orders taking turns. 0: not allocated yet. */
interface Scratch {
  keys: number
  order: number
  spare: number
}

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
 * until `dataset.orders.leave`.
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
  return yield* buildAlone(dataset, () => buildOrder(dataset, sort, matches, key))
}

function* buildOrder(
  dataset: OpenDataset,
  sort: readonly SortField[],
  matches: Matches | null,
  key: string,
): Work<Kept> {
  const { kernel, regions, rows: allRows } = dataset
  const count = matches ? matches.total : allRows
  const columns = sort.map((field) => keyColumn(dataset, field)).filter(({ size }) => size > 1)
  const scratch: Scratch = { keys: 0, order: 0, spare: 0 }
  let rows = 0
  try {
    if (matches) {
      rows = regions.allocate(count * 4)
      if (matches.rows !== 0) regions.words.copyWithin(rows / 4, matches.rows / 4, matches.rows / 4 + count)
      else kernel.collect(matches.mask, 0, maskWords(allRows), rows, count)
    }
    for (const group of groupColumns(columns, digitsFor(count)))
      yield* sortByColumns(dataset, { rows, count }, group, scratch)
    if (scratch.order === 0) {
      scratch.order = regions.allocate(count * 4)
      kernel.enumerate(scratch.order, 0, count)
    }
    if (rows !== 0) kernel.positionsToRows(scratch.order, count, rows)
    const order = scratch.order
    scratch.order = 0
    return dataset.orders.keep(key, order, count * 4, count)
  } finally {
    for (const region of [rows, scratch.keys, scratch.order, scratch.spare])
      if (region !== 0) regions.release(region)
  }
}

function keyColumn(dataset: OpenDataset, field: SortField): KeyColumn {
  const { distinct, nullCount, segments } = dataset.columns[field.column]!
  const ranks = dataset.segment(field.column, 'ranks')
  const top = segments.ranks === undefined ? distinct : dataset.regions.words[ranks / 4 + distinct]!
  return { ...field, ranks, top, size: nullCount === 0 ? top : top + 1 }
}

/**
 * How many values one radix pass tells apart. A further pass costs more than counters that leave the fastest caches;
 * but more counters than rows are not worth clearing.
 */
function digitsFor(count: number): number {
  return Math.min(Math.max(2 ** (32 - Math.clz32(count)), FEWEST_COUNTERS), MOST_COUNTERS)
}

/** Neighbouring columns whose keys fit into one digit together, least significant group first. */
function groupColumns(columns: readonly KeyColumn[], digits: number): KeyColumn[][] {
  const groups: KeyColumn[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const column of columns.toReversed()) {
    size *= column.size
    if (size <= digits) groups.at(-1)!.unshift(column)
    else groups.push([column])
    if (groups.at(-1)!.length === 1) size = column.size
  }
  return groups
}

/** Brings the scratch's order (none yet: file order) into the order of one group, ties staying as they are. */
function* sortByColumns(
  dataset: OpenDataset,
  subject: Subject,
  group: readonly KeyColumn[],
  scratch: Scratch,
): Work<void> {
  const { regions } = dataset
  yield* composeKeys(dataset, subject, group, scratch)
  const size = group.reduce((product, column) => product * column.size, 1)
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
  group: readonly KeyColumn[],
  scratch: Scratch,
): Work<void> {
  const { kernel, regions } = dataset
  scratch.keys ||= regions.allocate(subject.count * 4)
  for (const [position, { column, descending, ranks, top, size }] of group.entries()) {
    const codes = dataset.segment(column, 'codes')
    const width = dataset.columns[column]!.codeWidth
    const isDescending = descending ? 1 : 0
    const isFirst = position === 0 ? 1 : 0
    const { rows } = subject
    for (const [from, to] of blocksOf(subject.count)) {
      kernel.appendKeys(codes, width, ranks, top, isDescending, rows, from, to, size, isFirst, scratch.keys)
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
