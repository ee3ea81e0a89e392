/** How often something may be done (contract 5): one way to count what the table of limits lists. */

import { createHmac } from 'node:crypto'
import type { ApiError } from '../../base/errors.ts'
import { noteRefused, refuseBy, WIDER, WINDOW_LIMITS, type WindowName } from '../../base/limits.ts'
import { networkOf } from '../../base/text/ip-address.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import type { WindowState } from '../../db/counts/blocks.ts'
import type { Window, WindowStore } from '../../db/sliding-windows.ts'

/** Made-up addresses are sorted into this number of counts. */
const MADE_UP_COUNTS = 32_768

/**
 * Counts `n` events of one network, account, address or key, unless they are more than the limit allows.
 * @param n 0 asks whether one would be admitted
 * @param most for the limits whose table row leaves it open
 */
export function take(
  store: WindowStore,
  limit: WindowName,
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
  limit: WindowName,
  who: string | number,
  n: number,
): ValueOrPromise<void> {
  return store.give(windowOf(limit), who, n)
}

/**
 * Counts `n` events of a client's network, and for IPv6 of the wider ones it is in: all of them, or none.
 * @param ip of the client
 */
async function takeOfNetwork(
  store: WindowStore,
  limit: WindowName,
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
  limit: WindowName,
  ip: string,
  n: number,
  now: Date,
  most = mostOf(limit),
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
  limit: WindowName,
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
  limit: WindowName,
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
  limit: WindowName,
  who: string | number,
  n: number,
  now: Date,
  most?: number,
): ValueOrPromise<void> {
  return withValue(take(store, limit, who, n, now, most), ({ admitted, resetSeconds }) => {
    if (!admitted) throw refusal(limit, resetSeconds, most)
  })
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

/** As `take`, one at a time, for work that is skipped in silence. @returns whether it may be done */
export async function mayDo(
  store: WindowStore,
  limit: WindowName,
  who: string | number,
  now: Date,
): Promise<boolean> {
  const { admitted } = await take(store, limit, who, 1, now)
  if (!admitted) noteRefused(limit)
  return admitted
}

/** As `mayDo`, counted by the client's network and the wider ones it is in. */
export async function mayDoFromNetwork(
  store: WindowStore,
  limit: WindowName,
  ip: string,
  now: Date,
): Promise<boolean> {
  const { admitted } = await takeOfNetwork(store, limit, ip, 1, now)
  if (!admitted) noteRefused(limit)
  return admitted
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
