/** The export formats, one row each. */

import { suggest } from '../base/text/suggest.ts'

/** Formats of files, of rows and of groups. */
export type ExportFormat = 'csv' | 'ndjson' | 'xlsx' | 'parquet'

export interface FormatRow {
  readonly name: ExportFormat
  readonly contentType: string
  /** Whether its bytes are packed already: no content coding makes them smaller. */
  readonly isPacked: boolean
  /** What may be written for `format`. */
  readonly spellings: readonly string[]
}

/** Specification 4.7: `json` is an alias of `ndjson`. */
export const FORMAT_TABLE: Readonly<Record<ExportFormat, FormatRow>> = {
  csv: { name: 'csv', contentType: 'text/csv; charset=utf-8', isPacked: false, spellings: ['csv'] },
  ndjson: {
    name: 'ndjson',
    contentType: 'application/x-ndjson; charset=utf-8',
    isPacked: false,
    spellings: ['ndjson', 'json'],
  },
  xlsx: {
    name: 'xlsx',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    isPacked: true,
    spellings: ['xlsx'],
  },
  parquet: {
    name: 'parquet',
    contentType: 'application/vnd.apache.parquet',
    isPacked: true,
    spellings: ['parquet'],
  },
}

/** What may be written for `delimiter`, and what it is. */
export const DELIMITERS: Readonly<Record<string, string>> = {
  ...{ ',': ',', ';': ';', tab: '\t', '\t': '\t', '|': '|' },
}

export const DEFAULT_FORMAT: ExportFormat = 'csv'

const ROWS = Object.values(FORMAT_TABLE)

export const EXPORT_FORMATS: readonly ExportFormat[] = ROWS.map((row) => row.name)

/** Everything that may be written for one of the formats, in the specification's order. */
export function spellingsOf(formats: readonly ExportFormat[]): string[] {
  return formats.flatMap((format) => FORMAT_TABLE[format].spellings)
}

/** What others call a format. */
const FOREIGN: Readonly<Record<string, ExportFormat>> = {
  ...{ jsonl: 'ndjson', jsonlines: 'ndjson', ldjson: 'ndjson', text: 'csv' },
  ...{ excel: 'xlsx', xls: 'xlsx', ods: 'xlsx', spreadsheet: 'xlsx' },
}

/** The spellings of these formats that were perhaps meant by one that names none of them. */
export function nearFormats(spelling: string, formats: readonly ExportFormat[]): readonly string[] {
  const plain = spelling.toLowerCase().replaceAll(/[^a-z]/g, '')
  const foreign = Object.hasOwn(FOREIGN, plain) ? FOREIGN[plain] : undefined
  if (foreign !== undefined && formats.includes(foreign)) return [foreign]
  return suggest(spelling, spellingsOf(formats))
}

/** The one of these formats that a spelling names, or undefined. */
export function findFormat<F extends ExportFormat>(spelling: string, formats: readonly F[]): F | undefined {
  return formats.find((format) => FORMAT_TABLE[format].spellings.includes(spelling))
}
