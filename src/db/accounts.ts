/** `accounts.db`, open and migrated. */

import type Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import * as schema from './accounts-schema.ts'
import { migrate } from './migrate.ts'
import { ACCOUNTS_MIGRATIONS } from './migrations.ts'
import { openDatabase } from './open.ts'
import { TransactionQueue } from './transaction.ts'

type Drizzle = BetterSQLite3Database<typeof schema>

/** For verbs that only read: the database, or the transaction they belong to. */
export type Reading = Pick<Drizzle, 'select'>
/** For verbs that belong into a transaction. */
export type Transaction = Pick<Drizzle, 'select' | 'insert' | 'update' | 'delete'>

/** Reads on a connection of its own, which sees what is committed; writes with `inTransaction`. */
export interface AccountsDb extends Reading {
  /** The connection that writes. */
  readonly $client: Database.Database
  readonly transactions: TransactionQueue<Transaction>
  close(): void
}

/**
 * Full durability: a revoked key must stay revoked after a power cut. Deleted rows are overwritten: they are personal.
 * @throws CommandError `failed` when the file cannot be opened or is newer than the program
 */
export function openAccounts(path: string): AccountsDb {
  const client = openDatabase(path, { durability: 'full', secureDelete: true })
  migrate(client, ACCOUNTS_MIGRATIONS)
  const reading = openDatabase(path, { readonly: true })
  return Object.assign(drizzle({ client: reading, schema }), {
    $client: client,
    transactions: new TransactionQueue<Transaction>(client, drizzle({ client, schema })),
    close() {
      reading.close()
      client.close()
    },
  })
}

/**
 * Runs `work` as one transaction: what it reads stays true until it has written. Given a transaction it joins that one;
 * inside one, pass it on: the database itself would wait for the end of the transaction that waits. `work` awaits
 * queries only.
 */
export function inTransaction<T>(
  db: AccountsDb | Transaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return 'transactions' in db ? db.transactions.run(work) : work(db)
}

/**
 * Cuts SQLite's write-ahead log, where older pages still show the rows that are gone. While another connection reads,
 * it stays until the next time.
 */
export function emptyLog({ $client, transactions }: AccountsDb): Promise<void> {
  return transactions.alone(() => {
    const timeout = $client.pragma('busy_timeout', { simple: true }) as number
    $client.pragma('busy_timeout = 0')
    try {
      $client.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      $client.pragma(`busy_timeout = ${timeout}`)
    }
  })
}
