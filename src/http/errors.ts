/** Turns refusals into answers: the error envelope of specification 2.4. */

import { ERROR_STATUS, type ErrorCode } from '../base/error-codes.ts'
import { ApiError, type Problem } from '../base/errors.ts'
import type { Exchange, ExchangeTraits } from './exchange.ts'
import { ERROR_HEADERS, JSON_TYPE, MALFORMED_HEADERS } from './headers.ts'
import { type AnswerHeaders, accountHeaders, respondJson } from './respond.ts'

/** The status that a route gives a code. */
export function statusOf(code: ErrorCode, { statuses }: Pick<ExchangeTraits, 'statuses'>): number {
  return statuses?.[code] ?? ERROR_STATUS[code]
}

/** `{"error": {"code", "message", "detail"?}}` */
interface ErrorBody {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly detail?: readonly Problem[] }
}

/** Seconds to wait after a refusal for lack of capacity. */
const RETRY_AFTER_S = 5

export const UNEXPECTED = 'Something went wrong on our side. The request id helps to find out what.'

export function lastResort(): Response {
  return outsideRefusal(new ApiError('internal_error', UNEXPECTED))
}

export function outsideRefusal(refusal: ApiError): Response {
  const { code, message } = refusal
  const body: ErrorBody = { error: { code, message } }
  const headers = { ...ERROR_HEADERS, 'Content-Type': JSON_TYPE, ...headersFor(refusal) }
  return Response.json(body, { status: ERROR_STATUS[code], headers })
}

/**
 * The answer to a request that the HTTP parser should have refused: 400 without a body, as the parser answers (contract 2).
 * It closes the connection, whose next bytes mean nothing.
 */
export function refuseMalformed(): Response {
  return new Response(null, { status: 400, headers: MALFORMED_HEADERS })
}

/** A desktop service's answer to a request that names another host (RFC 9110 15.5.20). */
export function refuseOtherHost(): Response {
  const headers = { ...ERROR_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }
  return new Response('This service answers at 127.0.0.1, [::1] and localhost alone.\n', {
    status: 421,
    headers,
  })
}

/** The answer to a failure before it is rendered as a page or as JSON. */
export interface ErrorDescription {
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body: ErrorBody
}

export function describeError(
  exchange: Exchange,
  refusal: ApiError,
  headers: AnswerHeaders = {},
): ErrorDescription {
  const { code, message, detail } = refusal
  return {
    status: statusOf(code, exchange.traits),
    headers: {
      ...(exchange.traits.isCrossOrigin ? ERROR_HEADERS : accountHeaders(exchange)),
      // Where the code is explained (RFC 8288; `help` is a relation of the HTML standard).
      Link: `<${exchange.base}/docs/guides/errors#${code}>; rel="help"`,
      ...headersFor(refusal),
      ...headers,
    },
    body: { error: { code, message, ...(detail && { detail }) } },
  }
}

export function respondDescribed(exchange: Exchange, { status, headers, body }: ErrorDescription): Response {
  return respondJson(exchange, status, headers, body)
}

function headersFor({ code, retryAfter }: ApiError): AnswerHeaders {
  if (code.startsWith('api_key_')) return { 'WWW-Authenticate': 'Bearer' }
  // Otherwise the rest of the body would keep trickling in.
  if (code === 'request_timeout') return { Connection: 'close' }
  const wait = waitAfter({ code, retryAfter })
  return wait === undefined ? {} : { 'Retry-After': String(wait) }
}

/** Seconds after which a refused request may succeed; undefined where waiting does not help. */
export function waitAfter({ code, retryAfter }: Pick<ApiError, 'code' | 'retryAfter'>): number | undefined {
  return retryAfter ?? (code === 'service_unavailable' ? RETRY_AFTER_S : undefined)
}
