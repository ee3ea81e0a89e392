/** Transactions on PostgreSQL, repeated when they meet another one. */

import type { Transactions } from '../transaction.ts'
import { type Asking, type PostgresConnection, QUESTION_MS } from './connection.ts'
import { DatabaseAway, TransactionConflict } from './database-away.ts'
import type { PostgresPool } from './pool.ts'
import { queriesOver } from './queries.ts'

/** No further attempt begins after this time. */
const ATTEMPTS_MS = QUESTION_MS
/** The first pause is up to this long; each later one up to twice as long as the one before. */
const FIRST_PAUSE_MS = 4
const LONGEST_PAUSE_MS = 200

export type Level =
  | 'SERIALIZABLE'
  /** For sums that many nodes raise at once, by what they are then. */
  | 'READ COMMITTED'
  /** One after the other over all nodes: for many small changes that would meet each other. */
  | 'IN TURN'

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

export class PostgresTransactions<Tx> implements Transactions<Tx> {
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

/**
 * Runs `work`, all of whose questions see the database of one moment. It changes nothing.
 * @throws DatabaseAway
 */
export function readAtOneMoment<Reading, T>(
  pool: PostgresPool,
  work: (reading: Reading, asking: Asking) => Promise<T>,
): Promise<T> {
  return pool.use((connection) => attempt(connection, work, 'REPEATABLE READ READ ONLY'))
}

/** Runs `work` once, as one transaction that sees what others commit meanwhile. @throws DatabaseAway, TransactionConflict */
export function writeOnce<T>(pool: PostgresPool, work: (asking: Asking) => Promise<T>): Promise<T> {
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
