/** Finds where a table begins: its header, detected or chosen by a person, or none. */

import { type AskedHeader, adviseOption } from '../definition/read-options.ts'
import { openQuoteError } from '../records/quoted-cells.ts'
import { openBlocks, RecordSplitter } from '../records/record-splitter.ts'
import { commonWidth, type Sample, splitSample } from '../records/sample.ts'
import type { Separators } from '../records/separators.ts'
import type { RowPlace } from '../report/quarantine.ts'
import { refuse } from '../report/reasons.ts'
import type { Span } from '../source/conversion/conversion.ts'
import { CARRIAGE_RETURN, LINE_FEED } from './block.ts'
import { areYears, isData } from './cell-kinds.ts'
import {
  blankHeader,
  composeHeader,
  type Header,
  NAMED,
  NO_HEADER,
  placeOf,
  quoteTitles,
  refuseBroken,
} from './header.ts'
import { countPreamble, extendHeader, isOverNumbers, isTitle, skipTitles } from './header-extent.ts'
import { COMPARED, type Line, toLine } from './lines.ts'

/** The most records that may be titles. */
const LOOKED_INTO = 200

/**
 * Finds the header: the first record that is not a title, with the adjacent records that belong to it. A sparse record as
 * wide as the table is a header with blank names if data begins right below it.
 * @param spans merged cells of a converted spreadsheet
 * @throws CommandError `refused` when the file has no text, or the header has a broken quote or too many columns
 */
export function findHeader(sample: Sample, separators: Separators, spans: readonly Span[] = []): Header {
  const lines = sampleLines(sample, separators)
  const first = lines[0] as Line
  const { width } = commonWidth(lines)
  const below = (at: number) => lines.slice(at + 1, at + 1 + COMPARED).map(({ texts }) => texts)
  const isDataAt = (at: number) => {
    const line = lines[at]
    return line?.cells === width && isData(line.texts, below(at))
  }
  const namesNothing = isDataAt(0)
    ? blankHeader(sample.bytes.subarray(0, first.start), separators, first)
    : null
  if (namesNothing) return namesNothing
  const isHeader = (line: Line, at: number) =>
    line.broken || !isTitle(line.texts, width) || (line.cells === width && isDataAt(at + 1))
  const found = Math.max(0, lines.slice(0, LOOKED_INTO).findIndex(isHeader))
  const base = skipTitles(lines, found, width, spans)
  refuseBroken(lines[base] as Line)
  const { from, to } = extendHeader(lines, base, spans)
  const titles = lines.slice(0, from)
  const header = composeHeader(
    lines.slice(from, to + 1),
    lines.slice(to + 1, to + 1 + LOOKED_INTO),
    spans,
    titles,
  )
  const isDoubtful = isDataAt(base) && from === to && !areYears((lines[base] as Line).texts, below(base))
  const { records } = header
  const [record = 1] = records
  if (isDoubtful) {
    const doubt = refuse('header_like_data', { record }, header.cells.slice(0, NAMED).join(', '))
    return { ...header, confidence: { of: 'header', sure: 0.5, doubt } }
  }
  const rows = lines.slice(to + 1, to + 1 + LOOKED_INTO).filter(({ cells }) => cells === width)
  const texts = rows.map((line) => line.texts)
  const preamble = rows.slice(0, countPreamble(texts, width))
  const last = preamble.at(-1)?.record
  if (last === undefined) return header
  const own = records.length > 1 ? records : record
  const override = `${adviseOption('header_row', last)} when record ${last} names the columns, or ${adviseOption('header_row', own)} when all below it are rows`
  const values = { record, count: preamble.length }
  const doubt = refuse('texts_below_header', values, quoteTitles(preamble), override)
  return { ...header, confidence: { of: 'header', sure: 0.5, doubt } }
}

/**
 * A table without a header: its columns are numbered, and the first record is a row, unless it has texts where the rows
 * have numbers and also another width: then it is a title, or names that fit no row.
 */
export function withoutHeader(sample: Sample, separators: Separators, by: string): Header {
  const lines = sampleLines(sample, separators)
  const { width } = commonWidth(lines)
  const isAbove = (line: Line, at: number) => {
    const below = lines.slice(at + 1, at + 1 + COMPARED).map(({ texts }) => texts)
    return line.cells !== width && !line.broken && isOverNumbers(line.texts, below)
  }
  const start = lines.findIndex((line, at) => !isAbove(line, at))
  const titles = lines.slice(0, Math.max(0, start))
  const first = titles.length === 0 ? null : (lines[start] as Line)
  const above =
    titles.length === 0 ? '' : `, and the records above its rows are left out: ${quoteTitles(titles)}`
  const reason = `the file has no header, as ${by} says: its columns are called column_1, column_2 …${above}`
  return {
    ...NO_HEADER,
    titles: titles.map(placeOf),
    blankBefore: first?.blankBefore ?? 0,
    cells: Array.from({ length: width }, () => ''),
    end: first?.start ?? 0,
    nextLine: first?.line ?? 1,
    decisions: [{ kind: 'header', reason, override: adviseOption('header_row') }],
  }
}

/** @returns at least one line */
function sampleLines(sample: Sample, separators: Separators): Line[] {
  const { records } = splitSample(sample, separators)
  const { bytes, whole } = sample
  if (records.length > 0) return records.map((record) => toLine(bytes, 0, separators, record))
  // The sample is blank, or part of a single line.
  const isOneLine = !whole && !bytes.includes(LINE_FEED) && !bytes.includes(CARRIAGE_RETURN)
  throw refuse(isOneLine ? 'endless_line' : 'no_text', {})
}

/**
 * Reads the records chosen as the header, anywhere in the file.
 * @param from offset after the byte order mark
 * @param spans merged cells of a converted spreadsheet
 * @throws CommandError `refused` when such a record does not exist or cannot be a header
 */
export function readHeaderAt(
  path: string,
  from: number,
  separators: Separators,
  asked: AskedHeader,
  spans: readonly Span[] = [],
): Header {
  const { rows } = asked
  const [first, last] = [rows[0], rows.at(-1)] as [number, number]
  const splitter = new RecordSplitter(separators, 0)
  using reader = openBlocks(path, from, splitter)
  const lines: Line[] = []
  const titles: RowPlace[] = []
  let blank: Header | null = null
  const isEnough = () => lines.filter(({ record }) => record > last).length > COMPARED
  while (!isEnough() && reader.fill()) {
    const used = splitter.split(reader.bytes, reader.length, reader.final)
    for (const record of splitter.ragged) {
      const offset = reader.offset - from + record.start
      if (record.record < first && titles.length < LOOKED_INTO)
        titles.push({ line: record.line, offset, length: record.end - record.start })
      if (record.record < first || isEnough()) continue
      const line = toLine(reader.bytes, reader.offset - from, separators, record)
      if (lines.length === 0 && record.record === first + 1)
        blank = blankHeader(reader.bytes.subarray(0, record.start), separators, line)
      lines.push(line)
    }
    // A cell left open below the header is reported when the rows are read.
    if (splitter.openQuote && splitter.records >= last) break
    if (splitter.openQuote) throw openQuoteError(splitter.openQuote)
    reader.advance(used)
  }
  const { records } = splitter
  // It has only delimiters.
  if (rows.length === 1 && blank) return blank
  const levels = rows.map((row) => {
    const found = lines.find(({ record }) => record === row)
    if (found) return found
    throw row <= records
      ? refuse('header_row_blank', { row })
      : refuse('header_row_missing', { row, records })
  })
  const below = lines.filter(({ record }) => record > last)
  return { ...composeHeader(levels, below, spans, null), titles }
}
