/** How sure the parts of a reading are before the rows are read, and the refusal of a file that was read by guessing. */

import { CommandError } from '../../base/errors.ts'
import { quoteArgument } from '../../base/text/quoting.ts'
import type { ReadOptions } from '../definition/read-options.ts'
import type { Dialect } from '../records/dialect.ts'
import { readCells, type Sample, splitSample } from '../records/sample.ts'
import { type ConfidencePart, doubtfulParts, inDoubt, LEAST_SURE } from '../report/confidence.ts'
import { refuse } from '../report/reasons.ts'
import type { DecodedSource } from '../source/decode-source.ts'
import type { Header } from '../structure/header.ts'
import { areSentences, findOtherLayout, isFixedWidth } from '../structure/one-column.ts'

/** What is known before the rows are read. */
export interface Layout {
  readonly decoded: DecodedSource
  readonly sample: Sample
  readonly dialect: Dialect
  readonly header: Header
  readonly options: ReadOptions
}

/** What a table of lines that look like something else is worth. */
const OTHER_LAYOUT = 0.5
/** One column of any text: nothing speaks for another delimiter, and nothing proves that there is none. */
const ONE_COLUMN = 0.9
const LOOKED_AT = 500
const TAB = 0x09
/** Delimiters that occur in texts and times as regularly: a table is theirs only when it is regular throughout. */
const COMMON_DELIMITERS = ',;\t|'

/** Dialect, header, structure and encoding, each as sure as could be proven. */
export function judgeReading(reading: Layout): ConfidencePart[] {
  const { decoded, header } = reading
  const isText = decoded.format === 'csv'
  const encoding = { of: 'encoding', sure: decoded.confidence, doubt: null, override: null } as const
  const layout = isText ? [judgeDialect(reading), judgeLayout(reading)] : judgeSheet(reading)
  return [...layout, header.confidence, encoding]
}

function judgeDialect({ dialect, header, options }: Layout): ConfidencePart {
  const part = { of: 'dialect', doubt: null, override: null } as const
  if (options.delimiter !== undefined) return { ...part, sure: 1 }
  if (header.cells.length === 1) return { ...part, sure: ONE_COLUMN }
  const sign = String.fromCharCode(dialect.delimiter)
  const isWeak = !COMMON_DELIMITERS.includes(sign) && dialect.confidence < LEAST_SURE
  if (dialect.lead >= LEAST_SURE && !isWeak)
    return { ...part, sure: Math.max(LEAST_SURE, dialect.confidence) }
  const refusal = isWeak ? refuse('weak_delimiter', { sign }) : refuse('two_delimiters', {})
  return inDoubt('dialect', Math.min(dialect.lead, dialect.confidence), refusal)
}

/** Whether the lines look like another layout than the table that was found in them. */
function judgeLayout({ sample, dialect, header, options }: Layout): ConfidencePart {
  const sure = { of: 'structure', sure: 1, doubt: null, override: null } as const
  if (options.delimiter !== undefined) return sure
  const records = splitSample(sample, dialect, true).records.slice(0, LOOKED_AT)
  // As the option takes it.
  const own = dialect.delimiter === TAB ? 'tab' : String.fromCharCode(dialect.delimiter)
  const doubtful = (refusal: CommandError) => inDoubt('structure', OTHER_LAYOUT, refusal)
  const rows = records
    .filter(({ cells }) => cells === header.cells.length)
    .map((record) => readCells(sample.bytes, dialect, record).map(({ text }) => text))
  if (header.cells.length > 1 && isFixedWidth(rows, header.cells))
    return doubtful(refuse('fixed_width', {}, undefined, `--delimiter ${quoteArgument(own)}`))
  if (header.isTitled && areSentences(rows))
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

/** Whether a sheet has its texts in one column, and these look like the lines of a printed report or of delimited text. */
function judgeSheet({ decoded, sample, dialect, header, options }: Layout): ConfidencePart[] {
  if (decoded.header !== null || options.header_row !== undefined) return []
  const records = splitSample(sample, dialect, true).records.slice(0, LOOKED_AT)
  const rows = records.map((record) => readCells(sample.bytes, dialect, record).map(({ text }) => text))
  const other = findOtherLayout(onlyColumn(rows))
  if (other === null) return []
  const [record = 1] = header.records
  return [inDoubt('structure', OTHER_LAYOUT, refuse('sheet_of_lines', { record }, other.looks))]
}

/** The texts of the only column that has any, or none. */
function onlyColumn(rows: readonly (readonly string[])[]): string[] {
  const filled = rows.map((cells) => cells.filter((text) => text.trim() !== ''))
  const [first = []] = rows
  const column = first.findIndex((text) => text.trim() !== '')
  const isOnly = filled.every(({ length }, row) => length <= 1 && filled[row]?.[0] === rows[row]?.[column])
  return isOnly && column >= 0 ? filled.flat() : []
}

/** The refusal of a reading with parts below what is sure enough; null: it will do. */
export function refuseGuess(parts: readonly ConfidencePart[]): CommandError | null {
  const doubtful = doubtfulParts(parts)
  if (doubtful.length === 0) return null
  const override = [...new Set(doubtful.flatMap((part) => part.override ?? []))].join(' and ')
  const doubts = doubtful.flatMap((part) => part.doubt ?? []).join(' ')
  const least = Math.round(100 * Math.min(...doubtful.map(({ sure }) => sure)))
  const message = `How the file is to be read could not be proven (${least} % sure). ${doubts} Say it with ${override}.`
  const reasons = doubtful.flatMap((part) => part.reasons ?? [])
  return new CommandError('refused', message, override, reasons)
}
