/** An export as an answer, with a key or without: headers, content coding, the stream. */

import type { ServedDataset } from '../catalog/record.ts'
import { exportDataset } from '../datasets/export.ts'
import { FORMAT_TABLE } from '../datasets/formats.ts'
import type { ExportRequest } from '../datasets/query.ts'
import { compressStream, negotiateEncoding } from './compression.ts'
import type { Exchange } from './exchange.ts'
import { isHead } from './plain-requests.ts'
import { type AnswerHeaders, respond, respondStream } from './respond.ts'
import { emptyStream, primed } from './stream.ts'

export interface ExportAnswer {
  readonly served: ServedDataset
  readonly query: ExportRequest
  /** What such answers share, and the entity tag. */
  readonly headers: AnswerHeaders
  /** Takes a place among the exports that may run, or refuses; gives it back when called. */
  readonly takePlace: () => () => void
  /** What the log says of one that fails on the way. */
  readonly broke: string
}

/**
 * Answers with the file. HEAD gets its headers and takes no place.
 * @throws ApiError from `takePlace`; DamagedFileError before the first byte
 */
export async function answerWithExport(exchange: Exchange, answer: ExportAnswer): Promise<Response> {
  const { request, service } = exchange
  const { served, query, takePlace, broke } = answer
  const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
  const headers = {
    ...answer.headers,
    'Content-Type': FORMAT_TABLE[query.format].contentType,
    'Content-Disposition': `attachment; filename="${served.id}.${query.format}"`,
    ...(encoding !== null && { 'Content-Encoding': encoding }),
  }
  if (isHead(request)) return respond(exchange, 200, headers, emptyStream())
  const chunks = exportDataset(service.openDatasets, served, query, takePlace())
  const source = await primed(chunks)
  return respondStream(exchange, headers, encoding === null ? source : compressStream(source, encoding), {
    failed: (error) =>
      service.log.error({ err: error, request_id: exchange.requestId, dataset: served.id }, broke),
    over: () => void chunks.return(undefined),
  })
}
