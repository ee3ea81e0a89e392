/** The export formats, one row each. */

import { suggest } from '../base/text/suggest.ts'

/** Formats of files with rows or groups. */
export type ExportFormat = 'csv' | 'ndjson' | 'xlsx' | 'parquet'

interface FormatRow {
  readonly name: ExportFormat
  readonly contentType: string
  /** Whether its bytes are compressed already: a content coding would not make them smaller. */
  readonly isPacked: boolean
  /** Accepted values of `format`; the name is also the file's extension. */
  readonly spellings: readonly string[]
  readonly foreign: readonly string[]
  /** The text of its link in the explorer, in both languages, and its position among the links. */
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

/** Accepted values of `delimiter`, and the character that each means. */
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

/** All accepted spellings of these formats, in the specification's order. */
export function spellingsOf(formats: readonly ExportFormat[]): string[] {
  return formats.flatMap((format) => FORMAT_TABLE[format].spellings)
}

/** Spellings of these formats that an unknown one may have meant. */
export function nearFormats(spelling: string, formats: readonly ExportFormat[]): readonly string[] {
  const plain = spelling.toLowerCase().replaceAll(/[^a-z]/g, '')
  const foreign = formats.find((format) => FORMAT_TABLE[format].foreign.includes(plain))
  if (foreign !== undefined) return [foreign]
  return suggest(spelling, spellingsOf(formats))
}

/** The format that a spelling names; undefined if none. */
export function findFormat<F extends ExportFormat>(spelling: string, formats: readonly F[]): F | undefined {
  return formats.find((format) => FORMAT_TABLE[format].spellings.includes(spelling))
}
