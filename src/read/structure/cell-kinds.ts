/**
 * What cells and records look like, judged by their text alone: enough to separate names from data, to see what fits a
 * column, and to recognise the row of column numbers that statistical offices print below a header (`A, 1, 2, 3`; `(1),
 * (2), 3=1+2`).
 */

import { stripDiacritics } from '../../base/text/snake-case.ts'

/** Numbers, amounts, dates, codes: values of a column rather than its name. */
export function isNumeric(text: string): boolean {
  return /^[-+\u2212]?[£$€]?\d[\d.,:/\s\u00a0\u202f-]*(?:e[-+]?\d{1,3})?%?$/i.test(text)
}

/** What publishers write for a missing value: it says nothing about its column. */
export function isMissingMark(text: string): boolean {
  return /^(?:[-–—.:*…]+|n\.?\/?[ad]\.?|nan|null|none|x|c)$/i.test(text)
}

/** Lower case, without diacritics and outer white space. */
export function plainText(text: string): string {
  return stripDiacritics(text).replace(/\s+/g, ' ').trim()
}

/** For each column, whether it has at least two numbers and nothing else. */
export function numericColumns(rows: readonly (readonly string[])[], width: number): boolean[] {
  return Array.from({ length: width }, (_, column) => {
    const texts = rows.map((row) => row[column] ?? '').filter((text) => text !== '' && !isMissingMark(text))
    return texts.length >= 2 && texts.every(isNumeric)
  })
}

/** Whether a record is a drawn line: `---|---`, `+-----+`. */
export function isDrawnLine(texts: readonly string[]): boolean {
  const filled = texts.filter((text) => text !== '')
  return filled.some((text) => /[-=_]{3}/.test(text)) && filled.every((text) => /^[-=_+|: ]+$/.test(text))
}

/**
 * Whether a record is data like those below it: it has numbers where they do, and no text above a column of numbers. Years
 * and consecutive numbers next to a name, above other numbers, are names: `county,2019,2020`, `county,1,2,3`.
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

/** The form of a text of digits: a date or a range such as `15-19` is more often a column's name than a value. */
function formOf(text: string): 'date' | 'range' | 'number' {
  if (/^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}(?:-\d{2})?)$/.test(text)) return 'date'
  return /^\d+\s*[-–]\s*\d+$/.test(text) ? 'range' : 'number'
}

export function isDateOrRange(text: string): boolean {
  return formOf(text) !== 'number'
}

/** Whether it is a date or a range above numbers that are neither. */
export function isOtherForm(text: string, under: readonly string[]): boolean {
  const form = formOf(text)
  if (form === 'number') return false
  const numbers = under.filter(isNumeric)
  return numbers.length > 0 && numbers.every((other) => formOf(other) === 'number')
}

/** `2019`, and `2013-14` or `2013/2014` for a school or budget year. */
const YEAR = /^(?:19|20)\d\d(?:[-/–](?:(?:19|20)?\d\d))?$/

/** A day, a year, or a school or budget year: how titles tell the time of their table. */
export function isMoment(text: string): boolean {
  return formOf(text) === 'date' || YEAR.test(text)
}

export function isYear(text: string): boolean {
  return YEAR.test(text)
}

/** Whether a record has only years, above rows that have other numbers. */
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
  const doRise = starts.length > 2 && starts.every((start, i) => i === 0 || start > (starts[i - 1] as number))
  if (haveRanges && doRise) return true
  const first = texts.findIndex(isNumeric)
  const run = texts.slice(first, first + numbers.length)
  return run.length > 2 && run.every((text, i) => isNumeric(text) && Number(text) === Number(run[0]) + i)
}

const NUMBER = /^(?:c(?:ol)?\.?\s*)?([([]?)(\d{1,3})[)\]]?\.?\s*(?:=.*)?$/i
const LETTER = /^([([]?)([A-Z]|[a-z])[)\]]?$/

/**
 * Whether a row numbers the columns: with consecutive numbers, one for each column, and unlike the rows below it.
 * @param cells trimmed; @param names of the columns: a column without a name may have no number
 * @param below trimmed rows of data
 */
export function isNumbering(
  cells: readonly string[],
  names: readonly string[],
  below: readonly (readonly string[])[],
): boolean {
  const filled = cells.filter((cell) => cell !== '')
  if (below.length === 0 || filled.length < 2) return false
  const unnumbered = cells.findLastIndex((cell, i) => cell === '' && (names[i] ?? '') !== '')
  if (unnumbered > 0) return false
  // All rows begin with a text, so one that does not is unlike them.
  if (unnumbered === 0)
    return (
      countsUp(filled.map(Number), [1]) &&
      filled.length > 2 &&
      below.length > 1 &&
      below.every(([label = '']) => label !== '' && !isNumeric(label))
    )
  if (filled.length > 2 && filled.every((cell, i) => cell === ROMAN[i]))
    return numericColumns(below, cells.length).some((is, i) => is && cells[i] !== '')
  const numbers = filled.filter((cell) => NUMBER.test(cell)).map((cell) => Number(NUMBER.exec(cell)?.[2]))
  const letters = filled.filter((cell) => LETTER.test(cell)).map((cell) => LETTER.exec(cell)?.[2] ?? '')
  if (numbers.length + letters.length !== filled.length) return false
  // A, B, C, or a, b, c; a column printed again at the end repeats its letter.
  const distinct = [...new Set(letters)]
  const first = distinct[0] === 'a' ? 0x61 : 0x41
  const isInTurn = distinct.every((letter, i) => letter === String.fromCharCode(first + i))
  if (!countsUp(numbers, [0, 1, 2]) || !isInTurn) return false
  return standsOut(cells, below, numbers.length, letters.length)
}

function countsUp(numbers: readonly number[], starts: readonly number[]): boolean {
  const [first] = numbers
  if (first === undefined) return true
  return starts.includes(first) && numbers.every((number, i) => number === first + i)
}

const ROMAN = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII']

/** A number above texts, a letter above numbers or other texts, or brackets that no value has. */
function standsOut(
  cells: readonly string[],
  below: readonly (readonly string[])[],
  numbers: number,
  letters: number,
): boolean {
  // The first column counts the rows from 1, so a 1 above it counts something else.
  const isCounted = below.length > 2 && below.every(([text = ''], i) => text === String(i + 1))
  if (numbers > 2 && cells[0] === '1' && isCounted) return true
  const isNumericBelow = numericColumns(below, cells.length)
  const rows = below.filter((row) => row.some((cell) => cell !== ''))
  const overTexts = (column: number) => {
    const texts = rows.map((row) => row[column] ?? '').filter((text) => text !== '' && !isMissingMark(text))
    return texts.length >= 2 && !texts.some(isNumeric)
  }
  const brackets = cells.some((cell) => /^[([]\d+[)\]]$/.test(cell))
  if (brackets && !rows.some((row) => row.some((cell) => /^[([]\d/.test(cell)))) return true
  // Printed reports repeat it with the header.
  const others = rows.filter((row) => row.some((cell, i) => cell !== (cells[i] ?? '')))
  const overLetters = (column: number) => others.some((row) => LETTER.test(row[column] ?? ''))
  if (letters > 0)
    return cells.some(
      (cell, i) => LETTER.test(cell) && !overLetters(i) && (isNumericBelow[i] || numbers >= 2),
    )
  const overText = cells.some((cell, i) => NUMBER.test(cell) && overTexts(i))
  // With two columns, a name such as `1` beside its value 2 would look the same: more rows must have texts.
  return overText && (cells.length > 2 || rows.length > 2)
}
