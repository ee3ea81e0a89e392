/** The one place where a `Response` is made: every answer gets its request id here and is counted here. */

import { compressBody } from './compression.ts'
import type { Exchange } from './exchange.ts'
import { JSON_TYPE } from './headers.ts'

export type AnswerHeaders = Readonly<Record<string, string>>

type Body = Uint8Array<ArrayBuffer> | ReadableStream | null

/** Ends an exchange. */
export function respond(exchange: Exchange, status: number, headers: AnswerHeaders, body: Body): Response {
  recordUse(exchange, status)
  return new Response(body, { status, headers: { ...headers, 'X-Request-Id': exchange.requestId } })
}

/**
 * An authenticated request is a use of its key; it uses the quota unless the answer is a 304, a 429 or the service's
 * own failure (contract 2).
 */
function recordUse({ key, service, startedAt }: Exchange, status: number): void {
  if (key === undefined) return
  const counted = status !== 304 && status !== 429 && status < 500
  service.usage.record({ keyId: key.keyId, counted, at: startedAt })
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
