/** The tables of usage, for queries and changes that both databases accept. */

import type Database from 'better-sqlite3'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { ValueOrPromise } from '../base/value-or-promise.ts'
import { migrate } from './migrate.ts'
import { SCHEMAS } from './migrations.ts'
import { openDatabase } from './open.ts'
import { type DbReading, writingAtOnce } from './transaction.ts'

type UsageValue = string | number | null
export type UsageRow = readonly UsageValue[]

/** SQL that both databases accept, with `?` for each value of a row. It runs once for each row. */
export interface UsageStatement {
  readonly text: string
  readonly rows: readonly UsageRow[]
}

/** Statements of one transaction. The rows that one returns are passed to `yield`. */
export type UsageSteps = Generator<UsageStatement, void, UsageRow[]>

/** How a transaction is written. */
export interface UsageWriting {
  /** Whether it may wait for another writer. */
  readonly patient: boolean
  /** Identifies the batch, so that it counts once even if an earlier attempt was committed and its answer was lost. */
  readonly batch?: { readonly writer: string; readonly number: number }
}

/** Plain values come from the file, promises from across the network. */
export interface UsageDb extends DbReading {
  /** The rows of a query, which sees committed rows. */
  ask(text: string, row: UsageRow): ValueOrPromise<UsageRow[]>
  /**
   * Runs steps as one transaction, all or nothing. They may be run again, so they have no effects outside the database.
   * @throws Error when they cannot be written now
   */
  write(steps: () => UsageSteps, writing: UsageWriting): ValueOrPromise<void>
  /** Adds records to the request log: fields between tabs in the order of `columns`; U+0000 alone is null. */
  logStatements(columns: string, lines: readonly string[]): Iterable<UsageStatement>
  close(): void
}

/** A database that several nodes share. */
export interface SharedUsageDb extends UsageDb {
  /** For queries of the request log, which may be long and must not delay others. The caller closes it. */
  openLogReading(): DbReading & { close(): void }
  /** Makes missing partitions of the request log for the month of a moment and the next two. */
  makeLogMonths(now: Date): Promise<void>
  /** Drops the partitions of the request log that end before a moment. */
  dropLogMonths(before: Date): Promise<void>
}

/** How long a write waits for another writer: `brief` during requests, where it is repeated; else `patient`. */
const BUSY_MS = { brief: 25, patient: 10_000 }

/**
 * `usage.db`. Normal durability: a power cut may lose the last counts, never the file.
 * @param path made when missing
 * @throws CommandError `failed` when it cannot be opened or was made by another version
 */
export function openUsage(path: string): UsageDb {
  const client = openDatabase(path, { durability: 'normal' })
  migrate(client, SCHEMAS.usage)
  // Pages (of 4 KB) in the log before this connection checkpoints it; the upkeep does so long before.
  client.pragma('wal_autocheckpoint = 16000')
  client.pragma(`busy_timeout = ${BUSY_MS.brief}`)
  const reading = openUsageReading(path)
  const closeReading = reading.close
  // Few texts run many times a second.
  const prepared = new Map<string, Database.Statement<UsageValue[], UsageRow>>()
  const prepare = (text: string) =>
    prepared.getOrInsertComputed(text, () => client.prepare<UsageValue[], UsageRow>(text))
  const write = writingAtOnce(client, (steps: () => UsageSteps) => runSteps(prepare, steps()))
  return Object.assign(reading, {
    ask: (text: string, row: UsageRow) =>
      prepare(text)
        .raw()
        .all(...row),
    write(steps: () => UsageSteps, { patient }: UsageWriting) {
      if (!patient) return write(steps)
      client.pragma(`busy_timeout = ${BUSY_MS.patient}`)
      try {
        write(steps)
      } finally {
        client.pragma(`busy_timeout = ${BUSY_MS.brief}`)
      }
    },
    *logStatements(_columns: string, lines: readonly string[]) {
      // Records per row of the inbox: what the upkeep writes in one transaction, about a millisecond.
      const texts = portions(lines, 250).map((some) => [some.join('\n')])
      yield { text: 'INSERT INTO log_inbox (records) VALUES (?)', rows: texts }
    },
    close() {
      closeReading()
      client.close()
    },
  })
}

/** Runs steps on a connection, inside its transaction. */
export function runSteps(
  prepare: (text: string) => Database.Statement<UsageValue[], UsageRow>,
  steps: UsageSteps,
): void {
  let step = steps.next()
  while (!step.done) {
    const { text, rows } = step.value
    const statement = prepare(text)
    if (statement.reader) step = steps.next(rows.flatMap((row) => statement.raw().all(...row)))
    else {
      for (const row of rows) statement.run(...row)
      step = steps.next([])
    }
  }
}

/**
 * A read-only connection to `usage.db`, which sees committed rows.
 * @throws CommandError `failed` when the file cannot be opened
 */
export function openUsageReading(path: string): DbReading & { close(): void } {
  const client = openDatabase(path, { readonly: true })
  return Object.assign(drizzle({ client }), { close: () => void client.close() })
}

/** Splits a list into parts of at most `most` elements. */
export function portions<T>(list: readonly T[], most: number): T[][] {
  const count = Math.ceil(list.length / most)
  return Array.from({ length: count }, (_, i) => list.slice(i * most, (i + 1) * most))
}

/** Whether a column holds one of any number of whole numbers: they are written into the query's text. */
export function isAmong(column: AnySQLiteColumn, numbers: readonly number[]): SQL {
  const list = numbers.filter(Number.isSafeInteger)
  return list.length === 0 ? sql`1 = 0` : sql`${column} IN (${sql.raw(list.join(', '))})`
}
