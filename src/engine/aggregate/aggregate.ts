/** Groups of the rows that filters match, with measures of each: pages and whole answers (contract 7). */

import { fold } from '../../base/text/fold.ts'
import { orderKey } from '../../base/text/order.ts'
import type { ColumnType } from '../columns/column.ts'
import { instantEnd } from '../columns/entry-keys.ts'
import { findMatches, leaveMatches } from '../filter/matches.ts'
import type { OpenDataset } from '../memory/open-dataset.ts'
import { OPERATOR_TABLE, type ShownTest, type ShownTests } from '../operators.ts'
import { costSince, StreamTurns, type Work } from '../turns.ts'
import { compareDecimals, type Decimal, decimalText, parseDecimal } from './decimal.ts'
import { groupRows } from './group-rows.ts'
import { firstInOrder } from './order.ts'
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
} from './query.ts'

/** Characters of `YYYY-MM-DD`, which means its whole day. */
const DATE_LENGTH = 10

const BATCH = 1000
const CHUNK = 1024
const TEXT_COST = 1000

/**
 * One page of groups. Answers at once unless the work takes more than one turn.
 * @throws TooManyGroupsError; DamagedFileError when a segment does not load; BusyError, DeadlineError when it is long work
 */
export function aggregateRows(
  dataset: OpenDataset,
  query: AggregateQuery,
): AggregatePage | Promise<AggregatePage> {
  return dataset.turns.run(pageOf(dataset, query))
}

/** All groups of a question, found and in order. */
export interface AllGroups {
  readonly count: number
  /** In batches of at most 1,000 rows, as often as wanted; other requests get their turns between them. */
  batches(): AsyncGenerator<readonly ResultRow[]>
  close(): void
}

/**
 * Finds all groups in order. Close them.
 * @throws as `aggregateRows`
 */
export async function openGroups(dataset: OpenDataset, query: GroupsQuery): Promise<AllGroups> {
  const found = await dataset.turns.run(findGroups(dataset, query))
  try {
    const chosen = await dataset.turns.run(chooseGroups(dataset, query, found, Number.POSITIVE_INFINITY))
    return {
      count: chosen.length,
      batches: () => batchesOf(found, chosen),
      close: () => found.release(),
    }
  } catch (error) {
    found.release()
    throw error
  }
}

async function* batchesOf(found: Groups, chosen: Uint32Array): AsyncGenerator<readonly ResultRow[]> {
  const turns = new StreamTurns()
  try {
    for (let from = 0; from < chosen.length; from += BATCH) {
      yield rowsOf(found, chosen.subarray(from, from + BATCH))
      await turns.rest()
    }
  } finally {
    turns.end()
  }
}

function* pageOf(dataset: OpenDataset, query: AggregateQuery): Work<AggregatePage> {
  const { offset, limit } = query
  const found = yield* findGroups(dataset, query)
  try {
    const passing = yield* passingGroups(dataset, query, found)
    const total = passing.length
    const ordered = yield* inOrder(query, found, passing, offset + limit)
    const chosen = ordered.subarray(offset, offset + limit)
    yield chosen.length * found.results.length * TEXT_COST
    const rows = rowsOf(found, chosen)
    return {
      total: query.count ? total : null,
      count: rows.length,
      hasNext: offset + rows.length < total,
      rows,
    }
  } finally {
    found.release()
  }
}

function* findGroups(dataset: OpenDataset, query: GroupsQuery): Work<Groups> {
  const matches = yield* findMatches(dataset, query.filters)
  try {
    return yield* groupRows(dataset, matches, query)
  } finally {
    leaveMatches(dataset, matches)
  }
}

function* chooseGroups(
  dataset: OpenDataset,
  query: GroupsQuery,
  groups: Groups,
  most: number,
): Work<Uint32Array> {
  return yield* inOrder(query, groups, yield* passingGroups(dataset, query, groups), most)
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
    const started = performance.now()
    let left = new Uint32Array(Math.min(chunk, count - from))
    for (let i = 0; i < left.length; i++) left[i] = from + i
    for (const { column, passes } of tests) {
      column.readPlaces(left, places)
      left = left.filter((group, i) => passes(group, places[i]!))
    }
    passing.set(left, kept)
    kept += left.length
    yield costSince(started)
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

// Filters on results: each compares the value that is shown, as a filter on a column of the result's type
// does.
/** Whether a result passes; null: it has no value. */
type PassesFilter = (text: string | null) => boolean

/** Whether a number passes; null where it is near to one compared with, so that its text decides. */
type PassesNumber = (place: number) => boolean | null

/**
 * How many times the work of one comparison a test may take. Alternatives of most operators are one set or one bound; a
 * query may have thousands of them.
 */
export function weightOf({ operator, operands }: ResultFilter): number {
  return OPERATOR_TABLE[operator].isOneByOne ? operands.length : 1
}

/**
 * The test of one filter on a result of the given type, for a group whose place is known. Comparisons never match null. Most places decide
 * without the value's text: numbers that are not near to any they are compared with, and ranks that came before.
 */
export function compileFilter(
  filter: ResultFilter,
  type: ColumnType,
  { places, textOf }: Pick<ResultColumn, 'places' | 'textOf'>,
): (group: number, place: number) => boolean {
  const passes = compileTexts(filter, type)
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
  const passesNumber = compileNumbers(filter)
  return (group, place) => passesNumber(place) ?? passes(textOf(group))
}

function compileNumbers({ operator, operands }: ResultFilter): PassesNumber {
  const numbers = Float64Array.from(operands.flat(), Number).sort()
  const isApart = (place: number) => {
    const above = firstNotBelow(numbers, place)
    return (
      (above === numbers.length || !isNear(place, numbers[above]!)) &&
      (above === 0 || !isNear(place, numbers[above - 1]!))
    )
  }
  const { apart } = OPERATOR_TABLE[operator]
  return (place) =>
    apart === undefined || Number.isNaN(place) || !isApart(place) ? null : apart(place, numbers)
}

function firstNotBelow(sorted: Float64Array, number: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < number) low = middle + 1
    else high = middle
  }
  return low
}

function compileTexts({ operator, operands }: ResultFilter, type: ColumnType): PassesFilter {
  const { shown, nullPasses } = OPERATOR_TABLE[operator]
  const test = shown(operands, testsOf(type))
  const passesNull = nullPasses?.(operands) ?? false
  return (text) => (text === null ? passesNull : test(text))
}

function testsOf(type: ColumnType): ShownTests {
  return {
    among: (values) => isAmong(values.map(String), type),
    beyond: (values, side, orEqual) => isBeyond(values.map(String), type, side, orEqual),
    withPart: (values, holds) => {
      const parts = values.map((value) => fold(String(value)))
      return (text) => {
        const folded = fold(text)
        return parts.some((part) => holds(folded, part))
      }
    },
  }
}

/** Whether a text equals one of the values; to a date every moment of its day is equal. */
function isAmong(values: readonly string[], type: ColumnType): ShownTest {
  const isDay = (value: string) => type === 'datetime' && value.length === DATE_LENGTH
  const days = new Set(values.filter(isDay))
  const keys = new Set(values.filter((value) => !isDay(value)).map((value) => keyOf(value, type)))
  return (text) =>
    (keys.size > 0 && keys.has(keyOf(text, type))) || (days.size > 0 && days.has(text.slice(0, DATE_LENGTH)))
}

/** Whether a text stands behind one of the values (`side` 1) or before one (-1): the nearest of them decides. */
function isBeyond(values: readonly string[], type: ColumnType, side: 1 | -1, orEqual: boolean): ShownTest {
  const bounds = values.map((value) => comparableOf(value, type))
  const nearest = bounds.reduce((one, other) => (compare(one, other) * side <= 0 ? one : other))
  return (text) => {
    const difference = compare(comparableOf(text, type), nearest) * side
    return difference > 0 || (orEqual && difference === 0)
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

/** A text that is the same for equal values; for all but numbers its plain order is the order of the type. */
function keyOf(text: string, type: ColumnType): string {
  if (type === 'string') return orderKey(fold(text))
  if (isNumber(type)) return decimalText(parseDecimal(text))
  if (type !== 'datetime') return text
  return text.slice(0, instantEnd(Buffer.from(text, 'latin1'), 0, text.length))
}
