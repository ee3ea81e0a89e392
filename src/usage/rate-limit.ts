/**
 * Requests per minute and key: never more than the limit in any 60 seconds, wherever they begin. A window that slides
 * by slots of a second; a slot is let go when its last request is 60 s old, so the count errs, by under a second, on
 * the strict side, and a burst at one instant counts exactly.
 *
 * Memory is bounded: about 1 KB for each of the keys used last, and only keys that exist get here. Lives in this
 * process alone: several processes on one data folder each allow the limit.
 */

import { LRUCache } from 'lru-cache'

const WINDOW_MS = 60_000
const SLOT_MS = 1000
/** A power of two that holds a window's 61 slots. */
const SLOTS = 64
/** Beyond it the key that rested longest starts anew. */
const MOST_KEYS = 10_000

interface Window {
  /** Requests by slot, the slot's number modulo `SLOTS`. */
  readonly counts: Uint32Array
  /** The last request of a slot. */
  readonly lastAt: Float64Array
  /** First and last slot that may hold requests. */
  oldest: number
  newest: number
  used: number
}

export interface RateState {
  /** Whether this request is let through. */
  readonly admitted: boolean
  readonly remaining: number
  /** Whole seconds until there is more room; after a refusal, until a request will be let through. 0 to 60. */
  readonly resetSeconds: number
}

export class RateLimiter {
  readonly #windows = new LRUCache<number, Window>({ max: MOST_KEYS })
  #steady = 0
  #clock = Number.NaN

  /** Uses one of the key's requests, unless the last 60 seconds had `limit` or more of them. */
  take(keyId: number, limit: number, now: Date): RateState {
    const at = this.#tick(now)
    const window = this.#windows.get(keyId) ?? this.#begin(keyId)
    expire(window, at)
    // A limit that was lowered meanwhile takes more than one request to leave.
    if (window.used >= limit) return stateOf(window, false, 0, window.used - limit + 1, at)
    const slot = Math.floor(at / SLOT_MS)
    if (window.used === 0) window.oldest = slot
    window.newest = slot
    const index = slot % SLOTS
    window.counts[index]! += 1
    window.lastAt[index] = at
    window.used += 1
    return stateOf(window, true, limit - window.used, 1, at)
  }

  /** Time that never goes back: when the clock is set back, it stands still until the clock goes on. */
  #tick(now: Date): number {
    const clock = now.getTime()
    if (clock > this.#clock) this.#steady += clock - this.#clock
    this.#clock = clock
    return this.#steady
  }

  #begin(keyId: number): Window {
    const window = {
      counts: new Uint32Array(SLOTS),
      lastAt: new Float64Array(SLOTS),
      oldest: 0,
      newest: 0,
      used: 0,
    }
    this.#windows.set(keyId, window)
    return window
  }
}

function stateOf(
  window: Window,
  admitted: boolean,
  remaining: number,
  leaving: number,
  at: number,
): RateState {
  return { admitted, remaining, resetSeconds: Math.ceil(leavesAfter(window, leaving, at) / 1000) }
}

/** Lets go of the slots whose last request is 60 s old. */
function expire(window: Window, at: number): void {
  while (window.used > 0) {
    const index = window.oldest % SLOTS
    const count = window.counts[index]!
    if (count > 0 && window.lastAt[index]! + WINDOW_MS > at) return
    window.used -= count
    window.counts[index] = 0
    window.oldest += 1
  }
}

/** Milliseconds until `requests` of those in the window have left it. */
function leavesAfter(window: Window, requests: number, at: number): number {
  let left = 0
  for (let slot = window.oldest; slot <= window.newest; slot++) {
    left += window.counts[slot % SLOTS]!
    if (left >= requests) return window.lastAt[slot % SLOTS]! + WINDOW_MS - at
  }
  return WINDOW_MS
}
