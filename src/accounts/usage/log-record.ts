/** One authenticated answer in the request log, and a page of them, filtered, newest first. */

import { and, between, count, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { paginationOf } from '../../base/pagination.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { requestLogs } from '../../db/schema/usage-schema.ts'
import type { DbReading } from '../../db/transaction.ts'
import { isAmong } from '../../db/usage.ts'
import { hideKeys } from '../keys/key-format.ts'

/** A row of `request_logs` before it has an id. */
export type CallRecord = Omit<typeof requestLogs.$inferSelect, 'id'>

/** A row as answers show it. */
export type LogRecord = ReturnType<typeof toLogRecord>

/** In the order of a packed line: the numbers first. */
export const LOG_COLUMNS =
  'at, key_id, status, latency_us, bytes, method, path, query, ip, request_id, user_agent'

const NUMBERS = 5
/** Means null: no header can hold it. */
const NULL = '\0'

/**
 * A record as one line, its fields in the order of `LOG_COLUMNS`, separated by tabs: every answer waits for it, and it
 * takes a third of the time of JSON. Tabs and line ends in a field become blanks, and anything like a key is hidden.
 */
export function packCall(call: CallRecord): string {
  const { at, key_id, status, latency_us, bytes, method, ip, request_id, user_agent } = call
  const [path, query, agent] = [oneField(call.path), oneField(call.query), oneField(user_agent ?? NULL)]
  // `join` makes one flat string; a template would stay a tree of pieces until it is read.
  return hideKeys(
    [at, key_id, status, latency_us, bytes, method, path, query, ip, request_id, agent].join('\t'),
  )
}

/** The values of a line, in the order of `LOG_COLUMNS`. */
export function unpackCall(line: string): (number | string | null)[] {
  const fields = line.split('\t')
  const texts = fields.slice(NUMBERS)
  const agent = texts.pop()!
  return [...fields.slice(0, NUMBERS).map(Number), ...texts, agent === NULL ? null : agent]
}

function oneField(text: string): string {
  return text.includes('\t') || text.includes('\n') ? text.replace(/[\t\n]/g, ' ') : text
}

export function toLogRecord(row: typeof requestLogs.$inferSelect) {
  const { id, at, key_id, method, path, query, status, latency_us, bytes, ip, user_agent, request_id } = row
  const shown = { id, at: formatTimestamp(new Date(at * 1000)), key_id, method, path, query, status }
  return { ...shown, latency_ms: latency_us / 1000, bytes, ip, user_agent, request_id }
}

export interface LogQuery {
  /** null: all. */
  readonly keyIds: readonly number[] | null
  /** In upper or lower case. */
  readonly method?: string | undefined
  /** 1 to 5: the first digit of the status. */
  readonly statusClass?: number | undefined
  /** Literal text that the path contains. */
  readonly q?: string | undefined
  /** Both included; compared in whole seconds, as records show their time. */
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly limit: number
  readonly offset: number
}

export type LogPage = Awaited<ReturnType<typeof readLogPage>>

/** Two queries: with records that come between them the total may already be out of date. */
export async function readLogPage(db: DbReading, query: LogQuery) {
  const { limit, offset } = query
  const wanted = conditionOf(query)
  const [counted] = await db.select({ total: count() }).from(requestLogs).where(wanted)
  // The ids come from an index alone; only the rows shown are read whole.
  const shown = db
    .select({ id: requestLogs.id })
    .from(requestLogs)
    .where(wanted)
    .orderBy(...NEWEST_FIRST)
    .limit(limit)
    .offset(offset)
  const rows = await db
    .select()
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
    keyIds === null ? undefined : isAmong(requestLogs.key_id, keyIds),
    method === undefined ? undefined : eq(requestLogs.method, method.toUpperCase()),
    statusClass === undefined
      ? undefined
      : between(requestLogs.status, statusClass * 100, statusClass * 100 + 99),
    // A literal search in both databases: a text that contains `q` changes when `q` is removed.
    q ? sql`replace(${requestLogs.path}, ${q}, '') <> ${requestLogs.path}` : undefined,
    since && gte(requestLogs.at, Math.floor(since.getTime() / 1000)),
    until && lte(requestLogs.at, Math.floor(until.getTime() / 1000)),
  )
}
