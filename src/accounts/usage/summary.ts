/** Counted calls as an account sees them: this month, today, and by day. Pending calls are included. */

import type { Key } from '../keys/key-rows.ts'
import type { Plan } from '../keys/plans.ts'
import { dayName, dayNumber, monthOf } from './calendar.ts'
import { toLogRecord } from './log-record.ts'
import type { UsageRecorder } from './usage.ts'

export type UsageSummary = Awaited<ReturnType<typeof usageSummary>>
export type DailyUsage = Awaited<ReturnType<typeof dailyUsage>>

interface UsageOwner {
  /** Whose quota it is: `account:7`. */
  readonly owner: string
  readonly keys: readonly (Pick<Key, 'key_id' | 'label'> & { readonly state: string })[]
}

/** Calls in the UTC month and on the UTC day of `now`, in total and per key. */
export async function usageSummary(
  usage: UsageRecorder,
  account: UsageOwner & { readonly plan: Omit<Plan, 'per_minute'> },
  now: Date,
) {
  const { name, monthly_quota, max_active_keys } = account.plan
  const month = monthOf(now)
  const daily = await dailyUsage(usage, account, dayNumber(now) - month.start + 1, now)
  const used = await usage.monthOf(account.owner, now)
  const total = sumOf(daily.total)
  return {
    month: month.name,
    day: daily.to,
    plan: { name, monthly_quota, max_active_keys },
    // May exceed the sum of the keys: deleting a key does not give its calls back.
    total: {
      // Calls of keys deleted before accounts had counts by day are in the month alone.
      month: Math.max(used, total.month),
      day: total.day,
      // Of the account's quota; null when it has none.
      remaining: monthly_quota === null ? null : Math.max(0, monthly_quota - used),
    },
    keys: account.keys.map(({ key_id, label, state }, at) => ({
      ...{ key_id, label, state },
      ...sumOf(daily.keys[at]!.daily),
    })),
  }
}

type DayCount = Readonly<Record<'date', string> & Record<'requests', number>>

function sumOf(days: readonly DayCount[]): { month: number; day: number } {
  return { month: days.reduce((sum, { requests }) => sum + requests, 0), day: days.at(-1)!.requests }
}

/** Calls on each of the last `days` UTC days, oldest first, today included; days without calls are 0. */
export async function dailyUsage(usage: UsageRecorder, { owner, keys }: UsageOwner, days: number, now: Date) {
  const to = dayNumber(now)
  const from = to - days + 1
  const dates = Array.from({ length: days }, (_, index) => dayName(from + index))
  const ids = keys.map(({ key_id }) => key_id)
  const byKey = Map.groupBy(await usage.daysOf(ids, from), ({ key_id }) => key_id)
  const perKey = keys.map(({ key_id, label }) => {
    const counts = new Map<string, number>()
    for (const { day, requests } of byKey.get(key_id) ?? [])
      counts.set(day, (counts.get(day) ?? 0) + requests)
    return { key_id, label, daily: dates.map((date) => ({ date, requests: counts.get(date) ?? 0 })) }
  })
  // The account's own count, but never less than the sum of its keys, whose days go back further.
  const recorded = await usage.daysOfAccount(owner, dates)
  const total = dates.map((date, at) => {
    const ofKeys = perKey.reduce((sum, { daily }) => sum + daily[at]!.requests, 0)
    return { date, requests: Math.max(recorded.get(date)!, ofKeys) }
  })
  return { days, from: dayName(from), to: dayName(to), total, keys: perKey }
}

/** Calls per day and key, oldest first, without pending calls (specification 4.2). */
export async function exportDaily({ tables }: UsageRecorder, keyIds: readonly number[]) {
  const rows = await tables.days(keyIds, '')
  return rows.map(({ day, key_id, requests }) => ({ date: day, key_id, requests }))
}

/** Log records, key by key, oldest first. Await `usage.logs.settle()` before. */
export async function* exportLogs({ tables }: UsageRecorder, keyIds: readonly number[]) {
  for (const keyId of keyIds) {
    let page = await tables.recordsOf(keyId)
    while (page.length > 0) {
      yield* page.map(toLogRecord)
      page = await tables.recordsOf(keyId, page.at(-1))
    }
  }
}
