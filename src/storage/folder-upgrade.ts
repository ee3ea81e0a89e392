/**
 * Bringing the databases of a folder to the schema of this program, by a process that has the folder alone. A service
 * that runs was written for the tables it opened: they must not change underneath it, neither by its successor that is
 * started beside it nor by a command of a newer program.
 */

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { migrate, schemaVersion } from '../db/migrate.ts'
import { SCHEMAS } from '../db/migrations.ts'
import { openDatabase } from '../db/open.ts'
import { CommandError } from '../errors.ts'
import type { DataDir } from './data-dir.ts'
import { claimFolder } from './folder-use.ts'

export interface DatabaseSchema {
  readonly name: keyof typeof SCHEMAS
  readonly path: string
  /** Migrations it has. */
  readonly schema: number
  /** Migrations this program knows. */
  readonly known: number
  readonly bytes: number
}

/** Time for other commands to end, and for another process that is upgrading the folder. A service stays longer. */
const PATIENCE_MS = 3000
const ATTEMPT_MS = 100

/**
 * The databases that are there. Nothing is written.
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
  const database = openDatabase(path, { readonly: true })
  try {
    const [schema, known] = [schemaVersion(database), SCHEMAS[name].length]
    return { name, path, schema, known, bytes: statSync(path).size }
  } finally {
    database.close()
  }
}

/**
 * Migrates what an older program wrote. To be called before this process holds the folder (`holdFolder`).
 * @throws CommandError `failed` when another process works in it; nothing was changed then. As `migrate` else
 */
export function upgradeFolder(dataDir: DataDir): void {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    // Read again each time: whoever has the folder may be doing it.
    const older = olderDatabases(dataDir)
    if (older.length === 0) return
    const claimed = claimFolder(dataDir, ATTEMPT_MS)
    if (claimed === null) {
      if (performance.now() >= until) throw refusal(dataDir, older)
      continue
    }
    try {
      for (const database of olderDatabases(dataDir)) upgrade(database)
      return
    } finally {
      claimed.release()
    }
  }
}

/** Those with older tables; a file without any is being made, or will be. What cannot be read is told by its user. */
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
  const database = openDatabase(path, { secureDelete: name === 'accounts' })
  try {
    migrate(database, SCHEMAS[name])
  } finally {
    database.close()
  }
}

function refusal({ root }: DataDir, older: readonly DatabaseSchema[]): CommandError {
  const changes = older.map(({ name, schema, known }) => `${name}.db from schema ${schema} to ${known}`)
  return new CommandError(
    'failed',
    `${root} is in use by an older version of Izvor, and this version has to bring ${changes.join(', ')}: ` +
      'stop the service and the commands that work there, then try again. Nothing was changed',
  )
}
