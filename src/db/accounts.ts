/** `accounts.db`, open and migrated. */

import type Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import * as schema from './accounts-schema.ts'
import { migrate } from './migrate.ts'
import { ACCOUNTS_MIGRATIONS } from './migrations.ts'
import { openDatabase } from './open.ts'

export type AccountsDb = BetterSQLite3Database<typeof schema> & { $client: Database.Database }

/**
 * Full durability: a revoked key must stay revoked after a power cut. Deleted rows are overwritten: they are personal.
 * Close with `$client.close()`.
 * @throws CommandError `failed` when the file cannot be opened or is newer than the program
 */
export function openAccounts(path: string): AccountsDb {
  const client = openDatabase(path, { durability: 'full', secureDelete: true })
  migrate(client, ACCOUNTS_MIGRATIONS)
  return drizzle({ client, schema })
}

/**
 * Cuts SQLite's write-ahead log, where older pages still show the rows that are gone. When somebody is reading at this
 * moment it stays until the next time; nobody waits for it.
 */
export function emptyLog({ $client }: AccountsDb): void {
  const timeout = $client.pragma('busy_timeout', { simple: true }) as number
  $client.pragma('busy_timeout = 0')
  try {
    $client.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    $client.pragma(`busy_timeout = ${timeout}`)
  }
}
