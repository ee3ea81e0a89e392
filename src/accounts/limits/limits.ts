/** How often something may be done (contract 5): one way to count for every row of the table of limits. */

import { createHmac } from 'node:crypto'
import type { ApiError } from '../../base/errors.ts'
import { noteRefused, refuseBy, WIDER, WINDOW_LIMITS, type WindowName } from '../../base/limits.ts'
import { networkOf } from '../../base/text/ip-address.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import type { Window, WindowState, WindowStore } from '../../db/counts/blocks.ts'

const MADE_UP_COUNTS = 32_768

/** A network that events are counted for, with a multiple of the limit. */
interface Network {
  readonly name: string
  readonly times: number
}

/** Whom events are counted for. Networks are counted all together, or none of them. */
type Who = string | number | readonly Network[]

/** A client's network by its address, and for IPv6 the wider ones it is in. */
export function networksOf(ip: string): readonly Network[] {
  return [{ name: networkOf(ip), times: 1 }, ...widerNetworksOf(ip)]
}

/** The wider networks of an IPv6 client. */
export function widerNetworksOf(ip: string): readonly Network[] {
  const wider = WIDER.map(({ prefix, times }) => ({ name: networkOf(ip, prefix), times }))
  return wider.filter(({ name }) => name.includes(':'))
}

/**
 * Counts events.
 * @param n how many; 0 asks whether one event would be admitted
 * @param most the limit, where its row leaves that open
 */
type Counting<R> = (store: WindowStore, limit: WindowName, who: Who, n: number, now: Date, most?: number) => R

/** Counts events, unless they exceed the limit. */
export const take: Counting<ValueOrPromise<WindowState>> = (store, limit, who, n, now, most) =>
  typeof who === 'object'
    ? takeOfAll(store, limit, who, n, now, most)
    : store.take(windowOf(limit, most), who, n, now)

/** Takes back the latest `n` counted events. */
export function give(store: WindowStore, limit: WindowName, who: string | number, n: number) {
  return store.give(windowOf(limit), who, n)
}

/** @returns the first refusal, or the state of the first network */
async function takeOfAll(
  store: WindowStore,
  limit: WindowName,
  networks: readonly Network[],
  n: number,
  now: Date,
  most = mostOf(limit),
): Promise<WindowState> {
  let first: WindowState = { admitted: true, remaining: most, resetSeconds: 0 }
  for (const [at, { name, times }] of networks.entries()) {
    const state = await take(store, limit, name, n, now, most * times)
    if (!state.admitted) {
      if (n > 0) for (const counted of networks.slice(0, at)) await give(store, limit, counted.name, n)
      return state
    }
    if (at === 0) first = state
  }
  return first
}

/**
 * As `take`, but throws when the limit is exceeded.
 * @throws ApiError `rate_limited` in the limit's words, with the seconds until the next event is admitted
 */
export const requireRoom: Counting<ValueOrPromise<void>> = (store, limit, who, n, now, most) =>
  withValue(take(store, limit, who, n, now, most), ({ admitted, resetSeconds }) => {
    if (!admitted) throw refusal(limit, resetSeconds, most)
  })

/** As `take`, for work that is skipped silently. @returns whether it may be done */
export const mayDo: Counting<Promise<boolean>> = async (store, limit, who, n, now) => {
  const { admitted } = await take(store, limit, who, n, now)
  if (!admitted) noteRefused(limit)
  return admitted
}

/**
 * The shared count of an address without an account. Counts are never evicted, so an address without an account is
 * blocked for as long as one with an account.
 * @param secret keeps clients from choosing addresses that share a count
 */
export function madeUpCount(secret: Uint8Array, emailKey: string): number {
  return createHmac('sha256', secret).update(emailKey).digest().readUInt32BE() % MADE_UP_COUNTS
}

/**
 * Makes the refusal in the limit's words, and counts it.
 * @param wait seconds
 * @param advice a sentence that follows those words
 */
export function refusal(limit: WindowName, wait: number, most = mostOf(limit), advice?: string): ApiError {
  const message = WINDOW_LIMITS[limit].refusal.replace('{most}', String(most)).replace('{wait}', String(wait))
  return refuseBy(limit, advice === undefined ? message : `${message} ${advice}`, wait)
}

/** 0 where a plan or a setting decides and the caller passes the limit. */
function mostOf(limit: WindowName): number {
  const { most } = WINDOW_LIMITS[limit]
  return typeof most === 'number' ? most : 0
}

function windowOf(name: WindowName, most = mostOf(name)): Window {
  const { seconds, per } = WINDOW_LIMITS[name]
  return { name, seconds, most, keeps: per === 'network' ? 'recent' : 'all' }
}
