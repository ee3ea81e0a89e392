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
  /**
   * Whose counts are kept. `all`: of everyone who has events in the window; for those whom clients cannot make up, such as
   * accounts. `recent`: of a bounded number, beyond which the least recently counted one is forgotten.
   */
  readonly keeps: 'all' | 'recent'
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
/** Where clients choose whom they count as. At most 1 KB each. */
const MOST_TRACKED = 20_000
/** How many there are before those without events are looked for. */
const FIRST_SWEEP = 1000

export class SlidingWindows implements WindowStore {
  readonly #mostTracked: number
  readonly #windows = new Map<string, Tracked>()
  #steady = 0
  #clock = Number.NaN

  /** @param mostTracked by each window that keeps recent ones only */
  constructor(mostTracked = MOST_TRACKED) {
    this.#mostTracked = mostTracked
  }

  take(window: Window, who: string | number, n: number, now: Date): WindowState {
    const { most, seconds } = window
    const at = this.#tick(now)
    const length = seconds * 1000
    const tracked = this.#trackedBy(window)
    const slots = tracked.get(who) ?? { lastAt: [], counts: [], used: 0 }
    expire(slots, at - length)
    const wanted = Math.max(n, 1)
    if (slots.used + wanted > most) {
      // A limit that was lowered meanwhile takes more than `wanted` events to leave.
      const leaving = slots.used + wanted - most
      return { admitted: false, remaining: 0, resetSeconds: secondsUntil(slots, leaving, at, length) }
    }
    if (n > 0) {
      const isNew = slots.used === 0
      add(slots, n, at)
      if (isNew) tracked.set(who, slots, at - length)
    }
    const resetSeconds = secondsUntil(slots, 1, at, length)
    return { admitted: true, remaining: most - slots.used, resetSeconds }
  }

  give(window: Window, who: string | number, n: number): void {
    const tracked = this.#trackedBy(window)
    const slots = tracked.get(who)
    if (slots === undefined) return
    for (let left = n; left > 0 && slots.used > 0; ) {
      const last = slots.counts.length - 1
      const given = Math.min(left, slots.counts[last]!)
      slots.counts[last]! -= given
      slots.used -= given
      left -= given
      if (slots.counts[last] === 0) slots.lastAt.length = slots.counts.length = last
    }
    if (slots.used === 0) tracked.delete(who)
  }

  /** Whose counts a window holds at this moment. */
  tracked({ name }: Window): number {
    return this.#windows.get(name)?.size ?? 0
  }

  /** A clock that never goes back: when the system's is set back, it stops until that one has caught up. */
  #tick(now: Date): number {
    const clock = now.getTime()
    if (clock > this.#clock) this.#steady += clock - this.#clock
    this.#clock = clock
    return this.#steady
  }

  #trackedBy({ name, keeps }: Window): Tracked {
    let tracked = this.#windows.get(name)
    if (tracked === undefined) {
      tracked = keeps === 'all' ? new TrackedAll() : new TrackedRecent(this.#mostTracked)
      this.#windows.set(name, tracked)
    }
    return tracked
  }
}

/** The slots of a window by whose they are. */
interface Tracked {
  readonly size: number
  get(who: string | number): Slots | undefined
  /** @param until events at or before it have left the window */
  set(who: string | number, slots: Slots, until: number): void
  delete(who: string | number): void
}

class TrackedRecent implements Tracked {
  readonly #slots: LRUCache<string | number, Slots>

  constructor(most: number) {
    this.#slots = new LRUCache({ max: most })
  }

  get size(): number {
    return this.#slots.size
  }

  get(who: string | number): Slots | undefined {
    return this.#slots.get(who)
  }

  set(who: string | number, slots: Slots): void {
    this.#slots.set(who, slots)
  }

  delete(who: string | number): void {
    this.#slots.delete(who)
  }
}

/** Forgets nobody who has events. Whenever their number has doubled, those without any leave. */
class TrackedAll implements Tracked {
  readonly #slots = new Map<string | number, Slots>()
  #sweepAt = FIRST_SWEEP

  get size(): number {
    return this.#slots.size
  }

  get(who: string | number): Slots | undefined {
    return this.#slots.get(who)
  }

  set(who: string | number, slots: Slots, until: number): void {
    this.#slots.set(who, slots)
    if (this.#slots.size > this.#sweepAt) this.#sweep(until)
  }

  delete(who: string | number): void {
    this.#slots.delete(who)
  }

  #sweep(until: number): void {
    for (const [who, slots] of this.#slots) {
      expire(slots, until)
      if (slots.used === 0) this.#slots.delete(who)
    }
    this.#sweepAt = Math.max(FIRST_SWEEP, 2 * this.#slots.size)
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
