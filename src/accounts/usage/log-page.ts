/** A page of the request log, filtered, newest first. */

import { and, between, count, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { type Pagination, paginationOf } from '../../base/pagination.ts'
import { requestLogs } from '../../db/schema/usage-schema.ts'
import { isAmong, type UsageReading } from '../../db/usage.ts'
import { LOG_FIELDS, type LogRecord, toLogRecord } from './log-record.ts'

export interface LogQuery {
  /** Records of these keys only. */
  readonly keyIds: readonly number[]
  /** In any case. */
  readonly method?: string | undefined
  /** 1 to 5: the first digit of the status. */
  readonly statusClass?: number | undefined
  /** Literal text that the path contains. */
  readonly q?: string | undefined
  /** Both included, and compared by the second, as records show their moment. */
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly limit: number
  readonly offset: number
}

export interface LogPage {
  readonly data: readonly LogRecord[]
  readonly pagination: Pagination
}

/** Two questions: records that come between them may make the total larger than the page knows. */
export async function readLogPage(db: UsageReading, query: LogQuery): Promise<LogPage> {
  const { limit, offset } = query
  const wanted = conditionOf(query)
  const [counted] = await db.select({ total: count() }).from(requestLogs).where(wanted)
  // The rows are found by index alone; only those shown are read whole.
  const shown = db
    .select({ id: requestLogs.id })
    .from(requestLogs)
    .where(wanted)
    .orderBy(...NEWEST_FIRST)
    .limit(limit)
    .offset(offset)
  const rows = await db
    .select(LOG_FIELDS)
    .from(requestLogs)
    .where(inArray(requestLogs.id, shown))
    .orderBy(...NEWEST_FIRST)
  const data = rows.map(toLogRecord)
  return { data, pagination: paginationOf({ total: counted!.total, count: data.length, limit, offset }) }
}

const NEWEST_FIRST = [desc(requestLogs.at), desc(requestLogs.id)]

function conditionOf(query: LogQuery): SQL | undefined {
  const { keyIds, method, statusClass, q, since, until } = query
  return and(
    isAmong(requestLogs.keyId, keyIds),
    method === undefined ? undefined : eq(requestLogs.method, method.toUpperCase()),
    statusClass === undefined
      ? undefined
      : between(requestLogs.status, statusClass * 100, statusClass * 100 + 99),
    // Literal, in any engine: a text without what it contains is another one.
    q === undefined || q === ''
      ? undefined
      : sql`replace(${requestLogs.path}, ${q}, '') <> ${requestLogs.path}`,
    since === undefined ? undefined : gte(requestLogs.at, wholeSeconds(since)),
    until === undefined ? undefined : lte(requestLogs.at, wholeSeconds(until)),
  )
}

function wholeSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}
