/** Who reads a publisher's datasets: calls, rows and bytes by day, dataset, key and format. */

import { inArray } from 'drizzle-orm'
import { holdsDomain } from '../../accounts/keys/scopes.ts'
import type { Publisher } from '../../accounts/people/publisher.ts'
import { dayName, dayNumber } from '../../accounts/usage/calendar.ts'
import { type UseQuery, type UseRow, WITHOUT_KEY } from '../../accounts/usage/dataset-use.ts'
import type { UsageRecorder } from '../../accounts/usage/usage.ts'
import { paginationOf } from '../../base/pagination.ts'
import type { DbReading } from '../../db/accounts.ts'
import { apiKeys } from '../../db/schema/accounts-schema.ts'
import type { PublishingPlace } from './change.ts'
import { requirePublished } from './published.ts'

/** A sum with the key that it belongs to; nothing about a person. */
export type NamedUse = Awaited<ReturnType<typeof nameKeys>>[number]
export type UseReport = Awaited<ReturnType<typeof reportUse>>

/** More datasets than any catalog has. */
const ALL = 1_000_000

interface UseQuestion extends Pick<UseQuery, 'by' | 'limit' | 'offset'> {
  readonly days: number
  readonly dataset: string | undefined
}

/** @throws ApiError as `requirePublished`, when a dataset is named */
export async function reportUse(
  place: Pick<PublishingPlace, 'catalog' | 'now'> & {
    readonly accounts: DbReading
    readonly usage: UsageRecorder
  },
  publisher: Publisher,
  { days, dataset, by, ...page }: UseQuestion,
) {
  const { catalog, accounts, usage, now } = place
  if (dataset !== undefined) requirePublished(catalog, publisher, dataset)
  const { domains } = publisher
  const mine = () => catalog.names(ALL).filter(({ domain }) => holdsDomain(domains, domain))
  const own = dataset === undefined && domains !== 'all' ? mine().map(({ id }) => id) : null
  const datasets = dataset === undefined ? own : [dataset]
  const period = periodOf(days, now())
  const found = await usage.logs.use({ datasets, keyIds: null, ...period, by, ...page })
  const data = await nameKeys(accounts, found.rows)
  const pagination = paginationOf({ total: found.total, count: data.length, ...page })
  return { days, ...period, total: found.sum, data, pagination }
}

/** The last UTC days, today included. */
export function periodOf(days: number, now: Date): Pick<UseQuery, 'from' | 'to'> {
  const today = dayNumber(now)
  return { from: dayName(today - days + 1), to: dayName(today) }
}

interface KeyName {
  readonly via: 'key' | 'pages' | 'deleted_key'
  readonly key_id: number | null
  readonly label: string | null
}

/** Rows with the keys' current labels. */
export async function nameKeys(db: DbReading, rows: readonly UseRow[]) {
  const ids = [
    ...new Set(rows.flatMap(({ key_id }) => (key_id === undefined || key_id <= 0 ? [] : [key_id]))),
  ]
  const keys = ids.length === 0 ? [] : await db.select().from(apiKeys).where(inArray(apiKeys.keyId, ids))
  const labels = new Map(keys.map(({ keyId, label }) => [keyId, label]))
  const nameKey = (key_id: number): KeyName => {
    const label = labels.get(key_id)
    // Between a key's deletion and that of its records it has no label.
    if (key_id > 0 && label !== undefined) return { via: 'key', key_id, label }
    return { via: key_id === WITHOUT_KEY ? 'pages' : 'deleted_key', key_id: null, label: null }
  }
  return rows.map(({ day, dataset, key_id, ...use }) => ({
    ...(day !== undefined && { day }),
    ...(dataset !== undefined && { dataset }),
    ...(key_id !== undefined && nameKey(key_id)),
    ...use,
  }))
}
