/**
 * Whether a cell fits a column (`fits`), or at least could be in it (`couldFit`), which shows other ways to place cells.
 */

import { isMissingMark } from '../structure/cell-kinds.ts'
import {
  type ColumnEvidence,
  isDigits,
  numberForms,
  PLAIN,
  PROVEN_ROWS,
  RARE,
  shapeOf,
} from './column-evidence.ts'

/**
 * Whether a cell matches everything that the column proves: forms and size of numbers, lengths of codes, shapes, known
 * values.
 * @param isOneOfMany the cell is one of a block's, which may have new values of a category
 */
export function fits(cell: string, column: ColumnEvidence, isOneOfMany = false): boolean {
  const text = cell.trim()
  if (text === '') return true
  if (isMissingMark(text)) return column.kind !== 'none'
  switch (column.kind) {
    case 'none':
      return false
    case 'number':
      return isLikeNumbers(text, column)
    case 'code':
      if (isDigits(text) && isUsual(column.lengths, text.length, column.digits.rows)) return true
      // Many codes with few digits may be running numbers, and this the next one.
      return !column.isProvenCode && column.filled >= PROVEN_ROWS && isLikeNumbers(text, column)
    case 'shape':
      return isUsual(column.shapes, shapeOf(text), column.shaped.rows)
    case 'category':
      return column.known.has(text) || (isOneOfMany && !looksTyped(text))
    case 'text':
      return hasTyped(column) || !looksTyped(text)
  }
}

function isLikeNumbers(text: string, { forms, mostDigits }: ColumnEvidence): boolean {
  const digits = text.replace(/[.,]\d+\D*$|\D/g, '').length
  return (numberForms(text) & (forms | PLAIN)) !== 0 && digits <= mostDigits + 1
}

function isUsual<T>(counts: ReadonlyMap<T, number>, key: T, all: number): boolean {
  return (counts.get(key) ?? 0) >= RARE * all
}

/**
 * Whether a cell could be in a column: only what the column proves beyond doubt rules it out.
 * @param isOneOfMany the cell is one of a block's, so a few values of the column are enough to prove what it lacks
 */
export function couldFit(cell: string, column: ColumnEvidence, isOneOfMany = false): boolean {
  const text = cell.trim()
  if (text === '' || isMissingMark(text)) return true
  switch (column.kind) {
    case 'none':
      return column.blank < PROVEN_ROWS
    case 'number':
      return numberForms(text) !== 0 || isDigits(text)
    case 'code':
      return isDigits(text)
        ? !column.isProvenCode || column.lengths.has(text.length)
        : column.filled < PROVEN_ROWS && numberForms(text) !== 0
    case 'shape': {
      const form = looseForm(shapeOf(text))
      return form !== '' && column.shapes.keys().some((known) => looseForm(known) === form)
    }
    case 'category':
    case 'text': {
      if (looksTyped(text)) return hasTyped(column)
      // A code such as `RO9` isn't a text of a column with many values and none like it.
      const shape = shapeOf(text)
      return shape === '' || column.filled < (isOneOfMany ? 5 : PROVEN_ROWS) || column.shapes.has(shape)
    }
  }
}

/** A shape without the numbers of digits and letters: `9-9-9`. */
export function looseForm(shape: string): string {
  return shape.replace(/9+/g, '9').replace(/a+/g, 'a')
}

function hasTyped({ numbers, shaped }: ColumnEvidence): boolean {
  return numbers.rows + shaped.rows > 0
}

/** A number, a date, a time, a code of digits: text columns do not have these by chance. */
export function looksTyped(text: string): boolean {
  return isDigits(text) || numberForms(text) !== 0 || /^\d[\d\s.,:/T-]*\d[Z%]?$/.test(text)
}

/** Whether values of the column differ visibly from texts. */
export function isTyped({ kind }: ColumnEvidence): boolean {
  return kind === 'number' || kind === 'code' || kind === 'shape'
}
