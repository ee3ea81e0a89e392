/** One sheet as a file of records, one for each row from row 1 on, and facts gathered on the way. */

import type { CommandError } from '../../../base/errors.ts'
import { refuse } from '../../report/reasons.ts'
import type { Budget } from '../conversion/budget.ts'
import { countCells, escapeCell, RecordFile, splitCells, splitRecords } from '../conversion/record-file.ts'
import { NumberWatch } from './number-text.ts'

/** Limits of spreadsheet programs. */
export const MOST_ROWS = 1_048_576
export const MOST_CELLS = 16_384
const MOST_MERGES = 200_000

/** A rectangle of cells that show the value of the first one. Rows from 1, cells from 0, all inclusive. */
export interface Merge {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** Records, from 1, inclusive. */
export type HiddenRows = { readonly from: number; readonly to: number }

/** Starts the records of the next sheet. */
export type OpenSheet = (name: string, hidden: boolean) => SheetRecords

export class SheetRecords {
  readonly name: string
  readonly hidden: boolean
  readonly file: RecordFile
  readonly merges: Merge[] = []
  /** Records written: the number of the last row with text. */
  rows = 0
  /** Rows with text, and the number of cells in the widest one. */
  filledRows = 0
  columns = 0
  /** The smallest position of a row's last cell with text, over all rows with text. */
  leastCells = MOST_CELLS
  /** For each number of cells with text, how many rows have it. */
  readonly filledCounts = new Map<number, number>()
  /** Number of cells with an error instead of a value, by column. */
  readonly errors = new Map<number, number>()
  /** The workbook counts days from 1904. */
  is1904 = false
  readonly numbers = new NumberWatch()
  /** Records that the sheet hides, and hidden columns with text. */
  readonly hiddenRows: HiddenRows[] = []
  readonly hiddenColumns = new Set<number>()
  readonly #concealed = new Set<number>()
  /** Whether it was not read, because the sheets before it contain more than workbooks of this size do. */
  isUnread = false
  /** Formulas without a stored result. */
  uncomputed = 0

  constructor(name: string, hidden: boolean, path: string, budget: Budget) {
    this.name = name
    this.hidden = hidden
    this.file = new RecordFile(path, budget)
  }

  /** The same records as a sheet with another name. */
  named(name: string, hidden: boolean): SheetRecords {
    return Object.assign(Object.create(SheetRecords.prototype), this, { name, hidden })
  }

  /**
   * @param row from 1; one that does not follow the last one is taken for the next
   * @param cells texts, empty for blank cells; the array is not kept
   * @param isHidden the sheet hides the row
   * @throws CommandError `refused` when no sheet can be that large
   */
  add(row: number, cells: readonly string[], isHidden = false): void {
    let length = cells.length
    while (length > 0 && cells[length - 1] === '') length--
    if (length === 0) return
    const place = Math.max(row, this.rows + 1)
    if (place > MOST_ROWS || length > MOST_CELLS) throw tooLarge(this.name)
    let filled = 0
    let text = place > this.rows + 1 ? '\n'.repeat(place - this.rows - 1) : ''
    for (let cell = 0; cell < length; cell++) {
      const value = cells[cell] as string
      if (cell > 0) text += ','
      if (value === '') continue
      filled++
      if (this.#concealed.has(cell)) this.hiddenColumns.add(cell)
      text += escapeCell(value)
    }
    this.file.append(`${text}\n`)
    this.rows = place
    const last = isHidden ? this.hiddenRows.at(-1) : undefined
    if (last?.to === place - 1) this.hiddenRows[this.hiddenRows.length - 1] = { from: last.from, to: place }
    else if (isHidden) this.hiddenRows.push({ from: place, to: place })
    this.filledRows++
    this.columns = Math.max(this.columns, length)
    this.leastCells = Math.min(this.leastCells, length)
    this.filledCounts.set(filled, (this.filledCounts.get(filled) ?? 0) + 1)
  }

  /** Notes hidden columns, from 0; call it before the rows are added. */
  hideColumns(first: number, count: number): void {
    for (let cell = first; cell < Math.min(first + count, MOST_CELLS); cell++) this.#concealed.add(cell)
  }

  addError(cell: number, times = 1): void {
    this.errors.set(cell, (this.errors.get(cell) ?? 0) + times)
  }

  addMerge(merge: Merge): void {
    if (merge.bottom === merge.top && merge.right === merge.left) return
    if (this.merges.push(merge) > MOST_MERGES)
      throw refuse('unsafe_file', {}, `the sheet '${this.name}' has more than ${MOST_MERGES} merged blocks`)
  }
}

export function tooLarge(name: string): CommandError {
  return refuse(
    'unsafe_file',
    {},
    `the sheet '${name}' claims more than ${MOST_ROWS} rows or ${MOST_CELLS} columns`,
  )
}

/** Cells of one column that got their value from a merged block: records from 1, inclusive. */
export type Filled = { readonly cell: number; readonly from: number; readonly to: number }

/**
 * Turns the records of a sheet into a table: all of one width, with merged blocks filled down. Merges and the width are
 * known only after the sheet has been read, so this is a second pass, over the records rather than the sheet.
 * @returns the path of the completed records, and the cells that were filled
 */
export function completeRecords(
  sheet: SheetRecords,
  path: string,
  budget: Budget,
): { path: string; filled: readonly Filled[] } {
  const vertical = sheet.merges.filter(({ top, bottom }) => bottom > top)
  if (vertical.length === 0 && sheet.leastCells >= sheet.columns) return { path: sheet.file.path, filled: [] }
  using output = new RecordFile(path, budget)
  const filled: Filled[] = []
  // The next block to start is the last element.
  const starting = vertical.toSorted((a, b) => b.top - a.top)
  let active: { readonly merge: Merge; value: string }[] = []
  let record = 0
  for (const bytes of splitRecords(sheet.file.path)) {
    record++
    if (active.length > 0) active = active.filter(({ merge }) => merge.bottom >= record)
    while ((starting.at(-1)?.top ?? Number.POSITIVE_INFINITY) <= record) {
      const merge = starting.pop() as Merge
      if (merge.bottom >= record) active.push({ merge, value: '' })
    }
    // Otherwise blank rows stay blank.
    let text = bytes.toString('utf8')
    if (bytes.length > 0 && active.length === 0) text += ','.repeat(sheet.columns - countCells(bytes))
    else if (bytes.length > 0) {
      const cells = splitCells(text)
      while (cells.length < sheet.columns) cells.push('')
      for (const block of active) fillCell(block, record, cells, filled)
      text = cells.join(',')
    }
    output.append(`${text}\n`)
  }
  output.finish()
  return { path, filled }
}

/** Carries the value of a merged block down its first column. @param cells escaped */
function fillCell(
  block: { readonly merge: Merge; value: string },
  record: number,
  cells: string[],
  filled: Filled[],
): void {
  const { left, top } = block.merge
  if (record === top) block.value = cells[left] ?? ''
  if (record === top || block.value === '' || cells[left] !== '') return
  cells[left] = block.value
  const last = filled.at(-1)
  if (last && last.cell === left && last.to === record - 1 && last.from > top)
    filled[filled.length - 1] = { ...last, to: record }
  else filled.push({ cell: left, from: record, to: record })
}

/** The index of the sheet with a name, or with a number from 1 if none has it as its name; -1: there is none. */
export function findNamed(sheets: readonly { readonly name: string }[], wanted: string): number {
  const folded = wanted.trim().toLowerCase()
  const exact = sheets.findIndex(({ name }) => name === wanted)
  if (exact >= 0) return exact
  const alike = sheets.findIndex(({ name }) => name.trim().toLowerCase() === folded)
  if (alike >= 0) return alike
  return /^[1-9]\d*$/.test(folded) && Number(folded) <= sheets.length ? Number(folded) - 1 : -1
}
