/**
 * Transactions over the fixed tables. Only `db/` opens one. Drizzle's own takes synchronous functions on SQLite; this
 * one takes asynchronous verbs, which PostgreSQL needs too.
 */

import type Database from 'better-sqlite3'

/** Where transactions of one database run, on either engine. */
export interface Transactions<Tx> {
  /**
   * Commits when `work` fulfils and rolls back when it rejects, with its reason. What it reads stays true until the
   * commit. PostgreSQL may run it twice, so it has no effects outside the database.
   */
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/**
 * A connection that writes, one transaction at a time: other requests run between two awaits of a transaction and must
 * not write into it. BEGIN IMMEDIATE takes the write lock before the first read, so what is read stays true until the
 * commit, for every process on the file.
 *
 * A transaction holds the lock across its awaits: it awaits queries only, never a hash, a timer or the network.
 */
export class TransactionQueue<Tx> implements Transactions<Tx> {
  readonly #tx: Tx
  readonly #client: Database.Database
  readonly #begin: Database.Statement
  readonly #commit: Database.Statement
  #last: Promise<unknown> = Promise.resolve()

  /** @param tx runs queries on `client` */
  constructor(client: Database.Database, tx: Tx) {
    this.#client = client
    this.#tx = tx
    this.#begin = client.prepare('BEGIN IMMEDIATE')
    this.#commit = client.prepare('COMMIT')
  }

  /** Commits when `work` fulfils and rolls back when it rejects, with its reason. */
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.alone(async () => {
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
  }

  /** Runs `work` while no transaction is open. */
  alone<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }
}

/** Synchronous `work` as one transaction that takes the write lock first: for batches off the request path. */
export function writingAtOnce<A extends unknown[], R>(
  client: Database.Database,
  work: (...given: A) => R,
): (...given: A) => R {
  return client.transaction(work).immediate as (...given: A) => R
}
