/** What the file of an export holds, by its format. */

import packageJson from '../../../package.json' with { type: 'json' }
import { ApiError } from '../../base/errors.ts'
import { exportRows } from '../../engine/export/export-rows.ts'
import { exportParquet } from '../../engine/export/parquet/parquet.ts'
import {
  exportXlsx,
  MOST_SHEET_ROWS,
  type SheetFacts,
  TooManyRowsError,
} from '../../engine/export/xlsx/xlsx.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { textsAtPublication } from '../../store/catalog/edit.ts'
import type { VersionRecord } from '../../store/catalog/record.ts'
import type { ExportRequest } from '../query.ts'

/** Who wrote a file. */
export const CREATED_BY = `izvor version ${packageJson.version}`

/** Parameters that leave rows out or order them. */
const OF_THE_FILE: ReadonlySet<string> = new Set(['format', 'fields', 'bom', 'delimiter', 'safe'])

/**
 * The rows that a request matches as chunks of bytes; each may be lent until the next is asked for. What is said about them
 * is what was said when the version was published: later edits change no file.
 * @param onRows gets the number of rows that the reader has taken
 * @throws ApiError `too_many_rows`, DamagedFileError, before the first chunk
 */
export function exportContents(
  dataset: OpenDataset,
  request: ExportRequest,
  record: VersionRecord,
  onRows: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  const { format } = request
  if (format === 'xlsx') return exportWorkbook(dataset, request, record, onRows)
  if (format !== 'parquet') return exportRows(dataset, { ...request, format }, onRows)
  const metadata = parquetMetadata(record)
  return exportParquet(dataset, { ...request, createdBy: CREATED_BY, metadata }, onRows)
}

/** Key-value metadata of a file of a version (contract 8). */
export function parquetMetadata(record: VersionRecord): Record<string, string> {
  const { license } = textsAtPublication(record)
  return {
    'izvor.dataset': record.dataset.id,
    'izvor.version': String(record.version),
    'izvor.source_sha256': record.provenance.source_sha256,
    ...(license !== null && { 'izvor.license': license }),
  }
}

async function* exportWorkbook(
  dataset: OpenDataset,
  request: ExportRequest,
  record: VersionRecord,
  onRows: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* exportXlsx(dataset, { ...request, facts: sheetFacts(request, record) }, onRows)
  } catch (error) {
    if (error instanceof TooManyRowsError) throw tooManyRows()
    throw error
  }
}

/** Refuses a workbook of all rows of a version before anything is done. @throws ApiError `too_many_rows` */
export function requireSheetRows({ format, filters }: ExportRequest, rows: number): void {
  if (format === 'xlsx' && filters.length === 0 && rows > MOST_SHEET_ROWS) throw tooManyRows()
}

function tooManyRows(): ApiError {
  const most = MOST_SHEET_ROWS.toLocaleString('en')
  const message = `A sheet has room for ${most} rows: filter them, or take format=csv or format=parquet.`
  return new ApiError('too_many_rows', message, [
    { location: 'query.format', message, suggestions: ['csv', 'parquet'] },
  ])
}

/** Parameters that choose no rows. */
const LABELS: Readonly<Record<string, string>> = {
  group_by: 'Groups / Grupe',
  measures: 'Measures / Măsuri',
  sort: 'Order / Ordine',
}

/** The sheet about the rows, in both languages: it is the same file for all who ask. */
export function sheetFacts(
  { parameters }: Pick<ExportRequest, 'parameters'>,
  record: VersionRecord,
): SheetFacts {
  const { title, publisher, license, id, source_url } = textsAtPublication(record)
  const { imported_at, source_file } = record.provenance
  const filters = parameters.filter(({ name }) => !OF_THE_FILE.has(name))
  const lines: readonly (readonly [label: string, value: string | null])[] = [
    ['Title / Titlu', title],
    ['Dataset / Set de date', id],
    ['Publisher / Editor', publisher],
    ['Licence / Licență', license],
    ['Source / Sursă', source_url ?? source_file],
    ['Version / Versiune', String(record.version)],
    ['Date / Data', imported_at],
    ...filters.map(
      ({ name, value }) =>
        [LABELS[name] ?? 'Filter / Filtru', LABELS[name] ? value : `${name}=${value}`] as const,
    ),
  ]
  return {
    ...{ title, publisher, changed: new Date(imported_at) },
    lines: lines.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const])),
  }
}
