/**
 * How a file separates its cells: found by trying every usual delimiter and quote on the
 * beginning of the file and taking the pair that gives the most regular table of the cleanest cells.
 */

import { CommandError } from '../../errors.ts'
import type { RaggedRecord, Separators } from './record-splitter.ts'
import { commonWidth, MOST_COLUMNS, readCells, type Sample, splitSample } from './sample.ts'

export interface Dialect extends Separators {
  /** What ends the records of the sample. */
  readonly lineEnd: 'crlf' | 'lf' | 'cr' | 'mixed'
  /** 0..1 */
  readonly confidence: number
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
const STRONGER: Record<string, RegExp> = { ',': /[;\t|]/, ';': /[\t|]/, '|': /\t/, '\t': /(?!)/ }
const ANY_DELIMITER = /[,;\t|]/
/** Below it nothing splits the records regularly: the file has one column. */
const LEAST_SCORE = 0.2
/** Records whose cells are looked into. */
const LOOKED_INTO = 200
/** Of a column's cells, the share in apostrophes from which on these are its quotes. */
const NEARLY_ALL = 0.9

/**
 * @param given what need not be found out: a delimiter byte, a quote byte (-1 for none)
 * @throws CommandError `usage` when both are the same
 */
export function detectDialect(
  sample: Sample,
  given: { delimiter?: number | undefined; quote?: number | undefined },
): Dialect {
  if (given.delimiter !== undefined && given.delimiter === given.quote) {
    const sign = String.fromCharCode(given.delimiter)
    throw new CommandError('usage', `the delimiter and the quote are both '${sign}'`)
  }
  const quote = given.quote ?? detectQuote(sample, given.delimiter)
  const lineEnd = detectLineEnd(sample, quote)
  if (given.delimiter !== undefined) return { delimiter: given.delimiter, quote, lineEnd, confidence: 1 }
  return { ...detectDelimiter(sample, quote), quote, lineEnd }
}

function detectDelimiter(sample: Sample, quote: number): { delimiter: number; confidence: number } {
  const candidates = DELIMITERS.filter(([delimiter]) => delimiter.charCodeAt(0) !== quote)
  const scored = candidates
    .map(([delimiter, trust]) => ({
      delimiter: delimiter.charCodeAt(0),
      score: trust * scoreDelimiter(sample, delimiter, quote),
    }))
    .sort((a, b) => b.score - a.score)
  const [best, second] = scored as [(typeof scored)[0], (typeof scored)[0]]
  if (best.score < LEAST_SCORE) {
    return { delimiter: (candidates[0] as (typeof candidates)[0])[0].charCodeAt(0), confidence: 0.5 }
  }
  const lead = best.score / (best.score + second.score)
  return { delimiter: best.delimiter, confidence: round(lead * Math.min(1, best.score + 0.3)) }
}

/** @throws CommandError `usage` unless it is one ASCII character, `\t` or `tab` */
export function parseDelimiter(text: string): number {
  const delimiter = text === '\\t' || text.toLowerCase() === 'tab' ? '\t' : text
  const byte = delimiter.charCodeAt(0)
  if (delimiter.length === 1 && byte < 128 && !'\r\n"\0'.includes(delimiter)) return byte
  throw new CommandError('usage', `the delimiter must be one ASCII character, \\t or tab, not '${text}'`)
}

/** Whether a sample holds enough whole records to judge by; one that is cut inside its first cells does not. */
export function holdsRecords(sample: Sample): boolean {
  const { records } = splitSample(sample, { delimiter: 0, quote: DOUBLE_QUOTE })
  return sample.whole || records.length > 2
}

/** 0..1: how regular the table is that a delimiter makes, and how clean its cells are. */
function scoreDelimiter(sample: Sample, sign: string, quote: number): number {
  const separators = { delimiter: sign.charCodeAt(0), quote }
  // A cell still open where the sample ends would hide what follows from the right delimiter only.
  const { records } = splitSample(sample, separators, true)
  const { width, share } = commonWidth(records)
  if (width < 2) return 0
  const stronger = STRONGER[sign] ?? ANY_DELIMITER
  const step = Math.max(1, Math.floor(records.length / LOOKED_INTO))
  let cells = 0
  let clean = 0
  for (let i = 0; i < records.length; i += step) {
    const record = records[i] as RaggedRecord
    if (record.cells > MOST_COLUMNS) return 0
    for (const { text } of readCells(sample.bytes, separators, record)) {
      cells++
      if (!stronger.test(text)) clean++
    }
  }
  const cleanliness = clean / Math.max(1, cells)
  return share * ((width - 1) / width) * cleanliness * cleanliness
}

/** Double quotes, unless none wraps a cell and there is strong evidence for single ones. */
function detectQuote(sample: Sample, delimiter: number | undefined): number {
  const text = new TextDecoder('latin1').decode(sample.bytes)
  const wrapped = (quote: string) =>
    text.match(new RegExp(`(?<=^|[,;\\t|\\r\\n])${quote}[^${quote}\\r\\n]*${quote}(?=[,;\\t|\\r\\n]|$)`, 'g'))
      ?.length ?? 0
  if (wrapped('"') > 0 || wrapped("'") < 2) return DOUBLE_QUOTE
  const separators = {
    delimiter: delimiter ?? detectDelimiter(sample, SINGLE_QUOTE).delimiter,
    quote: SINGLE_QUOTE,
  }
  return areSingleQuotes(sample, separators) ? SINGLE_QUOTE : DOUBLE_QUOTE
}

/**
 * Whether apostrophes are quotes: they wrap nearly all cells of a column, and no cell of the sample begins with one
 * without ending in it on the same line. `'t Hooft` and a few words in quotation marks are text.
 */
function areSingleQuotes(sample: Sample, separators: Separators): boolean {
  const { records, splitter } = splitSample(sample, separators)
  if (splitter.openQuote || records.some(({ broken }) => broken)) return false
  const { width } = commonWidth(records)
  if (width > MOST_COLUMNS) return false
  const filled = new Float64Array(width)
  const quoted = new Float64Array(width)
  for (const record of records) {
    if (record.cells > MOST_COLUMNS) return false
    const cells = readCells(sample.bytes, separators, record)
    if (cells.some((cell) => cell.wasStray || (cell.quoted && /[\r\n]/.test(cell.text)))) return false
    for (const [column, cell] of cells.entries()) {
      if (column >= width || cell.text.trim() === '') continue
      filled[column]!++
      if (cell.quoted) quoted[column]!++
    }
  }
  // The name of the column itself often stands without quotes.
  return quoted.some((count, column) => count >= 2 && count >= NEARLY_ALL * ((filled[column] as number) - 1))
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
