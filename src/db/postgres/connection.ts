/**
 * One connection to PostgreSQL. Every query ends within a limit by our own clock: a frozen server, or a network that
 * drops packets, sends nothing. A connection that was lost or hung is never used again, so that the second half of a
 * transaction cannot run on another one.
 */

import postgres from 'postgres'
import type { SecuredPlace } from './connection-security.ts'
import { DatabaseAway, explainPostgres, isAnswer } from './database-away.ts'

/** The server must answer a query within this time, so that clients get an answer within 3 seconds. */
export const QUESTION_MS = 2500

export type Param = string | number | boolean | null | Uint8Array
/** Values of each row in the order of the columns; `count`: rows found or changed; `command`: as the server names it. */
export type Rows = { readonly rows: unknown[][]; readonly count: number; readonly command: string }

/** A pool or a connection, which takes queries. */
export interface Asking {
  /** @param text with `$1`, `$2` @throws DatabaseAway, TransactionConflict, or the server's error */
  ask(text: string, params?: readonly Param[], limitMs?: number): Promise<Rows>
}

export class PostgresConnection implements Asking {
  readonly #sql: postgres.Sql
  readonly #known: KnownTexts
  /** Whether it can never be used again. */
  lost = false

  /** Connects at the first query. */
  constructor({ url, options }: SecuredPlace, known: KnownTexts) {
    this.#known = known
    this.#sql = postgres(url, {
      ...options,
      max: 1,
      fetch_types: false,
      // The driver takes whole seconds.
      connect_timeout: 2,
      idle_timeout: 0,
      max_lifetime: null,
      onnotice: () => {},
      onclose: () => {
        this.lost = true
      },
      types: TYPES,
      connection: {
        application_name: 'izvor',
        // The server's own limit is below ours, so that a wait for a lock costs the query and not the connection.
        statement_timeout: 2000,
        // A transaction whose process was frozen must not hold its locks for long.
        idle_in_transaction_session_timeout: 5000,
      },
    })
  }

  async ask(text: string, params: readonly Param[] = [], limitMs: number = QUESTION_MS): Promise<Rows> {
    if (this.lost) throw new DatabaseAway('the connection was lost')
    // PostgreSQL refuses U+0000 in texts, which a logged path may have.
    const values = params.map((value) =>
      typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value,
    )
    const prepare = params.length > 0 && this.#known.has(text)
    const query = this.#sql.unsafe(text, values, { prepare }).values()
    const { promise, resolve, reject } = Promise.withResolvers<Rows>()
    const timer = setTimeout(() => {
      this.drop()
      reject(new DatabaseAway(`no answer within ${limitMs} ms`))
    }, limitMs)
    query.then(
      (rows) => resolve({ rows, count: rows.count, command: rows.command }),
      (error) => {
        if (!isAnswer(error)) this.drop()
        reject(explainPostgres(error))
      },
    )
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }

  /** Ends it at once; queries under way reject. */
  drop(): void {
    this.lost = true
    this.#sql.end({ timeout: 0 }).catch(() => {})
  }
}

/**
 * The texts that connections prepare: the first ones seen, up to a number. Verbs have few texts; those with lists of
 * numbers in them would fill the server's memory.
 */
export class KnownTexts {
  readonly #texts = new Set<string>()

  has(text: string): boolean {
    if (this.#texts.has(text)) return true
    if (this.#texts.size >= 500 || text.length > 4000) return false
    this.#texts.add(text)
    return true
  }
}

const INT8 = 20
const NUMERIC = 1700
const BOOL = 16
/** Values as SQLite returns them: all numbers are JavaScript's, and a condition is 1 or 0. */
const TYPES = {
  wholeNumber: { to: INT8, from: [INT8, NUMERIC], serialize: String, parse: Number },
  condition: {
    to: BOOL,
    from: [BOOL],
    serialize: (is: boolean) => (is ? 't' : 'f'),
    parse: (text: string) => (text === 't' ? 1 : 0),
  },
}
