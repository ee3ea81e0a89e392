/** Errors to answers: the one table that gives codes a status, and the envelope of specification 2.4. */

import { adviseCheaperQuery } from '../datasets/advice.ts'
import { memoryRefusal } from '../datasets/memory-ceiling.ts'
import { MemoryFullError, MemoryRefusedError } from '../engine/regions.ts'
import { BusyError, DeadlineError } from '../engine/turns.ts'
import { ApiError, DamagedFileError, type ErrorCode, type Problem } from '../errors.ts'
import { hideKeys } from '../keys/key-format.ts'
import type { Exchange } from './exchange.ts'
import { ACCOUNT_HEADERS, CORS_HEADERS, isAccountPath, JSON_TYPE, SECURITY_HEADERS } from './headers.ts'
import { type AnswerHeaders, respondJson } from './respond.ts'

/** Contract 2. A few depend on the call: see `statusOf`. */
export const ERROR_STATUS: Readonly<Record<ErrorCode, number>> = {
  api_key_missing: 401,
  api_key_malformed: 401,
  api_key_invalid: 401,
  api_key_revoked: 401,
  rate_limited: 429,
  quota_exceeded: 429,
  dataset_not_found: 404,
  dataset_not_ingested: 404,
  unknown_column: 422,
  unknown_operator: 422,
  unknown_parameter: 422,
  duplicate_parameter: 422,
  invalid_value: 422,
  invalid_sort: 422,
  invalid_fields: 422,
  invalid_limit: 422,
  invalid_offset: 422,
  invalid_cursor: 422,
  cursor_expired: 422,
  cursor_conflict: 422,
  invalid_format: 422,
  invalid_body: 422,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  unauthenticated: 401,
  csrf_failed: 403,
  invalid_credentials: 401,
  email_taken: 409,
  weak_password: 422,
  token_invalid: 422,
  key_limit_reached: 409,
  key_not_found: 404,
  key_not_revoked: 409,
  key_not_active: 409,
  session_not_found: 404,
  service_unavailable: 503,
  internal_error: 500,
}

/** Where a wrong password means that nobody is signed in; elsewhere it only fails to confirm who is. */
const LOGIN_PATH = '/account/api/login'
const UNCONFIRMED = 422

/** The status of a refusal on a path. */
export function statusOf(code: ErrorCode, path: string): number {
  return code === 'invalid_credentials' && path !== LOGIN_PATH ? UNCONFIRMED : ERROR_STATUS[code]
}

/** `{"error": {"code", "message", "detail"?}}` */
interface ErrorBody {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly detail?: readonly Problem[] }
}

/** Seconds after which a refusal for lack of room is worth another try. */
const RETRY_AFTER_S = 5
/** Long queries are over within moments. */
const BUSY_RETRY_S = 1

const ERROR_HEADERS = {
  ...SECURITY_HEADERS,
  ...CORS_HEADERS,
  'Cache-Control': 'no-store',
  Vary: 'Authorization, Accept-Encoding',
}

const UNEXPECTED = 'Something went wrong on our side. The request id helps to find out what.'

/** The answer to failures outside of any exchange. */
export function lastResort(): Response {
  const body: ErrorBody = { error: { code: 'internal_error', message: UNEXPECTED } }
  return new Response(JSON.stringify(body), {
    status: 500,
    headers: { ...ERROR_HEADERS, 'Content-Type': JSON_TYPE },
  })
}

/** An answer to a failure that only lacks its form. */
export interface ErrorDescription {
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body: ErrorBody
}

/** What went wrong, fit to be told. Whatever is not a refusal of ours is logged, and the answer tells nothing of it. */
export function describeError(
  exchange: Exchange,
  error: unknown,
  headers: AnswerHeaders = {},
): ErrorDescription {
  const refusal = toRefusal(exchange, error)
  const { code, message, detail } = refusal
  return {
    status: statusOf(code, exchange.path),
    headers: { ...baseHeaders(exchange), Link: helpLink(exchange, code), ...headersFor(refusal), ...headers },
    body: { error: { code, message, ...(detail && { detail }) } },
  }
}

/** Makes the answer to a failure; `respondError` does it for programs, the pages for people. */
export type ErrorAnswer = typeof respondError

/** Answers with what went wrong, in the error envelope. */
export function respondError(exchange: Exchange, error: unknown, headers: AnswerHeaders = {}): Response {
  const { status, headers: about, body } = describeError(exchange, error, headers)
  return respondJson(exchange, status, about, body)
}

/** Where the code is explained (RFC 8288; `help` is a relation of the HTML standard). */
function helpLink({ base }: Exchange, code: ErrorCode): string {
  return `<${base}/docs/guides/errors#${code}>; rel="help"`
}

function baseHeaders({ path, cookie }: Exchange): AnswerHeaders {
  if (!isAccountPath(path)) return ERROR_HEADERS
  return cookie === undefined ? ACCOUNT_HEADERS : { ...ACCOUNT_HEADERS, 'Set-Cookie': cookie }
}

function headersFor({ code, retryAfter }: ApiError): AnswerHeaders {
  if (code.startsWith('api_key_')) return { 'WWW-Authenticate': 'Bearer' }
  const wait = retryAfter ?? (code === 'service_unavailable' ? RETRY_AFTER_S : undefined)
  return wait === undefined ? {} : { 'Retry-After': String(wait) }
}

function toRefusal(exchange: Exchange, error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const { request, requestId, service, path, query } = exchange
  if (error instanceof BusyError) {
    return new ApiError(
      'service_unavailable',
      `The service works on as many long queries as it can without keeping others waiting; try again in ${BUSY_RETRY_S} s.`,
      undefined,
      BUSY_RETRY_S,
    )
  }
  if (error instanceof DeadlineError) {
    const message = `This query was ended: it took longer than ${service.config.query_deadline} s. ${adviseCheaperQuery(query)}`
    return new ApiError('service_unavailable', message)
  }
  if (error instanceof MemoryRefusedError) return memoryRefusal()
  const about = { request_id: requestId, method: request.method, path: hideKeys(path), err: error }
  if (error instanceof DamagedFileError) {
    service.log.error(about, 'a dataset cannot be read')
    return new ApiError(
      'service_unavailable',
      'This dataset cannot be read at the moment; others can. The log of the service says why, under the request id.',
    )
  }
  if (error instanceof MemoryFullError) {
    service.log.error(about, 'a query did not fit into memory')
    return new ApiError(
      'service_unavailable',
      'This query needs more memory than the dataset has left. Ask for less: fewer sort columns, or more filters.',
    )
  }
  if ((error as Error | null)?.name === 'AbortError') {
    // The client went away while its body was read; nobody will see the answer.
    service.log.debug({ ...about, err: undefined }, 'a client left before its request was complete')
    return new ApiError('internal_error', UNEXPECTED)
  }
  service.log.error(about, 'a request failed')
  return new ApiError('internal_error', UNEXPECTED)
}
