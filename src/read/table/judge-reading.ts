/**
 * How sure the parts of a reading are before the rows are read, whether the lines seem to have other columns than were
 * found, and the refusal of a file that could only be read by guessing.
 */

import { CommandError } from '../../base/errors.ts'
import { quoteArgument } from '../../base/text/quoting.ts'
import type { ReadOptions } from '../definition/read-options.ts'
import type { Dialect } from '../records/dialect.ts'
import { readCells, type Sample, splitSample } from '../records/sample.ts'
import { type ConfidencePart, LEAST_SURE, sureness } from '../report/confidence.ts'
import { refuse } from '../report/reasons.ts'
import type { DecodedSource } from '../source/decode-source.ts'
import { isNumeric } from '../structure/cell-kinds.ts'
import type { Header } from '../structure/header.ts'

/** What is known before the rows are read. */
export interface Layout {
  readonly decoded: DecodedSource
  readonly sample: Sample
  readonly dialect: Dialect
  readonly header: Header
  readonly options: ReadOptions
}

/** Confidence in a table whose lines look like something else. */
const OTHER_LAYOUT = 0.5
/** Confidence in a single column: nothing suggests another delimiter, and nothing proves that there is none. */
const ONE_COLUMN = 0.9
/** Lines that are checked, and the fewest that show anything. */
const LOOKED_AT = 500
const LEAST_LINES = 2
const TAB = 0x09
/** Other delimiters occur in texts and times just as regularly: a table with one must be regular throughout. */
const COMMON_DELIMITERS = ',;\t|'

/** The confidence in dialect, header, structure and encoding. */
export function judgeReading(reading: Layout): ConfidencePart[] {
  const { decoded, header } = reading
  const isText = decoded.format === 'csv'
  const layout = isText ? [judgeDialect(reading), judgeLayout(reading)] : judgeSheet(reading)
  return [...layout, header.confidence, { of: 'encoding', sure: decoded.confidence }]
}

function judgeDialect({ dialect, header, options }: Layout): ConfidencePart {
  const of = 'dialect'
  if (options.delimiter !== undefined) return { of, sure: 1 }
  if (header.cells.length === 1) return { of, sure: ONE_COLUMN }
  const sign = String.fromCharCode(dialect.delimiter)
  const isWeak = !COMMON_DELIMITERS.includes(sign) && dialect.confidence < LEAST_SURE
  if (dialect.lead >= LEAST_SURE && !isWeak) return { of, sure: Math.max(LEAST_SURE, dialect.confidence) }
  const doubt = isWeak ? refuse('weak_delimiter', { sign }) : refuse('two_delimiters', {})
  return { of, sure: Math.min(dialect.lead, dialect.confidence), doubt }
}

/** Whether the lines look like another layout than the detected table. */
function judgeLayout({ sample, dialect, header, options }: Layout): ConfidencePart {
  const sure = { of: 'structure', sure: 1 } as const
  if (options.delimiter !== undefined) return sure
  const records = splitSample(sample, dialect, true).records.slice(0, LOOKED_AT)
  // In the option's notation.
  const own = dialect.delimiter === TAB ? 'tab' : String.fromCharCode(dialect.delimiter)
  const doubtful = (doubt: CommandError) => ({ of: 'structure', sure: OTHER_LAYOUT, doubt }) as const
  const rows = records
    .filter(({ cells }) => cells === header.cells.length)
    .map((record) => readCells(sample.bytes, dialect, record).texts)
  if (header.cells.length > 1 && isFixedWidth(rows, header.cells))
    return doubtful(refuse('fixed_width', {}, undefined, `--delimiter ${quoteArgument(own)}`))
  // A space follows every delimiter and no cell is a number, as in texts.
  const isText = (cell: string) => cell.startsWith(' ') && !isNumeric(cell.trim())
  if (header.isTitled && rows.length > LEAST_LINES && rows.every((cells) => cells.slice(1).every(isText)))
    return doubtful(refuse('title_or_name', { record: header.records[0] ?? 1, sign: own }))
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const lines = records.map(({ start, end }) => decoder.decode(sample.bytes.subarray(start, end)))
  const other = findOtherLayout(header.cells.length > 1 ? onlyColumn(rows) : lines)
  if (other === null || other.delimiter === own) return sure
  return doubtful(
    other.delimiter === null
      ? refuse('other_layout', {}, other.looks)
      : refuse('other_delimiter', { sign: other.delimiter }),
  )
}

/** Whether a sheet has text in one column only, and that looks like lines of a printed report or of delimited text. */
function judgeSheet({ decoded, sample, dialect, header, options }: Layout): ConfidencePart[] {
  if (decoded.header !== null || options.header_row !== undefined) return []
  const records = splitSample(sample, dialect, true).records.slice(0, LOOKED_AT)
  const rows = records.map((record) => readCells(sample.bytes, dialect, record).texts)
  const other = findOtherLayout(onlyColumn(rows))
  if (other === null) return []
  const [record = 1] = header.records
  return [{ of: 'structure', sure: OTHER_LAYOUT, doubt: refuse('sheet_of_lines', { record }, other.looks) }]
}

/** The texts of the only column that has any, or none. */
function onlyColumn(rows: readonly (readonly string[])[]): string[] {
  const filled = rows.map((cells) => cells.filter((text) => text.trim() !== ''))
  const [first = []] = rows
  const column = first.findIndex((text) => text.trim() !== '')
  const isOnly = filled.every(({ length }, row) => length <= 1 && filled[row]?.[0] === rows[row]?.[column])
  return isOnly && column >= 0 ? filled.flat() : []
}

/** The refusal of a reading if parts of it are not sure enough; else null. */
export function refuseGuess(parts: readonly ConfidencePart[]): CommandError | null {
  const doubtful = parts.filter((part) => sureness(part) < LEAST_SURE)
  if (doubtful.length === 0) return null
  const doubts = doubtful.flatMap(({ doubt }) => doubt ?? [])
  const override = [...new Set(doubts.flatMap((doubt) => doubt.override ?? []))].join(' and ')
  const least = Math.round(100 * Math.min(...doubtful.map(({ sure }) => sure)))
  const why = doubts.map(({ message }) => message).join(' ')
  const message = `How the file is to be read could not be proven (${least} % sure). ${why} Say it with ${override}.`
  const reasons = doubts.flatMap((doubt) => doubt.reasons)
  return new CommandError('refused', message, override, reasons)
}

const MOST_SHARE = 0.8
const PLAIN_NUMBER = /^[-+]?\d+(?:[.,]\d+)?$/
/** Signs that are more common between cells than within them; a comma only if no space follows it. */
const SIGNS = [';', '\t', '|', '^', '~', '¦', '§', '\u0001', '\u001e', '\u001f', ',']
const LONE_COMMA = /,(?! )/
/** Two spaces or more between texts. */
const WIDE_GAP = /\S {2,}\S/
const WIDER_GAP = /\S {3,}\S/

/**
 * @param lines of a single-column table, in file order, none of them blank, without the detected delimiter
 * @returns what they look like, to follow "they are", and the delimiter that would split them, if it can be typed
 */
function findOtherLayout(lines: readonly string[]): { looks: string; delimiter: string | null } | null {
  // Removes quoted parts; if a quote has no partner, these are unknown.
  const withoutQuoted = (line: string) =>
    line.split('"').length % 2 === 1 ? line.replace(/"[^"]*"/g, '""') : line
  const unquoted = lines.slice(0, LOOKED_AT).map((text) => withoutQuoted(text).trimEnd())
  if (unquoted.length < LEAST_LINES) return null
  const sign = SIGNS.find((sign) => isBetweenCells(unquoted, sign) || isBetweenNames(unquoted, sign))
  if (sign === '\t') return { looks: 'delimited by tabs', delimiter: 'tab' }
  if (sign !== undefined) {
    const name = sign < ' ' ? `the control character ${sign.charCodeAt(0)}` : `'${sign}'`
    // Control characters and what is not ASCII cannot be typed.
    return { looks: `delimited by ${name}`, delimiter: /^[!-~]$/.test(sign) ? sign : null }
  }
  if (areQuotedRows(lines.slice(0, LOOKED_AT)))
    return {
      looks: 'rows with quotes around each line as a whole: take these off to have the columns',
      delimiter: null,
    }
  if (unquoted.filter((line) => /^[\s+|]*[-=_]{3,}[-=_+|\s]*$/.test(line)).length > 1)
    return { looks: 'a printed table', delimiter: null }
  if (unquoted.length <= LEAST_LINES) return null
  // All lines have as many words as the first, which has a name where all others have a number.
  const words = unquoted.map((line) => line.trim().split(' '))
  const [names = [], ...rows] = words
  const isNameOfNumbers = (name: string, at: number) =>
    !PLAIN_NUMBER.test(name) && rows.every((row) => PLAIN_NUMBER.test(row[at] as string))
  const areAlike = names.length > 1 && words.every(({ length }) => length === names.length)
  if (areAlike && names.some(isNameOfNumbers)) return { looks: 'delimited by spaces', delimiter: ' ' }
  return haveColumns(unquoted) ? { looks: 'of fixed width, or printed', delimiter: null } : null
}

/**
 * Whether lines have gaps between columns. The first line is ignored, as the names of a header may be as wide as their
 * columns. Single gaps of two spaces between texts, at varying positions, are typing errors.
 */
function haveColumns([header = '', ...lines]: readonly string[]): boolean {
  if (!isShare(lines, (line) => WIDE_GAP.test(line))) return false
  const pieces = lines.map((line) => line.trim().split(/ {2,}/))
  const areSlips =
    !WIDE_GAP.test(header) &&
    pieces.every((line) => line.length <= 2 && !line.some(isNumeric)) &&
    !lines.some((line) => WIDER_GAP.test(line))
  const starts = lines.map((line) => line.search(/ {2}\S/)).filter((start) => start >= 0)
  const most = Math.max(...[...Map.groupBy(starts, (start) => start).values()].map(({ length }) => length))
  return !areSlips || most >= MOST_SHARE * lines.length
}

/**
 * Whether most rows of a table with several columns have wide gaps within a cell, as when a sign in the texts of printed
 * lines was taken for the delimiter. Names for all cells, none with a gap, prove the delimiter: then only the texts of a
 * column are aligned. With two columns, no piece between gaps may be a number either, as `Name, first name` may be above
 * the texts.
 */
function isFixedWidth(rows: readonly (readonly string[])[], names: readonly string[]): boolean {
  const isGapped = (cells: readonly string[]) => cells.some((cell) => WIDER_GAP.test(cell))
  if (rows.length <= LEAST_LINES || !isShare(rows, isGapped)) return false
  if (names.some((name) => name.trim() === '' || WIDE_GAP.test(name))) return true
  const havePieces = (cell: string) => WIDER_GAP.test(cell) && cell.trim().split(/ {2,}/).some(isNumeric)
  return names.length <= 2 && rows.some((cells) => cells.some(havePieces))
}

function isShare<T>(lines: readonly T[], holds: (line: T) => boolean): boolean {
  return lines.filter(holds).length >= MOST_SHARE * lines.length
}

function countSign(text: string, sign: string): number {
  return text.split(sign === ',' ? LONE_COMMA : sign).length - 1
}

/** Whether most lines have a sign, more than half of these equally often; or half of all lines, as often as the first. */
function isBetweenCells(lines: readonly string[], sign: string): boolean {
  const counts = new Map<number, number>()
  const countIn = (line: string) => countSign(line.slice(1, -1), sign)
  for (const line of lines) {
    const count = countIn(line)
    counts.set(count, (counts.get(count) ?? 0) + 1)
  }
  const inFirst = countIn(lines[0] as string)
  if (inFirst > 0 && (counts.get(inFirst) ?? 0) >= 0.5 * lines.length) return true
  const having = lines.length - (counts.get(0) ?? 0)
  counts.delete(0)
  return having >= MOST_SHARE * lines.length && Math.max(0, ...counts.values()) > 0.5 * having
}

/** Whether each line is a single quoted text, with as many of some sign in it as the first one. */
function areQuotedRows(lines: readonly string[]): boolean {
  if (!lines.every((line) => /^"(?:[^"]|"")*"$/.test(line.trimEnd()))) return false
  const rows = lines.map((line) =>
    line
      .trimEnd()
      .slice(1, -1)
      .replaceAll('""', '"')
      .replace(/"[^"]*"/g, '""'),
  )
  return SIGNS.some((sign) => {
    const inFirst = countSign(rows[0] as string, sign)
    return inFirst > 0 && isShare(rows, (row) => countSign(row, sign) === inFirst)
  })
}

/** Whether a sign separates the names in the first line, half of the other lines have it, and none has more of them. */
function isBetweenNames([header = '', ...lines]: readonly string[], sign: string): boolean {
  const names = header.split(sign).map((name) => name.trim())
  if (names.length < 2 || names.some((name) => name === '' || name.includes(' '))) return false
  const counts = lines.map((line) => countSign(line, sign))
  return counts.filter((count) => count > 0).length * 2 >= lines.length && Math.max(...counts) < names.length
}
