/**
 * Migrates the databases of a data directory to the schema of this program, under the exclusive lock. The tables must not
 * change under a running service of an older version, neither by its successor nor by a command of a newer program.
 */

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { closing, releasing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { latest, migrate, missingFiles, schemaNumber } from '../../db/migrate.ts'
import { SCHEMAS } from '../../db/migrations.ts'
import { openDatabase } from '../../db/open.ts'
import type { DataDir } from './data-dir.ts'
import { claimFolder } from './folder-use.ts'

export interface DatabaseSchema {
  readonly name: keyof typeof SCHEMAS
  readonly path: string
  /** The number of its schema; 0 without tables. */
  readonly schema: number
  /** The latest that this program knows. */
  readonly known: number
  /** Migrations to run. */
  readonly missing: number
  readonly bytes: number
}

/** Time for other commands to end, and for another process that migrates. A service runs longer than that. */
const PATIENCE_MS = 3000
const ATTEMPT_MS = 100

/**
 * The existing databases. Nothing is written.
 * @throws CommandError when one cannot be read
 */
export function readSchemas(dataDir: DataDir): DatabaseSchema[] {
  return databasesOf(dataDir).map(readSchema)
}

function databasesOf({ root }: DataDir): Pick<DatabaseSchema, 'name' | 'path'>[] {
  return (Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[])
    .map((name) => ({ name, path: join(root, `${name}.db`) }))
    .filter(({ path }) => existsSync(path))
}

function readSchema({ name, path }: Pick<DatabaseSchema, 'name' | 'path'>): DatabaseSchema {
  using database = closing(openDatabase(path, { readonly: true }))
  const schema = schemaNumber(database)
  return {
    name,
    path,
    schema,
    known: latest(SCHEMAS[name]),
    missing: missingFiles(SCHEMAS[name], schema).length,
    bytes: statSync(path).size,
  }
}

/**
 * Migrates databases of an older schema. Call it before `holdFolder`.
 * @throws CommandError `failed` when another process uses the directory, and as `migrate`; nothing was changed then
 */
export function upgradeFolder(dataDir: DataDir): void {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    // Read again each time: the process that holds the lock may be migrating.
    const older = olderDatabases(dataDir)
    if (older.length === 0) return
    const claimed = claimFolder(dataDir, ATTEMPT_MS)
    if (claimed === null) {
      if (performance.now() >= until) throw refusal(dataDir, older)
      continue
    }
    using _ = releasing(claimed)
    for (const database of olderDatabases(dataDir)) upgrade(database)
    return
  }
}

/** Databases with an older schema. A file without tables is new. One that cannot be read is reported when it is opened. */
function olderDatabases(dataDir: DataDir): DatabaseSchema[] {
  return databasesOf(dataDir).flatMap((database) => {
    try {
      const found = readSchema(database)
      return found.schema > 0 && found.schema < found.known ? [found] : []
    } catch (error) {
      if (error instanceof CommandError) return []
      throw error
    }
  })
}

function upgrade({ name, path }: DatabaseSchema): void {
  using database = closing(openDatabase(path, { secureDelete: name !== 'usage' }))
  migrate(database, SCHEMAS[name])
  // The first builds left deleted records of versions in free pages.
  if (name === 'catalog') database.exec('VACUUM')
}

function refusal({ root }: DataDir, older: readonly DatabaseSchema[]): CommandError {
  const changes = older.map(({ name, schema, known }) => `${name}.db from schema ${schema} to ${known}`)
  return new CommandError(
    'failed',
    `${root} is in use by an older version of Izvor, and this version has to bring ${changes.join(', ')}: ` +
      'stop the service and the commands that work there, then try again. Nothing was changed',
  )
}
