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
