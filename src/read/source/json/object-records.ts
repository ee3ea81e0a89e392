/** JSON objects become records: columns are the names met so far, in the order in which they first turned up. */

import { isUtf8 } from 'node:buffer'
import { adviseOption } from '../../definition/read-options.ts'
import { MOST_COLUMNS } from '../../report/limits.ts'
import { EMPTY_TEXT, isUnreadable, markUnreadable, UNREADABLE } from '../../report/marks.ts'
import { refuse } from '../../report/reasons.ts'
import type { Budget } from '../conversion/budget.ts'
import { countCells, escapeCell, RecordFile, splitRecords } from '../conversion/record-file.ts'
import { JsonError, ObjectReader } from './flatten.ts'

/** A text that begins with a mark would be taken for one; no publisher's text does. */
const MARKED = new RegExp(`^[${EMPTY_TEXT}${UNREADABLE}]`)

export class ObjectRecords {
  /** Names that occurred twice in one object. */
  repeatedNames = 0
  readonly #columns = new Map<string, number>()
  readonly #file: RecordFile
  readonly #budget: Budget
  /** Columns known when the first record was written. */
  #firstWidth = -1
  /** Members of the object that is being read: its names become columns only when all of it is valid. */
  #members: [path: string, text: string | null][] = []
  readonly #reader = new ObjectReader((path, text) => this.#members.push([path, text]))

  constructor(path: string, budget: Budget) {
    this.#file = new RecordFile(path, budget)
    this.#budget = budget
  }

  /**
   * Adds the object in `bytes[start .. end)`.
   * @throws JsonError when it is none; nothing is added then
   */
  add(bytes: Buffer, start: number, end: number): void {
    this.#members = []
    if (!isUtf8(bytes.subarray(start, end)))
      throw new JsonError(
        'it is not valid UTF-8',
        start,
        `name its encoding with ${adviseOption('encoding')}`,
        adviseOption('encoding'),
      )
    this.#reader.read(bytes, start, end)
    const columns = this.#columns
    const cells: string[] = []
    for (const [path, text] of this.#members) {
      const column = columns.get(path) ?? columns.size
      if (column >= MOST_COLUMNS) throw refuse('json_too_many_names', { most: MOST_COLUMNS })
      if (column === columns.size) columns.set(path, column)
      if (cells[column] !== undefined) this.repeatedNames++
      cells[column] =
        text === null ? '' : text === '' ? EMPTY_TEXT : escapeCell(text.replace(MARKED, '\ufffd'))
    }
    const width = columns.size
    if (!this.#budget.takeCells(width)) throw refuse('json_too_many_names', { most: width })
    if (this.#firstWidth < 0) this.#firstWidth = width
    let record = ''
    let filled = false
    for (let column = 0; column < width; column++) {
      if (column > 0) record += ','
      const cell = cells[column]
      if (cell === undefined || cell === '') continue
      filled = true
      record += cell
    }
    this.#file.append(filled ? `${record}\n` : '\n')
  }

  /** Adds a record that is to be refused, as the raw text of what could not be read. */
  addUnreadable(text: string): void {
    if (this.#firstWidth < 0) this.#firstWidth = this.#columns.size
    this.#file.append(`${markUnreadable(text)}${','.repeat(this.#columns.size)}\n`)
  }

  addBlank(): void {
    this.#file.append('\n')
  }

  /**
   * @param widerPath where the records go when later ones brought further columns
   * @returns the columns' names and the records, all as wide as that; refused ones are one cell wider
   */
  finish(widerPath: string): { header: string[]; path: string } {
    this.#file.finish()
    const header = [...this.#columns.keys()]
    if (this.#firstWidth === header.length) return { header, path: this.#file.path }
    using wider = new RecordFile(widerPath, this.#budget)
    for (const record of splitRecords(this.#file.path)) {
      const width = isUnreadable(record, 0) ? header.length + 1 : header.length
      const missing = record.length === 0 ? 0 : width - countCells(record)
      if (!this.#budget.takeCells(missing)) throw refuse('json_too_many_names', { most: header.length })
      wider.append(`${record.toString('utf8')}${','.repeat(missing)}\n`)
    }
    wider.finish()
    return { header, path: widerPath }
  }
}
