/** The connections of one process to PostgreSQL: a bounded number, each used by one query or transaction at a time. */

import {
  type Asking,
  KnownTexts,
  type Param,
  PostgresConnection,
  QUESTION_MS,
  type Rows,
} from './connection.ts'
import { securePlace } from './connection-security.ts'
import { DatabaseAway } from './database-away.ts'

const MOST_CONNECTIONS = 10
/** The server's connections are few, and all processes of all nodes share them, so idle ones are given back. */
const KEEP_IDLE_MS = 60_000

export class PostgresPool implements Asking {
  readonly #place: ReturnType<typeof securePlace>
  readonly #most: number
  readonly #known = new KnownTexts()
  readonly #keepIdleMs: number
  /** The most recently used connection is last, and is taken first. */
  readonly #idle: { readonly connection: PostgresConnection; readonly since: number }[] = []
  readonly #used = new Set<PostgresConnection>()
  readonly #waiting: ((connection: PostgresConnection) => void)[] = []
  #closed = false

  constructor(url: string, most = MOST_CONNECTIONS, keepIdleMs = KEEP_IDLE_MS) {
    this.#place = securePlace(url)
    this.#most = most
    this.#keepIdleMs = keepIdleMs
  }

  /** The limit includes waiting for a connection. @param onTaken called when the query is sent */
  ask(
    text: string,
    params: readonly Param[] = [],
    limitMs: number = QUESTION_MS,
    onTaken?: () => void,
  ): Promise<Rows> {
    const until = performance.now() + limitMs
    return this.use((connection) => {
      onTaken?.()
      return connection.ask(text, params, Math.max(1, until - performance.now()))
    }, limitMs)
  }

  /**
   * Gives `work` a connection of its own, which it must leave without an open transaction, or drop.
   * @throws DatabaseAway when none was free within the limit
   */
  async use<T>(
    work: (connection: PostgresConnection) => Promise<T>,
    limitMs: number = QUESTION_MS,
  ): Promise<T> {
    if (this.#closed) throw new DatabaseAway('the pool is closed')
    let free = this.#idle.pop()
    while (free?.connection.lost) free = this.#idle.pop()
    const isFull = free === undefined && this.#used.size >= this.#most
    // Always awaited, so that no work begins before the caller has the promise of its answer.
    const connection = await (isFull
      ? this.#wait(limitMs)
      : this.#lend(free?.connection ?? new PostgresConnection(this.#place, this.#known)))
    try {
      return await work(connection)
    } finally {
      this.#giveBack(connection)
    }
  }

  close(): void {
    this.#closed = true
    for (const { connection } of this.#idle) connection.drop()
    for (const connection of this.#used) connection.drop()
    this.#idle.length = 0
  }

  #lend(connection: PostgresConnection): PostgresConnection {
    this.#used.add(connection)
    return connection
  }

  #wait(limitMs: number): Promise<PostgresConnection> {
    return new Promise((resolve, reject) => {
      const waiting = (connection: PostgresConnection) => {
        clearTimeout(timer)
        resolve(connection)
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(new DatabaseAway(`all ${this.#most} connections are in use`))
      }, limitMs)
      this.#waiting.push(waiting)
    })
  }

  #giveBack(connection: PostgresConnection): void {
    this.#used.delete(connection)
    const next = this.#waiting.shift()
    if (next !== undefined) {
      next(this.#lend(connection.lost ? new PostgresConnection(this.#place, this.#known) : connection))
      return
    }
    if (connection.lost || this.#closed) return
    const since = performance.now()
    while (this.#idle[0] !== undefined && since - this.#idle[0].since > this.#keepIdleMs)
      this.#idle.shift()?.connection.drop()
    this.#idle.push({ connection, since })
  }
}
