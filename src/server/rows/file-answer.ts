/** A file of rows or groups as an answer, with a key or without: headers, content coding, the stream. */

import type { App } from '../../app.ts'
import { type Parameter, writeQueryString } from '../../base/text/query-string.ts'
import { compressStream, negotiateEncoding } from '../../http/compression.ts'
import { notModified, weakEtag } from '../../http/etag.ts'
import { isHead } from '../../http/plain-requests.ts'
import { respond, respondStream } from '../../http/respond.ts'
import { emptyStream, primed } from '../../http/stream.ts'
import { exportDataset, type FileContents } from '../../query/files/export.ts'
import { type ExportFormat, FORMAT_TABLE } from '../../query/formats.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { Call } from '../call.ts'
import type { Readers } from './readers.ts'

/** A file that was asked for. */
export interface AskedFile extends FileContents {
  /** What it is a file of. */
  readonly kind: 'export' | 'aggregate'
  readonly format: ExportFormat
  /** Whether `Accept` may choose the format. */
  readonly isNegotiated?: boolean
  /** Whether the work before its first chunk is that of a long query, and counts as one of the reader's. */
  readonly isLong?: boolean
  /** Everything given, in order. */
  readonly parameters: readonly Parameter[]
}

/**
 * Answers with the file. HEAD gets its headers and does not count as a running export.
 * @throws ApiError `service_unavailable` when the reader or the service may run no further export, `rate_limited` beyond the
 *   reader's share of long queries; what the contents throw before their first chunk, such as DamagedFileError
 */
export async function answerFile(
  app: App,
  exchange: Call,
  served: ServedDataset,
  { headers: shared, prepared, slots, shares, readerOf }: Readers,
  file: AskedFile,
): Promise<Response> {
  const { request, requestId } = exchange
  const normalised = writeQueryString(file.parameters)
  const scopes = exchange.key?.scopes.tag ?? ''
  const etag = weakEtag(
    served.id,
    served.version,
    served.sha256,
    file.kind,
    file.format,
    normalised,
    exchange.base,
    scopes,
  )
  const unchanged = notModified(exchange, etag, prepared)
  if (unchanged !== undefined) return unchanged

  const { contentType, isPacked } = FORMAT_TABLE[file.format]
  const encoding = isPacked ? null : negotiateEncoding(request.headers.get('accept-encoding'))
  const headers = {
    ...shared,
    ...(file.isNegotiated && { Vary: `Accept, ${shared.Vary}` }),
    ETag: etag,
    'Content-Type': contentType,
    'Content-Disposition': `attachment; filename="${served.id}.${file.format}"`,
    ...(encoding !== null && { 'Content-Encoding': encoding }),
  }
  if (isHead(request)) return respond(exchange, 200, headers, emptyStream())
  const reader = readerOf(exchange)
  exchange.format = file.format
  exchange.rows = 0
  const chunks = exportDataset(app.openDatasets, served, file, {
    done: slots.take(reader),
    onRows: (rows) => {
      exchange.rows! += rows
    },
    ...(file.isLong && { share: shares.of(reader, exchange.query) }),
  })
  const source = await primed(chunks)
  return respondStream(exchange, headers, encoding === null ? source : compressStream(source, encoding), {
    failed: (error) =>
      app.log.error({ err: error, request_id: requestId, dataset: served.id }, 'an export broke'),
    over: () => void chunks.return(undefined),
    cut: app.openDatasets.endOf(served),
  })
}
