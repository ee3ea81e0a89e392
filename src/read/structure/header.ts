/** Where a table begins and what its columns are called: titles, header of one record or more, row of column numbers. */

import { CommandError } from '../../base/errors.ts'
import { adviseOption } from '../definition/read-options.ts'
import { commonWidth, type Sample, splitSample } from '../records/sample.ts'
import type { Separators } from '../records/separators.ts'
import type { ConfidencePart } from '../report/confidence.ts'
import type { Decision } from '../report/decisions.ts'
import { because } from '../report/reasons.ts'
import { type Warning, warn } from '../report/warnings.ts'
import type { Span } from '../source/spans.ts'
import { isDrawnLine } from './cell-kinds.ts'
import { areYears, isData } from './data-rows.ts'
import { describeHeader, describeNoHeader, doubtHeader, doubtPreamble } from './header-decisions.ts'
import { extendHeader } from './header-extent.ts'
import { isUnitAlone, isUnitsRow, joinLevels, namingLevels } from './header-levels.ts'
import { COMPARED, type Line, toLevel, toLine } from './lines.ts'
import { isNumbering } from './numbering.ts'
import { countPreamble, isOverNumbers, isTitle, skipTitles } from './titles.ts'

export interface Header {
  /** Places among the file's records, from 1, blank ones included; none when the file has no header. */
  readonly records: readonly number[]
  /** Blank records above the first row of data. */
  readonly blankBefore: number
  /** The names of the columns, one line each. */
  readonly cells: readonly string[]
  /** How many blank ones of them are added for delimiters at the ends of the rows, with nothing behind them. */
  readonly added: number
  /** Offset of the first byte of data, and its line, from 1. */
  readonly end: number
  readonly nextLine: number
  /** The header's records as they stand in the file, with the row of column numbers: printed reports repeat them. */
  readonly printed: readonly Line[]
  /** A text alone stands right above the header: printed reports repeat it as well. */
  readonly isTitled: boolean
  /** Those of the records that say what the numbers of the columns count. */
  readonly units: readonly number[]
  readonly confidence: ConfidencePart
  /** What was found out about the structure. */
  readonly decisions: readonly Decision[]
  /** What the choice leaves in doubt. */
  readonly warnings: readonly Warning[]
}

const SURE: ConfidencePart = { of: 'header', sure: 1, doubt: null, override: null }

/** A header of no records; what it says about the columns is added. */
export const NO_HEADER = {
  ...{ records: [], added: 0, units: [], printed: [], isTitled: false, decisions: [], warnings: [] },
  confidence: SURE,
} as const

/** Records that may be titles. */
const LOOKED_INTO = 200
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
  if (isDoubtful) return { ...header, confidence: doubtHeader(header) }
  const rows = lines.slice(to + 1, to + 1 + LOOKED_INTO).filter(({ cells }) => cells === width)
  const texts = rows.map((line) => line.texts)
  const preamble = rows.slice(0, countPreamble(texts, width))
  return preamble.length === 0 ? header : { ...header, confidence: doubtPreamble(header, preamble) }
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
    null,
    because(isOneLine ? 'endless_line' : 'no_text', {}),
  )
}

/**
 * A table without a header: its columns are numbered, and the first record is a row, unless it has texts where the rows
 * have numbers and another width: then it is a title, or names that fit no row.
 */
export function withoutHeader(sample: Sample, separators: Separators, by: string): Header {
  const lines = sampleLines(sample, separators)
  if (lines.length === 0) throw nothingFound(sample)
  const { width } = commonWidth(lines)
  const isAbove = (line: Line, at: number) => {
    const below = lines.slice(at + 1, at + 1 + COMPARED).map(({ texts }) => texts)
    return line.cells !== width && !line.broken && isOverNumbers(line.texts, below)
  }
  const start = lines.findIndex((line, at) => !isAbove(line, at))
  const titles = lines.slice(0, Math.max(0, start))
  const first = titles.length === 0 ? null : (lines[start] as Line)
  return {
    ...NO_HEADER,
    blankBefore: first?.blankBefore ?? 0,
    cells: Array.from({ length: width }, () => ''),
    end: first?.start ?? 0,
    nextLine: first?.line ?? 1,
    decisions: [describeNoHeader(by, titles)],
  }
}

function sampleLines(sample: Sample, separators: Separators): Line[] {
  const { records } = splitSample(sample, separators)
  return records.map((record) => toLine(sample.bytes, 0, separators, record))
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
  // What a person named counts as it stands.
  const naming = titles === null ? levels : withoutNumbering(levels, below)
  const names = naming.length === 1 ? last.raw : joinLevels(namingLevels(naming.map(toLevel), spans), spans)
  const cells = fitWidth(names.map(onOneLine), below)
  const skipped = findSkipped(
    names.map((name) => name.trim()),
    below,
  )
  const end = skipped.at(-1) ?? last
  const records = levels.map(({ record }) => record)
  return {
    records,
    blankBefore: end.blankBefore,
    cells,
    added: Math.max(0, cells.length - names.length),
    end: end.end,
    nextLine: end.nextLine,
    printed: [...levels, ...skipped],
    isTitled: isTitleLine(titles?.at(-1), levels[0]),
    units: [
      ...levels.filter(({ texts }) => levels.length > 1 && isUnitsRow(texts)),
      ...skipped.filter(({ texts }) => isUnitAlone(texts)),
    ].map(({ record }) => record),
    confidence: SURE,
    decisions: describeHeader({ levels, titles, skipped, cells }),
    warnings: [],
  }
}

/** Levels without those that number the columns between others. */
function withoutNumbering(levels: readonly Line[], below: readonly Line[]): readonly Line[] {
  const rows = below.slice(0, COMPARED).map(({ texts }) => texts)
  return levels.filter(
    ({ texts }, at) => at === 0 || at === levels.length - 1 || !isNumbering(texts, [], rows),
  )
}

/** The lines right below a header that are no rows: they number its columns, are drawn, or name one unit for all. */
function findSkipped(names: readonly string[], below: readonly Line[]): Line[] {
  const skipped: Line[] = []
  for (const [at, line] of below.entries()) {
    const rows = below.slice(at + 1, at + 1 + COMPARED).map(({ texts }) => texts)
    if (line.broken) break
    const isUnit = isUnitAlone(line.texts) && rows.length > 0 && !rows.some(isUnitAlone)
    if (!(isDrawnLine(line.texts) || isNumbering(line.texts, names, rows) || isUnit)) break
    skipped.push(line)
  }
  return skipped
}

/** Whether a line holds a text alone and stands right above another. */
function isTitleLine(title: Line | undefined, below: Line | undefined): boolean {
  return title?.record === (below?.record ?? 0) - 1 && title.texts.filter((text) => text !== '').length === 1
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
  const areUsual = most(({ cells }) => cells === width)
  const isBlankBehind = ({ cells, texts }: Line) => cells !== width || isBlank(texts.slice(names.length))
  if (width > names.length && areUsual && rows.every(isBlankBehind))
    return [...names, ...Array.from({ length: width - names.length }, () => '')]
  if (width < names.length && areUsual && isBlank(names.slice(width))) return names.slice(0, width)
  return names
}

function refuseBroken({ broken, line }: Line): void {
  if (!broken) return
  throw new CommandError(
    'refused',
    `a quote in the header on line ${line} opens a cell that ends within the text of another line: it is a stray one. Mend the line, name another header with ${adviseOption('header_row')}, or set ${adviseOption('quote', '')}`,
    adviseOption('quote', ''),
    because('stray_header_quote', { line }),
  )
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
    ...NO_HEADER,
    records: [first.record - 1],
    blankBefore: first.blankBefore - 1,
    cells: Array.from({ length: width }, () => ''),
    end: first.start,
    nextLine: first.line,
    warnings: [
      warn(
        'unnamed_header',
        { line: first.line - 1 },
        `the header on line ${first.line - 1} names no column: they are called column_1 to column_${width}`,
      ),
    ],
  }
}
