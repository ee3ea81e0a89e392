/** PostgreSQL, open and migrated: the database of all nodes. */

import type { Asking, Param, Rows } from './connection.ts'
import { DatabaseAway, explainRefusal } from './database-away.ts'
import { migratePostgres, readSharedSchema, type SharedSchema } from './migrate.ts'
import { POSTGRES_SCHEMA } from './migrations.ts'
import { PostgresPool } from './pool.ts'
import { queriesOver } from './queries.ts'
import { type Level, PostgresTransactions, readAtOneMoment, writeOnce } from './transactions.ts'

/** Pause between attempts to reach a server. */
const RETRY_MS = 500

/** Questions on connections of their own. */
export type SideQuestions = Pick<PostgresPool, 'ask' | 'close'>

export class Postgres implements Asking {
  readonly #url: string
  readonly #pool: PostgresPool

  /**
   * @param url `postgres://user:password@host:port/database`
   * @throws DatabaseAway when the server cannot be reached for now; CommandError `failed` when waiting would not help:
   *   wrong credentials, no such database, too old a server, or tables of a newer program
   */
  static async open(url: string): Promise<Postgres> {
    const pool = new PostgresPool(url)
    try {
      await migratePostgres(pool, url, POSTGRES_SCHEMA)
      return new Postgres(url, pool)
    } catch (error) {
      pool.close()
      throw explainRefusal(url, error)
    }
  }

  /** What `open` would change in the tables. Nothing is written. @throws as `open` */
  static async readSchema(url: string): Promise<SharedSchema> {
    const pool = new PostgresPool(url)
    try {
      return await readSharedSchema(pool, url, POSTGRES_SCHEMA)
    } catch (error) {
      throw explainRefusal(url, error)
    } finally {
      pool.close()
    }
  }

  /**
   * The same for a service, which waits for the server until it is there or `signal` aborts.
   * @param onAway called at the first attempt that does not reach it
   * @throws CommandError as `open`; the reason of `signal`
   */
  static async openWhenThere(
    url: string,
    onAway: (error: DatabaseAway) => void,
    signal?: AbortSignal,
  ): Promise<Postgres> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await Postgres.open(url)
      } catch (error) {
        if (!(error instanceof DatabaseAway)) throw error
        if (attempt === 1) onAway(error)
      }
      await Bun.sleep(RETRY_MS)
      signal?.throwIfAborted()
    }
  }

  private constructor(url: string, pool: PostgresPool) {
    this.#url = url
    this.#pool = pool
  }

  /** A question outside of transactions: it sees what is committed. */
  ask(text: string, params: readonly Param[] = [], limitMs?: number): Promise<Rows> {
    return this.#pool.ask(text, params, limitMs)
  }

  /** Builders of queries outside of transactions. */
  queries<Queries>(): Queries {
    return queriesOver<Queries>(this.#pool)
  }

  transactions<Tx>(level?: Level): PostgresTransactions<Tx> {
    return new PostgresTransactions<Tx>(this.#pool, level)
  }

  /** Runs `work`, all of whose questions see the database of one moment. It changes nothing. @throws DatabaseAway */
  atOneMoment<Reading, T>(work: (reading: Reading, asking: Asking) => Promise<T>): Promise<T> {
    return readAtOneMoment(this.#pool, work)
  }

  /** For what must not wait for the others. The caller closes it. */
  sideQuestions(connections: number): SideQuestions {
    return new PostgresPool(this.#url, connections)
  }

  /** Runs `work` once, as one transaction that sees what others commit meanwhile. @throws DatabaseAway */
  writeOnce<T>(work: (asking: Asking) => Promise<T>): Promise<T> {
    return writeOnce(this.#pool, work)
  }

  close(): void {
    this.#pool.close()
  }
}
