/**
 * A consistent snapshot of a data directory in use. Read transactions hold the databases at one moment, which in WAL
 * mode blocks no writer. The version files of that moment, which never change, get hard links in a work folder before a
 * publication can delete them. Then SQLite's online backup copies the databases.
 */

import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import { closing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { isSystemFailure } from '../../base/text/system-failure.ts'
import { isDamage, openDatabase } from '../../db/open.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { VersionName } from '../../store/files/remote-files.ts'
import { DATABASES, type DatabaseName, partOf, type Snapshot, type SnapshotFile } from './manifest.ts'

type Held = ReadonlyMap<DatabaseName, Database.Database>

const NO_LINKS = new Set(['EPERM', 'EXDEV', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** A file of the work folder, under the name that it has in the backup. */
export function fileOf(work: string, name: string, expected: string | null = null): SnapshotFile {
  const path = join(work, name)
  return { name, path, bytes: statSync(path).size, expected }
}

/** Estimated size of the copies of the databases, in bytes. */
export function databaseBytes(dataDir: DataDir): number {
  const files = DATABASES.flatMap((name) => [pathOf(dataDir, name), `${pathOf(dataDir, name)}-wal`])
  return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
}

/**
 * @param work a folder on the disk of the data directory
 * @throws CommandError `damaged` when a database is damaged; `failed` when it cannot be read or copied
 */
export async function takeSnapshot(dataDir: DataDir, work: string, now: () => Date): Promise<Snapshot> {
  // An attempt fails only when another process writes in the microseconds between two locks.
  for (let attempt = 0; attempt < 1000; attempt++) {
    const held = holdDatabases(dataDir)
    if (held === null) continue
    try {
      const taken = now()
      const links = linkVersions(dataDir, held.get('catalog'), work)
      if (links === null) continue
      const copied = await copyDatabases(held, work)
      const files = [...copied.files, ...copyReferences(dataDir, work), ...links.files]
      return { taken, files, schema: copied.schema, missing: links.missing }
    } finally {
      for (const database of held.values()) database.close()
    }
  }
  throw new CommandError('failed', `${dataDir.root} keeps changing: try again when less is written to it`)
}

/**
 * Opens read transactions on all databases at one moment: `accounts.db` does not change between the first and the last,
 * so every count in `usage.db` belongs to a key in the accounts.
 * @returns null when it changed
 */
function holdDatabases(dataDir: DataDir): Held | null {
  const opened: Database.Database[] = []
  const open = (name: DatabaseName) => {
    const database = openDatabase(pathOf(dataDir, name))
    opened.push(database)
    return database
  }
  try {
    const present = DATABASES.filter((name) => existsSync(pathOf(dataDir, name)))
    const held = new Map(present.map((name) => [name, open(name)]))
    const watch = present.includes('accounts') ? open('accounts') : undefined
    const before = watch?.pragma('data_version', { simple: true })
    for (const database of held.values()) {
      database.exec('BEGIN')
      database.pragma('user_version')
    }
    const isOneMoment = before === watch?.pragma('data_version', { simple: true })
    watch?.close()
    if (isOneMoment) return held
    for (const database of held.values()) database.close()
    return null
  } catch (error) {
    for (const database of opened) database.close()
    throw error
  }
}

function pathOf({ root }: DataDir, name: DatabaseName): string {
  return join(root, `${name}.db`)
}

/** @returns null when a publication has deleted a file since the catalog's moment */
function linkVersions(
  dataDir: DataDir,
  catalog: Database.Database | undefined,
  work: string,
): Pick<Snapshot, 'files' | 'missing'> | null {
  const files: SnapshotFile[] = []
  const missing: Snapshot['missing'][number][] = []
  const versions = catalog === undefined ? [] : readVersions(catalog)
  for (const { id, version, file } of versions) {
    const source = dataDir.versionFile(id, version)
    const name = `datasets/${id}/${version}.db`
    if (linkFile(source, join(work, name))) {
      files.push(fileOf(work, name, file.sha256))
      continue
    }
    // A connection without an open transaction sees the current state.
    using present = closing(openDatabase(dataDir.catalogDb))
    if (!readVersions(present).some((row) => row.id === id && row.version === version)) {
      rmSync(join(work, 'datasets'), { recursive: true, force: true })
      return null
    }
    missing.push({ name, problem: `${source} is missing` })
  }
  return { files, missing }
}

/** Versions that a catalog names. */
export function readVersions(catalog: Database.Database): VersionName[] {
  return catalog
    .prepare<[], { readonly id: string; readonly version: number; readonly file: string }>(
      `SELECT dataset_id AS id, version, json_extract(record, '$.file') AS file
       FROM versions ORDER BY dataset_id, version`,
    )
    .all()
    .map(({ file, ...name }) => ({ ...name, file: JSON.parse(file) as VersionName['file'] }))
}

/** Makes a hard link, or a copy where links are not possible. @returns false when there is no such file */
export function linkFile(source: string, target: string): boolean {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  for (const make of [linkSync, copyFileSync]) {
    try {
      make(source, target)
      return true
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return false
      if (make === copyFileSync || !NO_LINKS.has(code)) throw error
    }
  }
  return false
}

async function copyDatabases(held: Held, work: string): Promise<Pick<Snapshot, 'files' | 'schema'>> {
  const files: SnapshotFile[] = []
  const schema: Partial<Record<DatabaseName, number>> = {}
  for (const [database, connection] of held) {
    const name = `${database}.db`
    const path = join(work, name)
    const source = connection.name
    try {
      // 40 MB at a time, so that signals are handled in between.
      await connection.backup(path, { progress: () => 10_000 })
      // From here on checkpoints may truncate the write-ahead log.
      connection.close()
      schema[database] = checkCopy(path, source)
    } catch (error) {
      if (isDamage(error)) throw damaged(source, (error as Error).message)
      // SQLite's message has no file name.
      throw isSystemFailure(error) ? Object.assign(error as Error, { path }) : error
    }
    files.push(fileOf(work, name))
  }
  return { files, schema }
}

/** Turns the copy into a single file without a log, and checks it. @returns the number of its schema */
export function checkCopy(path: string, source: string): number {
  using copy = closing(openDatabase(path))
  copy.pragma('journal_mode = DELETE')
  const answer = copy.pragma('integrity_check(1)', { simple: true })
  if (answer !== 'ok') throw damaged(source, String(answer))
  return copy.pragma('user_version', { simple: true }) as number
}

function damaged(path: string, problem: string): CommandError {
  return new CommandError(
    'damaged',
    `${path} is damaged: ${problem}. No backup was made of it, earlier ones are untouched: keep them, and restore the newest`,
  )
}

/** Copies reference tables instead of linking them: they are small, and the operator may edit them at any time. */
function copyReferences({ referenceDir }: DataDir, work: string): SnapshotFile[] {
  if (!existsSync(referenceDir)) return []
  const files = readdirSync(referenceDir, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && partOf(`reference/${entry.name}`) !== null,
  )
  mkdirSync(join(work, 'reference'), { mode: 0o700 })
  return files.map((entry) => {
    const name = `reference/${entry.name}`
    copyFileSync(join(referenceDir, entry.name), join(work, name))
    return fileOf(work, name)
  })
}
