/**
 * The browser's side of a session (contract 5): its cookie, and the proof that a call comes from the console.
 *
 * Lifetime: the cookie expires with the session and is renewed with it. Threats: a script in the page (HttpOnly); the open
 * network (Secure, and with https a `__Host-` name that no sibling domain can plant); other sites that make a browser call
 * us with its cookie (SameSite=Lax, the check of `Origin` and `Sec-Fetch-Site` on every call that changes something, and
 * the CSRF token, which another site can neither read nor send).
 */

import { parseCookie, serializeCookie } from 'elysia/cookies'
import { requireRoom } from '../../accounts/limits/limits.ts'
import { type Publisher, publisherOfAccount, publisherOfKey } from '../../accounts/people/publisher.ts'
import {
  type FoundSession,
  findSession,
  isCsrfToken,
  SESSION_DAYS,
} from '../../accounts/people/sign-in/sessions.ts'
import { lacksSecondFactor } from '../../accounts/people/user.ts'
import type { App } from '../../app.ts'
import { ApiError } from '../../base/errors.ts'
import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import type { Exchange } from '../../http/exchange.ts'
import { TOKEN_FIELD } from '../../pages/signed-in/session-token.tsx'
import { isHttps } from '../call.ts'
import { findKey } from './admission.ts'

const COOKIE = 'izvor_session'
const SECURE_COOKIE = `__Host-${COOKIE}`

export const CSRF_HEADER = 'X-CSRF-Token'

export function keepSession({ config }: App, exchange: Exchange, token: string): void {
  exchange.cookie = writeCookie(cookieName(config), token, SESSION_DAYS * 86_400)
}

export function dropSession({ config }: App, exchange: Exchange): void {
  exchange.cookie = writeCookie(cookieName(config), '', 0)
}

/** The session of a request. Using a session renews it, and the cookie with it. */
export async function sessionOf(app: App, exchange: Exchange): Promise<FoundSession | undefined> {
  const name = cookieName(app.config)
  const header = exchange.request.headers.get('cookie')
  if (header?.includes(name) !== true) return undefined
  const token = (await parseCookie({ headers: {} }, header))[name]?.value
  if (typeof token !== 'string') return undefined
  const session = await findSession(app.accountService, token, app.now(), exchange.isLocal)
  if (session?.renewed) keepSession(app, exchange, token)
  return session
}

/** @throws ApiError `role_missing` for an account that is no operator */
export function requireOperator({ body }: FoundSession): void {
  if (body.user.role === 'operator') return
  throw new ApiError('role_missing', 'This account is not an operator: izvor users set-role makes one.')
}

/**
 * Refuses a session whose account must turn on a second factor first.
 * @throws ApiError `second_factor_required`
 */
export function requireSecondFactor({ config }: App, { isLocal }: Exchange, { body }: FoundSession): void {
  if (!lacksSecondFactor(config.require_second_factor, body.user, isLocal)) return
  const message =
    'This service asks for a second factor first: turn it on at /account/security, or with POST /account/api/second-factor.'
  throw new ApiError('second_factor_required', message)
}

/**
 * Refuses a call from a page of another site. A client other than a browser sends neither header and passes.
 * @throws ApiError `csrf_failed`
 */
export function refuseForeignPage(exchange: Exchange): void {
  const { request, base } = exchange
  const site = request.headers.get('sec-fetch-site')
  const origin = request.headers.get('origin')
  const ownSite = site === null || site === 'same-origin' || site === 'none'
  const ownOrigin = origin === null || origin === new URL(base).origin || isOfThisMachine(exchange, origin)
  if (ownSite && ownOrigin) return
  const message =
    'This call comes from a page of another site. If it does not, the operator has to set the public address of the ' +
    'service (IZVOR_BASE_URL).'
  throw new ApiError('csrf_failed', message, [
    { location: ownSite ? 'header.origin' : 'header.sec-fetch-site', message },
  ])
}

/** Whether a page comes from this machine's own address, such as `http://127.0.0.1:3000` beside a public one. */
function isOfThisMachine({ request, isForThisMachine }: Exchange, origin: string): boolean {
  return isForThisMachine && URL.parse(origin)?.host === request.headers.get('host')
}

/** Refuses a plain form that does not come from the session's own pages. @throws ApiError `csrf_failed` */
export function refuseForeignForm(exchange: Exchange, fields: URLSearchParams, session: FoundSession): void {
  refuseForeignPage(exchange)
  refuseOtherToken(fields.get(TOKEN_FIELD), session)
}

/** @throws ApiError `csrf_failed` unless the header holds the session's token */
export function requireCsrfToken({ request }: Exchange, session: FoundSession): void {
  refuseOtherToken(request.headers.get(CSRF_HEADER), session)
}

/** @param given from a header or a form @throws ApiError `csrf_failed` unless it is the session's token */
export function refuseOtherToken(given: string | null, session: FoundSession): void {
  if (isCsrfToken(session, given)) return
  const fault = given === null ? 'is missing' : 'does not belong to this session'
  const message = `The header ${CSRF_HEADER} ${fault}: send the csrf_token of GET /account/api/me.`
  throw new ApiError('csrf_failed', message, [{ location: 'header.x-csrf-token', message }])
}

/** The cookie's name at an address: browsers accept the `__Host-` prefix with https only. */
export function sessionCookieName(base: string | null): string {
  return base?.startsWith('https:') ? SECURE_COOKIE : COOKIE
}

/** The cookie's name by the settings alone: a proxy's header must not choose it. */
function cookieName(config: App['config']): string {
  return isHttps(config) ? SECURE_COOKIE : COOKIE
}

function writeCookie(name: string, value: string, maxAge: number): string {
  const secure = name === SECURE_COOKIE
  return String(
    serializeCookie({ [name]: { value, path: '/', maxAge, httpOnly: true, sameSite: 'lax', secure } }),
  )
}

/**
 * The publisher of a call. A key takes precedence over a session, since a browser never sends a key by itself. With a
 * session, a call that changes something needs proof that it comes from the session's own pages.
 * @throws ApiError 401 codes of keys, `unauthenticated`, `csrf_failed`, `role_missing`, `scope_missing`,
 *   `second_factor_required`
 */
export async function requirePublisher(app: App, exchange: Exchange): Promise<Publisher> {
  const { headers, method } = exchange.request
  const header = headers.get('authorization')
  if (header !== null && /^Bearer\b/i.test(header))
    return publisherOfKey(await findKey(app.keys, header, exchange.startedAt))

  const changes = method !== 'GET'
  if (changes) refuseForeignPage(exchange)
  const session = await sessionOf(app, exchange)
  if (session === undefined) {
    const message =
      'Sign in first, or send the header "Authorization: Bearer <API_KEY>" with a key that has the scope publish.'
    throw new ApiError('unauthenticated', message)
  }
  if (changes) requireCsrfToken(exchange, session)
  const publisher = publisherOfAccount(session.body.user)
  requireSecondFactor(app, exchange, session)
  return publisher
}

/**
 * Counts a call that changes something.
 * @param limit `uploads` for a call that brings a file
 * @throws ApiError `rate_limited` when the publisher's calls of this minute are used up
 */
export function countPublishing(
  { limits }: App,
  { startedAt }: Exchange,
  { accountId, by }: Publisher,
  limit: 'uploads' | 'changes',
): ValueOrPromise<void> {
  const who = accountId === null ? by : `account:${accountId}`
  return requireRoom(limits, limit, who, 1, startedAt)
}
