/** An export of rows as an answer. */

import type { App } from '../app.ts'
import { preferredType } from '../http/negotiation.ts'
import { exportContents, requireSheetRows } from '../query/export-contents.ts'
import { DEFAULT_FORMAT, type ExportFormat, FORMAT_TABLE } from '../query/formats.ts'
import { type ExportRequest, parseExportQuery } from '../query/query.ts'
import { schemaOf } from '../query/query-schema.ts'
import { refuseDataset } from '../store/catalog/missing-dataset.ts'
import type { ServedDataset } from '../store/catalog/record.ts'
import { answerBulkFile, asksForAll } from './bulk-file-answer.ts'
import type { Call } from './call.ts'
import { type AskedFile, answerFile } from './file-answer.ts'
import type { Readers } from './readers.ts'

/**
 * Answers with the file of the rows that match.
 * @throws ApiError 422 codes, and as `answerFile`
 */
export async function answerExport(
  app: App,
  exchange: Call,
  served: ServedDataset,
  readers: Readers,
): Promise<Response> {
  exchange.dataset = served.id
  const query = parseExportQuery(exchange.query, schemaOf(served), acceptedFormat(exchange.request))
  return answerRowsFile(app, exchange, served, readers, query)
}

/**
 * As `answerExport`, of a query that was read.
 * @throws ApiError as `answerFile`
 */
export async function answerRowsFile(
  app: App,
  exchange: Call,
  served: ServedDataset,
  readers: Readers,
  query: ExportRequest,
): Promise<Response> {
  requireSheetRows(query, served.rows)
  const record = app.catalog.record(served.id, served.version)
  if (record === undefined) throw refuseDataset(app.catalog, served.id, served.id, 'path.dataset')
  const file: AskedFile = {
    ...query,
    kind: 'export',
    isNegotiated: true,
    chunks: (dataset, onRows) => exportContents(dataset, query, record, onRows),
  }
  const whole = asksForAll(file) ? await answerBulkFile(app, exchange, served, readers, file) : null
  return whole ?? answerFile(app, exchange, served, readers, file)
}

/** The format that `Accept` names, where `format` is absent. */
function acceptedFormat({ headers }: Request): ExportFormat {
  const rows = Object.values(FORMAT_TABLE)
  const types = rows.map((row) => row.contentType.split(';')[0]!)
  const type = preferredType(headers.get('accept'), types)
  return type === undefined ? DEFAULT_FORMAT : rows[types.indexOf(type)]!.name
}
