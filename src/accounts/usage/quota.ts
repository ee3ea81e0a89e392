/**
 * Counts calls against monthly quotas: those that any process has committed, plus those pending in this one. Committed
 * counts are cached until this or another process commits.
 */

import { LRUCache } from 'lru-cache'
import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import { monthOf } from './calendar.ts'
import type { CountedKey } from './pending-calls.ts'
import type { PendingUsage } from './pending-usage.ts'
import type { UsageStore } from './usage-store.ts'

const CACHED_OWNERS = 10_000

/** A key whose calls are limited. */
export interface LimitedKey extends CountedKey {
  /** null: no limit. */
  readonly plan: { readonly monthlyQuota: number | null }
  /** Of the key alone, within that of the plan; null: no limit. */
  readonly monthlyQuota: number | null
}

/** What is left of quotas. */
export interface Quotas {
  /** Calls that count against an owner's quota in the month of a moment. */
  used(owner: string, at: Date, pending: PendingUsage): ValueOrPromise<number>
  /** Calls left before the next one: Infinity without a quota. The plan's quota and that of the key both hold. */
  left(key: LimitedKey, at: Date, pending: PendingUsage): ValueOrPromise<number>
  /** Call it when this process has committed. */
  clear(): void
}

/** Counts in the file, at once. */
export interface CommittedCounts {
  /** Changes whenever another connection commits. */
  readonly version: number
  monthOf(...of: Parameters<UsageStore['monthOf']>): number
  keyMonth(...of: Parameters<UsageStore['keyMonth']>): number
}

export class QuotaCounts implements Quotas {
  readonly #tables: CommittedCounts
  readonly #onError: (error: unknown) => void
  readonly #calls = new LRUCache<string, number>({ max: CACHED_OWNERS })
  /** Of keys with a quota of their own. */
  readonly #callsOfKeys = new LRUCache<number, number>({ max: CACHED_OWNERS })
  #month = ''
  #version = -1
  #looked = false

  constructor(tables: CommittedCounts, onError: (error: unknown) => void) {
    this.#tables = tables
    this.#onError = onError
  }

  used(owner: string, at: Date, pending: PendingUsage): number {
    const month = monthOf(at).name
    return this.#committed(owner, month) + pending.inMonth(owner, month)
  }

  /** Calls of a key in the month of a moment, whoever's quota they count against. */
  usedByKey(keyId: number, at: Date, pending: PendingUsage): number {
    const { name, start, end } = monthOf(at)
    let calls = this.#committedOfKey(keyId, name)
    for (const [day, count] of pending.daysOf(keyId)) if (day >= start && day < end) calls += count
    return calls
  }

  left(key: LimitedKey, at: Date, pending: PendingUsage): number {
    const { plan, monthlyQuota: own, quotaOwner, keyId } = key
    const { monthlyQuota: quota } = plan
    const left = quota === null ? Number.POSITIVE_INFINITY : quota - this.used(quotaOwner, at, pending)
    return Math.max(0, own === null ? left : Math.min(left, own - this.usedByKey(keyId, at, pending)))
  }

  clear(): void {
    this.#calls.clear()
    this.#callsOfKeys.clear()
  }

  #committed(owner: string, month: string): number {
    this.#dropStale(month)
    let calls = this.#calls.get(owner)
    if (calls === undefined) {
      calls = this.#read(() => this.#tables.monthOf(owner, month))
      this.#calls.set(owner, calls)
    }
    return calls
  }

  #committedOfKey(keyId: number, month: string): number {
    this.#dropStale(month)
    let calls = this.#callsOfKeys.get(keyId)
    if (calls === undefined) {
      calls = this.#read(() => this.#tables.keyMonth(keyId, month))
      this.#callsOfKeys.set(keyId, calls)
    }
    return calls
  }

  /** While the file cannot be read, calls count from zero: requests go on, and the quota is inexact. */
  #read(query: () => number): number {
    try {
      return query()
    } catch (error) {
      this.#onError(error)
      return 0
    }
  }

  /** Looks for commits of other processes, at most once per turn of the event loop. */
  #dropStale(month: string): void {
    if (!this.#looked) {
      this.#looked = true
      setImmediate(this.#lookAgain)
      const version = this.#tables.version
      if (version !== this.#version) this.clear()
      this.#version = version
    }
    if (month === this.#month) return
    this.clear()
    this.#month = month
  }

  readonly #lookAgain = () => {
    this.#looked = false
  }
}

/** Counts in a store across the network, asked each time: what other nodes have pending is not in them. */
export class StoredQuotas implements Quotas {
  readonly #store: UsageStore

  constructor(store: UsageStore) {
    this.#store = store
  }

  async used(owner: string, at: Date, pending: PendingUsage): Promise<number> {
    const month = monthOf(at).name
    return (await this.#store.monthOf(owner, month)) + pending.inMonth(owner, month)
  }

  async left(key: LimitedKey, at: Date, pending: PendingUsage): Promise<number> {
    const { plan, monthlyQuota: own, quotaOwner, keyId } = key
    let left = Number.POSITIVE_INFINITY
    if (plan.monthlyQuota !== null) left = plan.monthlyQuota - (await this.used(quotaOwner, at, pending))
    if (own !== null) {
      const { name, start, end } = monthOf(at)
      let calls = await this.#store.keyMonth(keyId, name)
      for (const [day, count] of pending.daysOf(keyId)) if (day >= start && day < end) calls += count
      left = Math.min(left, own - calls)
    }
    return Math.max(0, left)
  }

  clear(): void {}
}
