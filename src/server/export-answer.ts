/** An export of rows as an answer. */

import type { App } from '../app.ts'
import { exportRows } from '../engine/run.ts'
import { parseExportQuery } from '../query/query.ts'
import { schemaOf } from '../query/query-schema.ts'
import type { ServedDataset } from '../store/catalog/record.ts'
import type { Call } from './call.ts'
import { answerFile } from './file-answer.ts'
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
  const query = parseExportQuery(exchange.query, schemaOf(served))
  return answerFile(app, exchange, served, readers, {
    ...query,
    kind: 'export',
    chunks: (dataset, onRows) => exportRows(dataset, query, onRows),
  })
}
