/** The export formats, one row each. */

import { suggest } from '../base/text/suggest.ts'

/** Formats of files, of rows and of groups. */
export type ExportFormat = 'csv' | 'ndjson' | 'xlsx' | 'parquet'

interface FormatRow {
  readonly name: ExportFormat
  readonly contentType: string
  /** Whether its bytes are packed already: no content coding makes them smaller. */
  readonly isPacked: boolean
  /** What may be written for `format`; the name is also the ending of the file's name. */
  readonly spellings: readonly string[]
  readonly foreign: readonly string[]
  /** The text of its link in the explorer, in both languages, and its place among the links. */
  readonly label: string
  readonly place: number
}

/** Specification 4.7: `json` is an alias of `ndjson`. Each is written by its row in `files/export-contents.ts`. */
export const FORMAT_TABLE: Readonly<Record<ExportFormat, FormatRow>> = {
  csv: {
    name: 'csv',
    contentType: 'text/csv; charset=utf-8',
    isPacked: false,
    spellings: ['csv'],
    foreign: ['text'],
    label: 'CSV',
    place: 1,
  },
  ndjson: {
    name: 'ndjson',
    contentType: 'application/x-ndjson; charset=utf-8',
    isPacked: false,
    spellings: ['ndjson', 'json'],
    foreign: ['jsonl', 'jsonlines', 'ldjson'],
    label: 'NDJSON',
    place: 3,
  },
  xlsx: {
    name: 'xlsx',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    isPacked: true,
    spellings: ['xlsx'],
    foreign: ['excel', 'xls', 'ods', 'spreadsheet'],
    label: 'Excel (XLSX)',
    place: 2,
  },
  parquet: {
    name: 'parquet',
    contentType: 'application/vnd.apache.parquet',
    isPacked: true,
    spellings: ['parquet'],
    foreign: [],
    label: 'Parquet',
    place: 4,
  },
}

/** What may be written for `delimiter`, and what it is. */
export const DELIMITERS: Readonly<Record<string, string>> = {
  ',': ',',
  ';': ';',
  tab: '\t',
  '\t': '\t',
  '|': '|',
}

export const DEFAULT_FORMAT: ExportFormat = 'csv'

const ROWS = Object.values(FORMAT_TABLE)

export const EXPORT_FORMATS: readonly ExportFormat[] = ROWS.map((row) => row.name)

/** Everything that may be written for one of the formats, in the specification's order. */
export function spellingsOf(formats: readonly ExportFormat[]): string[] {
  return formats.flatMap((format) => FORMAT_TABLE[format].spellings)
}

/** The spellings of these formats that were perhaps meant by one that names none of them. */
export function nearFormats(spelling: string, formats: readonly ExportFormat[]): readonly string[] {
  const plain = spelling.toLowerCase().replaceAll(/[^a-z]/g, '')
  const foreign = formats.find((format) => FORMAT_TABLE[format].foreign.includes(plain))
  if (foreign !== undefined) return [foreign]
  return suggest(spelling, spellingsOf(formats))
}

/** The one of these formats that a spelling names, or undefined. */
export function findFormat<F extends ExportFormat>(spelling: string, formats: readonly F[]): F | undefined {
  return formats.find((format) => FORMAT_TABLE[format].spellings.includes(spelling))
}
