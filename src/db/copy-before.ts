/**
 * A copy of a database as it was before a migration: `before-upgrade/accounts.schema-3.db` beside it. One of each
 * database, the latest: an older one would keep what people have deleted since.
 */

import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'

/** In the data directory. */
export const COPIES_FOLDER = 'before-upgrade'

/**
 * To be called while the database's write lock is held, so that nothing is written between copy and migration.
 * @param path of the database
 * @param schema its number
 * @returns path of the copy
 */
export function copyBefore(path: string, schema: number): string {
  const name = basename(path, '.db')
  const folder = join(dirname(path), COPIES_FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const copy = join(folder, `${name}.schema-${schema}.db`)
  const unfinished = `${copy}.partial`
  rmSync(unfinished, { force: true })
  // SQLite would create it readable by all users; it accepts an empty file.
  closeSync(openSync(unfinished, 'wx', 0o600))
  const reader = new Database(path, { readonly: true })
  try {
    reader.prepare('VACUUM INTO ?').run(unfinished)
  } finally {
    reader.close()
  }
  renameSync(unfinished, copy)
  for (const file of readdirSync(folder)) {
    if (file.startsWith(`${name}.schema-`) && file !== basename(copy)) rmSync(join(folder, file))
  }
  return copy
}
