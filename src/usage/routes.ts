/** What an account used, and its request logs: `/account/api/usage` and `/account/api/logs` (specification 4.2). */

import { answerReader, respondAccount } from '../http/account-calls.ts'
import { integerParameter, MOMENT_PARAMETER, type QueryValues, textParameter } from '../http/account-query.ts'
import { routeGroup } from '../http/exchange.ts'
import type { Service } from '../http/service.ts'
import { listAccountKeys, requireAccountKey, requireAccountPlan } from '../keys/account-keys.ts'
import { dailyUsage, usageSummary } from './summary.ts'

const LONGEST_PATH_PART = 200

/** Specification 4.2 and 8. */
const DAILY_DAYS = integerParameter({ min: 1, max: 92, fallback: 30 })
const STATISTICS_DAYS = integerParameter({ min: 1, max: 92, fallback: 7 })
const LOG_PARAMETERS = {
  key_id: integerParameter({
    min: Number.MIN_SAFE_INTEGER,
    max: Number.MAX_SAFE_INTEGER,
    fallback: undefined,
  }),
  method: textParameter(/^[A-Za-z]{3,7}$/, 'must be 3 to 7 letters', (text) => text.toUpperCase()),
  status_class: textParameter(/^[1-5]xx$/, 'must be one of 1xx, 2xx, 3xx, 4xx, 5xx', (text) =>
    Number(text[0]),
  ),
  q: textParameter(
    new RegExp(`^.{0,${LONGEST_PATH_PART}}$`, 'su'),
    `must have at most ${LONGEST_PATH_PART} characters`,
    (text) => text,
  ),
  since: MOMENT_PARAMETER,
  until: MOMENT_PARAMETER,
  limit: integerParameter({ min: 1, max: 200, fallback: 50 }, 'invalid_limit'),
  offset: integerParameter({ min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }, 'invalid_offset'),
} as const

/** The usage and log routes. A key of somebody else is not found. */
export function usageRoutes(service: Service) {
  const { accounts, usage, now } = service
  const lastUsed = (keyId: number) => usage.lastUsed(keyId)
  const keysOf = (userId: number) => listAccountKeys(accounts, userId, lastUsed)
  const keyIdsOf = (userId: number) => keysOf(userId).map((key) => key.key_id)
  return routeGroup()
    .get('/account/api/usage/summary', ({ exchange }) =>
      answerReader(exchange, {}, ({ userId }) => {
        const plan = requireAccountPlan(accounts, userId)
        const account = { owner: `account:${userId}`, plan, keys: keysOf(userId) } as const
        return respondAccount(exchange, 200, usageSummary(usage, account, now()))
      }),
    )
    .get('/account/api/usage/daily', ({ exchange }) =>
      answerReader(exchange, { days: DAILY_DAYS }, ({ userId }, { days }) =>
        respondAccount(exchange, 200, dailyUsage(usage, keysOf(userId), days, now())),
      ),
    )
    .get('/account/api/logs', ({ exchange }) =>
      answerReader(exchange, LOG_PARAMETERS, async ({ userId }, query) => {
        const { key_id } = query
        if (key_id !== undefined) requireAccountKey(accounts, userId, key_id)
        const keyIds = key_id === undefined ? keyIdsOf(userId) : [key_id]
        return respondAccount(exchange, 200, await usage.logs.page({ keyIds, ...toFilter(query) }))
      }),
    )
    .get('/account/api/logs/stats', ({ exchange }) =>
      answerReader(exchange, { days: STATISTICS_DAYS }, async ({ userId }, { days }) => {
        const statistics = await usage.logs.statistics({ keyIds: keyIdsOf(userId), days }, now())
        return respondAccount(exchange, 200, statistics)
      }),
    )
}

/** Logs show whole seconds, rounded down, and compare as they show (contract 4). */
function toFilter(query: QueryValues<typeof LOG_PARAMETERS>) {
  const { method, status_class: statusClass, q, since, until, limit, offset } = query
  return {
    ...{ limit, offset },
    ...(method !== undefined && { method }),
    ...(statusClass !== undefined && { statusClass }),
    ...(q !== undefined && q !== '' && { q }),
    ...(since !== undefined && { since: toSecond(since, Math.ceil) }),
    ...(until !== undefined && { until: toSecond(until, Math.floor) }),
  }
}

function toSecond(moment: string, round: (seconds: number) => number): Date {
  return new Date(round(Date.parse(moment) / 1000) * 1000)
}
