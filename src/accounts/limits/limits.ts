/** How often something may be done (contract 5): one way to count what the table of limits lists. */

import { createHmac } from 'node:crypto'
import type { ApiError } from '../../base/errors.ts'
import { noteRefused, refuseBy, WIDER, WINDOW_LIMITS, type WindowName } from '../../base/limits.ts'
import { networkOf } from '../../base/text/ip-address.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import type { Window, WindowState, WindowStore } from '../../db/counts/blocks.ts'

const MADE_UP_COUNTS = 32_768

/**
 * Counts events.
 * @param n of one network, account, address or key; 0 asks whether one would be admitted
 * @param most for the limits whose table row leaves it open
 */
type Counting<W, R> = (
  store: WindowStore,
  limit: WindowName,
  who: W,
  n: number,
  now: Date,
  most?: number,
) => R
type Who = string | number

/** Counts events, unless they are more than the limit allows. */
export const take: Counting<Who, ValueOrPromise<WindowState>> = (store, limit, who, n, now, most) =>
  store.take(windowOf(limit, most), who, n, now)

/** Takes back the latest `n` events that were counted. */
export function give(store: WindowStore, limit: WindowName, who: Who, n: number) {
  return store.give(windowOf(limit), who, n)
}

/** Counts events of a client's network, by its address, and for IPv6 of the wider ones it is in: all of them, or none. */
const takeOfNetwork: Counting<string, Promise<WindowState>> = async (store, limit, ip, n, now, most) => {
  const own = await take(store, limit, networkOf(ip), n, now, most)
  if (!own.admitted) return own
  const wider = await takeWider(store, limit, ip, n, now, most)
  if (wider?.admitted !== false) return own
  if (n > 0) await give(store, limit, networkOf(ip), n)
  return wider
}

/** Counts events of the wider networks that an IPv6 client is in. @returns the first refusal, or undefined */
const takeWider: Counting<string, Promise<WindowState | undefined>> = async (
  store,
  limit,
  ip,
  n,
  now,
  most,
) => {
  const taken: string[] = []
  for (const { prefix, times } of WIDER) {
    const network = networkOf(ip, prefix)
    if (!network.includes(':')) return undefined
    const state = await take(store, limit, network, n, now, (most ?? mostOf(limit)) * times)
    if (state.admitted) taken.push(network)
    else {
      if (n > 0) for (const counted of taken) await give(store, limit, counted, n)
      return state
    }
  }
  return undefined
}

/**
 * As `take`, and refuses.
 * @throws ApiError `rate_limited` in the limit's words, with the seconds after which it would be admitted
 */
export const requireRoom: Counting<Who, ValueOrPromise<void>> = (store, limit, who, n, now, most) =>
  withValue(take(store, limit, who, n, now, most), ({ admitted, resetSeconds }) => {
    if (!admitted) throw refusal(limit, resetSeconds, most)
  })

/** As `takeOfNetwork`, and refuses. @throws ApiError as `requireRoom` */
export const requireNetworkRoom: Counting<string, Promise<void>> = async (store, limit, ip, n, now, most) => {
  const { admitted, resetSeconds } = await takeOfNetwork(store, limit, ip, n, now, most)
  if (!admitted) throw refusal(limit, resetSeconds, most)
}

/** As `requireNetworkRoom`, for the wider networks alone. @throws ApiError as `requireRoom` */
export const requireWiderRoom: Counting<string, Promise<void>> = async (store, limit, ip, n, now) => {
  const refused = await takeWider(store, limit, ip, n, now)
  if (refused !== undefined) throw refusal(limit, refused.resetSeconds)
}

/** As `take`, for work that is skipped in silence. @returns whether it may be done */
export const mayDo: Counting<Who, Promise<boolean>> = async (store, limit, who, n, now) =>
  mayGoOn(limit, await take(store, limit, who, n, now))

/** As `mayDo`, counted by the client's network and the wider ones it is in. */
export const mayDoFromNetwork: Counting<string, Promise<boolean>> = async (store, limit, ip, n, now) =>
  mayGoOn(limit, await takeOfNetwork(store, limit, ip, n, now))

function mayGoOn(limit: WindowName, { admitted }: WindowState): boolean {
  if (!admitted) noteRefused(limit)
  return admitted
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
 * Makes the refusal in the limit's words, and counts it.
 * @param wait seconds
 * @param advice a sentence that follows them
 */
export function refusal(limit: WindowName, wait: number, most = mostOf(limit), advice?: string): ApiError {
  const message = WINDOW_LIMITS[limit].refusal.replace('{most}', String(most)).replace('{wait}', String(wait))
  return refuseBy(limit, advice === undefined ? message : `${message} ${advice}`, wait)
}

/** 0 where a plan or a setting decides, and the caller says how many. */
function mostOf(limit: WindowName): number {
  const { most } = WINDOW_LIMITS[limit]
  return typeof most === 'number' ? most : 0
}

function windowOf(name: WindowName, most = mostOf(name)): Window {
  const { seconds, per } = WINDOW_LIMITS[name]
  return { name, seconds, most, keeps: per === 'network' ? 'recent' : 'all' }
}
