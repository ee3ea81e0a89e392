/**
 * Brings a database to the schema this program knows. The number of applied migrations is in the file itself,
 * in `PRAGMA user_version`. Drizzle's own migrator is not used: it reads a folder, of which a compiled binary has
 * none, and it runs inside a transaction, where switching `foreign_keys` off is ignored, so that rebuilding a table
 * would delete the rows that refer to it.
 */

import type Database from 'better-sqlite3'
import { CommandError } from '../base/errors.ts'
import { systemFailure } from '../base/text/system-failure.ts'
import { copyBefore } from './copy-before.ts'
import { isDamage } from './open.ts'

/**
 * Applies all missing migrations or none, after copying the database (`copy-before.ts`) unless it is a copy itself.
 * Several processes may start at once: one migrates, the others wait.
 * @param migrations SQL texts, oldest first; never reordered or edited once released
 * @throws CommandError `failed` when the file was written by a newer version of the program or cannot be written
 */
export function migrate(
  database: Database.Database,
  migrations: readonly string[],
  { isCopy = database.memory } = {},
): void {
  const applied = schemaVersion(database)
  if (applied > migrations.length) throw newerFile(database.name, applied, migrations.length)
  if (applied === migrations.length) return

  database.pragma('foreign_keys = OFF')
  try {
    database.transaction(applyMissing).immediate(database, migrations, isCopy)
  } catch (error) {
    throw systemFailure(`cannot update ${database.name}`, error, isDamage(error) ? 'damaged' : 'failed')
  } finally {
    database.pragma('foreign_keys = ON')
  }
}

function applyMissing(database: Database.Database, migrations: readonly string[], isCopy: boolean): void {
  const applied = schemaVersion(database)
  // Another process was faster.
  if (applied >= migrations.length) return
  if (applied > 0 && !isCopy) copyBefore(database.name, applied)
  for (const sql of migrations.slice(applied)) database.exec(sql)
  const broken = database.pragma('foreign_key_check') as { table: string }[]
  if (broken.length > 0) throw new Error(`a migration breaks references of table ${broken[0]?.table}`)
  database.pragma(`user_version = ${migrations.length}`)
}

/** Migrations that a database has. */
export function schemaVersion(database: Database.Database): number {
  return database.pragma('user_version', { simple: true }) as number
}

function newerFile(path: string, found: number, known: number): CommandError {
  return new CommandError(
    'failed',
    `${path} was written by a newer version of Izvor (schema ${found}, this program knows ${known}); ` +
      'install that version or restore a backup made by this one',
  )
}
