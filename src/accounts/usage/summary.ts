/** Counted calls as an account sees them: this month and day, and by day. Live: what is pending counts. */

import { dayName, dayNumber, monthOf } from './calendar.ts'
import type { UsageRecorder } from './usage.ts'

export interface UsageSummary {
  /** `2025-01` */
  readonly month: string
  readonly day: string
  readonly plan: {
    readonly name: string
    readonly monthly_quota: number | null
    readonly max_active_keys: number | null
  }
  readonly total: {
    /** May exceed the sum of the keys: deleting a key does not give its calls back. */
    readonly month: number
    readonly day: number
    /** Of the account's quota; null when it has none. */
    readonly remaining: number | null
  }
  readonly keys: readonly {
    readonly key_id: number
    readonly label: string
    readonly state: string
    readonly month: number
    readonly day: number
  }[]
}

export interface DailyUsage {
  readonly days: number
  readonly from: string
  readonly to: string
  readonly total: readonly DayCount[]
  readonly keys: readonly {
    readonly key_id: number
    readonly label: string
    readonly daily: readonly DayCount[]
  }[]
}

interface DayCount {
  readonly date: string
  readonly requests: number
}

interface NamedKey {
  readonly key_id: number
  readonly label: string
}

export interface UsageOwner {
  /** Whose quota it is: `account:7`. */
  readonly owner: string
  readonly plan: UsageSummary['plan']
  /** All keys the account sees. */
  readonly keys: readonly (NamedKey & { readonly state: string })[]
}

/** Use of the UTC month and day of `now`, in all and per key. */
export async function usageSummary(
  usage: UsageRecorder,
  { owner, plan, keys }: UsageOwner,
  now: Date,
): Promise<UsageSummary> {
  const month = monthOf(now)
  const today = dayNumber(now)
  const counts = await countByKeyAndDay(usage, keys, month.start)
  const perKey = keys.map(({ key_id, label, state }) => {
    const days = counts.get(key_id)
    let requests = 0
    for (let day = month.start; day < month.end; day++) requests += days?.get(dayName(day)) ?? 0
    return { key_id, label, state, month: requests, day: days?.get(dayName(today)) ?? 0 }
  })
  const used = await usage.monthOf(owner, now)
  // Keys minted by the operator have quotas of their own.
  let elsewhere = 0
  for (const { key_id } of keys) elsewhere += await usage.monthOf(`key:${key_id}`, now)
  const { name, monthly_quota, max_active_keys } = plan
  return {
    month: month.name,
    day: dayName(today),
    plan: { name, monthly_quota, max_active_keys },
    total: {
      month: used + elsewhere,
      day: perKey.reduce((sum, { day }) => sum + day, 0),
      remaining: monthly_quota === null ? null : Math.max(0, monthly_quota - used),
    },
    keys: perKey,
  }
}

/** Calls on each of the last `days` UTC days, oldest first, today included; days without calls are 0. */
export async function dailyUsage(
  usage: UsageRecorder,
  keys: readonly NamedKey[],
  days: number,
  now: Date,
): Promise<DailyUsage> {
  const to = dayNumber(now)
  const from = to - days + 1
  const dates = Array.from({ length: days }, (_, index) => dayName(from + index))
  const counts = await countByKeyAndDay(usage, keys, from)
  const perKey = keys.map(({ key_id, label }) => {
    const known = counts.get(key_id)
    return { key_id, label, daily: dates.map((date) => ({ date, requests: known?.get(date) ?? 0 })) }
  })
  const total = dates.map((date, index) => ({
    date,
    requests: perKey.reduce((sum, { daily }) => sum + daily[index]!.requests, 0),
  }))
  return { days, from: dayName(from), to: dayName(to), total, keys: perKey }
}

async function countByKeyAndDay(
  usage: UsageRecorder,
  keys: readonly NamedKey[],
  from: number,
): Promise<Map<number, Map<string, number>>> {
  const counts = new Map<number, Map<string, number>>()
  const rows = await usage.daysOf(
    keys.map(({ key_id }) => key_id),
    from,
  )
  for (const { key_id, day, requests } of rows) {
    const days = counts.get(key_id) ?? new Map<string, number>()
    counts.set(key_id, days)
    days.set(day, (days.get(day) ?? 0) + requests)
  }
  return counts
}
