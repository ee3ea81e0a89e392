/** How often something may be done (contract 5): one table, and one way to count. */

import { ApiError } from '../../base/errors.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import type { Window, WindowState, WindowStore } from '../../db/sliding-windows.ts'

interface Limit {
  /** A publisher is an account with all its keys, or a key of the operator. */
  readonly per: 'network' | 'account' | 'address' | 'key' | 'publisher'
  /** null: a plan or a setting decides. */
  readonly most: number | null
  readonly seconds: number
  /** What a refusal says, `{most}` and `{wait}` filled in; null: the request succeeds, but the work is skipped. */
  readonly refusal: string | null
}

const MINUTE = 60
const HOUR = 3600
const ATTEMPTS = 'Too many attempts. Try again in {wait} seconds.'

const LIMITS = {
  sign_up: { per: 'network', most: 5, seconds: HOUR, refusal: ATTEMPTS },
  /** Judging a new password costs milliseconds of the main thread, also when it is refused. Resets count the account. */
  password_checks: { per: 'network', most: 30, seconds: MINUTE, refusal: ATTEMPTS },
  /** Successful attempts count too. */
  sign_in: { per: 'network', most: 10, seconds: MINUTE, refusal: ATTEMPTS },
  /** Wrong passwords; `sign-in.ts` gives networks that are known to an account a count of their own. */
  sign_in_failures: { per: 'address', most: 30, seconds: HOUR, refusal: ATTEMPTS },
  /** Entries in the history of an account that is being blocked. */
  blocked_notes: { per: 'address', most: 1, seconds: MINUTE, refusal: null },
  /** Wrong passwords in calls of a session. */
  confirmations: { per: 'account', most: 30, seconds: HOUR, refusal: ATTEMPTS },
  reset_requests: { per: 'network', most: 30, seconds: HOUR, refusal: null },
  /** Mails; by the account's number, which clients cannot make up. */
  reset_mails: { per: 'account', most: 5, seconds: HOUR, refusal: null },
  verification_mails: { per: 'account', most: 5, seconds: HOUR, refusal: ATTEMPTS },
  /** Requests below `/v1`; the plan says how many. */
  calls: {
    per: 'key',
    most: null,
    seconds: MINUTE,
    refusal: 'This key may make {most} requests a minute; try again in {wait} s.',
  },
  /** Files that a publisher sends or has fetched: each is written to the disk and read by a process of its own. */
  uploads: {
    per: 'publisher',
    most: 60,
    seconds: MINUTE,
    refusal:
      'A publisher may send {most} files a minute, with all keys of the account; try again in {wait} s.',
  },
  /** Other calls of a publisher that change something: each is a transaction, and many have a file read anew. */
  changes: {
    per: 'publisher',
    most: 300,
    seconds: MINUTE,
    refusal:
      'A publisher may make {most} changes a minute, with all keys of the account; try again in {wait} s.',
  },
  /** Rows read without a key; a setting says how many. */
  open_rows: {
    per: 'network',
    most: null,
    seconds: MINUTE,
    refusal: 'One address may make {most} requests a minute without a key; try again in {wait} s.',
  },
} as const satisfies Readonly<Record<string, Limit>>

export type LimitName = keyof typeof LIMITS

/**
 * Counts `n` events of one network, account, address or key, unless they are more than the limit allows.
 * @param n 0 asks whether one would be admitted
 * @param most for the limits whose table row leaves it open
 */
export function take(
  store: WindowStore,
  limit: LimitName,
  who: string | number,
  n: number,
  now: Date,
  most?: number,
): ValueOrPromise<WindowState> {
  return store.take(windowOf(limit, most), who, n, now)
}

/** Takes back the latest `n` events that were counted. */
export function give(
  store: WindowStore,
  limit: LimitName,
  who: string | number,
  n: number,
): ValueOrPromise<void> {
  return store.give(windowOf(limit), who, n)
}

/**
 * As `take`, and refuses.
 * @throws ApiError `rate_limited` in the limit's words, with the seconds after which it would be admitted
 */
export function requireRoom(
  store: WindowStore,
  limit: LimitName,
  who: string | number,
  n: number,
  now: Date,
  most?: number,
): ValueOrPromise<void> {
  return withValue(take(store, limit, who, n, now, most), ({ admitted, resetSeconds }) => {
    if (!admitted) throw refusal(limit, resetSeconds, most)
  })
}

/** @param wait seconds */
export function refusal(limit: LimitName, wait: number, most?: number): ApiError {
  const text: string = LIMITS[limit].refusal ?? ATTEMPTS
  const message = text.replace('{most}', String(most ?? LIMITS[limit].most)).replace('{wait}', String(wait))
  return new ApiError('rate_limited', message, undefined, wait)
}

function windowOf(name: LimitName, most?: number): Window {
  const { seconds, most: fixed } = LIMITS[name]
  return { name, seconds, most: most ?? fixed ?? 0 }
}
