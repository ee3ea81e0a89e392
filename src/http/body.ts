/**
 * Request bodies, bounded by what the route declares. The server underneath takes any size, because its own refusal has
 * no body; here a larger body is a 413 in the error envelope, with or without a declared length.
 */

import { ApiError } from '../base/errors.ts'
import type { Exchange } from './exchange.ts'

/** The parts of an exchange that its body needs. */
export type BodyExchange = Pick<Exchange, 'request' | 'traits'>

/**
 * Looks at two headers and nothing else: most requests have no body and should be fast. The server hands out no body of
 * GET, HEAD and TRACE; a chunked one cannot be measured there, so it is refused.
 * @throws ApiError `payload_too_large` when the length is too large, or neither declared nor measurable
 */
export function refuseDeclaredSize({ request, traits }: BodyExchange): void {
  const { headers } = request
  const declared = headers.get('content-length')
  if (declared !== null && Number(declared) > traits.largestBody) throw tooLarge(traits.largestBody)
  if (headers.get('transfer-encoding') !== null && request.body === null) throw unmeasured(request)
}

/**
 * For answers that do not read the body: a client could send a chunked one without end.
 * @throws ApiError `payload_too_large` as `refuseDeclaredSize`, and for every chunked body
 */
export function refuseUnreadBody(exchange: BodyExchange): void {
  refuseDeclaredSize(exchange)
  if (exchange.request.headers.get('transfer-encoding') !== null) throw unmeasured(exchange.request)
}

/**
 * Reads a whole body.
 * @throws ApiError `payload_too_large` as soon as more bytes arrive than the route takes
 */
export async function readBody(exchange: BodyExchange): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(readPieces(exchange)))
}

/** How slowly a body may come: so many bytes in each such time. */
interface Pace {
  readonly bytes: number
  readonly ms: number
}

/** Contract 10: 1 KB a second for 30 seconds. */
const SLOWEST: Pace = { bytes: 30 * 1024, ms: 30_000 }

/**
 * A body piece by piece, as it comes; the client is held up while nobody takes the next one.
 * @throws ApiError `payload_too_large` as soon as more bytes arrive than the route takes, `request_timeout` for a body that
 * trickles
 */
export async function* readPieces(exchange: BodyExchange, slowest = SLOWEST): AsyncGenerator<Uint8Array> {
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
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (isSlow) throw tooSlow(slowest)
      if (done) return
      length += value.length
      if (length > largestBody) throw tooLarge(largestBody)
      yield value
    }
  } finally {
    clearInterval(watch)
    void reader.cancel().catch(() => {})
  }
}

function tooSlow({ bytes, ms }: Pace): ApiError {
  const rate = Math.round(bytes / ms)
  const message = `The request body came too slowly: less than ${rate} KB a second for ${ms / 1000} seconds.`
  return new ApiError('request_timeout', message)
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
