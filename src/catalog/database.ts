/** `catalog.db`, open and migrated. */

import type Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import * as schema from '../db/catalog-schema.ts'
import { migrate } from '../db/migrate.ts'
import { CATALOG_MIGRATIONS } from '../db/migrations.ts'
import { openDatabase } from '../db/open.ts'

export type CatalogDb = BetterSQLite3Database<typeof schema> & { $client: Database.Database }

/**
 * Full durability: a publish deletes files of earlier versions right after its commit. Were that commit lost in a power
 * cut, the catalog would name files that are gone.
 * @throws CommandError `failed` when the file cannot be opened or is newer than the program
 */
export function openCatalogDb(path: string): CatalogDb {
  const client = openDatabase(path, { durability: 'full' })
  migrate(client, CATALOG_MIGRATIONS)
  return drizzle({ client, schema })
}
