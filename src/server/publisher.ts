/** Who calls `/publish/api` (contract 10): a browser session with the role, or an API key with the scope. */

import { requireRoom } from '../accounts/limits/limits.ts'
import { type Publisher, publisherOfAccount, publisherOfKey } from '../accounts/people/publisher.ts'
import type { App } from '../app.ts'
import { ApiError } from '../base/errors.ts'
import type { ValueOrPromise } from '../base/value-or-promise.ts'
import type { Exchange } from '../http/exchange.ts'
import { findKey } from './auth.ts'
import { refuseForeignPage, requireCsrfToken, requireSecondFactor, sessionOf } from './session.ts'

const IS_BEARER = /^Bearer\b/i

/**
 * The publisher of a call. A key comes before a session: a browser sends none by itself. A session that changes
 * something needs the proof that its own pages call.
 * @throws ApiError 401 codes of keys, `unauthenticated`, `csrf_failed`, `role_missing`, `scope_missing`,
 *   `second_factor_required`
 */
export async function requirePublisher(app: App, exchange: Exchange): Promise<Publisher> {
  const { headers, method } = exchange.request
  const header = headers.get('authorization')
  if (header !== null && IS_BEARER.test(header))
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
  requireSecondFactor(app, session)
  return publisher
}

/**
 * Counts a call that changes something.
 * @param limit `uploads` for a call that brings a file
 * @throws ApiError `rate_limited` beyond what a publisher may do in a minute
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
