/**
 * Counts calls against monthly quotas, in the place that all processes share. An owner's count there starts with the
 * calls that usage has recorded.
 */

import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import type { Window, WindowStore } from '../../db/counts/blocks.ts'
import { DAY_MS, type Month, monthOf } from './calendar.ts'
import type { CountedKey } from './pending-usage.ts'

/** A key whose calls are limited. */
export interface LimitedKey extends CountedKey {
  readonly plan: { readonly monthly_quota: number | null }
  /** The key's own quota within that of the plan; null: no limit. */
  readonly monthlyQuota: number | null
}

/** Calls already counted in a month, including those not yet written: against an owner's quota, and of a key. */
interface UsedCalls {
  ofOwner(owner: string, month: Month): ValueOrPromise<number>
  ofKey(keyId: number, month: Month): ValueOrPromise<number>
}

type Quota = ReturnType<typeof quotaOf>

export function openQuotas(counts: WindowStore, used: UsedCalls) {
  /** By the key's object, which stays the same until the key changes. */
  const known = new WeakMap<LimitedKey, { month: Month; quotas: readonly Quota[] }>()

  function quotasOf(key: LimitedKey, at: Date): readonly Quota[] {
    const month = monthOf(at)
    const before = known.get(key)
    if (before?.month === month) return before.quotas
    const quotas: Quota[] = []
    const { plan, monthlyQuota: own, quotaOwner, keyId } = key
    if (plan.monthly_quota !== null) {
      const seed = () => used.ofOwner(quotaOwner, month)
      quotas.push(quotaOf('quota', plan.monthly_quota, quotaOwner, month, seed))
    }
    if (own !== null) {
      const seed = () => used.ofKey(keyId, month)
      quotas.push(quotaOf('key_quota', own, `key:${keyId}`, month, seed))
    }
    known.set(key, { month, quotas })
    return quotas
  }

  return {
    /** As `UsageRecorder.reserve`: both the plan's quota and the key's must admit the call. */
    take(key: LimitedKey, at: Date): ValueOrPromise<number> {
      const quotas = quotasOf(key, at)
      const first = quotas[0]
      if (first === undefined) return Number.POSITIVE_INFINITY
      return withValue(counts.take(first.window, first.who, 1, at), ({ admitted, remaining }) => {
        if (!admitted) return -1
        const second = quotas[1]
        if (second === undefined) return remaining
        return withValue(counts.take(second.window, second.who, 1, at), (other) =>
          other.admitted
            ? Math.min(remaining, other.remaining)
            : withValue(counts.give(first.window, first.who, 1), () => -1),
        )
      })
    },
    /** Returns a call. @param at the moment it was counted with */
    give(key: LimitedKey, at: Date): ValueOrPromise<void> {
      const given = quotasOf(key, at).map(({ window, who }) => counts.give(window, who, 1))
      return withValue(allOf(given), () => {})
    },
    /** Calls left before the next one: Infinity without a quota. */
    left(key: LimitedKey, at: Date): ValueOrPromise<number> {
      const asked = quotasOf(key, at).map(({ window, who }) => counts.take(window, who, 0, at))
      return withValue(allOf(asked), (states) => Math.min(...states.map(({ remaining }) => remaining)))
    },
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
