/** An account's usage and request logs: `/account/api/usage` and `/account/api/logs` (specification 4.2). */

import { type Static, t } from 'elysia'
import { requireKey } from '../../accounts/keys/key-rows.ts'
import { listKeys } from '../../accounts/keys/keys.ts'
import { requireAccountPlan } from '../../accounts/keys/plans.ts'
import { dailyUsage, usageSummary } from '../../accounts/usage/summary.ts'
import type { App } from '../../app.ts'
import { accountRoute } from '../admission/account-route.ts'
import { DAILY_USAGE, LOG_PAGE, LOG_STATISTICS, USAGE_SUMMARY } from '../bodies/account-bodies.ts'
import {
  daysParameter,
  integerParameter,
  limitParameter,
  momentParameter,
  OFFSET,
  textParameter,
} from '../declaration/parameters.ts'
import type { Route } from '../declaration/route.ts'
import { lastUsedIn } from './keys.ts'

/** Specification 4.2 and 8. */
const MOST_DAYS = 92

export const LOG_QUERY = t.Object({
  key_id: integerParameter(
    'key_id',
    { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, fallback: undefined },
    { description: "Only this key of the account's.", examples: [1] },
  ),
  method: textParameter('method', [/^[A-Za-z]{3,7}$/, 'must be 3 to 7 letters'], {
    description: 'Only this method.',
    examples: ['GET'],
  }),
  status_class: textParameter('status_class', [/^[1-5]xx$/, 'must be one of 1xx, 2xx, 3xx, 4xx, 5xx'], {
    description: 'Only statuses of this hundred.',
    examples: ['2xx'],
  }),
  q: textParameter('q', [/^.{0,200}$/su, 'must have at most 200 characters'], {
    maxLength: 200,
    description: 'Only paths that contain this text.',
    examples: ['datasets'],
  }),
  since: momentParameter('since', {
    description: 'At or after this moment.',
    examples: ['2025-01-31T08:00:00Z'],
  }),
  until: momentParameter('until', {
    description: 'At or before this moment.',
    examples: ['2035-01-31T08:00:00Z'],
  }),
  limit: limitParameter(200, 50),
  offset: OFFSET,
})

/** Another account's key is a 404. */
export const USAGE_ROUTES: readonly Route[] = [
  accountRoute('session', 'GET /account/api/usage/summary', {
    id: 'summariseUsage',
    summary: 'Count the calls of this month and day, live',
    success: [200, USAGE_SUMMARY],
    async answer({ app, session: { userId } }) {
      const plan = await requireAccountPlan(app.accounts, userId)
      return usageSummary(app.usage, { plan, ...(await ownerOf(app, userId)) }, app.now())
    },
  }),
  accountRoute('session', 'GET /account/api/usage/daily', {
    id: 'listDailyUsage',
    summary: 'Count the calls of each day, zero-filled; today is live',
    query: t.Object({ days: daysParameter(MOST_DAYS, 30) }),
    success: [200, DAILY_USAGE],
    async answer({ app, session, query }) {
      return dailyUsage(app.usage, await ownerOf(app, session.userId), query.days, app.now())
    },
  }),
  accountRoute('session', 'GET /account/api/logs', {
    id: 'listLogs',
    summary: 'List authenticated requests, newest first',
    query: LOG_QUERY,
    success: [200, LOG_PAGE],
    errors: ['key_not_found'],
    async answer({ app, session: { userId }, query }) {
      const { key_id } = query
      if (key_id !== undefined) await requireKey(app.accounts, key_id, userId)
      const keyIds = key_id === undefined ? (await ownerOf(app, userId)).keyIds : [key_id]
      return app.usage.logs.page({ keyIds, ...logQueryOf(query) })
    },
  }),
  accountRoute('session', 'GET /account/api/logs/stats', {
    id: 'summariseLogs',
    summary: 'Count requests by endpoint, status and address',
    query: t.Object({ days: daysParameter(MOST_DAYS, 7) }),
    success: [200, LOG_STATISTICS],
    async answer({ app, session, query }) {
      const { keyIds } = await ownerOf(app, session.userId)
      return app.usage.logs.statistics({ keyIds, days: query.days }, app.now())
    },
  }),
]

async function ownerOf(app: App, userId: number) {
  const keys = await listKeys(app.accounts, userId, lastUsedIn(app))
  return { owner: `account:${userId}`, keys, keyIds: keys.map((key) => key.key_id) }
}

/** The filters of a log query, except for the keys. */
export function logQueryOf(query: Static<typeof LOG_QUERY>) {
  const { method, status_class, q, since, until, limit, offset } = query
  return {
    limit,
    offset,
    method: method?.toUpperCase(),
    statusClass: status_class === undefined ? undefined : Number(status_class[0]),
    q: q === '' ? undefined : q,
    since: since === undefined ? undefined : toSecond(since, Math.ceil),
    until: until === undefined ? undefined : toSecond(until, Math.floor),
  }
}

/** Logs show whole seconds, rounded down, and filters compare the shown values (contract 4). */
function toSecond(moment: string, round: (seconds: number) => number): Date {
  return new Date(round(Date.parse(moment) / 1000) * 1000)
}
