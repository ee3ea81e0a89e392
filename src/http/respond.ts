/** The one place that makes a `Response`: it adds the request id and tells the exchange when the answer ends. */

import { acceptedEncoding, compress } from './compression.ts'
import type { Exchange } from './exchange.ts'
import { awaitEnd } from './file-body.ts'
import { ACCOUNT_HEADERS, JSON_TYPE } from './headers.ts'
import { isHead, originalOf } from './plain-requests.ts'
import { type StreamEnd, streamBody } from './stream.ts'

export type AnswerHeaders = Readonly<Record<string, string>>

type Body = Uint8Array<ArrayBuffer> | ReadableStream | Blob | null

/** Answers and ends the exchange. A stream given here counts as empty: `respondStream` measures. */
export function respond(
  exchange: Exchange,
  status: number,
  headers: AnswerHeaders | Headers,
  body: Body,
): Response {
  const response = makeResponse(exchange, status, headers, body)
  exchange.ended(status, body instanceof Uint8Array && !isHead(exchange.request) ? body.length : 0)
  return response
}

/** Answers 200 with a stream; the exchange ends when the stream is over. */
export function respondStream(
  exchange: Exchange,
  headers: AnswerHeaders,
  source: AsyncGenerator<Uint8Array>,
  end: Omit<StreamEnd, 'cutOff'>,
): Response {
  const body = streamBody(source, {
    ...end,
    cutOff: () => exchange.cutOff(),
    failed(error) {
      exchange.broke()
      end.failed(error)
    },
    over(bytes) {
      end.over(bytes)
      exchange.ended(200, bytes)
    },
  })
  return makeResponse(exchange, 200, headers, body)
}

/**
 * Answers with a file or a part of it, which the runtime sends; the exchange ends when it has been sent.
 * @param bytes length of the body @param end `over` is called once, as the exchange ends; `cut` closes the connection
 */
export function respondFile(
  exchange: Exchange,
  status: 200 | 206,
  headers: AnswerHeaders,
  body: Blob,
  bytes: number,
  { over, cut }: { readonly over: () => void; readonly cut: AbortSignal },
): Response {
  const response = makeResponse(exchange, status, headers, body)
  const { signal } = originalOf(exchange.request)
  const cutOff = () => exchange.cutOff()
  cut.addEventListener('abort', cutOff)
  awaitEnd(
    () => exchange.isOpen,
    () => {
      cut.removeEventListener('abort', cutOff)
      over()
      // How much a client received before it went away is unknown.
      exchange.ended(status, signal.aborted ? 0 : bytes)
    },
  )
  return response
}

/** Adds our headers to the response: cheaper than joining both sets before. */
function makeResponse(
  exchange: Exchange,
  status: number,
  headers: AnswerHeaders | Headers,
  body: Body,
): Response {
  const response = new Response(body, { status, headers })
  response.headers.set('X-Request-Id', exchange.requestId)
  // The runtime dates all other answers.
  if (isHead(exchange.request)) response.headers.set('Date', new Date().toUTCString())
  exchange.begins(status, response.headers)
  return response
}

/** As `respond`, with the body compressed where the client takes that and it saves bytes. */
export function respondCompressed(
  exchange: Exchange,
  status: number,
  headers: AnswerHeaders,
  body: Uint8Array<ArrayBuffer>,
): Response {
  const encoding = acceptedEncoding(body, exchange.request.headers.get('accept-encoding'))
  if (encoding === null) return respond(exchange, status, headers, body)
  return respond(exchange, status, { ...headers, 'Content-Encoding': encoding }, compress(body, encoding))
}

const encoder = new TextEncoder()

export function respondJson(
  exchange: Exchange,
  status: number,
  headers: AnswerHeaders,
  value: unknown,
): Response {
  const body = encoder.encode(JSON.stringify(value))
  return respondCompressed(exchange, status, { 'Content-Type': JSON_TYPE, ...headers }, body)
}

/** The headers of every answer below `/account`. Call it last, once the cookie is set. */
export function accountHeaders({ cookie }: Exchange): AnswerHeaders {
  return cookie === undefined ? ACCOUNT_HEADERS : { ...ACCOUNT_HEADERS, 'Set-Cookie': cookie }
}
