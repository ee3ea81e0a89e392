/** Where a table begins and what its columns are called: titles, header of one record or more, row of column numbers. */

import { CommandError } from '../../errors.ts'
import type { Separators } from '../delimited/record-splitter.ts'
import { commonWidth, type Sample, splitSample } from '../delimited/sample.ts'
import type { Decision } from '../report.ts'
import { isNumeric } from './cell-kinds.ts'
import { isData } from './data-rows.ts'
import { describeHeader, describeNoHeader, looksLikeData } from './header-decisions.ts'
import { isGroupRow, isLowerLevel, isTitleOver, joinLevels, type Level } from './header-levels.ts'
import { type Line, toLine } from './lines.ts'
import { isNumbering } from './numbering.ts'
import type { Span } from './spans.ts'

export interface Header {
  /** Places among the file's records, from 1, blank ones included; none when the file has no header. */
  readonly records: readonly number[]
  /** Blank records above the first row of data. */
  readonly blankBefore: number
  /** The names of the columns, one line each. */
  readonly cells: readonly string[]
  /** Offset of the first byte of data, and its line, from 1. */
  readonly end: number
  readonly nextLine: number
  /** The header's records as they stand in the file, with the row of column numbers: printed reports repeat them. */
  readonly printed: readonly Uint8Array[]
  /** What was found out about the structure. */
  readonly decisions: readonly Decision[]
  /** What the choice leaves in doubt. */
  readonly warnings: readonly string[]
}

/** Records that may be titles. */
const LOOKED_INTO = 200
/** Records below a candidate that tell a header from data. */
export const COMPARED = 20
/** Records of one header. */
const MOST_LEVELS = 6
/** A row with text in at most this share of the table's columns is a title, not a header. */
const TITLE_SHARE = 0.34
/** From this share of the rows on, what they end in is how the file is written. */
const NEARLY_ALL = 0.9

/**
 * The header: the first record that is not a title, with the records around it that belong to it. A sparse record as
 * wide as the table is a header with blank names when data begin right below it.
 * @param spans merged cells of a converted spreadsheet
 * @throws CommandError `refused` when the file has no text, or the header a broken quote or too many columns
 */
export function findHeader(sample: Sample, separators: Separators, spans: readonly Span[] = []): Header {
  const lines = sampleLines(sample, separators)
  const [first] = lines
  if (!first) throw nothingFound(sample)
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
  const next = lines[found + 1]
  const isOver =
    next?.cells === width &&
    !next.broken &&
    lines[found]?.cells === width &&
    isTitleOver(toLevel(lines[found] as Line), toLevel(next), below(found + 1), spans)
  const base = isOver ? found + 1 : found
  refuseBroken(lines[base] as Line)
  const { from, to } = extendHeader(lines, base, spans)
  const titles = lines.slice(0, from)
  const header = composeHeader(
    lines.slice(from, to + 1),
    lines.slice(to + 1, to + 1 + LOOKED_INTO),
    spans,
    titles,
  )
  const isDoubtful = isDataAt(base) && header.cells.every((cell) => isNumeric(cell.trim()))
  return isDoubtful ? { ...header, warnings: [looksLikeData(header)] } : header
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** A beginning without a record: blank, or one line that goes on. */
function nothingFound({ bytes, whole }: Sample): CommandError {
  const isOneLine = !whole && !bytes.includes(LINE_FEED) && !bytes.includes(CARRIAGE_RETURN)
  return new CommandError(
    'refused',
    isOneLine
      ? 'the file begins with a line of many megabytes, so it has no header and no rows: were the line ends lost?'
      : 'the file has no text in it',
  )
}

/** A table without a header: its columns are numbered, and the first record is a row. */
export function withoutHeader(sample: Sample, separators: Separators, by: string): Header {
  const lines = sampleLines(sample, separators)
  if (lines.length === 0) throw nothingFound(sample)
  const { width } = commonWidth(lines)
  return {
    records: [],
    blankBefore: 0,
    cells: Array.from({ length: width }, () => ''),
    end: 0,
    nextLine: 1,
    printed: [],
    decisions: [describeNoHeader(by)],
    warnings: [],
  }
}

function sampleLines(sample: Sample, separators: Separators): Line[] {
  const { records } = splitSample(sample, separators)
  return records.map((record) => toLine(sample.bytes, 0, separators, record))
}

function toLevel({ record, texts }: Line): Level {
  return { record, cells: texts }
}

/** The places of the first and the last record of the header around the one that was found. */
function extendHeader(
  lines: readonly Line[],
  base: number,
  spans: readonly Span[],
): { from: number; to: number } {
  const spanned = new Set(spans.map(({ record }) => record))
  // Merged downwards, a name leaves records blank in which nothing but other merged cells begin or go on.
  const isAllMerged = (above: number, end: number) => {
    for (let record = above + 1; record < end; record++) if (!spanned.has(record)) return false
    return true
  }
  const isNext = (upper: Line | undefined, lower: Line | undefined) =>
    upper !== undefined &&
    lower !== undefined &&
    isAllMerged(upper.record, lower.record) &&
    !upper.broken &&
    !lower.broken
  let from = base
  while (
    base - from < MOST_LEVELS &&
    isNext(lines[from - 1], lines[from]) &&
    isGroupRow(toLevel(lines[from - 1] as Line), toLevel(lines[from] as Line), spans)
  )
    from--
  let to = base
  while (to - base < MOST_LEVELS && isNext(lines[to], lines[to + 1])) {
    const next = lines[to + 1] as Line
    if (next.cells !== (lines[base] as Line).cells) break
    const levels = lines.slice(from, to + 1).map(toLevel)
    const names = joinLevels(levels, spans)
    const rows = lines
      .slice(to + 2, to + 2 + COMPARED)
      .filter(({ cells }) => cells === next.cells)
      .map(({ texts }) => texts)
    if (isNumbering(next.texts, names, rows)) break
    const below = rows[0] && isNumbering(rows[0], names, rows.slice(1)) ? rows.slice(1) : rows
    if (!isLowerLevel(levels, toLevel(next), below, spans)) break
    to++
  }
  return { from, to }
}

/**
 * Puts a header together from its records.
 * @param below the records that follow; @param titles those above it
 */
export function composeHeader(
  levels: readonly Line[],
  below: readonly Line[],
  spans: readonly Span[],
  titles: readonly Line[] | null,
): Header {
  for (const level of levels) refuseBroken(level)
  const last = levels.at(-1) as Line
  const names = levels.length === 1 ? last.raw : joinLevels(levels.map(toLevel), spans)
  const cells = fitWidth(names.map(onOneLine), below)
  const [next] = below
  const isSkipped =
    next !== undefined &&
    !next.broken &&
    isNumbering(
      next.texts,
      names.map((name) => name.trim()),
      below.slice(1, 1 + COMPARED).map(({ texts }) => texts),
    )
  const end = isSkipped ? next : last
  const records = levels.map(({ record }) => record)
  return {
    records,
    blankBefore: end.blankBefore,
    cells,
    end: end.end,
    nextLine: end.nextLine,
    printed: [...levels, ...(isSkipped ? [next] : [])].map(({ bytes }) => bytes),
    decisions: describeHeader({ levels, titles, numbering: isSkipped ? next : null, cells }),
    warnings: [],
  }
}

/** Line breaks within a name are how it was fitted into its cell. */
function onOneLine(name: string): string {
  return /[\r\n]/.test(name) ? name.replace(/\s*[\r\n]+\s*/g, ' ').trim() : name
}

/**
 * Takes delimiters at the ends of rows into account that the header lacks, or has alone: nothing but blank cells stands
 * behind them.
 */
function fitWidth(names: readonly string[], below: readonly Line[]): readonly string[] {
  const rows = below.filter(({ broken }) => !broken)
  if (rows.length === 0) return names
  const { width } = commonWidth(rows)
  const most = (fits: (line: Line) => boolean) => rows.filter(fits).length >= NEARLY_ALL * rows.length
  const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '')
  if (
    width > names.length &&
    most(({ cells, texts }) => cells === width && isBlank(texts.slice(names.length)))
  )
    return [...names, ...Array.from({ length: width - names.length }, () => '')]
  if (width < names.length && isBlank(names.slice(width)) && most(({ cells }) => cells === width))
    return names.slice(0, width)
  return names
}

function refuseBroken({ broken, line }: Line): void {
  if (!broken) return
  throw new CommandError(
    'refused',
    `a quote in the header on line ${line} opens a cell that ends amid the text of another line: it is a stray one. Mend the line, name another header with --header-row, or set "quote": "" under "read" in a definition`,
  )
}

/** Few cells with text, in a table of more columns. In a table of two, an empty first cell makes it a header. */
function isTitle(cells: readonly string[], width: number): boolean {
  if (width === 1) return false
  const filled = cells.filter((cell) => cell !== '').length
  if (width === 2) return filled < 2 && cells[0] !== ''
  return filled <= Math.max(1, TITLE_SHARE * width)
}

/**
 * A header of blank names: the record right above a line, delimiters only, as many as the line has.
 * @param above the bytes that end where the line begins
 */
export function blankHeader(above: Uint8Array, { delimiter }: Separators, first: Line): Header | null {
  const width = first.cells
  const text = new TextDecoder('latin1').decode(above).replace(/(\r\n|\r|\n)$/, '')
  const line = text.split(/[\r\n]/).at(-1) ?? ''
  const sign = String.fromCharCode(delimiter)
  if (width < 2 || line.replaceAll(/[ "]/g, '') !== sign.repeat(width - 1)) return null
  return {
    records: [first.record - 1],
    blankBefore: first.blankBefore - 1,
    cells: Array.from({ length: width }, () => ''),
    end: first.start,
    nextLine: first.line,
    printed: [],
    decisions: [],
    warnings: [
      `the header on line ${first.line - 1} names no column: they are called column_1 to column_${width}`,
    ],
  }
}
