/**
 * Request bodies, bounded by what the route declares. The server underneath takes any size, because its own refusal has
 * no body; here a larger body is a 413 in the error envelope, with or without a declared length.
 */

import { ApiError } from '../base/errors.ts'
import { LIMITS, refuseBy } from '../base/limits.ts'
import type { Exchange } from './exchange.ts'

export type BodyExchange = Pick<Exchange, 'request' | 'traits' | 'bodies'>

/**
 * Checks two headers and nothing else: most requests have no body and should be fast. The runtime hands out no body of
 * GET, HEAD and TRACE; a chunked one cannot be measured there, so it is refused.
 * @throws ApiError `payload_too_large` when the length is too large, or neither declared nor measurable
 */
export function refuseDeclaredSize({ request, traits }: Pick<BodyExchange, 'request' | 'traits'>): void {
  const { headers } = request
  const declared = headers.get('content-length')
  if (declared !== null && Number(declared) > traits.largestBody) throw tooLarge(traits.largestBody)
  if (headers.get('transfer-encoding') !== null && request.body === null) throw unmeasured(request)
}

/**
 * For answers that do not read the body: a client could send a chunked one without end.
 * @throws ApiError `payload_too_large` as `refuseDeclaredSize`, and for every chunked body
 */
export function refuseUnreadBody(exchange: Pick<BodyExchange, 'request' | 'traits'>): void {
  refuseDeclaredSize(exchange)
  if (exchange.request.headers.get('transfer-encoding') !== null) throw unmeasured(exchange.request)
}

/**
 * Reads a whole body into memory.
 * @throws ApiError `payload_too_large` as soon as more bytes arrive than the route takes, `request_timeout` for a body that
 * takes longer than the route allows, or is dropped because too many are arriving
 */
export async function readBody(exchange: BodyExchange): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const { piece, held } of heldPieces(exchange)) {
    held.grow(piece.length)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/**
 * Reads a body of which only the size matters, and keeps nothing.
 * @throws ApiError as `readBody`
 */
export async function measureBody(exchange: BodyExchange): Promise<void> {
  for await (const { piece } of heldPieces(exchange)) freePiece(piece)
}

/** Frees the memory of a piece at once: left to the collector, a fast upload piles up tens of megabytes. */
export function freePiece({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** The pieces of a body, which counts as held while it arrives and has a deadline. */
async function* heldPieces(exchange: BodyExchange) {
  const { bodySeconds } = exchange.traits
  const ending = new AbortController()
  const held = exchange.bodies.hold(() => {
    const message = 'Too many request bodies are arriving at once, and this one was dropped. Send it again.'
    ending.abort(refuseBy('held_bodies', message))
  })
  const late = setTimeout(() => {
    const limit = bodySeconds > LIMITS.short_body_time.most ? 'body_time' : 'short_body_time'
    const message = `The request body was not complete after ${bodySeconds} seconds.`
    ending.abort(refuseBy(limit, message))
  }, bodySeconds * 1000)
  try {
    for await (const piece of readPieces(exchange, { ends: ending.signal })) yield { piece, held }
  } finally {
    clearTimeout(late)
    held.release()
  }
}

/** The slowest pace of a body: the least bytes in each period (contract 10). */
const SLOWEST = { bytes: 30 * LIMITS.body_pace.most * 1024, ms: 30_000 }

/**
 * A body piece by piece, as it arrives; the client is held up until the next one is taken.
 * @throws ApiError `payload_too_large` as soon as more bytes arrive than the route takes, `request_timeout` for a body that
 * trickles; the reason of `ends`
 */
export async function* readPieces(
  exchange: BodyExchange,
  { slowest = SLOWEST, ends }: { readonly slowest?: typeof SLOWEST; readonly ends?: AbortSignal } = {},
): AsyncGenerator<Uint8Array> {
  refuseDeclaredSize(exchange)
  const { largestBody } = exchange.traits
  const reader = (exchange.request.body as ReadableStream<Uint8Array> | null)?.getReader()
  if (reader === undefined) return
  let length = 0
  let before = 0
  let isSlow = false
  const watch = setInterval(() => {
    isSlow = length - before < slowest.bytes
    before = length
    if (isSlow) void reader.cancel()
  }, slowest.ms)
  const giveUp = () => void reader.cancel()
  ends?.addEventListener('abort', giveUp)
  try {
    ends?.throwIfAborted()
    for (;;) {
      const { done, value } = await reader.read()
      if (isSlow) {
        const rate = Math.round(slowest.bytes / slowest.ms)
        const period = `less than ${rate} KB a second for ${slowest.ms / 1000} seconds`
        throw refuseBy('body_pace', `The request body came too slowly: ${period}.`)
      }
      ends?.throwIfAborted()
      if (done) return
      length += value.length
      if (length > largestBody) throw tooLarge(largestBody)
      yield value
    }
  } finally {
    clearInterval(watch)
    ends?.removeEventListener('abort', giveUp)
    void reader.cancel().catch(() => {})
  }
}

function unmeasured({ method }: Request): ApiError {
  const message = `${method} takes no chunked body, whose size is not known: send no body, or its Content-Length.`
  return new ApiError('payload_too_large', message)
}

function tooLarge(most: number): ApiError {
  const size = most < 2 ** 20 ? `${most / 2 ** 10} KB` : `${Math.round(most / 2 ** 20)} MB`
  const message = `The request body is larger than ${size} (${most.toLocaleString('en')} bytes).`
  return new ApiError('payload_too_large', message)
}
