/** Filters on results: each compares the value that is shown, as a filter on a column of the result's type does. */

import { fold } from '../../base/text/fold.ts'
import { orderKey } from '../../base/text/order.ts'
import type { ColumnType, Value } from '../columns/column.ts'
import { instantEnd } from '../columns/entry-keys.ts'
import { compareDecimals, parseDecimal } from './decimal.ts'
import { isNear, type ResultColumn } from './groups.ts'
import type { ResultFilter } from './query.ts'

/** Characters of `YYYY-MM-DD`, which stands for its whole day. */
const DATE_LENGTH = 10

/** Whether a value passes; null is no value. */
type PassesFilter = (text: string | null) => boolean

/** Whether a number passes; null where it is near to one compared with, so that its text decides. */
type PassesNumber = (place: number) => boolean | null

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
  const numbers = operands.map((values) => values.map(Number))
  return (place) => {
    if (operator === 'is_null' || Number.isNaN(place)) return null
    if (numbers.some((values) => values.some((value) => isNear(place, value)))) return null
    return numbers.some((values) => passesApart(operator, place, values))
  }
}

/** Whether a number passes that is not near to any of those it is compared with. */
function passesApart(operator: ResultFilter['operator'], place: number, values: readonly number[]): boolean {
  if (operator === 'gt' || operator === 'gte') return place > values[0]!
  if (operator === 'lt' || operator === 'lte') return place < values[0]!
  return operator === 'ne' || operator === 'not_in'
}

/** The same by texts. */
function compileTexts({ operator, operands }: ResultFilter, type: ColumnType): PassesFilter {
  if (operator === 'is_null') {
    const wanted = new Set(operands.map(([value]) => value))
    return (text) => wanted.has(text === null)
  }
  const tests = operands.map((values) => compileOperand(operator, values, type))
  return (text) => text !== null && tests.some((test) => test(text))
}

function compileOperand(
  operator: Exclude<ResultFilter['operator'], 'is_null'>,
  values: readonly Value[],
  type: ColumnType,
): (text: string) => boolean {
  if (operator === 'contains' || operator === 'starts_with') {
    const part = fold(String(values[0]))
    return operator === 'contains'
      ? (text) => fold(text).includes(part)
      : (text) => fold(text).startsWith(part)
  }
  const comparisons = values.map((value) => compareWith(String(value), type))
  const compare = comparisons[0]!
  switch (operator) {
    case 'eq':
      return (text) => compare(text) === 0
    case 'ne':
      return (text) => compare(text) !== 0
    case 'gt':
      return (text) => compare(text) > 0
    case 'gte':
      return (text) => compare(text) >= 0
    case 'lt':
      return (text) => compare(text) < 0
    case 'lte':
      return (text) => compare(text) <= 0
    case 'in':
      return (text) => comparisons.some((one) => one(text) === 0)
    case 'not_in':
      return (text) => comparisons.every((one) => one(text) !== 0)
  }
}

/** Compares a text with the operand: negative where the text comes first. */
function compareWith(operand: string, type: ColumnType): (text: string) => number {
  if (type === 'integer' || type === 'decimal') {
    const number = parseDecimal(operand)
    return (text) => compareDecimals(parseDecimal(text), number)
  }
  const isDay = type === 'datetime' && operand.length === DATE_LENGTH
  const key = isDay ? operand : keyOf(operand, type)
  return (text) => {
    const other = isDay ? text.slice(0, DATE_LENGTH) : keyOf(text, type)
    return other < key ? -1 : other > key ? 1 : 0
  }
}

/** A text whose plain order is the order of the type. */
function keyOf(text: string, type: ColumnType): string {
  if (type === 'string') return orderKey(fold(text))
  if (type !== 'datetime') return text
  return text.slice(0, instantEnd(Buffer.from(text, 'latin1'), 0, text.length))
}
