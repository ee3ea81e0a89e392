/**
 * Detects how a file separates its cells: tries every usual delimiter and quote on the beginning of the file and takes the
 * pair that gives the most regular table with the cleanest cells.
 */

import { MOST_COLUMNS } from '../report/limits.ts'
import { refuse } from '../report/reasons.ts'
import type { RaggedRecord } from './record-mender.ts'
import { commonWidth, readCells, type Sample, splitSample } from './sample.ts'
import type { Separators } from './separators.ts'

export interface Dialect extends Separators {
  /** What ends the records of the sample. */
  readonly lineEnd: 'crlf' | 'lf' | 'cr' | 'mixed'
  /** 0..1 */
  readonly confidence: number
  /** 0..1, the delimiter's lead over the next best one: 0.5 if both give an equally regular table. */
  readonly lead: number
}

const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27

/** Delimiters and how much they are trusted: a colon or a space splits times and sentences just as regularly. */
const TRUST = { ',': 1, ';': 1, '\t': 1, '|': 1, '^': 0.5, '~': 0.5, '#': 0.4, ':': 0.4 }
/** What an unquoted cell should not contain if the delimiter is right: separators that are rarer in plain text. */
const STRONGER: Record<string, RegExp> = { ',': /[;\t|^]/, ';': /[\t|^]/, '|': /\t/, '\t': /(?!)/ }
/** Signs that are rare in texts: if every record, including the first, has equally many, they are the delimiter. */
const HARDLY_IN_TEXTS = '^~#'
/** Any other symbol may be one if the first record has it more than once, and every record equally often. */
const UNUSUAL = /(?!\t)[!@$%&*+=?\\`<>{}[\]\p{Cc}]/gu
const LAST_ASCII = '\x7f'
const LEAST_UNUSUAL = 2
const ANY_DELIMITER = /[,;\t|]/
/** Below this score nothing splits the records regularly: the file has one column. */
const LEAST_SCORE = 0.2
/** Records whose cells are checked. */
const LOOKED_INTO = 200
/** Share of a column's cells in apostrophes from which these are its quotes. */
const NEARLY_ALL = 0.9

/**
 * @param given what need not be detected: a delimiter byte, a quote byte (-1 for none)
 * @throws CommandError `usage` if both are the same
 */
export function detectDialect(
  sample: Sample,
  given: { delimiter?: number | undefined; quote?: number | undefined },
): Dialect {
  if (given.delimiter !== undefined && given.delimiter === given.quote) {
    const sign = String.fromCharCode(given.delimiter)
    throw refuse('same_signs', { sign })
  }
  const quote = given.quote ?? detectQuote(sample, given.delimiter)
  const lineEnd = detectLineEnd(sample, quote)
  if (given.delimiter !== undefined)
    return { delimiter: given.delimiter, quote, lineEnd, confidence: 1, lead: 1 }
  return { ...detectDelimiter(sample, quote), quote, lineEnd }
}

function detectDelimiter(sample: Sample, quote: number): Pick<Dialect, 'delimiter' | 'confidence' | 'lead'> {
  const { bytes } = sample
  const end = bytes.findIndex((byte) => byte === 10 || byte === 13)
  const first = new TextDecoder('latin1').decode(end < 0 ? bytes : bytes.subarray(0, end))
  // Unusual symbols get no trust, so only a table that is regular throughout counts.
  const unusual = [...Map.groupBy(first.match(UNUSUAL) ?? [], (sign) => sign)]
    .filter(([sign, { length }]) => sign < LAST_ASCII && length >= LEAST_UNUSUAL)
    .map(([sign]) => [sign, 0] as const)
  const candidates = [...Object.entries(TRUST), ...unusual].filter(([sign]) => sign.charCodeAt(0) !== quote)
  const tables = candidates.map(([sign, trust]) => cutTable(sample, sign, quote, trust))
  const throughout = tables.filter(({ isThroughout }) => isThroughout).map(({ sign }) => sign)
  const scored = tables
    .map((table) => ({ delimiter: table.separators.delimiter, score: scoreTable(sample, table, throughout) }))
    .sort((a, b) => b.score - a.score)
  const [best, second] = scored as [(typeof scored)[0], (typeof scored)[0]]
  if (best.score < LEAST_SCORE)
    return { delimiter: tables[0]?.separators.delimiter as number, confidence: 0.5, lead: 1 }
  const lead = best.score / (best.score + second.score)
  const round = (ratio: number) => Math.round(ratio * 100) / 100
  const confidence = round(lead * Math.min(1, best.score + 0.3))
  return { delimiter: best.delimiter, lead: round(lead), confidence }
}

/** The table that a delimiter makes. `isThroughout`: every record has equally many of a sign that is rare in texts. */
function cutTable(sample: Sample, sign: string, quote: number, trust: number) {
  const separators = { delimiter: sign.charCodeAt(0), quote }
  // A cell that is still open at the end of the sample would only hide the rest from the right delimiter.
  const { records } = splitSample(sample, separators, true)
  const { width, share } = commonWidth(records)
  const isSeldom = HARDLY_IN_TEXTS.includes(sign) || (trust === 0 && width > LEAST_UNUSUAL)
  const isThroughout = isSeldom && width > 1 && share === 1 && records.length > 1
  return { sign, separators, trust, records, width, share, isThroughout }
}

/**
 * 0..1: how regular a delimiter's table is, and how clean its cells are.
 * @param throughout signs that every record has equally often: cells of a less regular table should not contain them
 */
function scoreTable(
  sample: Sample,
  table: ReturnType<typeof cutTable>,
  throughout: readonly string[],
): number {
  const { sign, separators, trust, records, width, share, isThroughout } = table
  if (width < 2) return 0
  const filled = (width - 1) / width
  if (isThroughout) return filled
  if (trust === 0) return 0
  const stronger = STRONGER[sign] ?? ANY_DELIMITER
  const isClean = (text: string) =>
    !stronger.test(text) && (share === 1 || !throughout.some((other) => text.includes(other)))
  const step = Math.max(1, Math.floor(records.length / LOOKED_INTO))
  let cells = 0
  let clean = 0
  for (let i = 0; i < records.length; i += step) {
    const record = records[i] as RaggedRecord
    if (record.cells > MOST_COLUMNS) return 0
    // Quotes show where cells end: where they do not end at this delimiter, another sign is right.
    if (record.broken) cells += record.cells
    const { texts, strays } = readCells(sample.bytes, separators, record)
    cells += texts.length
    clean += texts.filter((text, cell) => !strays[cell] && isClean(text)).length
  }
  const cleanliness = clean / Math.max(1, cells)
  return trust * share * filled * cleanliness * cleanliness
}

/** Double quotes, unless none wraps a cell and there is strong evidence for single ones. */
function detectQuote(sample: Sample, delimiter: number | undefined): number {
  const text = new TextDecoder('latin1').decode(sample.bytes)
  const wrapped = (quote: string) =>
    text.match(
      new RegExp(`(?<=^|[,;\\t|^~#:\\r\\n])${quote}[^${quote}\\r\\n]*${quote}(?=[,;\\t|^~#:\\r\\n]|$)`, 'g'),
    )?.length ?? 0
  if (wrapped('"') > 0 || wrapped("'") < 2) return DOUBLE_QUOTE
  const separators = {
    delimiter: delimiter ?? detectDelimiter(sample, SINGLE_QUOTE).delimiter,
    quote: SINGLE_QUOTE,
  }
  return areSingleQuotes(sample, separators) ? SINGLE_QUOTE : DOUBLE_QUOTE
}

/**
 * Whether apostrophes are quotes: they wrap nearly all cells of a column, or the delimiters that they wrap would give
 * records different widths; and no cell of the sample begins with one without ending with one on the same line. `'t Hooft`
 * and a few words in quotation marks are text.
 */
function areSingleQuotes(sample: Sample, separators: Separators): boolean {
  const { records, splitter } = splitSample(sample, separators)
  if (splitter.openQuote || records.some(({ broken }) => broken)) return false
  const { width, share } = commonWidth(records)
  if (width > MOST_COLUMNS) return false
  const filled = new Float64Array(width)
  const quoted = new Float64Array(width)
  let wrapped = 0
  for (const record of records) {
    if (record.cells > MOST_COLUMNS) return false
    const cells = readCells(sample.bytes, separators, record)
    if (cells.strays.includes(true)) return false
    for (const [column, text] of cells.texts.entries()) {
      const isQuoted = cells.quoted[column] === true
      if (isQuoted && /[\r\n]/.test(text)) return false
      if (column >= width || text.trim() === '') continue
      filled[column]!++
      if (!isQuoted) continue
      quoted[column]!++
      if (text.includes(String.fromCharCode(separators.delimiter))) wrapped++
    }
  }
  const unquoted = splitSample(sample, { ...separators, quote: DOUBLE_QUOTE }, true).records
  if (wrapped > 1 && share === 1 && commonWidth(unquoted).share < 1) return true
  // The column's name is often unquoted.
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
