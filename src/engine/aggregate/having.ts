/** Filters on results: each compares the value that is shown, as a filter on a column of the result's type does. */

import { fold } from '../../base/text/fold.ts'
import { orderKey } from '../../base/text/order.ts'
import type { ColumnType } from '../columns/column.ts'
import { instantEnd } from '../columns/entry-keys.ts'
import { OPERATOR_TABLE, type ShownTest, type ShownTests } from '../operators.ts'
import { compareDecimals, type Decimal, decimalText, parseDecimal } from './decimal.ts'
import type { ResultFilter } from './query.ts'
import { isNear, type ResultColumn } from './query.ts'

/** Characters of `YYYY-MM-DD`, which means its whole day. */
const DATE_LENGTH = 10

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

/** The same by texts. */
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

/** What is ordered as the type is: a number exactly, all else as a text. */
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
