/** The tables of accounts, open and migrated: in `accounts.db`, or in PostgreSQL. */

import { SCHEMAS } from './migrations.ts'
import { cutLog } from './open.ts'
import type { Postgres } from './postgres/open.ts'
import { type DbReading, openForTransactions, type Transaction, type Transactions } from './transaction.ts'

export type { DbReading, Transaction } from './transaction.ts'

/** Reads see what is committed; writes with `inTransaction`. Verbs do not know the engine. */
export interface AccountsDb extends DbReading {
  readonly transactions: Transactions<Transaction>
  /**
   * Cuts SQLite's write-ahead log, where older pages still show the rows that are gone. While another connection reads,
   * it stays until the next time. PostgreSQL's log is its operator's.
   */
  emptyLog(): Promise<void>
  close(): void
}

/**
 * `accounts.db`. Full durability: a revoked key must stay revoked after a power cut. Deleted rows are overwritten: they are
 * personal.
 * @throws CommandError `failed` when the file cannot be opened or was made by another version
 */
export function openAccounts(path: string) {
  const db = openForTransactions(path, SCHEMAS.accounts)
  return Object.assign(db, { emptyLog: () => db.transactions.alone(() => void cutLog(db.writing)) })
}

/** The same in PostgreSQL, which the caller opened and closes. */
export function accountsIn(postgres: Postgres): AccountsDb {
  return Object.assign(postgres.queries<DbReading>(), {
    transactions: postgres.transactions<Transaction>('IN TURN'),
    emptyLog: async () => {},
    close() {},
  })
}

/**
 * Runs `work` as one transaction: what it reads stays true until it has written. Given a transaction it joins that one;
 * inside one, pass it on: the database itself would wait for the end of the transaction that waits. `work` awaits
 * queries only, and PostgreSQL may run it twice: it has no effects outside the database.
 */
export function inTransaction<T>(
  db: AccountsDb | Transaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return 'transactions' in db ? db.transactions.run(work) : work(db)
}
