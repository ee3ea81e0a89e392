/**
 * How a file separates its cells, and where its header stands: found by trying every usual delimiter and quote on the
 * beginning of the file and taking the pair that gives the most regular table of the cleanest cells.
 */

import { CommandError } from '../errors.ts'
import { blockRoom, type RaggedRecord, RecordSplitter, type Separators } from './delimited.ts'

export interface Dialect extends Separators {
  /** What ends the records of the sample. */
  readonly lineEnd: 'crlf' | 'lf' | 'cr' | 'mixed'
  /** 0..1 */
  readonly confidence: number
}

export interface Header {
  /** Place among the file's records, from 1, blank ones included. */
  readonly record: number
  /** Blank records above it. */
  readonly blankBefore: number
  readonly cells: readonly string[]
  /** Offset of the first byte behind the header, and its line, from 1. */
  readonly end: number
  readonly nextLine: number
}

/** The beginning of a file in UTF-8. */
export interface Sample {
  readonly bytes: Uint8Array
  /** The sample is the whole file. */
  readonly whole: boolean
}

const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27

/** Delimiters with the trust they get: a colon or a space splits times and sentences just as regularly. */
const DELIMITERS: readonly (readonly [string, number])[] = [
  [',', 1],
  [';', 1],
  ['\t', 1],
  ['|', 1],
  ['^', 0.5],
  ['~', 0.5],
  ['#', 0.4],
  [':', 0.4],
]
/** What a cell should not contain unquoted if the delimiter is right: separators that are rarer in plain text. */
const STRONGER: Record<string, RegExp> = { ',': /[;\t|]/, ';': /[\t|]/, '|': /\t/, '\t': /$^/ }
const ANY_DELIMITER = /[,;\t|]/
/** Below it nothing splits the records regularly: the file has one column. */
const LEAST_SCORE = 0.2
/** Records whose cells are looked into. */
const LOOKED_INTO = 200
/** As many columns as a spreadsheet can have. */
const MOST_COLUMNS = 16_384
/** A row with text in at most this share of the table's columns is a title, not a header. */
const TITLE_SHARE = 0.34

/** @param given what need not be found out: a delimiter byte, a quote byte (-1 for none) */
export function detectDialect(
  sample: Sample,
  given: { delimiter?: number | undefined; quote?: number | undefined },
): Dialect {
  const quote = given.quote ?? detectQuote(sample)
  const lineEnd = detectLineEnd(sample, quote)
  if (given.delimiter !== undefined) return { delimiter: given.delimiter, quote, lineEnd, confidence: 1 }
  const scored = DELIMITERS.map(([delimiter, trust]) => ({
    delimiter: delimiter.charCodeAt(0),
    score: trust * scoreDelimiter(sample, delimiter, quote),
  })).sort((a, b) => b.score - a.score)
  const [best, second] = scored as [(typeof scored)[0], (typeof scored)[0]]
  if (best.score < LEAST_SCORE) return { delimiter: 0x2c, quote, lineEnd, confidence: 0.5 }
  const lead = best.score / (best.score + second.score)
  return {
    delimiter: best.delimiter,
    quote,
    lineEnd,
    confidence: round(lead * Math.min(1, best.score + 0.3)),
  }
}

/** @throws CommandError `usage` unless it is one ASCII character, `\t` or `tab` */
export function parseDelimiter(text: string): number {
  const delimiter = text === '\\t' || text.toLowerCase() === 'tab' ? '\t' : text
  const byte = delimiter.charCodeAt(0)
  if (delimiter.length === 1 && byte < 128 && !'\r\n"\0'.includes(delimiter)) return byte
  throw new CommandError('usage', `the delimiter must be one ASCII character, \\t or tab, not '${text}'`)
}

/**
 * The header: the first record that is not a title, or the one asked for.
 * @param headerRow place among the records, from 1, blank ones included
 * @throws CommandError `refused` when the file has no text, no such record, or more columns than a table may have
 */
export function findHeader(sample: Sample, dialect: Separators, headerRow: number | undefined): Header {
  const { records, splitter } = splitSample(sample, dialect)
  if (headerRow !== undefined) {
    const asked = records.find((record) => record.record === headerRow)
    if (asked) return toHeader(sample, dialect, asked)
    const what = headerRow <= splitter.records ? 'is blank' : 'is not there'
    throw new CommandError('refused', `record ${headerRow}, which --header-row names as the header, ${what}`)
  }
  const [first] = records
  if (!first) throw new CommandError('refused', 'the file has no text in it')
  const width = commonWidth(records).width
  const candidates = records.slice(0, LOOKED_INTO)
  const header = candidates.find((record) => !isTitle(readCells(sample, dialect, record), width))
  return toHeader(sample, dialect, header ?? first)
}

/** Few cells with text, in a table of more columns. In a table of two, an empty first cell makes it a header. */
function isTitle(cells: readonly string[], width: number): boolean {
  if (width === 1) return false
  const filled = cells.filter((cell) => cell.trim() !== '').length
  if (width === 2) return filled < 2 && cells[0]?.trim() !== ''
  return filled <= Math.max(1, TITLE_SHARE * width)
}

function toHeader(sample: Sample, dialect: Separators, header: RaggedRecord): Header {
  const { record, blankBefore, next, nextLine } = header
  return { record, blankBefore, cells: readCells(sample, dialect, header), end: next, nextLine }
}

/** Splits the sample without expecting any width: every record that is not blank comes back with its bounds. */
function splitSample(
  sample: Sample,
  separators: Separators,
): { records: RaggedRecord[]; splitter: RecordSplitter; used: number } {
  const { bytes, whole } = sample
  const block = new Uint8Array(blockRoom(bytes.length))
  block.set(bytes)
  const splitter = new RecordSplitter(separators, 0)
  const used = splitter.split(block, bytes.length, whole)
  return { records: splitter.ragged, splitter, used }
}

/**
 * The texts of one record's cells.
 * @throws CommandError `refused` when there are more than a dataset may have columns
 */
function readCells(sample: Sample, separators: Separators, record: RaggedRecord): string[] {
  if (record.cells > MOST_COLUMNS) {
    throw new CommandError(
      'refused',
      `line ${record.line} has ${record.cells} cells, and a dataset may have ${MOST_COLUMNS} columns: is --delimiter right?`,
    )
  }
  const length = record.end - record.start
  const block = new Uint8Array(blockRoom(length))
  block.set(sample.bytes.subarray(record.start, record.end))
  const reader = new RecordSplitter(separators, record.cells)
  reader.split(block, length, true)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return Array.from({ length: record.cells }, (_, i) =>
    decoder.decode(block.subarray(reader.starts[i], reader.ends[i])),
  )
}

/** Whether a sample holds enough whole records to judge by; one that is cut inside its first cells does not. */
export function holdsRecords(sample: Sample): boolean {
  const { records } = splitSample(sample, { delimiter: 0, quote: DOUBLE_QUOTE })
  return sample.whole || records.length > 2
}

/** The width most records have (the larger one of two equally frequent), and their share. */
function commonWidth(records: readonly RaggedRecord[]): { width: number; share: number } {
  const counts = new Map<number, number>()
  for (const { cells } of records) counts.set(cells, (counts.get(cells) ?? 0) + 1)
  let width = 1
  let most = 0
  for (const [cells, count] of counts) {
    if (count > most || (count === most && cells > width)) {
      width = cells
      most = count
    }
  }
  return { width, share: most / Math.max(1, records.length) }
}

/** 0..1: how regular the table is that a delimiter makes, how clean its cells are, how much of the sample it read. */
function scoreDelimiter(sample: Sample, delimiter: string, quote: number): number {
  const separators = { delimiter: delimiter.charCodeAt(0), quote }
  const { records, used } = splitSample(sample, separators)
  const { width, share } = commonWidth(records)
  if (width < 2) return 0
  const stronger = STRONGER[delimiter] ?? ANY_DELIMITER
  const step = Math.max(1, Math.floor(records.length / LOOKED_INTO))
  let cells = 0
  let clean = 0
  for (let i = 0; i < records.length; i += step) {
    const record = records[i] as RaggedRecord
    if (record.cells > MOST_COLUMNS) return 0
    for (const cell of readCells(sample, separators, record)) {
      cells++
      if (!stronger.test(cell)) clean++
    }
  }
  const cleanliness = clean / cells
  return share * ((width - 1) / width) * cleanliness * cleanliness * (used / sample.bytes.length)
}

/** Single quotes only where they wrap whole cells and double quotes wrap none. */
function detectQuote(sample: Sample): number {
  const text = new TextDecoder('latin1').decode(sample.bytes)
  const wrapped = (quote: string) =>
    text.match(new RegExp(`(?<=^|[,;\\t|\\r\\n])${quote}[^${quote}\\r\\n]*${quote}(?=[,;\\t|\\r\\n]|$)`, 'g'))
      ?.length ?? 0
  const double = wrapped('"')
  return double === 0 && wrapped("'") >= 2 ? SINGLE_QUOTE : DOUBLE_QUOTE
}

function detectLineEnd(sample: Sample, quote: number): Dialect['lineEnd'] {
  const { bytes } = sample
  const counts = { crlf: 0, lf: 0, cr: 0 }
  let quoted = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) quoted = !quoted
    if (quoted || (byte !== 10 && byte !== 13)) continue
    if (byte === 10) counts.lf++
    else if (bytes[at + 1] !== 10) counts.cr++
    else {
      counts.crlf++
      at++
    }
  }
  const met = (['crlf', 'lf', 'cr'] as const).filter((kind) => counts[kind] > 0)
  return met.length > 1 ? 'mixed' : (met[0] ?? 'lf')
}

function round(ratio: number): number {
  return Math.round(ratio * 100) / 100
}
