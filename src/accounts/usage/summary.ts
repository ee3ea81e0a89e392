/** Counted calls as an account sees them: this month and day, and by day. Live: what is pending counts. */

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

/** Use of the UTC month and day of `now`, in all and per key. */
export async function usageSummary(
  usage: UsageRecorder,
  { owner, plan, keys }: UsageOwner & { readonly plan: Omit<Plan, 'per_minute'> },
  now: Date,
) {
  const month = monthOf(now)
  const today = dayNumber(now)
  const days = namesOf(month.start, today)
  const counts = await countByKeyAndDay(usage, keys, month.start)
  const perKey = keys.map(({ key_id, label, state }) => {
    const known = counts.get(key_id)
    return { key_id, label, state, month: sumOver(days, known), day: known?.get(dayName(today)) ?? 0 }
  })
  const totals = await totalByDay(usage, owner, days, counts)
  const used = await usage.monthOf(owner, now)
  const { name, monthly_quota, max_active_keys } = plan
  return {
    month: month.name,
    day: dayName(today),
    plan: { name, monthly_quota, max_active_keys },
    // May exceed the sum of the keys: deleting a key does not give its calls back.
    total: {
      // Calls of keys that were deleted before days were kept of accounts are in the month alone.
      month: Math.max(used, sumOver(days, totals)),
      day: totals.get(dayName(today))!,
      // Of the account's quota; null when it has none.
      remaining: monthly_quota === null ? null : Math.max(0, monthly_quota - used),
    },
    keys: perKey,
  }
}

/** Calls on each of the last `days` UTC days, oldest first, today included; days without calls are 0. */
export async function dailyUsage(usage: UsageRecorder, { owner, keys }: UsageOwner, days: number, now: Date) {
  const to = dayNumber(now)
  const from = to - days + 1
  const dates = namesOf(from, to)
  const counts = await countByKeyAndDay(usage, keys, from)
  const perKey = keys.map(({ key_id, label }) => {
    const known = counts.get(key_id)
    return { key_id, label, daily: dates.map((date) => ({ date, requests: known?.get(date) ?? 0 })) }
  })
  const totals = await totalByDay(usage, owner, dates, counts)
  const total = dates.map((date) => ({ date, requests: totals.get(date)! }))
  return { days, from: dayName(from), to: dayName(to), total, keys: perKey }
}

type DayCounts = ReadonlyMap<string, number>

function namesOf(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => dayName(from + index))
}

function sumOver(days: readonly string[], counts: DayCounts | undefined): number {
  return days.reduce((sum, day) => sum + (counts?.get(day) ?? 0), 0)
}

/** Of the account's own record, but never less than the sum of its keys, whose days go back further. */
async function totalByDay(
  usage: UsageRecorder,
  owner: string,
  days: readonly string[],
  byKey: ReadonlyMap<number, DayCounts>,
): Promise<DayCounts> {
  const recorded = await usage.daysOfAccount(owner, days)
  const ofKeys = (day: string) => byKey.values().reduce((sum, counts) => sum + (counts.get(day) ?? 0), 0)
  return new Map(days.map((day) => [day, Math.max(recorded.get(day)!, ofKeys(day))]))
}

async function countByKeyAndDay(usage: UsageRecorder, keys: UsageOwner['keys'], from: number) {
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

/** Calls per day and key, oldest first; what is still pending is left out (specification 4.2). */
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
