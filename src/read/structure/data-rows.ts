/** Telling records that are data from those that name it. */

import { isMissingMark, isNumeric } from './cell-kinds.ts'

/**
 * Whether a record is data like those below it: it has numbers where they have, and no text over a column of numbers.
 * Years and running numbers beside a name, over other numbers, are names: `county,2019,2020`, `county,1,2,3`.
 * @param texts trimmed; @param below trimmed
 */
export function isData(texts: readonly string[], below: readonly (readonly string[])[]): boolean {
  let numbers = 0
  for (const [column, text] of texts.entries()) {
    if (text === '') continue
    const under = below
      .map((row) => row[column] ?? '')
      .filter((other) => other !== '' && !isMissingMark(other))
    const isNumber = isNumeric(text)
    if (isNumber && isOtherForm(text, under)) return false
    if (!isNumber && !isMissingMark(text) && under.length > 0 && under.every(isNumeric)) return false
    if (isNumber && (under.length === 0 || under.some(isNumeric))) numbers++
  }
  const isNames = isSeries(texts) && (below.length === 0 || below.some((row) => !isSeries(row)))
  return numbers > 0 && !isNames
}

/** What a text of digits is: a date and a range such as `15-19` are names of columns more often than values. */
function formOf(text: string): 'date' | 'range' | 'number' {
  if (/^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}(?:-\d{2})?)$/.test(text)) return 'date'
  return /^\d+\s*[-–]\s*\d+$/.test(text) ? 'range' : 'number'
}

/** Whether a text of digits is a date or a range. */
export function isDateOrRange(text: string): boolean {
  return formOf(text) !== 'number'
}

/** Whether a date or a range stands over numbers that are neither. */
export function isOtherForm(text: string, under: readonly string[]): boolean {
  const form = formOf(text)
  if (form === 'number') return false
  const numbers = under.filter(isNumeric)
  return numbers.length > 0 && numbers.every((other) => formOf(other) === 'number')
}

/** `2019`, and `2013-14` or `2013/2014` for a school or budget year. */
const YEAR = /^(?:19|20)\d\d(?:[-/–](?:(?:19|20)?\d\d))?$/

/** A day, a year, or a school or budget year: what titles say of the time of their table. */
export function isMoment(text: string): boolean {
  return formOf(text) === 'date' || YEAR.test(text)
}

/** Whether a text is a year, or one of school or of a budget. */
export function isYear(text: string): boolean {
  return YEAR.test(text)
}

/** Whether a record has nothing but years, over rows that have other numbers. */
export function areYears(texts: readonly string[], below: readonly (readonly string[])[]): boolean {
  const isYears = (row: readonly string[]) => row.every((text) => text === '' || YEAR.test(text))
  return isYears(texts) && !below.every(isYears)
}

/** Whether the numbers of a record are years, or count up by one side by side, and are not all that it has. */
export function isSeries(texts: readonly string[]): boolean {
  const numbers = texts.filter(isNumeric)
  if (numbers.length === 0 || numbers.length === texts.length) return false
  if (numbers.every((text) => YEAR.test(text))) return true
  const starts = numbers.map((text) => Number.parseInt(text, 10))
  const haveRanges = numbers.some((text) => formOf(text) === 'range')
  if (
    haveRanges &&
    starts.length > 2 &&
    starts.every((start, i) => i === 0 || start > (starts[i - 1] as number))
  )
    return true
  const first = texts.findIndex(isNumeric)
  const run = texts.slice(first, first + numbers.length)
  return run.length > 2 && run.every((text, i) => isNumeric(text) && Number(text) === Number(run[0]) + i)
}
