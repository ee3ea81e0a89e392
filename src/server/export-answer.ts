/** An export as an answer, with a key or without: headers, content coding, the stream. */

import type { App } from '../app.ts'
import { writeQueryString } from '../base/text/query-string.ts'
import { compressStream, negotiateEncoding } from '../http/compression.ts'
import { notModified, weakEtag } from '../http/etag.ts'
import { isHead } from '../http/plain-requests.ts'
import { respond, respondStream } from '../http/respond.ts'
import { emptyStream, primed } from '../http/stream.ts'
import { exportDataset } from '../query/export.ts'
import { FORMAT_TABLE } from '../query/formats.ts'
import { parseExportQuery } from '../query/query.ts'
import { schemaOf } from '../query/query-schema.ts'
import type { ServedDataset } from '../store/catalog/record.ts'
import type { Call } from './call.ts'
import type { Readers } from './readers.ts'

/**
 * Answers with the file. HEAD gets its headers and does not count as a running export.
 * @throws ApiError 422 codes, `service_unavailable` when the reader or the service may run no further export;
 *   DamagedFileError before the first byte
 */
export async function answerExport(
  app: App,
  exchange: Call,
  served: ServedDataset,
  { headers: shared, prepared, slots, readerOf }: Readers,
): Promise<Response> {
  const { request, requestId } = exchange
  exchange.dataset = served.id
  const query = parseExportQuery(exchange.query, schemaOf(served))
  const normalised = writeQueryString(query.parameters)
  const scopes = exchange.key?.scopes.tag ?? ''
  const etag = weakEtag(served.id, served.version, served.sha256, 'export', normalised, exchange.base, scopes)
  const unchanged = notModified(exchange, etag, prepared)
  if (unchanged !== undefined) return unchanged

  const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
  const headers = {
    ...shared,
    ETag: etag,
    'Content-Type': FORMAT_TABLE[query.format].contentType,
    'Content-Disposition': `attachment; filename="${served.id}.${query.format}"`,
    ...(encoding !== null && { 'Content-Encoding': encoding }),
  }
  if (isHead(request)) return respond(exchange, 200, headers, emptyStream())
  exchange.format = query.format
  exchange.rows = 0
  const chunks = exportDataset(app.openDatasets, served, query, {
    done: slots.take(readerOf(exchange)),
    onRows: (rows) => {
      exchange.rows! += rows
    },
  })
  const source = await primed(chunks)
  return respondStream(exchange, headers, encoding === null ? source : compressStream(source, encoding), {
    failed: (error) =>
      app.log.error({ err: error, request_id: requestId, dataset: served.id }, 'an export broke'),
    over: () => void chunks.return(undefined),
  })
}
