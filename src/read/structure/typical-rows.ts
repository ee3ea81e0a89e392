/** What the rows of a table usually have, to tell notes, labels and other tables from them. */

import { isMissingMark, isNumeric } from './cell-kinds.ts'
import { isMoment } from './data-rows.ts'
import { isNamedNote, NOTE_SIGNS, type NoteSign } from './notes.ts'

/** Values of a column that say what fits it, and numbers that make others of a text. */
const LEAST_VALUES = 3
const LEAST_NUMBERS = 2
/** A text of so many times the words, or the characters, of the longest value is none of the column's. */
const LONGER = 3
const NEARLY_ALL = 0.8

interface TypicalColumn {
  readonly values: number
  /** Numbers, dates and codes of digits, more than one, and nothing else. */
  readonly isNumeric: boolean
  /** Nearly all are. */
  readonly isMostlyNumeric: boolean
  /** Every value has a digit. */
  readonly haveDigits: boolean
  readonly hasDates: boolean
  readonly hasYears: boolean
  readonly words: number
  readonly characters: number
}

export interface TypicalRows {
  readonly rows: number
  /** Cells with text of the middle row, and the column of the first one. */
  readonly cells: number
  readonly first: number
  /** What no row's first text has: names of institutions may be sentences, too. */
  readonly signs: readonly NoteSign[]
  readonly columns: readonly TypicalColumn[]
}

/** @param rows trimmed cells of some rows; @param width of the table */
export function learnTypical(rows: readonly (readonly string[])[], width: number): TypicalRows {
  const texts = rows.map((cells) => cells.filter((text) => text !== ''))
  const isNote = ([text = '', ...others]: readonly string[]) => others.length === 0 && isNamedNote(text)
  const counts = texts.filter((filled) => !isNote(filled)).map(({ length }) => length)
  counts.sort((a, b) => a - b)
  const full = rows.filter((cells) => cells.filter((text) => text !== '').length > 1)
  const firsts = full.map((cells) => cells.findIndex((text) => text !== ''))
  const labels = full.map((cells, row) => cells[firsts[row] as number] as string)
  return {
    rows: rows.length,
    cells: counts[counts.length >> 1] ?? width,
    first: Math.min(...firsts),
    signs: NOTE_SIGNS.filter((sign) => !labels.some(sign)),
    columns: Array.from({ length: width }, (_, column) =>
      learnColumn(full.map((cells) => cells[column] ?? '')),
    ),
  }
}

/** Rows at the end that are no row of their table, at most. */
const MOST_ODD = 10

/** As `learnTypical`, but of the last rows those do not count that are unlike all above them: they may be notes. */
export function learnAboveNotes(rows: readonly (readonly string[])[], width: number): TypicalRows {
  for (let end = Math.max(2, rows.length - MOST_ODD, rows.length >> 1); end < rows.length; end++) {
    const above = learnTypical(rows.slice(0, end), width)
    if (rows.slice(end).every((cells) => isOdd(cells, above))) return above
  }
  return learnTypical(rows, width)
}

function isOdd(cells: readonly string[], above: TypicalRows): boolean {
  const [first = '', ...others] = cells.filter((text) => text !== '')
  return (
    others.length === 0 ||
    isForeign(cells, above) ||
    isSparse(cells, above) ||
    above.signs.some((sign) => sign(first))
  )
}

/** Whether a record has texts, or days, where the rows have numbers, and no number in any of these columns. */
export function isForeign(cells: readonly string[], { columns }: TypicalRows): boolean {
  let over = 0
  for (const [place, text] of cells.entries()) {
    const column = columns[place]
    if (text === '' || !column?.isNumeric) continue
    const isOtherDay = isDateText(text) && !column.hasDates
    if (!isOtherDay && (isNumeric(text) || isMissingMark(text))) return false
    over++
  }
  return over > 0
}

/** Whether a record has no number, and lacks two values that every row has. */
export function isSparse(cells: readonly string[], { columns, rows }: TypicalRows): boolean {
  const missing = columns.filter(({ values }, place) => values === rows && (cells[place] ?? '') === '')
  return rows >= LEAST_VALUES && missing.length > 1 && !cells.some(isNumeric)
}

function learnColumn(cells: readonly string[]): TypicalColumn {
  const texts = cells.filter((text) => text !== '' && !isMissingMark(text))
  return {
    values: texts.length,
    isNumeric: texts.length >= LEAST_NUMBERS && texts.every(isNumeric),
    isMostlyNumeric: texts.filter(isNumeric).length > NEARLY_ALL * texts.length,
    haveDigits: texts.length > 0 && texts.every((text) => /\d/.test(text)),
    hasDates: texts.some(isDateText),
    hasYears: texts.some(isMoment),
    words: Math.max(0, ...texts.map(countWords)),
    characters: Math.max(0, ...texts.map(({ length }) => length)),
  }
}

/** Whether a text may be a value of a column, by its place. Of a column with few values anything may. */
export function fitsColumn(text: string, place: number, { columns, rows, first }: TypicalRows): boolean {
  const column = columns[place]
  if (column === undefined) return false
  if (isMissingMark(text)) return true
  if (column.values === 0) return rows < LEAST_VALUES
  if (column.values < LEAST_VALUES) return true
  if (column.isNumeric) return isNumeric(text)
  if (isDateText(text)) return column.hasDates
  if (column.haveDigits && !/\d/.test(text) && countWords(text) > 1) return false
  // Descriptions differ in length, names of rows do not.
  if (place > first) return true
  return countWords(text) <= LONGER * column.words && text.length <= LONGER * column.characters
}

const DATE = /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})(?:[ T,]+\d{1,2}:\d{2}(?::\d{2})?)?$/

/** A day, with or without a time. */
export function isDateText(text: string): boolean {
  return DATE.test(text)
}

function countWords(text: string): number {
  return text.split(/\s+/).length
}
