/** PostgreSQL, open and migrated: the database of all nodes. */

import { closing } from '../../base/closing.ts'
import type { Transactions } from '../transaction.ts'
import { type Asking, type Param, QUESTION_MS, type Rows } from './connection.ts'
import { DatabaseAway, explainRefusal, TransactionConflict } from './database-away.ts'
import { migratePostgres, POSTGRES_SCHEMA, readSharedSchema } from './migrate.ts'
import { PostgresPool } from './pool.ts'
import { queriesOver } from './queries.ts'

/** The longest first pause; the limit doubles with each later one. */
const FIRST_PAUSE_MS = 4
const LONGEST_PAUSE_MS = 200

/**
 * How a transaction begins. `IN TURN` locks a table that nothing else changes, before the transaction reads anything. A
 * node that freezes in its turn soon loses it.
 */
const BEGINNINGS = {
  SERIALIZABLE: 'BEGIN ISOLATION LEVEL SERIALIZABLE',
  /** For sums that many nodes raise at the same time, from their current values. */
  'READ COMMITTED': 'BEGIN ISOLATION LEVEL READ COMMITTED',
  'REPEATABLE READ READ ONLY': 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  /** One after the other on all nodes: for many small changes that would conflict. */
  'IN TURN': `BEGIN ISOLATION LEVEL SERIALIZABLE; SET LOCAL idle_in_transaction_session_timeout = 1000;
    LOCK TABLE secrets IN SHARE ROW EXCLUSIVE MODE`,
} as const

type Level = keyof typeof BEGINNINGS

export class Postgres implements Asking {
  readonly #url: string
  readonly #pool: PostgresPool

  /**
   * @param url `postgres://user:password@host:port/database`
   * @throws DatabaseAway when the server cannot be reached now; CommandError `failed` when waiting would not help:
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

  /** What `open` would change in the tables; writes nothing. @throws as `open` */
  static async readSchema(url: string) {
    using pool = closing(new PostgresPool(url))
    try {
      return await readSharedSchema(pool, url, POSTGRES_SCHEMA)
    } catch (error) {
      throw explainRefusal(url, error)
    }
  }

  /**
   * As `open`, for a service: waits until the server is there or `signal` aborts.
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
      // Pause between attempts to reach a server.
      await Bun.sleep(500)
      signal?.throwIfAborted()
    }
  }

  private constructor(url: string, pool: PostgresPool) {
    this.#url = url
    this.#pool = pool
  }

  /** A query outside of transactions, which sees committed rows. */
  ask(text: string, params: readonly Param[] = [], limitMs?: number): Promise<Rows> {
    return this.#pool.ask(text, params, limitMs)
  }

  /** Builders of queries outside of transactions. */
  queries<Queries>(): Queries {
    return queriesOver<Queries>(this.#pool)
  }

  /**
   * Transactions that are repeated after a conflict with another one.
   * @throws DatabaseAway when the database is away or conflicts do not end; a commit under way may have succeeded
   */
  transactions<Tx>(level: Level = 'SERIALIZABLE') {
    const run = async <T>(work: (tx: Tx, asking: Asking) => Promise<T>): Promise<T> => {
      // After this moment no further attempt begins.
      const until = performance.now() + QUESTION_MS
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
        try {
          return await this.#once(level, work)
        } catch (error) {
          if (!(error instanceof TransactionConflict)) throw error
          if (performance.now() > until) throw new DatabaseAway(error)
        }
        await Bun.sleep(Math.random() * pause)
      }
    }
    return { run } satisfies Transactions<Tx>
  }

  /** Runs `work`, whose queries all see the database as of one moment. It changes nothing. @throws DatabaseAway */
  atOneMoment<Reading, T>(work: (reading: Reading, asking: Asking) => Promise<T>): Promise<T> {
    return this.#once('REPEATABLE READ READ ONLY', work)
  }

  /** Connections for queries that must not wait for others. The caller closes them. */
  sideQuestions(connections: number): Pick<PostgresPool, 'ask' | 'close'> {
    return new PostgresPool(this.#url, connections)
  }

  /** Runs `work` once as a transaction that sees commits of others meanwhile. @throws DatabaseAway */
  writeOnce<T>(work: (asking: Asking) => Promise<T>): Promise<T> {
    return this.#once('READ COMMITTED', (_, asking) => work(asking))
  }

  close(): void {
    this.#pool.close()
  }

  #once<Tx, T>(level: Level, work: (tx: Tx, asking: Asking) => Promise<T>): Promise<T> {
    return this.#pool.use(async (connection) => {
      try {
        await connection.ask(BEGINNINGS[level])
        const result = await work(queriesOver<Tx>(connection), connection)
        const { command } = await connection.ask('COMMIT')
        // `work` continued after an error of the server, which had ended the transaction.
        if (command !== 'COMMIT')
          throw new Error('a transaction was committed after one of its questions failed')
        return result
      } catch (error) {
        if (!connection.lost) await connection.ask('ROLLBACK').catch(() => connection.drop())
        throw error
      }
    })
  }
}
