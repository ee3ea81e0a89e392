/**
 * Migrates the databases of a data directory to the schema of this program, under the exclusive lock. Neither a
 * successor nor a command of a newer program may change the tables under a running service of an older version.
 */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { closing, releasing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { latest, migrate, missingFiles, schemaNumber } from '../../db/migrate.ts'
import { SCHEMAS } from '../../db/migrations.ts'
import { openDatabase } from '../../db/open.ts'
import type { DataDir } from './data-dir.ts'
import { claimFolder } from './folder-use.ts'

/** The schemas of the existing databases; writes nothing. @throws CommandError when one cannot be read */
export function readSchemas(dataDir: DataDir) {
  return (Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[]).flatMap((name) => readSchema(dataDir, name) ?? [])
}

function readSchema({ root }: DataDir, name: keyof typeof SCHEMAS) {
  const path = join(root, `${name}.db`)
  const bytes = statSync(path, { throwIfNoEntry: false })?.size
  if (bytes === undefined) return undefined
  using database = closing(openDatabase(path, { readonly: true }))
  const schema = schemaNumber(database)
  const missing = missingFiles(SCHEMAS[name], schema).length
  return { name, path, schema, known: latest(SCHEMAS[name]), missing, bytes }
}

/**
 * Migrates databases of an older schema. Call it before `holdFolder`.
 * @throws CommandError `failed` when another process uses the directory, and as `migrate`; nothing was changed then
 */
export function upgradeFolder(dataDir: DataDir): void {
  // Time for other commands to end, or for another process to migrate. A service runs longer than that.
  const until = performance.now() + 3000
  for (;;) {
    // Read again each time: the process that holds the lock may be migrating.
    const older = olderDatabases(dataDir)
    if (older.length === 0) return
    const claimed = claimFolder(dataDir, 100)
    if (claimed === null) {
      if (performance.now() < until) continue
      const changes = older.map(({ name, schema, known }) => `${name}.db from schema ${schema} to ${known}`)
      throw new CommandError(
        'failed',
        `${dataDir.root} is in use by an older version of Izvor, and this version has to bring ${changes.join(', ')}: ` +
          'stop the service and the commands that work there, then try again. Nothing was changed',
      )
    }
    using _ = releasing(claimed)
    for (const { name, path } of olderDatabases(dataDir)) {
      using database = closing(openDatabase(path, { secureDelete: name !== 'usage' }))
      migrate(database, SCHEMAS[name])
    }
    return
  }
}

/** Databases with an older schema. A file without tables is new. Opening reports one that cannot be read. */
function olderDatabases(dataDir: DataDir) {
  return (Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[]).flatMap((name) => {
    try {
      const found = readSchema(dataDir, name)
      return found !== undefined && found.schema > 0 && found.schema < found.known ? [found] : []
    } catch (error) {
      if (error instanceof CommandError) return []
      throw error
    }
  })
}
