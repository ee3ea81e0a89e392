/** JSON objects become records: columns are the names met so far, in the order in which they first turned up. */

import { isUtf8 } from 'node:buffer'
import type { CommandError } from '../../../base/errors.ts'
import { adviseOption } from '../../definition/read-options.ts'
import { MOST_COLUMNS } from '../../report/limits.ts'
import { EMPTY_TEXT, isUnreadable, markUnreadable, UNREADABLE } from '../../report/marks.ts'
import { refuse } from '../../report/reasons.ts'
import type { Budget } from '../conversion/budget.ts'
import { countCells, splitRecords } from '../conversion/record-cells.ts'
import { escapeCell, RecordFile } from '../conversion/record-file.ts'
import { JsonError, ObjectReader } from './flatten.ts'

export class ObjectRecords {
  /** Objects read, and names that occurred twice in one of them. */
  objects = 0
  repeatedNames = 0
  unreadable = 0
  private readonly columns = new Map<string, number>()
  private readonly file: RecordFile
  private readonly budget: Budget
  /** Columns known when the first record was written. */
  private firstWidth = -1
  private readonly paths: string[] = []
  private readonly texts: (string | null)[] = []
  private readonly reader: ObjectReader

  constructor(path: string, budget: Budget) {
    this.file = new RecordFile(path, budget)
    this.budget = budget
    this.reader = new ObjectReader((name, text) => {
      this.paths.push(name)
      this.texts.push(text)
    })
  }

  /**
   * Adds the object in `bytes[start .. end)`.
   * @throws JsonError when it is none; nothing is added then
   */
  add(bytes: Buffer, start: number, end: number): void {
    this.paths.length = 0
    this.texts.length = 0
    if (!isUtf8(bytes.subarray(start, end)))
      throw new JsonError(
        'it is not valid UTF-8',
        start,
        `name its encoding with ${adviseOption('encoding')}`,
        adviseOption('encoding'),
      )
    this.reader.read(bytes, start, end)
    const cells: string[] = []
    const { paths, texts, columns } = this
    let met = 0
    for (const [i, path] of paths.entries()) {
      const column = columns.get(path) ?? this.addColumn(path)
      if (cells[column] === undefined) met++
      const text = texts[i] as string | null
      cells[column] = text === null ? '' : toCell(text)
    }
    this.repeatedNames += paths.length - met
    this.objects++
    this.write(cells)
  }

  /** Adds a record that is to be refused, as the raw text of what could not be read. */
  addUnreadable(text: string): void {
    this.unreadable++
    if (this.firstWidth < 0) this.firstWidth = this.columns.size
    this.file.append(`${markUnreadable(text)}${','.repeat(this.columns.size)}\n`)
  }

  addBlank(): void {
    this.file.append('\n')
  }

  /**
   * @param widerPath where the records go when later ones brought further columns
   * @returns the columns' names and the records, all as wide as that; refused ones are one cell wider
   */
  finish(widerPath: string): { header: string[]; path: string } {
    this.file.finish()
    const header = [...this.columns.keys()]
    if (this.firstWidth === header.length) return { header, path: this.file.path }
    const wider = new RecordFile(widerPath, this.budget)
    try {
      for (const record of splitRecords(this.file.path)) {
        const width = isUnreadable(record, 0) ? header.length + 1 : header.length
        const missing = record.length === 0 ? 0 : width - countCells(record)
        if (!this.budget.takeCells(missing)) throw tooManyNames(header.length)
        wider.append(`${record.toString('utf8')}${','.repeat(missing)}\n`)
      }
      wider.finish()
    } catch (error) {
      wider.abandon()
      throw error
    }
    return { header, path: widerPath }
  }

  private addColumn(path: string): number {
    const column = this.columns.size
    if (column >= MOST_COLUMNS) throw tooManyNames(MOST_COLUMNS)
    this.columns.set(path, column)
    return column
  }

  private write(cells: string[]): void {
    const width = this.columns.size
    if (!this.budget.takeCells(width)) throw tooManyNames(width)
    if (this.firstWidth < 0) this.firstWidth = width
    let text = ''
    let filled = false
    for (let column = 0; column < width; column++) {
      if (column > 0) text += ','
      const cell = cells[column]
      if (cell === undefined || cell === '') continue
      filled = true
      text += cell
    }
    this.file.append(filled ? `${text}\n` : '\n')
  }
}

function tooManyNames(most: number): CommandError {
  return refuse('json_too_many_names', { most })
}

function toCell(text: string): string {
  if (text === '') return EMPTY_TEXT
  const first = text.charCodeAt(0)
  // A text that begins with a mark would be taken for one; no publisher's text does.
  if (first === EMPTY_TEXT.charCodeAt(0) || first === UNREADABLE.charCodeAt(0))
    return escapeCell(`\ufffd${text.slice(1)}`)
  return escapeCell(text)
}
