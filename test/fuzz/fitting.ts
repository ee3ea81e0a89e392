/** What the cells of a record show to somebody who knows the table. */

import { type MadeColumn, type MadeTable, readCell } from './made-table.ts'

/** Only digits and the signs of numbers, dates and codes. */
const TYPED = /^[\d.,:\s/-]*\d[\d.,:\s/-]*$/
/** With fewer values nobody can say what a column is like. */
const FEW_VALUES = 10

/** Whether a value could belong to a column. */
function couldStand(text: string, { kind, family }: MadeColumn): boolean {
  if (isNothing(text)) return true
  if (kind === 'sign') return /^\p{Lu}+-?\d+$/u.test(text)
  if (family === 'number') return /^\d[\d., ]*$/.test(text) && !/^\d\d\.\d\d\.\d{4}$/.test(text)
  if (family === 'code') return /^\d+$/.test(text)
  if (family === 'date') return /^\d{4}-\d\d-\d\d$|^\d\d\.\d\d\.\d{4}$/.test(text)
  return kind === 'street' || !TYPED.test(text)
}

function isNothing(text: string): boolean {
  return /^(?:-|n\/a)?$/.test(text.trim())
}

/** Whether some cell is in a column that it cannot belong to. A number alone may be a text such as `1877`. */
export function isVisible(cells: readonly string[], { columns, rows }: MadeTable): boolean {
  const filled = cells.filter((cell) => !isNothing(readCell(cell)))
  if (filled.length === 1 && filled.every((cell) => /^\d+$/.test(readCell(cell)))) return false
  return cells.some((cell, at) => {
    const column = columns[at]
    if (column === undefined || couldStand(readCell(cell).trim(), column)) return false
    return rows.filter((row) => !isNothing(row[at] as string)).length >= FEW_VALUES
  })
}

/**
 * The rows that may be read from a record with too many cells, besides the original one: blank cells at its end may be
 * surplus, and if other texts of a column have quoted delimiters, a text may be joined, provided there is only one way.
 */
export function readingsOf(cells: readonly string[], table: MadeTable): string[][] {
  const width = table.columns.length
  if (cells.length <= width) return []
  const isSurplus = cells.slice(width).every((cell) => readCell(cell) === '')
  const cut = cells.slice(0, width).map(readCell)
  if (isSurplus && !isVisible(cut, table)) return [cut]
  const joined = joinings(cells, table)
  return joined.length === 1 ? joined : []
}

/** The ways to join unquoted cells in one column. */
function joinings(cells: readonly string[], table: MadeTable): string[][] {
  const { columns, rows, delimiter } = table
  const extra = cells.length - columns.length
  return columns.flatMap(({ family }, at) => {
    const pieces = cells.slice(at, at + extra + 1)
    const isQuoted = rows.some((row) => row[at]?.includes(delimiter))
    if (family !== 'text' || !isQuoted || pieces.some((piece) => piece === '' || piece.startsWith('"')))
      return []
    if (pieces.some((piece) => TYPED.test(piece))) return []
    const row = [...cells.slice(0, at), pieces.join(delimiter), ...cells.slice(at + extra + 1)].map(readCell)
    return isVisible(row, table) ? [] : [row]
  })
}
