/**
 * Transactions over the fixed tables. Only `db/` opens one. On SQLite, drizzle's own take synchronous functions; these
 * take asynchronous verbs, which PostgreSQL needs too.
 */

import type Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate, type Schema } from './migrate.ts'
import { openDatabase } from './open.ts'

/** For verbs that only read: a database, or a transaction. */
export type DbReading = Pick<BetterSQLite3Database, 'select'>
/** For verbs that run in a transaction. */
export type Transaction = Pick<BetterSQLite3Database, 'select' | 'insert' | 'update' | 'delete'>

/** Runs the transactions of a database, SQLite or PostgreSQL. */
export interface Transactions<Tx> {
  /**
   * Commits when `work` resolves; rolls back when it rejects, and rejects with its reason. What it reads stays true
   * until the commit. PostgreSQL may run it twice, so it has no effects outside the database.
   */
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** How long one reading of the number of commits is shared. */
const SHARED_MS = 1

/**
 * A number that changes with every commit of another connection, in any process on the file. Reading it takes three
 * system calls, some 3 us, so callers within a millisecond share one reading. No transaction resolves before that is
 * over, so a caller that has seen its end finds another number.
 */
export function commitNumberOf(reading: Database.Database): () => number {
  const dataVersion = reading.prepare<[], number>('PRAGMA data_version').pluck()
  let number = 0
  let until = 0
  return () => {
    const now = performance.now()
    if (now < until) return number
    number = dataVersion.get() as number
    until = now + SHARED_MS
    return number
  }
}

/**
 * A connection that writes, one transaction at a time: other requests run between two awaits of a transaction and must
 * not write into it. BEGIN IMMEDIATE takes the write lock before the first read, so what is read stays true until the
 * commit, for every process on the file.
 *
 * A transaction holds the lock across its awaits, so it awaits only queries, never a hash, a timer or the network.
 */
class TransactionQueue implements Transactions<Transaction> {
  readonly #tx: Transaction
  readonly #client: Database.Database
  readonly #begin: Database.Statement
  readonly #commit: Database.Statement
  #last: Promise<unknown> = Promise.resolve()

  constructor(client: Database.Database) {
    this.#client = client
    this.#tx = drizzle({ client })
    this.#begin = client.prepare('BEGIN IMMEDIATE')
    this.#commit = client.prepare('COMMIT')
  }

  async run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const committed = await this.alone(async () => {
      this.#begin.run()
      try {
        const result = await work(this.#tx)
        this.#commit.run()
        return result
      } catch (error) {
        if (this.#client.inTransaction) this.#client.exec('ROLLBACK')
        throw error
      }
    })
    // Waits until no caller uses an earlier number; a timer may end a fraction too soon.
    await Bun.sleep(2 * SHARED_MS)
    return committed
  }

  /** Runs `work` while no transaction is open. */
  alone<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }
}

/**
 * Opens a database with full durability. Reads use a connection of their own, which sees committed rows; writes use
 * transactions. Deleted rows are overwritten.
 * @throws CommandError `failed` when the file cannot be opened or was made by another version
 */
export function openForTransactions(path: string, schema: Schema) {
  const writing = openDatabase(path, { durability: 'full', secureDelete: true })
  migrate(writing, schema)
  const reading = openDatabase(path, { readonly: true })
  return Object.assign(drizzle({ client: reading }) as DbReading, {
    reading,
    writing,
    transactions: new TransactionQueue(writing),
    close() {
      reading.close()
      writing.close()
    },
  })
}

/** Makes synchronous `work` one transaction that takes the write lock first: for batches off the request path. */
export function writingAtOnce<A extends unknown[], R>(
  client: Database.Database,
  work: (...given: A) => R,
): (...given: A) => R {
  return client.transaction(work).immediate as (...given: A) => R
}
