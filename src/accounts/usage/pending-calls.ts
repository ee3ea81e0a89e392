/** Counted calls that are not yet in the database: signed, since a call is counted when admitted and may be returned. */

import { dayName } from './calendar.ts'

/** A key as counting needs it: its number, its account, and whose monthly quota its calls use. */
export interface CountedKey {
  readonly keyId: number
  /** null: none. */
  readonly userId: number | null
  /** `account:7`, or `key:3`. */
  readonly quotaOwner: string
}

interface PendingKey {
  /** Calls by day number. */
  readonly calls: Map<number, number>
  /** Milliseconds since 1970; undefined when no answer was given since the last flush. */
  lastUsed: number | undefined
}

export class PendingCalls {
  readonly keys = new Map<number, PendingKey>()
  /** Calls by owner and month, and of accounts by day as well. */
  readonly periods = new Map<string, Map<string, number>>()

  get isEmpty(): boolean {
    return this.keys.size === 0 && this.periods.size === 0
  }

  /** Adds calls (or takes them back) to the key's day, its owner's month and its account's day. */
  add(key: CountedKey, day: number, month: string, calls: number): void {
    increase(this.#key(key.keyId).calls, day, calls)
    this.#increase(key.quotaOwner, month, calls)
    if (key.userId !== null) this.#increase(`account:${key.userId}`, dayName(day), calls)
  }

  used(keyId: number, at: number): void {
    const key = this.#key(keyId)
    if (key.lastUsed === undefined || at > key.lastUsed) key.lastUsed = at
  }

  inPeriod(owner: string, period: string): number {
    return this.periods.get(owner)?.get(period) ?? 0
  }

  /** Calls of a key by day number. */
  daysOf(keyId: number): ReadonlyMap<number, number> {
    return this.keys.get(keyId)?.calls ?? NONE
  }

  /** Calls of all keys by day number. */
  perDay(): Map<number, number> {
    const all = new Map<number, number>()
    for (const { calls } of this.keys.values()) {
      for (const [day, requests] of calls) increase(all, day, requests)
    }
    return all
  }

  forgetKey(keyId: number): void {
    this.keys.delete(keyId)
  }

  forgetOwner(owner: string): void {
    this.periods.delete(owner)
  }

  #increase(owner: string, period: string, calls: number): void {
    const periods = this.periods.get(owner) ?? new Map<string, number>()
    this.periods.set(owner, periods)
    increase(periods, period, calls)
  }

  #key(keyId: number): PendingKey {
    const known = this.keys.get(keyId)
    if (known) return known
    const key: PendingKey = { calls: new Map(), lastUsed: undefined }
    this.keys.set(keyId, key)
    return key
  }
}

const NONE: ReadonlyMap<number, number> = new Map()

function increase<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}
