/**
 * The three kinds of account calls, each with its refusals in one order: a page of another site (403), nobody signed in
 * (401), the CSRF token (403), the address (422), the body (413, 422); then what the verb itself refuses.
 */

import type { Client } from '../accounts/client.ts'
import type { FoundSession } from '../accounts/sessions.ts'
import { ApiError } from '../errors.ts'
import { type QueryParameter, type QueryValues, readAccountQuery } from './account-query.ts'
import { readBody } from './body.ts'
import type { Exchange } from './exchange.ts'
import { ACCOUNT_HEADERS } from './headers.ts'
import { readJsonBody } from './json-body.ts'
import { type AnswerHeaders, respond, respondJson } from './respond.ts'
import { refuseForeignPage, requireCsrfToken, requireSession } from './session.ts'

type Answer = Response | Promise<Response>
/** Checks a parsed body. */
type BodyReader<T> = (body: unknown) => T
type ParameterTable = Readonly<Record<string, QueryParameter<unknown>>>

/** A call that anybody may make, such as signing in. */
export async function answerAnybody<T>(
  exchange: Exchange,
  read: BodyReader<T>,
  answer: (request: T) => Answer,
): Promise<Response> {
  refuseForeignPage(exchange)
  readAccountQuery(exchange.query, {})
  return answer(read(await readJsonBody(exchange.request)))
}

/** A call of somebody signed in that changes nothing. */
export async function answerReader<Table extends ParameterTable>(
  exchange: Exchange,
  parameters: Table,
  answer: (session: FoundSession, query: QueryValues<Table>) => Answer,
): Promise<Response> {
  const session = requireSession(exchange)
  return answer(session, readAccountQuery(exchange.query, parameters))
}

/** A call of somebody signed in that changes something and takes no body; one that is sent is passed over. */
export function answerChange(
  exchange: Exchange,
  answer: (session: FoundSession) => Answer,
): Promise<Response> {
  return changing(exchange, () => readBody(exchange.request), answer)
}

/** As `answerChange`, with a JSON body. */
export function answerChangeWith<T>(
  exchange: Exchange,
  read: BodyReader<T>,
  answer: (session: FoundSession, request: T) => Answer,
): Promise<Response> {
  return changing(exchange, async () => read(await readJsonBody(exchange.request)), answer)
}

async function changing<T>(
  exchange: Exchange,
  readRequest: () => Promise<T>,
  answer: (session: FoundSession, request: T) => Answer,
): Promise<Response> {
  refuseForeignPage(exchange)
  requireCsrfToken(exchange, requireSession(exchange))
  readAccountQuery(exchange.query, {})
  const request = await readRequest()
  // A body may take its time, and the session may have been ended meanwhile.
  return answer(requireSession(exchange), request)
}

/** Answers with a value as JSON, or with nothing at all (204). */
export function respondAccount(exchange: Exchange, status: number, value?: unknown): Response {
  const headers = accountHeaders(exchange)
  return value === undefined
    ? respond(exchange, status, headers, null)
    : respondJson(exchange, status, headers, value)
}

/** What every account answer carries; ask for it last, since it holds the cookie. */
export function accountHeaders({ cookie }: Exchange): AnswerHeaders {
  return cookie === undefined ? ACCOUNT_HEADERS : { ...ACCOUNT_HEADERS, 'Set-Cookie': cookie }
}

/** Where a call comes from. */
export function clientOf({ ip, request }: Exchange): Client {
  return { ip, userAgent: request.headers.get('user-agent') }
}

const INTEGER = /^-?[0-9]+$/

/**
 * The number in a path. One that no key can have is left to the look-up, which does not find it.
 * @throws ApiError `invalid_value` for what is no integer
 */
export function readKeyId(text: string): number {
  if (INTEGER.test(text)) return Math.max(-1, Math.min(Number(text), Number.MAX_SAFE_INTEGER))
  const message = 'The key_id in the path must be an integer.'
  throw new ApiError('invalid_value', message, [{ location: 'path.key_id', message }])
}
