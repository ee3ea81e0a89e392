/** Groups of the rows that filters match, with measures of each: pages and whole answers (contract 7). */

import { fold } from '../../base/text/fold.ts'
import { orderKey } from '../../base/text/order.ts'
import type { ColumnType, Value } from '../columns/column.ts'
import { instantEnd } from '../columns/entry-keys.ts'
import { findMatches } from '../filter/matches.ts'
import { rowNeeds } from '../filter/plan.ts'
import type { Needs, OpenDataset } from '../memory/open-dataset.ts'
import { OPERATOR_TABLE, type ShownTests } from '../operators.ts'
import { StreamTurns, type Work } from '../turns.ts'
import { compareDecimals, type Decimal, decimalText, parseDecimal } from './decimal.ts'
import {
  type AggregatePage,
  type AggregateQuery,
  type Groups,
  type GroupsQuery,
  isNear,
  type ResultColumn,
  type ResultFilter,
  type ResultRow,
  resultTypes,
} from './group-query.ts'
import { groupRows } from './group-rows.ts'
import { firstInOrder } from './order.ts'

/** Characters of `YYYY-MM-DD`, which means the whole day. */
const DATE_LENGTH = 10

const BATCH = 1000
const CHUNK = 1024

/**
 * One page of groups, at once unless the work takes more than one turn.
 * @throws TooManyGroupsError; DamagedFileError when a segment does not load; BusyError, DeadlineError when it is long work
 */
export function aggregateRows(
  dataset: OpenDataset,
  query: AggregateQuery,
): AggregatePage | Promise<AggregatePage> {
  return dataset.run(needsOf(dataset, query), pageOf(dataset, query))
}

/** All groups of a query, found and in order. */
export interface AllGroups {
  readonly count: number
  /** The groups in batches of at most 1,000, as often as it is called; other requests get their turns between them. */
  batches(): AsyncGenerator<readonly ResultRow[]>
  close(): void
}

/**
 * Finds all groups in order. The caller closes them.
 * @throws as `aggregateRows`
 */
export async function openGroups(dataset: OpenDataset, query: GroupsQuery): Promise<AllGroups> {
  const found = await dataset.run(needsOf(dataset, query), findGroups(dataset, query))
  try {
    const passing = await dataset.turns.run(passingGroups(dataset, query, found))
    const chosen = await dataset.turns.run(inOrder(query, found, passing, Number.POSITIVE_INFINITY))
    return { count: chosen.length, batches: () => batchesOf(found, chosen), close: found.release }
  } catch (error) {
    found.release()
    throw error
  }
}

function needsOf(dataset: OpenDataset, { filters, groups, measures }: GroupsQuery): Needs {
  return [
    ...rowNeeds(dataset, filters),
    [groups.map(({ column }) => column), 'valued'],
    ...measures.flatMap(({ kind, column }): Needs => {
      const read = kind === 'count' || kind === 'count_distinct' ? 'ordered' : 'valued'
      return column === null ? [] : [[[column], read]]
    }),
  ]
}

async function* batchesOf(found: Groups, chosen: Uint32Array): AsyncGenerator<readonly ResultRow[]> {
  using turns = new StreamTurns()
  for (let from = 0; from < chosen.length; from += BATCH) {
    yield rowsOf(found, chosen.subarray(from, from + BATCH))
    await turns.rest()
  }
}

function* pageOf(dataset: OpenDataset, query: AggregateQuery): Work<AggregatePage> {
  const { offset, limit } = query
  const found = yield* findGroups(dataset, query)
  using held = new DisposableStack()
  held.defer(found.release)
  const passing = yield* passingGroups(dataset, query, found)
  const total = passing.length
  const chosen = (yield* inOrder(query, found, passing, offset + limit)).subarray(offset, offset + limit)
  yield
  const rows = rowsOf(found, chosen)
  const hasNext = offset + rows.length < total
  return { total: query.count ? total : null, count: rows.length, hasNext, rows }
}

function* findGroups(dataset: OpenDataset, query: GroupsQuery): Work<Groups> {
  using matches = yield* findMatches(dataset, query.filters)
  return yield* groupRows(dataset, matches, query)
}

function* passingGroups(
  { columns }: OpenDataset,
  query: GroupsQuery,
  { count, results }: Groups,
): Work<Uint32Array> {
  const types = resultTypes(columns, query)
  const tests = query.having.map((filter) => {
    const column = results[filter.result] as ResultColumn
    return { column, passes: compileFilter(filter, types[filter.result] as ColumnType, column) }
  })
  const passing = new Uint32Array(count)
  const places = new Float64Array(CHUNK)
  const chunk = Math.ceil(CHUNK / Math.max(1, ...query.having.map(weightOf)))
  let kept = 0
  for (let from = 0; from < count; from += chunk) {
    let left = new Uint32Array(Math.min(chunk, count - from))
    for (let i = 0; i < left.length; i++) left[i] = from + i
    for (const { column, passes } of tests) {
      column.readPlaces(left, places)
      left = left.filter((group, i) => passes(group, places[i]!))
    }
    passing.set(left, kept)
    kept += left.length
    yield
  }
  return passing.subarray(0, kept)
}

function* inOrder(
  { sort, groups: keys }: GroupsQuery,
  groups: Groups,
  passing: Uint32Array,
  most: number,
): Work<Uint32Array> {
  if (sort.length === 0 && groups.isOrdered) return passing
  return yield* firstInOrder(groups, sort, keys.length, passing, Math.min(most, passing.length))
}

function rowsOf({ results }: Groups, chosen: Uint32Array): ResultRow[] {
  return Array.from(chosen, (group) => results.map(({ textOf }) => textOf(group)))
}

/**
 * The cost of a test, in comparisons. For most operators all alternatives make one set or one bound; for the others each
 * is compared, and a query may have thousands.
 */
export function weightOf({ operator, operands }: ResultFilter): number {
  return OPERATOR_TABLE[operator].isOneByOne ? operands.length : 1
}

/**
 * The test of one filter on a result of the given type, for a group whose place is known. It compares the value that is
 * shown, as a filter on a column of that type does. Comparisons never match null. Most places decide without the value's
 * text: numbers that are not near any operand, and ranks that were tested before.
 */
export function compileFilter(
  { operator, operands }: ResultFilter,
  type: ColumnType,
  { places, textOf }: Pick<ResultColumn, 'places' | 'textOf'>,
): (group: number, place: number) => boolean {
  const { shown, nullPasses, apart } = OPERATOR_TABLE[operator]
  const test = shown(operands, testsOf(type))
  const passesNull = nullPasses?.(operands) ?? false
  const passes = (text: string | null) => (text === null ? passesNull : test(text))
  if (places === 'ranks') {
    const known = new Map<number, boolean>()
    return (group, place) => {
      let isPassing = known.get(place)
      if (isPassing === undefined) {
        isPassing = passes(textOf(group))
        known.set(place, isPassing)
      }
      return isPassing
    }
  }
  const numbers = Float64Array.from(operands.flat(), Number).sort()
  return (group, place) =>
    apart === undefined || Number.isNaN(place) || !isApart(numbers, place)
      ? passes(textOf(group))
      : apart(place, numbers)
}

/** Whether a number is not near any of the sorted ones, so that it decides without its text. */
function isApart(sorted: Float64Array, number: number): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < number) low = middle + 1
    else high = middle
  }
  return (
    (low === sorted.length || !isNear(number, sorted[low]!)) &&
    (low === 0 || !isNear(number, sorted[low - 1]!))
  )
}

function testsOf(type: ColumnType): ShownTests {
  return {
    among(values) {
      const isDay = (value: Value) => type === 'datetime' && String(value).length === DATE_LENGTH
      const days = new Set(values.filter(isDay))
      const others = values.filter((value) => !isDay(value))
      const keys = new Set(others.map((value) => keyOf(String(value), type)))
      return (text) =>
        (keys.size > 0 && keys.has(keyOf(text, type))) ||
        (days.size > 0 && days.has(text.slice(0, DATE_LENGTH)))
    },
    /** The nearest of the values decides. */
    beyond(values, side, orEqual) {
      const bounds = values.map((value) => comparableOf(String(value), type))
      const nearest = bounds.reduce((one, other) => (compare(one, other) * side <= 0 ? one : other))
      return (text) => {
        const difference = compare(comparableOf(text, type), nearest) * side
        return difference > 0 || (orEqual && difference === 0)
      }
    },
    withPart(values, holds) {
      const parts = values.map((value) => fold(String(value)))
      return (text) => {
        const folded = fold(text)
        return parts.some((part) => holds(folded, part))
      }
    },
  }
}

function comparableOf(text: string, type: ColumnType): Decimal | string {
  return isNumber(type) ? parseDecimal(text) : keyOf(text, type)
}

function compare(a: Decimal | string, b: Decimal | string): number {
  if (typeof a !== 'string' && typeof b !== 'string') return compareDecimals(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}

function isNumber(type: ColumnType): boolean {
  return type === 'integer' || type === 'decimal'
}

/** A text that is the same for equal values. Except for numbers, comparing these texts gives the order of the type. */
function keyOf(text: string, type: ColumnType): string {
  if (type === 'string') return orderKey(fold(text))
  if (isNumber(type)) return decimalText(parseDecimal(text))
  if (type !== 'datetime') return text
  return text.slice(0, instantEnd(Buffer.from(text, 'latin1'), 0, text.length))
}
