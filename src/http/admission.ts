/** What happens to every request before its route is looked for. */

import { ApiError } from '../errors.ts'
import { decodePercent } from '../text/query-string.ts'
import type { RateLimiter } from '../usage/rate-limit.ts'
import type { Authentication } from './auth.ts'
import { refuseDeclaredSize, refuseUnreadBody } from './body.ts'
import type { Exchange } from './exchange.ts'
import { PREFLIGHT_HEADERS } from './headers.ts'
import { admitCall } from './limits.ts'
import { respond } from './respond.ts'

/** What is asked about every request of a key. */
export interface Gate {
  readonly authentication: Authentication
  readonly rates: RateLimiter
}

/**
 * Lets a request through, answers it, or refuses it, in the order of contract 2: a preflight needs no key; on `/v1` the
 * key comes before anything else, also on paths and methods that do not exist, and its limits right behind it.
 * @returns the answer of a preflight; undefined when the request may go on to its route
 * @throws ApiError 401 codes, 429 codes, 413 `payload_too_large`, 422 `invalid_value` for a path that cannot be decoded
 */
export function admit(exchange: Exchange, gate: Gate): Response | undefined {
  const { path, request } = exchange
  if (isApiPath(path)) {
    if (request.method === 'OPTIONS') {
      // Answered before anything would be read of a body; no preflight has one (Fetch Standard, CORS preflight).
      refuseUnreadBody(request)
      return respond(exchange, 204, PREFLIGHT_HEADERS, null)
    }
    exchange.key = gate.authentication.requireKey(exchange)
    admitCall(exchange, gate.rates)
  }
  refuseDeclaredSize(request)
  if (path.includes('%') && decodePercent(path) === undefined) {
    const message =
      'Invalid percent-encoding in the path: write UTF-8 bytes as %XX, and a percent sign as %25.'
    throw new ApiError('invalid_value', message, [{ location: 'path', message }])
  }
  return undefined
}

/** Whether a path is among those that need a key. */
function isApiPath(path: string): boolean {
  return path.startsWith('/v1') && (path.length === 3 || path[3] === '/')
}
