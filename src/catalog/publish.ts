/**
 * What changes the catalog. Each function is one transaction that takes the write lock at its start, so a reader in
 * any process sees the state before or after it, and two writers never decide on the same state.
 */

import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { and, eq, notInArray, sql } from 'drizzle-orm'
import { datasets, revision, versions } from '../db/catalog-schema.ts'
import { isDamage } from '../db/open.ts'
import { CommandError, DamagedFileError } from '../errors.ts'
import type { DataDir, StoredVersion } from '../storage/data-dir.ts'
import { explainFailure } from '../text/system-failure.ts'
import type { CatalogDb } from './database.ts'
import type { VersionRecord } from './record.ts'
import { indexDataset, removeFromIndex } from './search.ts'
import { type NewSource, removeSource, replaceSource } from './sources.ts'

/**
 * The next number of a dataset. Used up by the call, also when nothing is published under it.
 * @throws CommandError `damaged` when a file of that or a later number is there: the catalog is older than the folder
 */
export function reserveVersion(db: CatalogDb, dataDir: DataDir, id: string): number {
  return inTransaction(db, () => {
    const row = db
      .insert(datasets)
      .values({ id, lastVersion: 1 })
      .onConflictDoUpdate({ target: datasets.id, set: { lastVersion: sql`${datasets.lastVersion} + 1` } })
      .returning({ version: datasets.lastVersion })
      .get()
    refuseReuse(db, dataDir, id, row.version)
    return row.version
  })
}

function refuseReuse(db: CatalogDb, dataDir: DataDir, id: string, next: number): void {
  const later = dataDir.versionFiles().find((file) => file.id === id && file.version >= next)
  if (later === undefined) return
  throw new CommandError(
    'damaged',
    `${later.path} is there, but ${db.$client.name} would give the number ${next} next: it is older than the ` +
      'files beside it. Restore the newest backup of catalog.db, or move this file elsewhere',
  )
}

/**
 * Serves a new version from the next request on. The file is moved inside the transaction: no sweep can take it, and
 * a failure of any later step takes it back out.
 * @param keepVersions how many versions stay, the served one included
 * @param source where the data can be fetched again; null: nowhere
 * @returns files that are no longer kept
 * @throws CommandError `usage` when the id is published in another domain
 */
export function publishVersion(
  db: CatalogDb,
  dataDir: DataDir,
  record: VersionRecord,
  moveIntoPlace: () => void,
  keepVersions: number,
  source: NewSource | null = null,
): string[] {
  const { id, domain } = record.dataset
  let moved = false
  try {
    return inTransaction(db, () => {
      const dataset = findDataset(db, id)
      if (!dataset) throw new Error(`no version of ${id} was reserved`)
      refuseOtherDomain(id, dataset.domain, domain)
      moved = true
      moveIntoPlace()
      insertVersion(db, record, dataset.servedVersion)
      replaceSource(db, id, source, record.provenance.imported_at)
      serve(db, id, record)
      return prune(db, dataDir, id, record.version, keepVersions)
    })
  } catch (error) {
    if (moved) rmSync(dataDir.versionFile(id, record.version), { force: true })
    throw error
  }
}

/**
 * The version that a rollback would serve.
 * @throws CommandError `failed` when the dataset or an earlier version of it does not exist
 */
export function earlierVersion(db: CatalogDb, id: string): VersionRecord {
  const served = findVersion(db, id, servedVersion(db, id))
  const earlier = served?.previousVersion == null ? undefined : findVersion(db, id, served.previousVersion)
  if (earlier) return earlier.record as VersionRecord
  throw new CommandError(
    'failed',
    `${id} has no version before ${served?.version} that is still kept (see the setting keep_versions)`,
  )
}

/**
 * Serves the version again that was served before the present one, exactly as it was.
 * @param expected its number, as `earlierVersion` found it; its file has been verified since, outside of the lock
 * @throws CommandError `failed` when there is none, or it is another one by now
 */
export function rollbackVersion(db: CatalogDb, id: string, expected: number): void {
  inTransaction(db, () => {
    const earlier = earlierVersion(db, id)
    if (earlier.version !== expected) {
      throw new CommandError(
        'failed',
        `${id} was changed by another process meanwhile; look at it and try again`,
      )
    }
    serve(db, id, earlier)
  })
}

/**
 * Takes a dataset out of the catalog. Its numbers stay used.
 * @returns its files
 * @throws CommandError `failed` when it does not exist
 */
export function removeDataset(db: CatalogDb, dataDir: DataDir, id: string): string[] {
  return inTransaction(db, () => {
    servedVersion(db, id)
    const removed = db.delete(versions).where(eq(versions.datasetId, id)).returning().all()
    const number = findDataset(db, id)?.number ?? 0
    db.update(datasets).set({ servedVersion: null, domain: null }).where(eq(datasets.id, id)).run()
    removeFromIndex(db.$client, number)
    removeSource(db, id)
    raiseRevision(db)
    return removed.map(({ version }) => dataDir.versionFile(id, version))
  })
}

/**
 * Deletes version files that have no record although their number was given out here: left by a crash between move and
 * commit, or by a deletion that the system refused. Under the write lock, so that a version being published is never
 * among them. Files of numbers that this catalog never gave out are not its to delete.
 */
export function sweepVersionFiles(db: CatalogDb, dataDir: DataDir): void {
  inTransaction(db, () => dataDir.discard(sortUnrecorded(db, dataDir).leftover))
}

/** Version files whose number this catalog never gave out: it is not, or no longer, the catalog of this folder. */
export function unknownVersionFiles(db: CatalogDb, dataDir: DataDir): StoredVersion[] {
  return sortUnrecorded(db, dataDir).unknown
}

function sortUnrecorded(db: CatalogDb, dataDir: DataDir): { leftover: string[]; unknown: StoredVersion[] } {
  // The files first: a number is committed before its file is there, so what is found now is known a moment later.
  const files = dataDir.versionFiles()
  const recorded = new Set(
    db
      .select({ id: versions.datasetId, version: versions.version })
      .from(versions)
      .all()
      .map(({ id, version }) => dataDir.versionFile(id, version)),
  )
  const given = new Map(
    db
      .select({ id: datasets.id, last: datasets.lastVersion })
      .from(datasets)
      .all()
      .map(({ id, last }) => [id, last]),
  )
  const unrecorded = files.filter(({ path }) => !recorded.has(path))
  const wasGiven = ({ id, version }: StoredVersion) => version <= (given.get(id) ?? 0)
  return {
    leftover: unrecorded.filter(wasGiven).map(({ path }) => path),
    unknown: unrecorded.filter((file) => !wasGiven(file)),
  }
}

/** Runs `work` under the write lock; commits its result or rolls everything back. */
function inTransaction<T>(db: CatalogDb, work: () => T): T {
  try {
    return db.$client.transaction(work).immediate()
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error
    if (isDamage(error)) throw new DamagedFileError(db.$client.name, error.message)
    throw new CommandError('failed', `cannot write ${db.$client.name}: ${explainFailure(error)}`)
  }
}

function findDataset(db: CatalogDb, id: string) {
  return db.select().from(datasets).where(eq(datasets.id, id)).get()
}

function findVersion(db: CatalogDb, id: string, version: number) {
  return db
    .select()
    .from(versions)
    .where(and(eq(versions.datasetId, id), eq(versions.version, version)))
    .get()
}

function servedVersion(db: CatalogDb, id: string): number {
  const version = findDataset(db, id)?.servedVersion
  if (version == null) throw new CommandError('failed', `there is no dataset ${id}`)
  return version
}

function refuseOtherDomain(id: string, published: string | null, wanted: string): void {
  if (published === null || published === wanted) return
  throw new CommandError(
    'usage',
    `${id} is published in domain ${published}, and ids are unique over all domains; ` +
      `remove it there first or choose another --id`,
  )
}

function insertVersion(db: CatalogDb, record: VersionRecord, previousVersion: number | null): void {
  const { id, title, description } = record.dataset
  db.insert(versions)
    .values({
      datasetId: id,
      version: record.version,
      previousVersion,
      title,
      description,
      rowCount: record.rows,
      importedAt: record.provenance.imported_at,
      record,
    })
    .run()
}

function serve(db: CatalogDb, id: string, record: VersionRecord): void {
  const { number } = db
    .update(datasets)
    .set({ servedVersion: record.version, domain: record.dataset.domain })
    .where(eq(datasets.id, id))
    .returning({ number: datasets.number })
    .get()
  indexDataset(db.$client, number, record)
  raiseRevision(db)
}

function raiseRevision(db: CatalogDb): void {
  db.update(revision)
    .set({ value: sql`${revision.value} + 1` })
    .run()
}

/** Keeps the served version and those a rollback can still reach, newest first, up to `keep`; drops the others. */
function prune(db: CatalogDb, dataDir: DataDir, id: string, served: number, keep: number): string[] {
  const kept: number[] = []
  for (let next: number | null = served; next !== null && kept.length < keep; ) {
    const row = findVersion(db, id, next)
    if (!row) break
    kept.push(row.version)
    next = row.previousVersion
  }
  const dropped = db
    .delete(versions)
    .where(and(eq(versions.datasetId, id), notInArray(versions.version, kept)))
    .returning({ version: versions.version })
    .all()
  return dropped.map(({ version }) => dataDir.versionFile(id, version))
}
