/** The tables of accounts, open and migrated: in `accounts.db`, or in PostgreSQL. */

import { SCHEMAS } from './migrations.ts'
import { cutLog } from './open.ts'
import type { Postgres } from './postgres/open.ts'
import { type DbReading, openForTransactions, type Transaction, type Transactions } from './transaction.ts'

export type { DbReading, Transaction } from './transaction.ts'

/** Reads see committed rows; write with `inTransaction`. Verbs do not know which database it is. */
export interface AccountsDb extends DbReading {
  readonly transactions: Transactions<Transaction>
  /**
   * Empties SQLite's write-ahead log, whose older pages still hold deleted rows. While another connection reads, this
   * waits for the next call. PostgreSQL's log is left to its operator.
   */
  emptyLog(): Promise<void>
  close(): void
}

/**
 * `accounts.db`. Full durability: a revoked key must stay revoked after a power cut. Deleted rows are personal data and
 * are overwritten.
 * @throws CommandError `failed` when the file cannot be opened or was made by another version
 */
export function openAccounts(path: string) {
  const db = openForTransactions(path, SCHEMAS.accounts)
  return Object.assign(db, { emptyLog: () => db.transactions.alone(() => void cutLog(db.writing)) })
}

/** The same in PostgreSQL, which the caller opens and closes. */
export function accountsIn(postgres: Postgres): AccountsDb {
  return Object.assign(postgres.queries<DbReading>(), {
    transactions: postgres.transactions<Transaction>('IN TURN'),
    emptyLog: async () => {},
    close() {},
  })
}

/**
 * Runs `work` as one transaction: what it reads stays true until it has written. Given a transaction, it joins that
 * one. Inside a transaction pass that, not the database, which would wait for the transaction to end: a deadlock.
 * `work` awaits only queries, and PostgreSQL may run it twice, so it has no effects outside the database.
 */
export function inTransaction<T>(
  db: AccountsDb | Transaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return 'transactions' in db ? db.transactions.run(work) : work(db)
}
