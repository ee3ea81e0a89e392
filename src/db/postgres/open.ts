/** PostgreSQL, open and migrated: the database of all nodes. */

import { closing } from '../../base/closing.ts'
import type { Transactions } from '../transaction.ts'
import { type Asking, type Param, QUESTION_MS, type Rows } from './connection.ts'
import { DatabaseAway, explainRefusal, TransactionConflict } from './database-away.ts'
import { migratePostgres, POSTGRES_SCHEMA, readSharedSchema } from './migrate.ts'
import { PostgresPool } from './pool.ts'
import { queriesOver } from './queries.ts'

/** The first pause is up to this long; each later one up to twice as long as the one before. */
const FIRST_PAUSE_MS = 4
const LONGEST_PAUSE_MS = 200

/**
 * How a transaction begins. The lock of a turn is on a table that nothing else changes, and is taken before the
 * transaction sees anything. A node that is frozen in its turn loses it soon.
 */
const BEGINNINGS = {
  SERIALIZABLE: 'BEGIN ISOLATION LEVEL SERIALIZABLE',
  /** For sums that many nodes raise at once, by what they are then. */
  'READ COMMITTED': 'BEGIN ISOLATION LEVEL READ COMMITTED',
  'REPEATABLE READ READ ONLY': 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  /** One after the other over all nodes: for many small changes that would meet each other. */
  'IN TURN': `BEGIN ISOLATION LEVEL SERIALIZABLE; SET LOCAL idle_in_transaction_session_timeout = 1000;
    LOCK TABLE secrets IN SHARE ROW EXCLUSIVE MODE`,
} as const

type Level = keyof typeof BEGINNINGS

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
  static async readSchema(url: string) {
    using pool = closing(new PostgresPool(url))
    try {
      return await readSharedSchema(pool, url, POSTGRES_SCHEMA)
    } catch (error) {
      throw explainRefusal(url, error)
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
      // Pause between attempts to reach a server.
      await Bun.sleep(500)
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

  /**
   * Transactions that are repeated when they meet another one.
   * @throws DatabaseAway when the database is, or when conflicts do not end; a commit that was under way may be done
   */
  transactions<Tx>(level: Level = 'SERIALIZABLE') {
    const run = async <T>(work: (tx: Tx, asking: Asking) => Promise<T>): Promise<T> => {
      // No further attempt begins then.
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

  /** Runs `work`, all of whose questions see the database of one moment. It changes nothing. @throws DatabaseAway */
  atOneMoment<Reading, T>(work: (reading: Reading, asking: Asking) => Promise<T>): Promise<T> {
    return this.#once('REPEATABLE READ READ ONLY', work)
  }

  /** For what must not wait for the others. The caller closes it. */
  sideQuestions(connections: number): Pick<PostgresPool, 'ask' | 'close'> {
    return new PostgresPool(this.#url, connections)
  }

  /** Runs `work` once, as one transaction that sees what others commit meanwhile. @throws DatabaseAway */
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
        // `work` went on after an error of the server, which had ended the transaction.
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
