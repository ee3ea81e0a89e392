/** The contents of files with rows or groups, by format. */

import packageJson from '../../../package.json' with { type: 'json' }
import { ApiError } from '../../base/errors.ts'
import type { AllGroups } from '../../engine/aggregate/aggregate.ts'
import { type ResultRow, resultFacts } from '../../engine/aggregate/group-query.ts'
import { exportRows } from '../../engine/export/export-rows.ts'
import { parquetOfGroups } from '../../engine/export/parquet/groups.ts'
import { exportParquet } from '../../engine/export/parquet/parquet.ts'
import { sheetOfGroups } from '../../engine/export/xlsx/groups.ts'
import {
  exportXlsx,
  MOST_SHEET_ROWS,
  type SheetFacts,
  TooManyRowsError,
  writeWorkbook,
} from '../../engine/export/xlsx/xlsx.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { textsAtPublication } from '../../store/catalog/edit.ts'
import type { VersionRecord } from '../../store/catalog/record.ts'
import type { AggregateRequest } from '../aggregate/aggregate-query.ts'
import { csvWriter, jsonRows } from '../aggregate/write-groups.ts'
import type { ExportFormat } from '../formats.ts'
import type { ExportRequest } from '../query.ts'
import { FACTS, PARAMETERS } from './texts/sheet-facts.ts'

const encoder = new TextEncoder()

/** Parameters that concern only the form of the file. */
const OF_THE_FILE: ReadonlySet<string> = new Set(['format', 'fields', 'bom', 'delimiter', 'safe'])

/** How a format is written. A chunk may be valid only until the next is requested; `onRows` gets the rows taken. */
interface FormatWriter {
  readonly rows: (
    dataset: OpenDataset,
    request: ExportRequest,
    record: VersionRecord,
    onRows: (rows: number) => void,
  ) => AsyncGenerator<Uint8Array>
  readonly groups: (
    dataset: OpenDataset,
    groups: AllGroups,
    request: AggregateRequest,
    record: VersionRecord,
    onRows: (rows: number) => void,
  ) => AsyncGenerator<Uint8Array>
}

/** A row for each format. */
export const FORMAT_WRITERS: Readonly<Record<ExportFormat, FormatWriter>> = {
  csv: {
    rows: (dataset, request, _, onRows) => exportRows(dataset, { ...request, format: 'csv' }, onRows),
    groups(_, groups, { results, csv }, __, onRows) {
      const { header, line } = csvWriter(results, csv)
      return textOfGroups(groups, header, line, onRows)
    },
  },
  ndjson: {
    rows: (dataset, request, _, onRows) => exportRows(dataset, { ...request, format: 'ndjson' }, onRows),
    groups(_, groups, { results }, __, onRows) {
      const write = jsonRows(results)
      return textOfGroups(groups, '', (row) => `${write(row)}\n`, onRows)
    },
  },
  xlsx: {
    async *rows(dataset, request, record, onRows) {
      try {
        yield* exportXlsx(dataset, { ...request, facts: sheetFacts(request, record) }, onRows)
      } catch (error) {
        if (error instanceof TooManyRowsError) throw tooManyRows()
        throw error
      }
    },
    async *groups(dataset, groups, request, record, onRows) {
      const sheet = await sheetOfGroups(groups, namedResults(dataset, request))
      yield* writeWorkbook(sheet, sheetFacts(request, record), onRows)
    },
  },
  parquet: {
    rows: (dataset, request, record, onRows) =>
      exportParquet(dataset, { ...request, ...parquetFacts(record) }, onRows),
    groups(dataset, groups, request, record, onRows) {
      const file = { results: namedResults(dataset, request), ...parquetFacts(record) }
      return parquetOfGroups(dataset, groups, file, onRows)
    },
  },
}

/**
 * The rows that a request matches. The file's texts are those from the version's publication: later edits change no file.
 * @throws ApiError `too_many_rows`, DamagedFileError, before the first chunk
 */
export function exportContents(
  dataset: OpenDataset,
  request: ExportRequest,
  record: VersionRecord,
  onRows: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  return FORMAT_WRITERS[request.format].rows(dataset, request, record, onRows)
}

async function* textOfGroups(
  groups: AllGroups,
  names: string,
  write: (row: ResultRow) => string,
  onRows: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  let header = names
  for await (const rows of groups.batches()) {
    yield encoder.encode(header + rows.map(write).join(''))
    header = ''
    onRows(rows.length)
  }
  if (header !== '') yield encoder.encode(header)
}

function namedResults({ columns }: OpenDataset, { results, query }: AggregateRequest) {
  const facts = resultFacts(columns, query)
  return results.map(({ name }, index) => ({ name, ...facts[index]! }))
}

/** The creator of a version's file, and its key-value metadata (contract 8). */
function parquetFacts(record: VersionRecord) {
  const { license } = textsAtPublication(record)
  return {
    createdBy: `izvor version ${packageJson.version}`,
    metadata: {
      'izvor.dataset': record.dataset.id,
      'izvor.version': String(record.version),
      'izvor.source_sha256': record.provenance.source_sha256,
      ...(license !== null && { 'izvor.license': license }),
    },
  }
}

/** Refuses a workbook with all rows of a version before any work. @throws ApiError `too_many_rows` */
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

/** The sheet about the rows, in both languages, as the file is the same for all readers. */
function sheetFacts({ parameters }: Pick<ExportRequest, 'parameters'>, record: VersionRecord): SheetFacts {
  const { title, publisher, license, id, source_url } = textsAtPublication(record)
  const { imported_at, source_file } = record.provenance
  const filters = parameters.filter(({ name }) => !OF_THE_FILE.has(name))
  const lines: readonly (readonly [label: string, value: string | null])[] = [
    [FACTS.title, title],
    [FACTS.dataset, id],
    [FACTS.publisher, publisher],
    [FACTS.licence, license],
    [FACTS.source, source_url ?? source_file],
    [FACTS.version, String(record.version)],
    [FACTS.date, imported_at],
    ...filters.map(({ name, value }) => {
      const label = PARAMETERS[name]
      return [label ?? FACTS.filter, label === undefined ? `${name}=${value}` : value] as const
    }),
  ]
  return {
    title,
    publisher,
    changed: new Date(imported_at),
    lines: lines.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const])),
  }
}
