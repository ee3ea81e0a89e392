/** The tables of usage, for queries that every engine takes. */

import { type SQL, sql } from 'drizzle-orm'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { openDatabase } from './open.ts'
import * as schema from './usage-schema.ts'

type Drizzle = BetterSQLite3Database<typeof schema>

/** For verbs that only read: the database, or the transaction they belong to. */
export type UsageReading = Pick<Drizzle, 'select'>

/** For verbs that belong into a transaction. */
export type UsageTransaction = Pick<Drizzle, 'select' | 'insert' | 'update' | 'delete'>

/** The same on a database that several nodes share. */
export interface SharedUsageTransaction extends UsageTransaction {
  /**
   * Adds records to the request log. A builder of queries would take half of the processor's time of a busy node.
   * @param lines fields between tabs in the order of `columns`; U+0000 alone is null
   */
  appendLog(columns: string, lines: readonly string[]): Promise<void>
}

/** The tables of usage in a database that several nodes share. */
export interface UsageDb extends UsageReading {
  /**
   * Runs `work` as one transaction, which sees what others commit meanwhile: sums are raised by what they are then. It may
   * run more than once, and does nothing but queries.
   */
  transaction<T>(work: (tx: SharedUsageTransaction) => Promise<T>): Promise<T>
  /** For questions of the request log, which may be long: no other waits for them. The caller closes it. */
  openLogReading(): UsageReading & { close(): void }
  /** Makes the parts of the request log for the month of a moment and the next two, where they are missing. */
  makeLogMonths(now: Date): Promise<void>
  /** Drops the parts of the request log that end before a moment. */
  dropLogMonths(before: Date): Promise<void>
}

/**
 * A connection to `usage.db` that only reads, and sees what is committed.
 * @throws CommandError `failed` when the file cannot be opened
 */
export function openUsageReading(path: string): UsageReading & { close(): void } {
  const client = openDatabase(path, { readonly: true })
  return Object.assign(drizzle({ client, schema }), { close: () => void client.close() })
}

/** Whether a column holds one of some whole numbers, however many: they stand in the text of the query. */
export function isAmong(column: AnySQLiteColumn, numbers: readonly number[]): SQL {
  const list = numbers.filter(Number.isSafeInteger)
  return list.length === 0 ? sql`1 = 0` : sql`${column} IN (${sql.raw(list.join(', '))})`
}
