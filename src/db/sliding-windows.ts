/**
 * Counts events in sliding windows: never more than `most` in any period of `seconds`. The events of one
 * second share a slot, which leaves with the last of them, so a count errs by under a second, on the strict side.
 *
 * Kept in memory: a restart forgets, which gives an attacker one more round at most, and several processes count each
 * for itself.
 */

import { LRUCache } from 'lru-cache'
import type { ValueOrPromise } from '../base/value-or-promise.ts'

export interface Window {
  /** Windows of different names do not share their counts. */
  readonly name: string
  readonly most: number
  readonly seconds: number
}

export interface WindowState {
  /** Whether the events were counted. */
  readonly admitted: boolean
  readonly remaining: number
  /** Whole seconds until there is more room; after a refusal, until the events will be admitted. */
  readonly resetSeconds: number
}

export interface WindowStore {
  /** Counts `n` events, all or none. `n` of 0 asks whether one would be admitted. */
  take(window: Window, who: string | number, n: number, now: Date): ValueOrPromise<WindowState>
  /** Takes back the latest `n` events. */
  give(window: Window, who: string | number, n: number): ValueOrPromise<void>
}

/** A window's slots, oldest first. */
interface Slots {
  /** When the last event of each slot happened. */
  readonly lastAt: number[]
  readonly counts: number[]
  used: number
}

const SLOT_MS = 1000
/** Bounded because clients choose whom they count as: beyond it the least recently counted one is dropped. At most 1 KB each. */
const MOST_TRACKED = 20_000

export class SlidingWindows implements WindowStore {
  readonly #mostTracked: number
  readonly #windows = new Map<string, LRUCache<string | number, Slots>>()
  #steady = 0
  #clock = Number.NaN

  /** @param mostTracked by each window */
  constructor(mostTracked = MOST_TRACKED) {
    this.#mostTracked = mostTracked
  }

  take({ name, most, seconds }: Window, who: string | number, n: number, now: Date): WindowState {
    const at = this.#tick(now)
    const length = seconds * 1000
    const slots = this.#slotsOf(name, who)
    expire(slots, at - length)
    const wanted = Math.max(n, 1)
    if (slots.used + wanted > most) {
      // A limit that was lowered meanwhile takes more than `wanted` events to leave.
      const leaving = slots.used + wanted - most
      return { admitted: false, remaining: 0, resetSeconds: secondsUntil(slots, leaving, at, length) }
    }
    if (n > 0) add(slots, n, at)
    const resetSeconds = secondsUntil(slots, 1, at, length)
    return { admitted: true, remaining: most - slots.used, resetSeconds }
  }

  give({ name }: Window, who: string | number, n: number): void {
    const slots = this.#slotsOf(name, who)
    for (let left = n; left > 0 && slots.used > 0; ) {
      const last = slots.counts.length - 1
      const given = Math.min(left, slots.counts[last]!)
      slots.counts[last]! -= given
      slots.used -= given
      left -= given
      if (slots.counts[last] === 0) slots.lastAt.length = slots.counts.length = last
    }
  }

  /** A clock that never goes back: when the system's is set back, it stops until that one has caught up. */
  #tick(now: Date): number {
    const clock = now.getTime()
    if (clock > this.#clock) this.#steady += clock - this.#clock
    this.#clock = clock
    return this.#steady
  }

  #slotsOf(name: string, who: string | number): Slots {
    let tracked = this.#windows.get(name)
    if (tracked === undefined) {
      tracked = new LRUCache({ max: this.#mostTracked })
      this.#windows.set(name, tracked)
    }
    const known = tracked.get(who)
    if (known !== undefined) return known
    const slots = { lastAt: [], counts: [], used: 0 }
    tracked.set(who, slots)
    return slots
  }
}

function expire(slots: Slots, until: number): void {
  while (slots.used > 0 && slots.lastAt[0]! <= until) {
    slots.lastAt.shift()
    slots.used -= slots.counts.shift()!
  }
}

function add(slots: Slots, n: number, at: number): void {
  const last = slots.counts.length - 1
  if (last >= 0 && Math.floor(slots.lastAt[last]! / SLOT_MS) === Math.floor(at / SLOT_MS)) {
    slots.lastAt[last] = at
    slots.counts[last]! += n
  } else {
    slots.lastAt.push(at)
    slots.counts.push(n)
  }
  slots.used += n
}

/** Until `events` of those in the window have left it. */
function secondsUntil({ lastAt, counts }: Slots, events: number, at: number, length: number): number {
  let left = 0
  for (let slot = 0; slot < counts.length; slot++) {
    left += counts[slot]!
    if (left >= events) return Math.ceil((lastAt[slot]! + length - at) / 1000)
  }
  return length / 1000
}
