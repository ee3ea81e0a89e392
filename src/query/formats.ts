/** The export formats, one row each. */

import { suggest } from '../base/text/suggest.ts'

export type ExportFormat = 'csv' | 'ndjson'

export interface FormatRow {
  readonly name: ExportFormat
  readonly contentType: string
  /** What may be written for `format`. */
  readonly spellings: readonly string[]
}

/** Specification 4.7: `json` is an alias of `ndjson`. */
export const FORMAT_TABLE: Readonly<Record<ExportFormat, FormatRow>> = {
  csv: { name: 'csv', contentType: 'text/csv; charset=utf-8', spellings: ['csv'] },
  ndjson: {
    name: 'ndjson',
    contentType: 'application/x-ndjson; charset=utf-8',
    spellings: ['ndjson', 'json'],
  },
}

/** What may be written for `delimiter`, and what it is. */
export const DELIMITERS: Readonly<Record<string, string>> = {
  ...{ ',': ',', ';': ';', tab: '\t', '\t': '\t', '|': '|' },
}

export const DEFAULT_FORMAT: ExportFormat = 'csv'

const ROWS = Object.values(FORMAT_TABLE)

/** Everything that may be written for `format`, in the specification's order. */
export const FORMAT_SPELLINGS: readonly string[] = ROWS.flatMap((row) => row.spellings)

/** What others call a format. */
const FOREIGN: Readonly<Record<string, string>> = {
  ...{ jsonl: 'ndjson', jsonlines: 'ndjson', ldjson: 'ndjson', excel: 'csv', text: 'csv' },
}

/** The spellings that were perhaps meant by one that names no format. */
export function nearFormats(spelling: string): readonly string[] {
  const plain = spelling.toLowerCase().replaceAll(/[^a-z]/g, '')
  const foreign = Object.hasOwn(FOREIGN, plain) ? FOREIGN[plain] : undefined
  return foreign === undefined ? suggest(spelling, FORMAT_SPELLINGS) : [foreign]
}

/** The format that a spelling names, or undefined. */
export function findFormat(spelling: string): ExportFormat | undefined {
  return ROWS.find((row) => row.spellings.includes(spelling))?.name
}
