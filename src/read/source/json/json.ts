/** Turns JSON and NDJSON into records. Runs in the converter. */

import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import { isSpace, JsonError, ObjectReader, OPEN_OBJECT } from '../../../base/json-object.ts'
import { adviseOption } from '../../definition/read-options.ts'
import type { Decision } from '../../report/decisions.ts'
import { MOST_COLUMNS } from '../../report/limits.ts'
import { EMPTY_TEXT, isUnreadable, markUnreadable, UNREADABLE } from '../../report/marks.ts'
import { refuse, warn } from '../../report/reasons.ts'
import type { Budget } from '../conversion/budget.ts'
import { type Conversion, NO_FACTS, type OnRead } from '../conversion/conversion.ts'
import { countCells, escapeCell, RecordFile, splitRecords } from '../conversion/record-file.ts'
import { readChunks } from '../source.ts'
import { type FoundArray, JsonScanner, MARK, openJson } from './scanner.ts'

/** The texts are in UTF-8 here, whatever the file's encoding. */
type TextConversion = Omit<Conversion, 'encoding'>

const LF = 0x0a

/**
 * Reads an array of objects, or an object with such an array somewhere inside.
 * @throws CommandError `refused`, with line and column, when it is not JSON; also when it contains no objects
 */
export function convertJson(path: string, folder: string, budget: Budget, onRead: OnRead): TextConversion {
  const records = new ObjectRecords(join(folder, 'records'), budget)
  try {
    // An inner array is found by reading everything, and is then read again.
    const half = Bun.file(path).size / 2
    const { array, decisions } = chooseArray(path, (bytes) => onRead(bytes / 2))
    const isWhole = array.path.length === 0
    readArray(path, array, records, isWhole ? onRead : (bytes) => onRead(half + bytes / 2))
    return toConversion('json', records, folder, decisions)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    const { line, column } = placeOf(path, error.at)
    const { message, override } = error
    const remedy = override ? `name its encoding with ${override}` : 'get the whole file or have it fixed'
    throw refuse('json_invalid', { line, column }, `${message}; ${remedy}`, override)
  }
}

function chooseArray(path: string, onRead: OnRead): { array: FoundArray; decisions: Decision[] } {
  using scanner = new JsonScanner(path, 0, onRead)
  const [first, ...others] = scanner.findArrays().toSorted((a, b) => b.objects - a.objects)
  if (!first) throw refuse('json_without_rows', {})
  if (first.path.length === 0) return { array: first, decisions: [] }
  if (others[0]?.objects === first.objects)
    throw refuse('json_several_tables', { names: [first, ...others].map(nameArray).join(', ') })
  const largest = others.length === 0 ? 'the only array of objects' : 'the largest array of objects'
  const rest = others.length === 0 ? '' : `; ${others.map(nameArray).join(', ')} was left out`
  const reason = `the rows were taken from ${nameArray(first)}, ${largest} in the file${rest}`
  return { array: first, decisions: [{ kind: 'json_array', reason, override: null }] }
}

function nameArray({ path }: FoundArray): string {
  return `'${path.join('.')}'`
}

function readArray(path: string, array: FoundArray, records: ObjectRecords, onRead: OnRead): void {
  const isWhole = array.path.length === 0
  // The byte order mark is skipped only at the start of the file.
  using scanner = new JsonScanner(path, isWhole ? 0 : array.offset, onRead)
  scanner.readElements((bytes, start, end, offset) => {
    if (bytes[start] !== OPEN_OBJECT) {
      records.addUnreadable(bytes.toString('utf8', start, end))
      return
    }
    try {
      records.add(bytes, start, end)
    } catch (error) {
      if (error instanceof JsonError) error.at += offset
      throw error
    }
  })
  if (isWhole) scanner.refuseMore()
}

/** Reads one object per line (NDJSON). Unreadable lines become records to be refused, blank ones blank records. */
export function convertLines(path: string, folder: string, budget: Budget, onRead: OnRead): TextConversion {
  const records = new ObjectRecords(join(folder, 'records'), budget)
  using blocks = openJson(path, 0)
  while (blocks.fill()) {
    const { final, length, offset } = blocks
    onRead(offset + length)
    const bytes = Buffer.from(blocks.bytes.buffer, 0, length)
    let at = offset === 0 && MARK.every((byte, i) => bytes[i] === byte) ? MARK.length : 0
    for (let end = bytes.indexOf(LF, at); end >= 0; end = bytes.indexOf(LF, at)) {
      addLine(records, bytes, at, end)
      at = end + 1
    }
    if (final && at < length) addLine(records, bytes, at, length)
    blocks.advance(at)
  }
  return toConversion('ndjson', records, folder, [])
}

function addLine(records: ObjectRecords, bytes: Buffer, start: number, lineEnd: number): void {
  let end = lineEnd
  while (end > start && isSpace(bytes[end - 1] as number)) end--
  try {
    if (end === start) records.addBlank()
    else records.add(bytes, start, end)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    records.addUnreadable(bytes.toString('utf8', start, end))
  }
}

function toConversion(
  format: 'json' | 'ndjson',
  records: ObjectRecords,
  folder: string,
  decisions: readonly Decision[],
): TextConversion {
  const { header, path } = records.finish(join(folder, 'records-wide'))
  if (header.length === 0) throw refuse('json_without_rows', {})
  const { repeatedNames } = records
  const warnings = repeatedNames === 0 ? [] : [warn('repeated_names', { count: repeatedNames })]
  return { ...NO_FACTS, format, path, header, decisions, warnings }
}

/** Line and column, from 1, of an offset in a file. */
function placeOf(path: string, offset: number): { line: number; column: number } {
  let [line, column, left] = [1, 1, offset]
  for (const chunk of readChunks(path)) {
    const lines = Buffer.from(chunk.subarray(0, left)).toString('latin1').split('\n')
    line += lines.length - 1
    if (lines.length > 1) column = 1
    // Continuation bytes of UTF-8 are not characters.
    column += (lines.at(-1) as string).replace(/[\x80-\xbf]/g, '').length
    left -= chunk.length
    if (left <= 0) break
  }
  return { line, column }
}

/** A text that begins with a mark would be taken for one; no publisher's text does. */
const MARKED = new RegExp(`^[${EMPTY_TEXT}${UNREADABLE}]`)

/** The columns are the names seen so far, in order of first occurrence. */
class ObjectRecords {
  /** Number of names that occurred twice in one object. */
  repeatedNames = 0
  readonly #columns = new Map<string, number>()
  readonly #file: RecordFile
  readonly #budget: Budget
  /** Columns known when the first record was written. */
  #firstWidth = -1
  /** Members of the current object: its names become columns only if all of it is valid. */
  #members: [path: string, text: string | null][] = []
  readonly #reader = new ObjectReader((path, text) => this.#members.push([path, text]))

  constructor(path: string, budget: Budget) {
    this.#file = new RecordFile(path, budget)
    this.#budget = budget
  }

  /**
   * Adds the object in `bytes[start .. end)`.
   * @throws JsonError when it is not an object; nothing is added then
   */
  add(bytes: Buffer, start: number, end: number): void {
    this.#members = []
    if (!isUtf8(bytes.subarray(start, end)))
      throw new JsonError('it is not valid UTF-8', start, adviseOption('encoding'))
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

  /** Adds a record to be refused, with the raw text of what could not be read. */
  addUnreadable(text: string): void {
    if (this.#firstWidth < 0) this.#firstWidth = this.#columns.size
    this.#file.append(`${markUnreadable(text)}${','.repeat(this.#columns.size)}\n`)
  }

  addBlank(): void {
    this.#file.append('\n')
  }

  /**
   * @param widerPath the file of the records if later ones brought more columns
   * @returns the columns' names and the path of the records, all with as many cells; refused ones have one more
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
