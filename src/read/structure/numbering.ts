/** The row of column numbers that statistical offices print below a header: `A, 1, 2, 3` or `(1), (2), 3=1+2`. */

import { isMissingMark, isNumeric, numericColumns } from './cell-kinds.ts'

const NUMBER = /^(?:c(?:ol)?\.?\s*)?([([]?)(\d{1,3})[)\]]?\.?\s*(?:=.*)?$/i
const LETTER = /^([([]?)([A-Z]|[a-z])[)\]]?$/

/**
 * Whether a row numbers the columns: consecutive, one per column, and unlike the rows below it.
 * @param cells trimmed; @param names of the columns: those without one may have no number
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
  if (unnumbered === 0) return countsUp(filled.map(Number), [1]) && filled.length > 2 && haveLabels(below)
  if (areRoman(filled)) return numericColumns(below, cells.length).some((is, i) => is && cells[i] !== '')
  const numbers = filled.filter((cell) => NUMBER.test(cell)).map((cell) => Number(NUMBER.exec(cell)?.[2]))
  const letters = filled.filter((cell) => LETTER.test(cell)).map((cell) => LETTER.exec(cell)?.[2] ?? '')
  if (numbers.length + letters.length !== filled.length) return false
  if (!countsUp(numbers, [0, 1, 2]) || !lettersCountUp(letters)) return false
  return standsOut(cells, below, numbers.length, letters.length)
}

function countsUp(numbers: readonly number[], starts: readonly number[]): boolean {
  const [first] = numbers
  if (first === undefined) return true
  return starts.includes(first) && numbers.every((number, i) => number === first + i)
}

/** A, B, C, or a, b, c; a column that is printed again at the end repeats its letter. */
function lettersCountUp(letters: readonly string[]): boolean {
  const distinct = [...new Set(letters)]
  const first = distinct[0] === 'a' ? 'a' : 'A'
  return distinct.every((letter, i) => letter === String.fromCharCode(first.charCodeAt(0) + i))
}

const ROMAN = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII']

function areRoman(cells: readonly string[]): boolean {
  return cells.length > 2 && cells.every((cell, i) => cell === ROMAN[i])
}

/** Whether rows have a text in front, all of them: one that has none is unlike them. */
function haveLabels(rows: readonly (readonly string[])[]): boolean {
  return rows.length > 1 && rows.every(([label = '']) => label !== '' && !isNumeric(label))
}

/** Whether the first column counts the rows from 1 on, so that a 1 above it counts something else. */
function areCounted(rows: readonly (readonly string[])[]): boolean {
  return rows.length > 2 && rows.every(([first = ''], i) => first === String(i + 1))
}

/** A number over texts, a letter over numbers or other texts, brackets that no value has. */
function standsOut(
  cells: readonly string[],
  below: readonly (readonly string[])[],
  numbers: number,
  letters: number,
): boolean {
  if (numbers > 2 && cells[0] === '1' && areCounted(below)) return true
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
  // In two columns a name such as `1` beside its value 2 would look the same: more rows must speak for texts.
  return overText && (cells.length > 2 || rows.length > 2)
}
