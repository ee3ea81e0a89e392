/**
 * Brings a database to the schema that this program knows. The number of its schema is in the file, in `PRAGMA
 * user_version`. Drizzle's own migrator is not used: it reads a folder, which a compiled binary does not have, and it
 * runs inside a transaction, where switching `foreign_keys` off is ignored, so rebuilding a table would delete the rows
 * that refer to it.
 */

import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import { closing } from '../base/closing.ts'
import { CommandError } from '../base/errors.ts'
import { systemFailure } from '../base/text/system-failure.ts'
import { connect, isDamage, sqlitePath } from './open.ts'

/** SQL texts: the first makes all tables, each later one changes them. Never reordered or edited once released. */
export interface Schema {
  /** The number of the first. Databases with lower numbers come from builds before the first release. */
  readonly first: number
  readonly files: readonly string[]
}

/** The number of a database after all files of a schema. */
export function latest({ first, files }: Schema): number {
  return first + files.length - 1
}

/** The files still to run on a database of schema `found`; 0 is an empty one. */
export function missingFiles({ first, files }: Schema, found: number): readonly string[] {
  return found === 0 ? files : files.slice(found - first + 1)
}

/**
 * @param label names the database in the message
 * @throws CommandError `failed` when only another version of the program can use a database of schema `found`
 */
export function requireKnown(label: string, found: number, schema: Schema): void {
  if (found > latest(schema))
    throw new CommandError(
      'failed',
      `${label} was made by a newer version of Izvor (schema ${found}, this program knows ${latest(schema)}); ` +
        'install that version or restore a backup made by this one',
    )
  if (found > 0 && found < schema.first)
    throw new CommandError(
      'failed',
      `${label} was made by a build from before the first release (schema ${found}), and this program upgrades ` +
        `from schema ${schema.first} on. Nothing was changed`,
    )
}

/**
 * Runs all missing files or none, after copying the database unless it is a copy itself. If several processes start at
 * once, one migrates and the others wait.
 * @throws CommandError `failed` when the file was made by another version of the program or cannot be written
 */
export function migrate(
  database: Database.Database,
  schema: Schema,
  { isCopy = database.memory } = {},
): void {
  const found = schemaNumber(database)
  requireKnown(database.name, found, schema)
  if (found === latest(schema)) return

  const runMissing = database.transaction(() => {
    const before = schemaNumber(database)
    // Another process was faster.
    if (before >= latest(schema)) return
    if (before > 0 && !isCopy) copyBefore(database.name, before)
    for (const sql of missingFiles(schema, before)) database.exec(sql)
    const broken = database.pragma('foreign_key_check') as { table: string }[]
    if (broken.length > 0) throw new Error(`a migration breaks references of table ${broken[0]?.table}`)
    database.pragma(`user_version = ${latest(schema)}`)
  })
  database.pragma('foreign_keys = OFF')
  try {
    runMissing.immediate()
  } catch (error) {
    throw systemFailure(`cannot update ${database.name}`, error, isDamage(error) ? 'damaged' : 'failed')
  } finally {
    database.pragma('foreign_keys = ON')
  }
}

/** The number of a database's schema; 0 for one without tables. */
export function schemaNumber(database: Database.Database): number {
  return database.pragma('user_version', { simple: true }) as number
}

/** In the data directory. */
export const COPIES_FOLDER = 'before-upgrade'

/** Copies the database under its write lock. Removes earlier copies: they hold data that people have deleted since. */
function copyBefore(path: string, schema: number): void {
  const name = basename(path, '.db')
  const folder = join(dirname(path), COPIES_FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const copy = join(folder, `${name}.schema-${schema}.db`)
  const unfinished = `${copy}.partial`
  rmSync(unfinished, { force: true })
  // SQLite would create it readable by all users; it accepts an empty file.
  closeSync(openSync(unfinished, 'wx', 0o600))
  {
    using reader = closing(connect(path, { readonly: true }))
    reader.prepare('VACUUM INTO ?').run(sqlitePath(unfinished))
  }
  renameSync(unfinished, copy)
  for (const file of readdirSync(folder))
    if (file.startsWith(`${name}.schema-`) && file !== basename(copy)) rmSync(join(folder, file))
}
