/** Answers that are sent while they are being made. */

import type { App } from '../app.ts'
import type { ValueOrPromise } from '../base/value-or-promise.ts'
import { compressStream, negotiateEncoding } from '../http/compression.ts'
import type { Exchange } from '../http/exchange.ts'
import { isHead } from '../http/plain-requests.ts'
import { type AnswerHeaders, respond, respondStream } from '../http/respond.ts'
import { emptyStream, primed } from '../http/stream.ts'

interface Making {
  /** The log message when the answer breaks off; `about` adds fields. */
  readonly broke: string
  readonly about?: object
  /** Whether the chunks are compressed already. */
  readonly isPacked?: boolean
  /** Wraps the bytes as they are sent. */
  readonly passOn?: (body: AsyncGenerator<Uint8Array>) => AsyncGenerator<Uint8Array>
  /** Breaks the answer off. */
  readonly cut?: AbortSignal
}

/**
 * Answers 200 with chunks, compressed where the client accepts that. The first chunk is made before the answer begins. The
 * generator ends with the answer, however that ends.
 * @param make is not called for HEAD, which gets the headers alone
 * @throws what `make` and the first chunk throw
 */
export async function respondMade(
  app: App,
  exchange: Exchange,
  headers: AnswerHeaders,
  make: () => ValueOrPromise<AsyncGenerator<Uint8Array>>,
  { broke, about, isPacked = false, passOn = (body) => body, cut }: Making,
): Promise<Response> {
  const { request, requestId } = exchange
  const encoding = isPacked ? null : negotiateEncoding(request.headers.get('accept-encoding'))
  const sent = encoding === null ? headers : { ...headers, 'Content-Encoding': encoding }
  if (isHead(request)) return respond(exchange, 200, sent, emptyStream())
  const chunks = await make()
  const source = await primed(chunks)
  return respondStream(
    exchange,
    sent,
    passOn(encoding === null ? source : compressStream(source, encoding)),
    {
      failed: (error) => app.log.error({ err: error, request_id: requestId, ...about }, broke),
      over: () => void chunks.return(undefined),
      ...(cut && { cut }),
    },
  )
}
