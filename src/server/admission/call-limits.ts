/**
 * The limits of a plan: requests a minute per key, calls a month per account. A call is reserved when it is admitted and
 * returned when the answer is a 304, a 429 or the service's own failure.
 */

import type { KeyRecord } from '../../accounts/keys/key-lookup.ts'
import { refusal, take } from '../../accounts/limits/limits.ts'
import { DAY_MS, type Month, monthOf } from '../../accounts/usage/calendar.ts'
import type { UsageRecorder } from '../../accounts/usage/usage.ts'
import type { App } from '../../app.ts'
import { refuseBy } from '../../base/limits.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import { adviseFewerCalls } from '../../query/query-shares.ts'
import type { CallRecord } from '../call-record.ts'

export type CallCounts = Pick<App, 'limits' | 'usage'>

/**
 * Admits a call of a key.
 * @throws ApiError `rate_limited`, `quota_exceeded`, each with the seconds after which it would be admitted
 */
export function admitCall(call: CallRecord, { limits, usage }: CallCounts): ValueOrPromise<void> {
  const { keyId, plan } = call.key!
  if (plan.per_minute === null) return reserveCall(call, usage)
  return withValue(take(limits, 'calls', keyId, 1, call.startedAt, plan.per_minute), (rate) => {
    call.rate = rate
    return rate.admitted ? reserveCall(call, usage) : refuseRate(call, rate.resetSeconds, usage)
  })
}

function reserveCall(call: CallRecord, usage: UsageRecorder): ValueOrPromise<void> {
  return withValue(usage.reserve(call.key!, call.startedAt), (left) => {
    call.callsLeft = left
    call.reserved = left >= 0
    if (!call.reserved) return refuseQuota(call, usage)
  })
}

/** Returns the call, once. */
export function returnCall(call: CallRecord, usage: UsageRecorder): void {
  if (!call.reserved) return
  call.reserved = false
  call.callsLeft += 1
  usage.giveBack(call.key!, call.startedAt)
}

/**
 * Adds the state of the key's limits in the form of draft-ietf-httpapi-ratelimit-headers-10 (`q` quota, `w` window, `r`
 * remaining, `t` seconds until there is more), and that of the minute for older clients. A key without limits gets none.
 */
export function setLimitHeaders(headers: Headers, call: CallRecord): void {
  const { rate, startedAt } = call
  const key = call.key!
  const quota = quotaOf(key)
  if (key.plan.per_minute === null && quota === null) return
  const month = monthOf(startedAt)
  const { policy, perMinute } = constantsOf(key, month)
  headers.set('RateLimit-Policy', policy)
  let state = ''
  if (rate !== undefined) {
    const remaining = String(rate.remaining)
    const reset = String(rate.resetSeconds)
    state = `"minute";r=${remaining};t=${reset}`
    headers.set('X-RateLimit-Limit', perMinute)
    headers.set('X-RateLimit-Remaining', remaining)
    headers.set('X-RateLimit-Reset', reset)
  }
  if (quota !== null) {
    const calls = `"month";r=${Math.max(0, call.callsLeft)};t=${secondsUntil(month.end, startedAt)}`
    state = state === '' ? calls : `${state}, ${calls}`
  }
  headers.set('RateLimit', state)
}

/** The lower of the plan's and the key's own quota; null for none. */
function quotaOf({ plan, monthlyQuota: own }: KeyRecord): number | null {
  if (own === null || plan.monthly_quota === null) return own ?? plan.monthly_quota
  return Math.min(own, plan.monthly_quota)
}

/** The parts of a key's headers that stay the same all month. */
const constants = new WeakMap<KeyRecord, ReturnType<typeof constantsOf>>()

function constantsOf(
  key: KeyRecord,
  month: Month,
): { readonly month: Month; readonly policy: string; readonly perMinute: string } {
  const known = constants.get(key)
  if (known?.month === month) return known
  const { per_minute: perMinute } = key.plan
  const quota = quotaOf(key)
  const parts: string[] = []
  if (perMinute !== null) parts.push(`"minute";q=${perMinute};w=60`)
  if (quota !== null) parts.push(`"month";q=${quota};w=${(month.end - month.start) * (DAY_MS / 1000)}`)
  const made = { month, policy: parts.join(', '), perMinute: String(perMinute) }
  constants.set(key, made)
  return made
}

function secondsUntil(day: number, now: Date): number {
  return Math.ceil((day * DAY_MS - now.getTime()) / 1000)
}

/** Refuses, with what is left of the month in the headers. */
function refuseRate(call: CallRecord, seconds: number, usage: UsageRecorder): ValueOrPromise<never> {
  const { key, path, query, startedAt } = call
  const refused = refusal('calls', seconds, key!.plan.per_minute!, adviseFewerCalls(path, query))
  if (quotaOf(key!) === null) throw refused
  return withValue(usage.left(key!, startedAt), (left) => {
    call.callsLeft = left
    throw refused
  })
}

/** Refuses, and names the quota that is used up: the account's, or the key's smaller one. */
function refuseQuota(
  { key, path, query, startedAt: now }: CallRecord,
  usage: UsageRecorder,
): ValueOrPromise<never> {
  const { quotaOwner, plan, monthlyQuota: own } = key!
  const { end } = monthOf(now)
  const next = new Date(end * DAY_MS).toISOString().slice(0, 10)
  return withValue(usage.monthOf(quotaOwner, now), (used) => {
    const isAccounts = own === null || (plan.monthly_quota !== null && used >= plan.monthly_quota)
    const calls = isAccounts
      ? `${plan.monthly_quota} calls of this month`
      : `${own} calls a month of this key`
    const message = `The ${calls} are used up; there will be new ones on ${next}, 00:00 UTC. ${adviseFewerCalls(path, query)}`
    throw refuseBy('quota', message, secondsUntil(end, now))
  })
}
