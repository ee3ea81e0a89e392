/**
 * A snapshot of what several nodes share, in the form of one folder: the rows of PostgreSQL as of one moment, as a
 * folder's databases, and the version files that they name, which never change, from the object store.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { closing } from '../../base/closing.ts'
import { migrate } from '../../db/migrate.ts'
import { SCHEMAS } from '../../db/migrations.ts'
import { openDatabase } from '../../db/open.ts'
import type { Asking } from '../../db/postgres/connection.ts'
import type { Postgres } from '../../db/postgres/open.ts'
import { listReferences, readReference } from '../../db/postgres/reference-rows.ts'
import { copyOut } from '../../db/postgres/transfer.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { RemoteFiles, VersionName } from '../../store/files/remote-files.ts'
import { ObjectStoreError } from '../../store/objects/s3-questions.ts'
import { DATABASES, type DatabaseName, type Snapshot, type SnapshotFile } from './manifest.ts'
import { checkCopy, fileOf, linkFile, readVersions } from './snapshot.ts'

/** The database and the store that nodes share. */
export interface SharedHome {
  readonly postgres: Postgres
  readonly remote: RemoteFiles
}

/** Estimated size of the rows, in bytes. @throws DatabaseAway */
export async function sharedBytes({ postgres }: SharedHome): Promise<number> {
  const { rows } = await postgres.ask('SELECT pg_database_size(current_database())')
  return Number(rows[0]![0])
}

/**
 * @param dataDir of the node, a cache of version files
 * @param work a folder on its disk
 * @throws DatabaseAway; ObjectStoreError when the store cannot be reached; SqliteError
 */
export async function takeSharedSnapshot(
  { postgres, remote }: SharedHome,
  dataDir: DataDir,
  work: string,
  now: () => Date,
): Promise<Snapshot> {
  const taken = now()
  const references = await postgres.atOneMoment(async (_, asking) => {
    for (const name of DATABASES) {
      using database = closing(openDatabase(join(work, `${name}.db`)))
      migrate(database, SCHEMAS[name])
      await copyOut(asking, name, database)
    }
    return await writeReferences(asking, work)
  })
  const schema: Partial<Record<DatabaseName, number>> = {}
  const databases: SnapshotFile[] = []
  const catalog = openDatabase(join(work, 'catalog.db'))
  const versions = readVersions(catalog)
  catalog.close()
  for (const name of DATABASES) {
    schema[name] = checkCopy(join(work, `${name}.db`), `the rows of ${name}`)
    databases.push(fileOf(work, `${name}.db`))
  }
  const { files, missing } = await fetchVersions(remote, dataDir, versions, work)
  return { taken, schema, missing, files: [...databases, ...references, ...files] }
}

async function writeReferences(asking: Asking, work: string): Promise<SnapshotFile[]> {
  const files: SnapshotFile[] = []
  for (const table of (await listReferences(asking)).keys()) {
    const name = `reference/${table}`
    const path = join(work, name)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, await readReference(asking, table))
    files.push(fileOf(work, name))
  }
  return files
}

async function fetchVersions(
  remote: RemoteFiles,
  dataDir: DataDir,
  versions: readonly VersionName[],
  work: string,
): Promise<Pick<Snapshot, 'files' | 'missing'>> {
  const files: SnapshotFile[] = []
  const missing: Snapshot['missing'][number][] = []
  for (const version of versions) {
    const name = `datasets/${version.id}/${version.version}.db`
    const source = dataDir.versionFile(version.id, version.version)
    const free = remote.hold(source)
    try {
      await remote.ensureLocal(version)
      linkFile(source, join(work, name))
      files.push(fileOf(work, name, version.file.sha256))
    } catch (error) {
      if (!(error instanceof ObjectStoreError) || !['missing', 'damaged'].includes(error.trouble)) throw error
      missing.push({ name, problem: error.message })
    } finally {
      free()
    }
  }
  return { files, missing }
}
