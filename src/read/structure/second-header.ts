/** Telling the header of a second table from a row of the first one. */

import { isMissingMark, isMoment, isNumeric, isSeries, plainText } from './cell-kinds.ts'
import { isForeign, learnTypical, type TypicalRows } from './typical-rows.ts'

/** Values that make a column one of numbers. */
export const LEAST_VALUES = 2

/** Whether texts could be the names of columns. */
export function isHeaderLike(names: readonly string[]): boolean {
  return (
    names.length > 1 &&
    new Set(names.map(plainText)).size === names.length &&
    names.every((name) => /\p{L}/u.test(name) && !isNumeric(name) && !isMissingMark(name))
  )
}

/** Whether a record below a blank one is a header, by the row below it. */
export function isHeaderBelowBlank(
  cells: readonly string[],
  next: readonly string[],
  typical: TypicalRows,
): boolean {
  const { columns, first } = typical
  const isOver = (text: string, column: number) =>
    text !== '' && columns[column]?.isNumeric === true && columns[column].values >= LEAST_VALUES
  const hasNumbers = next.some((cell, column) => isNumeric(cell) && cells[column] !== '')
  // Every row has its name, and this one has years instead.
  if (cells.some(isNumeric)) {
    const isYearName = (text: string, at: number) =>
      isMoment(text) && columns[at]?.isNumeric === true && !columns[at].hasYears
    const areYears = cells.every((cell, at) => cell === '' || isYearName(cell, at))
    return cells[0] === '' && first === 0 && hasNumbers && areYears
  }
  if (!cells.some(isOver)) return false
  if (hasNumbers) return true
  // Words for missing values come again, and signatures leave columns out.
  const isNamed = !cells.some((cell, at) => cell === '' && columns[at]?.isNumeric)
  return isNamed && isForeign(next, typical) && !next.some((cell, at) => cell !== '' && cell === cells[at])
}

/**
 * Whether a record among rows is a header: it names all columns of numbers, two at least, and numbers follow. That a row
 * has words for missing values there is as likely, unless these are three words or more, none of them twice, or it names a
 * column as the first header does, or the row below it has another kind of first cell than all rows above, or the same one
 * as one of them.
 */
export function isHeaderAmong(
  cells: readonly string[],
  next: readonly string[],
  above: readonly (readonly string[])[],
  names: readonly string[],
): boolean {
  if (cells.some((cell) => cell === '' || isNumeric(cell))) return false
  const numeric = learnTypical(above, cells.length).columns.flatMap(({ isNumeric: isNumber, values }, at) =>
    isNumber && values >= PROVING_VALUES ? [at] : [],
  )
  if (numeric.length < 2 || !numeric.every((column) => isNumeric(next[column] as string))) return false
  const firsts = above.map(([first = '']) => first)
  const [label = ''] = next
  return (
    // Three different words in one row can't be words for missing values.
    numeric.length > 2 ||
    cells.some((cell, at) => plainText(cell) === plainText(names[at] ?? '')) ||
    firsts.every((first) => isNumeric(first) !== isNumeric(label)) ||
    (new Set(firsts).size === firsts.length && firsts.includes(label))
  )
}

/**
 * Whether a record is the first header in another order, or with other years: what stands below it are values of other
 * columns. Most of its cells are names, or it has the first header's names and a year where that has another one. Years
 * below no name are a header where every row has its name.
 * @param names of the first header
 */
export function isChangedHeader(
  cells: readonly string[],
  names: readonly string[],
  typical: TypicalRows,
): boolean {
  const texts = cells.map(plainText)
  const known = names.map(plainText)
  if (isSeries(known)) {
    const years = known.flatMap((name, at) => (isMoment(name) ? [at] : []))
    if (years.length < 2 || !years.every((at) => isMoment(texts[at] ?? ''))) return false
    if (years.some((at) => typical.columns[at]?.hasYears)) return false
    const labels = known.flatMap((name, at) => (isMoment(name) ? [] : [at]))
    if (labels.every((at) => texts[at] === '')) return typical.first === 0 && isSeries(texts)
    return labels.every((at) => texts[at] === known[at])
  }
  const own = new Set(known.filter((name) => name !== ''))
  const filled = texts.filter((text) => text !== '')
  const shared = filled.filter((text) => own.has(text)).length
  return isHeaderLike(filled) && shared > 1 && shared * 2 > filled.length
}

/** Rows that prove a column to be one of numbers, where no blank record says that another table begins. */
export const PROVING_VALUES = 3
