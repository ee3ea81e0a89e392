/**
 * Counts calls against monthly quotas, in the one place where all processes count. What was used before that place knew of
 * an owner is read from usage.
 */

import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import type { Window, WindowStore } from '../../db/counts/blocks.ts'
import { DAY_MS, type Month, monthOf } from './calendar.ts'
import type { CountedKey } from './pending-usage.ts'

/** A key whose calls are limited. */
export interface LimitedKey extends CountedKey {
  readonly plan: { readonly monthlyQuota: number | null }
  /** Of the key alone, within that of the plan; null: no limit. */
  readonly monthlyQuota: number | null
}

/** Calls in a month that are counted already, also those that are not written yet: against an owner's quota, and of a key. */
interface UsedCalls {
  ofOwner(owner: string, month: Month): ValueOrPromise<number>
  ofKey(keyId: number, month: Month): ValueOrPromise<number>
}

type Quota = ReturnType<typeof quotaOf>

export class Quotas {
  readonly #counts: WindowStore
  readonly #used: UsedCalls
  /** Of keys as requests bring them: the same object until the key changes. */
  readonly #known = new WeakMap<LimitedKey, { month: Month; quotas: readonly Quota[] }>()

  constructor(counts: WindowStore, used: UsedCalls) {
    this.#counts = counts
    this.#used = used
  }

  /**
   * Counts a call, unless a quota is used up: that of the plan and that of the key both hold.
   * @returns the calls that are left after it, Infinity without a quota; -1 when none was left: nothing is counted then
   */
  take(key: LimitedKey, at: Date): ValueOrPromise<number> {
    const quotas = this.#quotasOf(key, at)
    const first = quotas[0]
    if (first === undefined) return Number.POSITIVE_INFINITY
    return withValue(this.#counts.take(first.window, first.who, 1, at), ({ admitted, remaining }) => {
      if (!admitted) return -1
      const second = quotas[1]
      if (second === undefined) return remaining
      return withValue(this.#counts.take(second.window, second.who, 1, at), (other) =>
        other.admitted
          ? Math.min(remaining, other.remaining)
          : withValue(this.#counts.give(first.window, first.who, 1), () => -1),
      )
    })
  }

  /** Returns a call. @param at the moment it was counted with */
  give(key: LimitedKey, at: Date): ValueOrPromise<void> {
    const given = this.#quotasOf(key, at).map(({ window, who }) => this.#counts.give(window, who, 1))
    return withValue(allOf(given), () => {})
  }

  /** Calls left before the next one: Infinity without a quota. */
  left(key: LimitedKey, at: Date): ValueOrPromise<number> {
    const asked = this.#quotasOf(key, at).map(({ window, who }) => this.#counts.take(window, who, 0, at))
    return withValue(allOf(asked), (states) => Math.min(...states.map(({ remaining }) => remaining)))
  }

  #quotasOf(key: LimitedKey, at: Date): readonly Quota[] {
    const month = monthOf(at)
    const known = this.#known.get(key)
    if (known?.month === month) return known.quotas
    const quotas: Quota[] = []
    const { plan, monthlyQuota: own, quotaOwner, keyId } = key
    if (plan.monthlyQuota !== null) {
      const seed = () => this.#used.ofOwner(quotaOwner, month)
      quotas.push(quotaOf('quota', plan.monthlyQuota, quotaOwner, month, seed))
    }
    if (own !== null) {
      const seed = () => this.#used.ofKey(keyId, month)
      quotas.push(quotaOf('key_quota', own, `key:${keyId}`, month, seed))
    }
    this.#known.set(key, { month, quotas })
    return quotas
  }
}

function allOf<T>(values: readonly ValueOrPromise<T>[]): ValueOrPromise<readonly T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly T[])
}

function quotaOf(name: string, most: number, owner: string, month: Month, seed: NonNullable<Window['seed']>) {
  const until = month.end * DAY_MS
  const window: Window = { name, most, seconds: 0, until, keeps: 'all', seed }
  return { window, who: `${owner} ${month.name}` }
}
