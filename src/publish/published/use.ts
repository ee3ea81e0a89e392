/** Who reads a publisher's datasets: calls, rows and bytes by day, dataset, key and format. */

import { inArray } from 'drizzle-orm'
import { holdsDomain } from '../../accounts/keys/scopes.ts'
import type { Publisher } from '../../accounts/people/publisher.ts'
import { dayName, dayNumber } from '../../accounts/usage/calendar.ts'
import {
  DELETED_KEY,
  type Use,
  type UseDimension,
  type UseQuery,
  type UseRow,
  WITHOUT_KEY,
} from '../../accounts/usage/dataset-use.ts'
import type { UsageRecorder } from '../../accounts/usage/usage.ts'
import { type Pagination, paginationOf } from '../../base/pagination.ts'
import type { Reading } from '../../db/accounts.ts'
import { apiKeys } from '../../db/schema/accounts-schema.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { requirePublished } from './published.ts'

export interface UsePlace {
  readonly catalog: Catalog
  readonly accounts: Reading
  readonly usage: UsageRecorder
  readonly now: () => Date
}

export interface UseRequest {
  /** Up to today, UTC. */
  readonly days: number
  readonly by: readonly UseDimension[]
  /** Left out: all that the publisher may change. */
  readonly dataset: string | undefined
  readonly limit: number
  readonly offset: number
}

/** A sum with whose key it was; nothing of a person. */
export interface NamedUse extends Use {
  readonly day?: string
  readonly dataset?: string
  /** `key`, `pages` (without a key), or `deleted_key`; the last two have no key. */
  readonly via?: 'key' | 'pages' | 'deleted_key'
  readonly key_id?: number | null
  readonly label?: string | null
  readonly format?: string
}

export interface UseReport {
  readonly days: number
  readonly from: string
  readonly to: string
  readonly total: Use
  readonly data: readonly NamedUse[]
  readonly pagination: Pagination
}

/** More datasets than any catalog has. */
const ALL = 1_000_000

/** @throws ApiError as `requirePublished`, for a dataset that is named */
export async function reportUse(
  { catalog, accounts, usage, now }: UsePlace,
  publisher: Publisher,
  request: UseRequest,
): Promise<UseReport> {
  const { days, by, dataset, limit, offset } = request
  if (dataset !== undefined) requirePublished(catalog, publisher, dataset)
  const datasets = dataset === undefined ? publishedIds(catalog, publisher) : [dataset]
  const period = periodOf(days, now())
  const found = await usage.logs.use({ datasets, keyIds: null, ...period, by, limit, offset })
  const data = await nameKeys(accounts, found.rows)
  const pagination = paginationOf({ total: found.total, count: data.length, limit, offset })
  return { days, ...period, total: found.sum, data, pagination }
}

/** The last UTC days, today included. */
export function periodOf(days: number, now: Date): Pick<UseQuery, 'from' | 'to'> {
  const today = dayNumber(now)
  return { from: dayName(today - days + 1), to: dayName(today) }
}

/** null: all. */
function publishedIds(catalog: Catalog, { domains }: Publisher): string[] | null {
  if (domains === 'all') return null
  const mine = catalog.names(ALL).filter(({ domain }) => holdsDomain(domains, domain))
  return mine.map(({ id }) => id)
}

/** Rows with the labels that keys have now. */
export async function nameKeys(db: Reading, rows: readonly UseRow[]): Promise<NamedUse[]> {
  const ids = [
    ...new Set(rows.flatMap(({ key_id }) => (key_id === undefined || key_id <= 0 ? [] : [key_id]))),
  ]
  const keys = ids.length === 0 ? [] : await db.select().from(apiKeys).where(inArray(apiKeys.keyId, ids))
  const labels = new Map(keys.map(({ keyId, label }) => [keyId, label]))
  return rows.map(({ day, dataset, key_id, format, calls, rows: sent, bytes }) => ({
    ...(day !== undefined && { day }),
    ...(dataset !== undefined && { dataset }),
    ...(key_id !== undefined && nameKey(key_id, labels)),
    ...(format !== undefined && { format }),
    ...{ calls, rows: sent, bytes },
  }))
}

function nameKey(
  keyId: number,
  labels: ReadonlyMap<number, string>,
): Pick<Required<NamedUse>, 'via' | 'key_id' | 'label'> {
  if (keyId === WITHOUT_KEY) return { via: 'pages', key_id: null, label: null }
  const label = labels.get(keyId)
  // Between its deletion and that of its records.
  if (keyId === DELETED_KEY || label === undefined) return { via: 'deleted_key', key_id: null, label: null }
  return { via: 'key', key_id: keyId, label }
}
