/** The tables of usage, for questions and changes that both engines take. */

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

/** SQL that both engines take, with `?` for each value of a row. It is run for each of its rows. */
export interface UsageStatement {
  readonly text: string
  readonly rows: readonly UsageRow[]
}

/** Statements of one transaction. Each gives the rows that it returns to the next. */
export type UsageSteps = Generator<UsageStatement, void, UsageRow[]>

/** How a transaction is written. */
export interface UsageWriting {
  /** Whether it may wait for another writer. */
  readonly patient: boolean
  /** It counts once by this number of this writer, also when it was written before and nobody could say so. */
  readonly batch?: { readonly writer: string; readonly number: number }
}

/** Plain values come from the file, promises from across the network. */
export interface UsageDb extends DbReading {
  /** The rows of a question, which sees what is committed. */
  ask(text: string, row: UsageRow): ValueOrPromise<UsageRow[]>
  /**
   * Runs steps as one transaction: all or nothing. They may begin again, and have no effects outside the database.
   * @throws Error when it cannot be written now
   */
  write(steps: () => UsageSteps, writing: UsageWriting): ValueOrPromise<void>
  /** Adds records to the request log: fields between tabs in the order of `columns`; U+0000 alone is null. */
  logStatements(columns: string, lines: readonly string[]): Iterable<UsageStatement>
  close(): void
}

/** A database that several nodes share. */
export interface SharedUsageDb extends UsageDb {
  /** For questions of the request log, which may be long: no other waits for them. The caller closes it. */
  openLogReading(): DbReading & { close(): void }
  /** Makes the parts of the request log for the month of a moment and the next two, where they are missing. */
  makeLogMonths(now: Date): Promise<void>
  /** Drops the parts of the request log that end before a moment. */
  dropLogMonths(before: Date): Promise<void>
}

/** A write waits so long for another writer: beside requests, where it is repeated, and in commands or at the end. */
const BUSY_MS = { brief: 25, patient: 10_000 }

/**
 * `usage.db`. Normal durability: a power cut may take the last counts, never the file.
 * @param path made when missing
 * @throws CommandError `failed` when it cannot be opened or was made by another version
 */
export function openUsage(path: string): UsageDb {
  const client = openDatabase(path, { durability: 'normal' })
  migrate(client, SCHEMAS.usage)
  // Pages (of 4 KB) in the log before this connection tidies it itself; the upkeep does so long before.
  client.pragma('wal_autocheckpoint = 16000')
  client.pragma(`busy_timeout = ${BUSY_MS.brief}`)
  const reading = openUsageReading(path)
  const closeReading = reading.close
  // Few texts, many times a second.
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
 * A connection to `usage.db` that only reads, and sees what is committed.
 * @throws CommandError `failed` when the file cannot be opened
 */
export function openUsageReading(path: string): DbReading & { close(): void } {
  const client = openDatabase(path, { readonly: true })
  return Object.assign(drizzle({ client }), { close: () => void client.close() })
}

/** Parts of a list. */
export function portions<T>(list: readonly T[], most: number): T[][] {
  const count = Math.ceil(list.length / most)
  return Array.from({ length: count }, (_, i) => list.slice(i * most, (i + 1) * most))
}

/** Whether a column holds one of some whole numbers, however many: they are in the text of the query. */
export function isAmong(column: AnySQLiteColumn, numbers: readonly number[]): SQL {
  const list = numbers.filter(Number.isSafeInteger)
  return list.length === 0 ? sql`1 = 0` : sql`${column} IN (${sql.raw(list.join(', '))})`
}
