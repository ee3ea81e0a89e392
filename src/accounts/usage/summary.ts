/** Counted calls as an account sees them: this month and day, and by day. Live: what is pending counts. */

import { dayName, dayNumber, monthOf } from './calendar.ts'
import { type LogRecord, toLogRecord } from './log-record.ts'
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
    /** As the day, may exceed the sum of the keys: deleting a key does not give its calls back. */
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
  /** May exceed the sums of the keys. */
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
    total: {
      // Calls of keys that were deleted before days were kept of accounts are in the month alone.
      month: Math.max(used, sumOver(days, totals)),
      day: totals.get(dayName(today))!,
      remaining: monthly_quota === null ? null : Math.max(0, monthly_quota - used),
    },
    keys: perKey,
  }
}

/** Calls on each of the last `days` UTC days, oldest first, today included; days without calls are 0. */
export async function dailyUsage(
  usage: UsageRecorder,
  { owner, keys }: Pick<UsageOwner, 'owner' | 'keys'>,
  days: number,
  now: Date,
): Promise<DailyUsage> {
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

/** Calls per day and key, oldest first; what is still pending is left out (specification 4.2). */
export async function exportDaily(
  usage: UsageRecorder,
  keyIds: readonly number[],
): Promise<{ date: string; key_id: number; requests: number }[]> {
  const rows = await usage.committedDays(keyIds)
  return rows.map(({ day, key_id, requests }) => ({ date: day, key_id, requests }))
}

/** Log records, key by key, oldest first. Await `usage.logs.settle()` before. */
export async function* exportLogs(
  usage: UsageRecorder,
  keyIds: readonly number[],
): AsyncGenerator<LogRecord> {
  for (const keyId of keyIds) {
    let page = await usage.logsOf(keyId)
    while (page.length > 0) {
      yield* page.map(toLogRecord)
      page = await usage.logsOf(keyId, page.at(-1))
    }
  }
}
