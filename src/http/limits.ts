/**
 * What a plan allows: requests a minute per key, calls a month per account. A call is reserved when it is admitted and
 * returned when the answer is a 304, a 429 or the service's own failure.
 */

import { adviseFewerCalls } from '../datasets/advice.ts'
import { ApiError } from '../errors.ts'
import type { KeyRecord } from '../keys/key-lookup.ts'
import { DAY_MS, type Month, monthOf } from '../usage/calendar.ts'
import type { RateLimiter } from '../usage/rate-limit.ts'
import type { Exchange } from './exchange.ts'

const MINUTE_S = 60
const DAY_S = 86_400

/**
 * Admits a call of the exchange's key.
 * @throws ApiError `rate_limited`, `quota_exceeded`, each with the seconds after which it would be admitted
 */
export function admitCall(exchange: Exchange, rates: RateLimiter): void {
  const { service, startedAt } = exchange
  const key = exchange.key!
  const { perMinute, monthlyQuota } = key.plan
  if (perMinute !== null) {
    exchange.rate = rates.take(key.keyId, perMinute, startedAt)
    if (!exchange.rate.admitted) throw rateLimited(exchange, perMinute, exchange.rate.resetSeconds)
  }
  exchange.callsLeft = service.usage.reserve(key, startedAt)
  exchange.reserved = exchange.callsLeft >= 0
  if (!exchange.reserved) throw quotaExceeded(exchange, monthlyQuota!)
}

/** Returns the exchange's call if this status costs none. */
export function settleCall(exchange: Exchange, status: number): void {
  if (status === 304 || status === 429 || status >= 500) returnCall(exchange)
}

/** Returns the exchange's call, once. */
export function returnCall(exchange: Exchange): void {
  if (!exchange.reserved) return
  exchange.reserved = false
  exchange.callsLeft += 1
  exchange.service.usage.giveBack(exchange.key!, exchange.startedAt)
}

/**
 * Adds where the key stands, as draft-ietf-httpapi-ratelimit-headers-10 writes it (`q` quota, `w` window, `r` remaining,
 * `t` seconds until there is more), and the minute as older clients read it. Nothing for a plan without limits.
 */
export function setLimitHeaders(headers: Headers, exchange: Exchange): void {
  const { rate, startedAt } = exchange
  const { plan } = exchange.key!
  if (plan.perMinute === null && plan.monthlyQuota === null) return
  const month = monthOf(startedAt)
  const { policy, perMinute } = constantsOf(plan, month)
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
  if (plan.monthlyQuota !== null) {
    const left = callsLeft(exchange, plan.monthlyQuota)
    const calls = `"month";r=${left};t=${secondsUntil(month.end, startedAt)}`
    state = state === '' ? calls : `${state}, ${calls}`
  }
  headers.set('RateLimit', state)
}

/** Calls of the month that are left after this one. */
function callsLeft(exchange: Exchange, quota: number): number {
  const { service, key, startedAt } = exchange
  // A request over the rate was not reserved, so nobody has asked yet.
  const left = Number.isNaN(exchange.callsLeft)
    ? quota - service.usage.monthOf(key!.quotaOwner, startedAt)
    : exchange.callsLeft
  return Math.max(0, left)
}

type Plan = KeyRecord['plan']

interface Constants {
  readonly month: Month
  readonly policy: string
  readonly perMinute: string
}

/** What the headers of a plan say all month. Plans are forgotten with the keys they came with. */
const constants = new WeakMap<Plan, Constants>()

function constantsOf(plan: Plan, month: Month): Constants {
  const known = constants.get(plan)
  if (known?.month === month) return known
  const { perMinute, monthlyQuota } = plan
  const parts: string[] = []
  if (perMinute !== null) parts.push(`"minute";q=${perMinute};w=${MINUTE_S}`)
  if (monthlyQuota !== null) parts.push(`"month";q=${monthlyQuota};w=${(month.end - month.start) * DAY_S}`)
  const made = { month, policy: parts.join(', '), perMinute: String(perMinute) }
  constants.set(plan, made)
  return made
}

function secondsUntil(day: number, now: Date): number {
  return Math.ceil((day * DAY_MS - now.getTime()) / 1000)
}

function rateLimited({ path, query }: Exchange, perMinute: number, seconds: number): ApiError {
  const message = `This key may make ${perMinute} requests a minute; try again in ${seconds} s. ${adviseFewerCalls(path, query)}`
  return new ApiError('rate_limited', message, undefined, seconds)
}

function quotaExceeded({ path, query, startedAt: now }: Exchange, quota: number): ApiError {
  const { end } = monthOf(now)
  const next = new Date(end * DAY_MS).toISOString().slice(0, 10)
  const message = `The ${quota} calls of this month are used up; there will be new ones on ${next}, 00:00 UTC. ${adviseFewerCalls(path, query)}`
  return new ApiError('quota_exceeded', message, undefined, secondsUntil(end, now))
}
