/** Which record holds the names of the columns. */

import { CommandError } from '../../errors.ts'
import { BlockReader } from '../delimited/block-reader.ts'
import {
  openQuoteError,
  type RaggedRecord,
  RecordSplitter,
  type Separators,
} from '../delimited/record-splitter.ts'
import { commonWidth, readCells, type Sample, splitSample } from '../delimited/sample.ts'
import type { Decision } from '../report.ts'

export interface Header {
  /** Place among the file's records, from 1, blank ones included. */
  readonly record: number
  /** Blank records above it. */
  readonly blankBefore: number
  readonly cells: readonly string[]
  /** Offset of the first byte behind the header, and its line, from 1. */
  readonly end: number
  readonly nextLine: number
  /** What was found out about the structure. */
  readonly decisions: readonly Decision[]
  /** What the choice leaves in doubt. */
  readonly warnings: readonly string[]
}

/** A header that somebody named. */
export interface AskedHeader {
  /** Place among the records, from 1, blank ones included. */
  readonly row: number
  /** Who says so, for messages. */
  readonly by: string
}

/** Records that may be titles. */
const LOOKED_INTO = 200
/** Records below a candidate that tell a header from data. */
const COMPARED = 20
/** A row with text in at most this share of the table's columns is a title, not a header. */
const TITLE_SHARE = 0.34
/** Titles that a warning repeats, and characters of each. */
const NAMED_TITLES = 3
const TITLE_CHARACTERS = 60

/**
 * The header: the first record that is not a title. A sparse record as wide as the table is a header with blank names
 * when data begin right below it.
 * @throws CommandError `refused` when the file has no text, or the header a broken quote or too many columns
 */
export function findHeader(sample: Sample, separators: Separators): Header {
  const { records } = splitSample(sample, separators)
  const [first] = records
  if (!first) throw new CommandError('refused', 'the file has no text in it')
  const { width } = commonWidth(records)
  const texts = (record: RaggedRecord) => readTexts(sample.bytes, separators, record)
  const isDataAt = (at: number) => {
    const record = records[at]
    if (record?.cells !== width) return false
    return isData(texts(record), records.slice(at + 1, at + 1 + COMPARED).map(texts))
  }
  const namesNothing = isDataAt(0) ? blankHeader(sample.bytes, separators, first, width) : null
  if (namesNothing) return namesNothing
  const isHeader = (record: RaggedRecord, at: number) =>
    record.broken || !isTitle(texts(record), width) || (record.cells === width && isDataAt(at + 1))
  const found = Math.max(0, records.slice(0, LOOKED_INTO).findIndex(isHeader))
  const header = toHeader(sample.bytes, 0, separators, records[found] as RaggedRecord)
  const warnings = found > 0 ? [titleWarning(records.slice(0, found).map(texts), header)] : []
  if (isDataAt(found) && header.cells.every((cell) => isNumeric(cell.trim())))
    warnings.push(dataWarning(header))
  return { ...header, warnings }
}

/**
 * The record that was named as the header, wherever it stands in the file.
 * @param from offset behind the byte order mark
 * @throws CommandError `refused` when there is no such record, or no header can be made of it
 */
export function readHeaderAt(path: string, from: number, separators: Separators, asked: AskedHeader): Header {
  const { row, by } = asked
  const splitter = new RecordSplitter(separators, 0)
  const reader = new BlockReader(path, from)
  try {
    while (splitter.records < row && reader.fill()) {
      const used = splitter.split(reader.bytes, reader.length, reader.final)
      const found = splitter.ragged.find(({ record }) => record === row)
      if (found) return toHeader(reader.bytes, reader.offset - from, separators, found)
      if (splitter.openQuote) throw openQuoteError(splitter.openQuote)
      reader.advance(used, splitter.line)
    }
  } finally {
    reader.close()
  }
  const wrong =
    row <= splitter.records ? 'is blank' : `is not there: the file has ${splitter.records} records`
  throw new CommandError('refused', `record ${row}, which ${by} names as the header, ${wrong}`)
}

function readTexts(bytes: Uint8Array, separators: Separators, record: RaggedRecord): string[] {
  return readCells(bytes, separators, record).map(({ text }) => text)
}

/** @param offset where the block begins, counted from the first record */
function toHeader(bytes: Uint8Array, offset: number, separators: Separators, header: RaggedRecord): Header {
  const { record, blankBefore, next, nextLine, line, broken } = header
  if (broken) {
    throw new CommandError(
      'refused',
      `a quote in the header on line ${line} opens a cell that ends amid the text of another line: it is a stray one. Mend the line, name another header with --header-row, or set "quote": "" under "read" in a definition`,
    )
  }
  const cells = readTexts(bytes, separators, header)
  return { record, blankBefore, cells, end: offset + next, nextLine, decisions: [], warnings: [] }
}

/** Few cells with text, in a table of more columns. In a table of two, an empty first cell makes it a header. */
function isTitle(cells: readonly string[], width: number): boolean {
  if (width === 1) return false
  const filled = cells.filter((cell) => cell.trim() !== '').length
  if (width === 2) return filled < 2 && cells[0]?.trim() !== ''
  return filled <= Math.max(1, TITLE_SHARE * width)
}

/** Numbers, dates, codes: what a column holds rather than what it is called. */
function isNumeric(text: string): boolean {
  return /^[-+]?\d[\d.,:/\s-]*%?$/.test(text)
}

/**
 * Whether a record is data like those below it: it has numbers where they have, and no text over a column of numbers.
 * Years and running numbers beside a name, over other numbers, are names: `county,2019,2020`, `county,1,2,3`.
 */
function isData(cells: readonly string[], below: readonly (readonly string[])[]): boolean {
  const texts = cells.map((cell) => cell.trim())
  let numbers = 0
  for (const [column, text] of texts.entries()) {
    if (text === '') continue
    const under = below.map((row) => row[column]?.trim() ?? '').filter((other) => other !== '')
    const isNumber = isNumeric(text)
    if (!isNumber && under.length > 0 && under.every(isNumeric)) return false
    if (isNumber && (under.length === 0 || under.some(isNumeric))) numbers++
  }
  const isNames = isSeries(texts) && below.some((row) => !isSeries(row.map((cell) => cell.trim())))
  return numbers > 0 && !isNames
}

/** Whether the numbers of a record are years, or count up by one side by side, and are not all that it has. */
function isSeries(texts: readonly string[]): boolean {
  const numbers = texts.filter(isNumeric)
  if (numbers.length === 0 || numbers.length === texts.length) return false
  if (numbers.every((text) => /^(19|20)\d\d$/.test(text))) return true
  const first = texts.findIndex(isNumeric)
  const run = texts.slice(first, first + numbers.length)
  return run.length > 2 && run.every((text, i) => isNumeric(text) && Number(text) === Number(run[0]) + i)
}

/** A header of blank names: the record right above the first text, delimiters only, as many as the table has. */
function blankHeader(
  bytes: Uint8Array,
  { delimiter }: Separators,
  first: RaggedRecord,
  width: number,
): Header | null {
  const above = new TextDecoder('latin1').decode(bytes.subarray(0, first.start))
  const line =
    above
      .replace(/(\r\n|\r|\n)$/, '')
      .split(/[\r\n]/)
      .at(-1) ?? ''
  const sign = String.fromCharCode(delimiter)
  if (width < 2 || line.replaceAll(' ', '') !== sign.repeat(width - 1)) return null
  return {
    record: first.record - 1,
    blankBefore: first.blankBefore - 1,
    cells: Array.from({ length: width }, () => ''),
    end: first.start,
    nextLine: first.line,
    decisions: [],
    warnings: [
      `the header on line ${first.line - 1} names no column: they are called column_1 to column_${width}`,
    ],
  }
}

function titleWarning(titles: readonly (readonly string[])[], { record }: Header): string {
  const named = titles.slice(0, NAMED_TITLES).map((cells) => {
    const text = cells
      .filter((cell) => cell.trim() !== '')
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim()
    return `'${text.length > TITLE_CHARACTERS ? `${text.slice(0, TITLE_CHARACTERS)}…` : text}'`
  })
  const rest = titles.length - named.length
  const more = rest > 0 ? ` and ${rest} more` : ''
  return `record ${record} was taken for the header, and what stands above it for titles: ${named.join(', ')}${more}; --header-row settles it`
}

function dataWarning({ record, cells }: Header): string {
  const names = cells.slice(0, NAMED_TITLES).join(', ')
  return `record ${record} was taken for the header, but looks like data (${names}): if the file has no header, give it one`
}
