/** PostgreSQL, open and migrated as soon as it can be reached. */

import { CommandError } from '../../base/errors.ts'
import type { Transactions } from '../transaction.ts'
import { type Asking, type Param, QUESTION_MS, type Rows } from './connection.ts'
import { DatabaseAway, explainRefusal } from './database-away.ts'
import { migratePostgres } from './migrate.ts'
import { POSTGRES_MIGRATIONS } from './migrations.ts'
import { PostgresPool } from './pool.ts'
import { queriesOver } from './queries.ts'
import { PostgresTransactions } from './transactions.ts'

/** The database of all nodes. Questions wait until its tables are there. */
export class Postgres implements Asking {
  readonly #url: string
  readonly #pool: PostgresPool
  #prepared = false
  #preparing: Promise<void> | undefined

  /**
   * A server that cannot be reached for now does not stop the start: every question tries again.
   * @param url `postgres://user:password@host:port/database`
   * @throws CommandError `failed` when waiting would not help: wrong credentials, no such database, too old a server, or
   *   tables of a newer program
   */
  static async open(url: string): Promise<Postgres> {
    const opened = new Postgres(url)
    try {
      await opened.#prepare()
    } catch (error) {
      if (error instanceof DatabaseAway) return opened
      opened.close()
      throw error
    }
    return opened
  }

  private constructor(url: string) {
    this.#url = url
    this.#pool = new PostgresPool(url)
  }

  async ask(text: string, params: readonly Param[] = [], limitMs: number = QUESTION_MS): Promise<Rows> {
    if (!this.#prepared) await this.#ready()
    return this.#pool.ask(text, params, limitMs)
  }

  /** Builders of queries outside of transactions; each sees what is committed. */
  queries<Queries>(): Queries {
    return queriesOver<Queries>(this)
  }

  transactions<Tx>(): Transactions<Tx> {
    const transactions = new PostgresTransactions<Tx>(this.#pool)
    return {
      run: async (work) => {
        if (!this.#prepared) await this.#ready()
        return transactions.run(work)
      },
    }
  }

  close(): void {
    this.#pool.close()
  }

  /** @throws DatabaseAway, also for what would have stopped the start */
  async #ready(): Promise<void> {
    const late = Bun.sleep(QUESTION_MS).then(() => {
      throw new DatabaseAway('its tables are being made')
    })
    try {
      await Promise.race([this.#prepare(), late])
    } catch (error) {
      throw error instanceof CommandError ? new DatabaseAway(error) : error
    }
  }

  #prepare(): Promise<void> {
    this.#preparing ??= migratePostgres(this.#pool, this.#url, POSTGRES_MIGRATIONS)
      .then(
        () => {
          this.#prepared = true
        },
        (error) => {
          throw explainRefusal(this.#url, error)
        },
      )
      .finally(() => {
        this.#preparing = undefined
      })
    return this.#preparing
  }
}
