/** The one place where a `Response` is made: every answer gets its request id here and is counted here. */

import { hideKeys } from '../keys/key-format.ts'
import { compressBody } from './compression.ts'
import type { Exchange } from './exchange.ts'
import { JSON_TYPE } from './headers.ts'
import { returnCall, setLimitHeaders, settleCall } from './limits.ts'
import { isHead } from './plain-requests.ts'
import { type StreamEnd, streamBody } from './stream.ts'

export type AnswerHeaders = Readonly<Record<string, string>>

type Body = Uint8Array<ArrayBuffer> | ReadableStream | null

/** Ends an exchange. A stream given here is taken for empty by the log: `respondStream` measures. */
export function respond(
  exchange: Exchange,
  status: number,
  headers: AnswerHeaders | Headers,
  body: Body,
): Response {
  const sent = body instanceof Uint8Array && !isHead(exchange.request) ? body.length : 0
  if (exchange.key !== undefined) {
    settleCall(exchange, status)
    record(exchange, exchange.ip, status, sent)
  }
  exchange.service.answers.note(exchange, status, sent)
  return makeResponse(exchange, status, headers, body)
}

/** Ends an exchange with a stream (200), which is recorded when it is over. A call whose stream breaks is returned. */
export function respondStream(
  exchange: Exchange,
  headers: AnswerHeaders,
  source: AsyncGenerator<Uint8Array>,
  end: StreamEnd,
): Response {
  const { ip } = exchange
  const { answers } = exchange.service
  answers.streams++
  const body = streamBody(source, {
    failed(error) {
      returnCall(exchange)
      end.failed(error)
    },
    over(bytes) {
      end.over(bytes)
      answers.streams--
      if (exchange.key !== undefined) record(exchange, ip, 200, bytes)
      answers.note(exchange, 200, bytes)
    },
  })
  return makeResponse(exchange, 200, headers, body)
}

/** What is this answer's alone is added to a response with the shared headers: that is cheaper than to join them before. */
function makeResponse(
  exchange: Exchange,
  status: number,
  headers: AnswerHeaders | Headers,
  body: Body,
): Response {
  const response = new Response(body, { status, headers })
  const all = response.headers
  all.set('X-Request-Id', exchange.requestId)
  if (exchange.key !== undefined) {
    setLimitHeaders(all, exchange)
    // Not below /account: how long a refusal took is what would tell a known address from an unknown one.
    if (exchange.service.config.server_timing) all.set('Server-Timing', timingOf(exchange))
  }
  // Whoever keeps a connection open goes to another process with the next request.
  if (exchange.service.answers.isDraining) all.set('Connection', 'close')
  return response
}

/** W3C Server Timing: what this process took until the answer began, and whether it was kept from an earlier one. */
function timingOf({ startMark, cache }: Exchange): string {
  // Of whole numbers: to write a fraction takes longer than all else here.
  const microseconds = Math.round((performance.now() - startMark) * 1000)
  const total = `total;dur=${Math.floor(microseconds / 1000)}.${String(microseconds % 1000).padStart(3, '0')}`
  return cache === undefined ? total : `${total}, cache;desc=${cache}`
}

/** Puts an answer into the request log, with whatever looks like a key hidden. */
function record(exchange: Exchange, ip: string, status: number, bytes: number): void {
  const { request, service, startedAt, startMark, key } = exchange
  const userAgent = request.headers.get('user-agent')
  service.usage.record({
    keyId: key!.keyId,
    at: startedAt,
    method: isHead(request) ? 'HEAD' : request.method,
    path: hideKeys(exchange.path),
    query: hideKeys(exchange.query),
    status,
    latencyMs: performance.now() - startMark,
    bytes,
    ip,
    userAgent: userAgent === null ? null : hideKeys(userAgent),
    requestId: hideKeys(exchange.requestId),
  })
}

/** As `respond`, with the body compressed where the client takes it and it is worth it. */
export function respondCompressed(
  exchange: Exchange,
  status: number,
  headers: AnswerHeaders,
  body: Uint8Array<ArrayBuffer>,
): Response {
  const packed = compressBody(body, exchange.request.headers.get('accept-encoding'))
  if (packed === undefined) return respond(exchange, status, headers, body)
  return respond(exchange, status, { ...headers, 'Content-Encoding': packed.encoding }, packed.body)
}

const encoder = new TextEncoder()

/** Answers with a value as JSON. */
export function respondJson(
  exchange: Exchange,
  status: number,
  headers: AnswerHeaders,
  value: unknown,
): Response {
  const body = encoder.encode(JSON.stringify(value))
  return respondCompressed(exchange, status, { 'Content-Type': JSON_TYPE, ...headers }, body)
}
