/** PostgreSQL, open and migrated: the database of all nodes. */

import type { Transactions } from '../transaction.ts'
import { type Asking, type Param, type PostgresConnection, QUESTION_MS, type Rows } from './connection.ts'
import { DatabaseAway, explainRefusal, TransactionConflict } from './database-away.ts'
import { migratePostgres, readSharedSchema, type SharedSchema } from './migrate.ts'
import { POSTGRES_SCHEMA } from './migrations.ts'
import { PostgresPool } from './pool.ts'
import { queriesOver } from './queries.ts'

/** No further attempt begins after this time. */
const ATTEMPTS_MS = QUESTION_MS

/** The first pause is up to this long; each later one up to twice as long as the one before. */
const FIRST_PAUSE_MS = 4

const LONGEST_PAUSE_MS = 200

/**
 * How a transaction begins. The lock of a turn is on a table that nothing else changes, and is taken before the
 * transaction sees anything. A node that is frozen in its turn loses it soon.
 */
const BEGINNINGS = {
  SERIALIZABLE: 'BEGIN ISOLATION LEVEL SERIALIZABLE',
  'READ COMMITTED': 'BEGIN ISOLATION LEVEL READ COMMITTED',
  'REPEATABLE READ READ ONLY': 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  'IN TURN': `BEGIN ISOLATION LEVEL SERIALIZABLE; SET LOCAL idle_in_transaction_session_timeout = 1000;
    LOCK TABLE secrets IN SHARE ROW EXCLUSIVE MODE`,
} as const

class PostgresTransactions<Tx> implements Transactions<Tx> {
  readonly #pool: PostgresPool
  readonly #level: Level

  constructor(pool: PostgresPool, level: Level = 'SERIALIZABLE') {
    this.#pool = pool
    this.#level = level
  }

  /**
   * Commits when `work` fulfils and rolls back when it rejects, with its reason. `work` runs again after a conflict with
   * another transaction, so it has no effects outside the database.
   * @throws DatabaseAway when the database is, or when conflicts do not end; a commit that was under way may be done
   */
  async run<T>(work: (tx: Tx, asking: Asking) => Promise<T>): Promise<T> {
    const until = performance.now() + ATTEMPTS_MS
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return await this.#pool.use((connection) => attempt(connection, work, this.#level))
      } catch (error) {
        if (!(error instanceof TransactionConflict)) throw error
        if (performance.now() > until) throw new DatabaseAway(error)
      }
      await Bun.sleep(Math.random() * pause)
    }
  }
}

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

// Transactions on PostgreSQL, repeated when they meet another one.
type Level =
  | 'SERIALIZABLE'
  /** For sums that many nodes raise at once, by what they are then. */
  | 'READ COMMITTED'
  /** One after the other over all nodes: for many small changes that would meet each other. */
  | 'IN TURN'

/**
 * Runs `work`, all of whose questions see the database of one moment. It changes nothing.
 * @throws DatabaseAway
 */
function readAtOneMoment<Reading, T>(
  pool: PostgresPool,
  work: (reading: Reading, asking: Asking) => Promise<T>,
): Promise<T> {
  return pool.use((connection) => attempt(connection, work, 'REPEATABLE READ READ ONLY'))
}

/** Runs `work` once, as one transaction that sees what others commit meanwhile. @throws DatabaseAway, TransactionConflict */
function writeOnce<T>(pool: PostgresPool, work: (asking: Asking) => Promise<T>): Promise<T> {
  return pool.use((connection) => attempt(connection, (_, asking) => work(asking), 'READ COMMITTED'))
}

async function attempt<Tx, T>(
  connection: PostgresConnection,
  work: (tx: Tx, asking: Asking) => Promise<T>,
  level: keyof typeof BEGINNINGS,
): Promise<T> {
  try {
    await connection.ask(BEGINNINGS[level])
    const result = await work(queriesOver<Tx>(connection), connection)
    const { command } = await connection.ask('COMMIT')
    // `work` went on after an error of the server, which had ended the transaction.
    if (command !== 'COMMIT') throw new Error('a transaction was committed after one of its questions failed')
    return result
  } catch (error) {
    await rollBack(connection)
    throw error
  }
}

async function rollBack(connection: PostgresConnection): Promise<void> {
  if (connection.lost) return
  try {
    await connection.ask('ROLLBACK')
  } catch {
    connection.drop()
  }
}
