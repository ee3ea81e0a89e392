/** How often something may be done (contract 5): one table, and one way to count. */

import { createHmac } from 'node:crypto'
import { ApiError } from '../../base/errors.ts'
import { networkOf } from '../../base/text/ip-address.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import type { Window, WindowState, WindowStore } from '../../db/sliding-windows.ts'

/**
 * Whom a limit counts. `network`: an IPv4 address or an IPv6 /64; wider IPv6 networks have a multiple (`WIDER`).
 * `made_up`: addresses without an account, which share a fixed number of counts. `publisher`: an account with all its keys, or
 * a key of the operator.
 */
type Whom = 'network' | 'account' | 'made_up' | 'key' | 'publisher'

interface Limit {
  /** What is counted, as documents and metrics name it. */
  readonly what: string
  readonly per: Whom
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
  sign_up: { what: 'Sign-ups', per: 'network', most: 5, seconds: HOUR, refusal: ATTEMPTS },
  /** Judging a new password takes milliseconds of a core, also when it is refused. */
  password_checks: {
    ...{ what: 'Passwords judged at sign-up', per: 'network' },
    ...{ most: 30, seconds: MINUTE, refusal: ATTEMPTS },
  },
  password_changes: {
    ...{ what: 'New passwords judged for an account', per: 'account' },
    ...{ most: 30, seconds: MINUTE, refusal: ATTEMPTS },
  },
  /** Successful attempts count too. */
  sign_in: { what: 'Sign-ins', per: 'network', most: 10, seconds: MINUTE, refusal: ATTEMPTS },
  /** `sign-in.ts` gives networks that are known to an account a count of their own. */
  sign_in_failures: {
    ...{ what: 'Wrong passwords for an account', per: 'account' },
    ...{ most: 30, seconds: HOUR, refusal: ATTEMPTS },
  },
  unknown_failures: {
    ...{ what: 'Wrong passwords for an address without an account', per: 'made_up' },
    ...{ most: 30, seconds: HOUR, refusal: ATTEMPTS },
  },
  /** Entries in the history of an account that is being blocked. */
  blocked_notes: {
    ...{ what: 'Blocked sign-ins noted in the history', per: 'account' },
    ...{ most: 1, seconds: MINUTE, refusal: null },
  },
  confirmations: {
    ...{ what: 'Wrong passwords in calls of a session', per: 'account' },
    ...{ most: 30, seconds: HOUR, refusal: ATTEMPTS },
  },
  /** Counted as wrong passwords are. A million codes, three of which are right: ten an hour find one in four years. */
  second_factor: {
    ...{ what: 'Wrong codes of a second factor', per: 'account' },
    ...{ most: 10, seconds: HOUR, refusal: ATTEMPTS },
  },
  reset_requests: {
    ...{ what: 'Requests for a new password', per: 'network' },
    ...{ most: 30, seconds: HOUR, refusal: null },
  },
  /** By the account's number, which clients cannot make up. */
  reset_mails: {
    ...{ what: 'Mails with a link to set a password', per: 'account' },
    ...{ most: 5, seconds: HOUR, refusal: null },
  },
  verification_mails: {
    ...{ what: 'Mails to confirm an address', per: 'account' },
    ...{ most: 5, seconds: HOUR, refusal: ATTEMPTS },
  },
  calls: {
    ...{ what: 'Requests below `/v1`', per: 'key', most: null, seconds: MINUTE },
    refusal: 'This key may make {most} requests a minute; try again in {wait} s.',
  },
  /** Files that a publisher sends or has fetched: each is written to the disk and read by a process of its own. */
  uploads: {
    ...{ what: 'Files sent or fetched', per: 'publisher', most: 60, seconds: MINUTE },
    refusal:
      'A publisher may send {most} files a minute, with all keys of the account; try again in {wait} s.',
  },
  /** Other calls of a publisher that change something: each is a transaction, and many have a file read anew. */
  changes: {
    ...{ what: 'Other changes of a publisher', per: 'publisher', most: 300, seconds: MINUTE },
    refusal:
      'A publisher may make {most} changes a minute, with all keys of the account; try again in {wait} s.',
  },
  open_rows: {
    ...{ what: 'Requests for rows without a key', per: 'network', most: null, seconds: MINUTE },
    refusal: 'One address may make {most} requests a minute without a key; try again in {wait} s.',
  },
} as const satisfies Readonly<Record<string, Limit>>

/**
 * Of an IPv6 customer's wider networks, and how many times the limit of a /64 each has. Some customers are given a /56 or a
 * /48 and may use every /64 in it, and many small customers may share one.
 */
const WIDER = [
  { prefix: 56, times: 3 },
  { prefix: 48, times: 10 },
] as const

/** Made-up addresses are sorted into so many counts. */
const MADE_UP_COUNTS = 32_768

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
 * Counts `n` events of a client's network, and for IPv6 of the wider ones it is in: all of them, or none.
 * @param ip of the client
 */
export async function takeOfNetwork(
  store: WindowStore,
  limit: LimitName,
  ip: string,
  n: number,
  now: Date,
  most?: number,
): Promise<WindowState> {
  const own = await take(store, limit, networkOf(ip), n, now, most)
  if (!own.admitted) return own
  const wider = await takeWider(store, limit, ip, n, now, most)
  if (wider?.admitted !== false) return own
  if (n > 0) await give(store, limit, networkOf(ip), n)
  return wider
}

/**
 * Counts `n` events of the wider networks that an IPv6 client is in.
 * @returns the first refusal, or undefined
 */
async function takeWider(
  store: WindowStore,
  limit: LimitName,
  ip: string,
  n: number,
  now: Date,
  most = LIMITS[limit].most ?? 0,
): Promise<WindowState | undefined> {
  const taken: string[] = []
  for (const { prefix, times } of WIDER) {
    const network = networkOf(ip, prefix)
    if (!network.includes(':')) return undefined
    const state = await take(store, limit, network, n, now, most * times)
    if (state.admitted) taken.push(network)
    else {
      if (n > 0) for (const counted of taken) await give(store, limit, counted, n)
      return state
    }
  }
  return undefined
}

/**
 * As `takeOfNetwork`, and refuses.
 * @throws ApiError as `requireRoom`
 */
export async function requireNetworkRoom(
  store: WindowStore,
  limit: LimitName,
  ip: string,
  n: number,
  now: Date,
  most?: number,
): Promise<void> {
  const { admitted, resetSeconds } = await takeOfNetwork(store, limit, ip, n, now, most)
  if (!admitted) throw refusal(limit, resetSeconds, most)
}

/**
 * As `requireNetworkRoom`, for the wider networks alone.
 * @throws ApiError as `requireRoom`
 */
export async function requireWiderRoom(
  store: WindowStore,
  limit: LimitName,
  ip: string,
  n: number,
  now: Date,
): Promise<void> {
  const refused = await takeWider(store, limit, ip, n, now)
  if (refused !== undefined) throw refusal(limit, refused.resetSeconds)
}

/**
 * Which of the shared counts an address without an account has. Nothing pushes a count out, so an address that has no
 * account is blocked for as long as one that has.
 * @param secret keeps clients from choosing addresses that share one
 */
export function madeUpCount(secret: Uint8Array, emailKey: string): number {
  return createHmac('sha256', secret).update(emailKey).digest().readUInt32BE() % MADE_UP_COUNTS
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
  const { seconds, per, most: fixed } = LIMITS[name]
  return { name, seconds, most: most ?? fixed ?? 0, keeps: per === 'network' ? 'recent' : 'all' }
}
