/** Counted calls that are not yet in the database: signed, since a call is counted when admitted and may be returned. */

/** A key as counting needs it: its number, and whose monthly quota its calls use. */
export interface CountedKey {
  readonly keyId: number
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
  /** Calls by owner and month. */
  readonly months = new Map<string, Map<string, number>>()

  get isEmpty(): boolean {
    return this.keys.size === 0 && this.months.size === 0
  }

  /** Adds calls (or takes them back) to the key's day and its owner's month. */
  add(key: CountedKey, day: number, month: string, calls: number): void {
    increase(this.#key(key.keyId).calls, day, calls)
    const months = this.months.get(key.quotaOwner) ?? new Map<string, number>()
    this.months.set(key.quotaOwner, months)
    increase(months, month, calls)
  }

  used(keyId: number, at: number): void {
    const key = this.#key(keyId)
    if (key.lastUsed === undefined || at > key.lastUsed) key.lastUsed = at
  }

  inMonth(owner: string, month: string): number {
    return this.months.get(owner)?.get(month) ?? 0
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
    this.months.delete(owner)
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
