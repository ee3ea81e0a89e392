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
    if (!isNumber && !isMissingMark(text) && under.length > 0 && under.every(isNumeric)) return false
    if (isNumber && (under.length === 0 || under.some(isNumeric))) numbers++
  }
  const isNames = isSeries(texts) && below.some((row) => !isSeries(row))
  return numbers > 0 && !isNames
}

/** `2019`, and `2013-14` or `2013/2014` for a school or budget year. */
const YEAR = /^(?:19|20)\d\d(?:[-/–](?:(?:19|20)?\d\d))?$/

/** Whether the numbers of a record are years, or count up by one side by side, and are not all that it has. */
export function isSeries(texts: readonly string[]): boolean {
  const numbers = texts.filter(isNumeric)
  if (numbers.length === 0 || numbers.length === texts.length) return false
  if (numbers.every((text) => YEAR.test(text))) return true
  const first = texts.findIndex(isNumeric)
  const run = texts.slice(first, first + numbers.length)
  return run.length > 2 && run.every((text, i) => isNumeric(text) && Number(text) === Number(run[0]) + i)
}
