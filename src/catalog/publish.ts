/**
 * What changes the catalog. Each function is one transaction that takes the write lock at its start, so a reader in
 * any process sees the state before or after it, and two writers never decide on the same state.
 */

import { existsSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { and, eq, notInArray, sql } from 'drizzle-orm'
import { datasets, revision, versions } from '../db/catalog-schema.ts'
import { CommandError } from '../errors.ts'
import type { DataDir } from '../storage/data-dir.ts'
import type { CatalogDb } from './database.ts'
import type { VersionRecord } from './record.ts'
import { indexDataset, removeFromIndex } from './search.ts'

/** The next number of a dataset. Used up by the call, also when nothing is published under it. */
export function reserveVersion(db: CatalogDb, id: string): number {
  return inTransaction(db, () => {
    const row = db
      .insert(datasets)
      .values({ id, lastVersion: 1 })
      .onConflictDoUpdate({ target: datasets.id, set: { lastVersion: sql`${datasets.lastVersion} + 1` } })
      .returning({ version: datasets.lastVersion })
      .get()
    return row.version
  })
}

/**
 * Serves a new version from the next request on. The file is moved inside the transaction: no sweep can take it, and
 * a failure of any later step takes it back out.
 * @param keepVersions how many versions stay, the served one included
 * @returns files that are no longer kept
 * @throws CommandError `failed` when the id is published in another domain
 */
export function publishVersion(
  db: CatalogDb,
  dataDir: DataDir,
  record: VersionRecord,
  moveIntoPlace: () => void,
  keepVersions: number,
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
      serve(db, id, record)
      return prune(db, dataDir, id, record.version, keepVersions)
    })
  } catch (error) {
    if (moved) rmSync(dataDir.versionFile(id, record.version), { force: true })
    throw error
  }
}

/**
 * Serves the version again that was served before the present one, exactly as it was.
 * @returns its number
 * @throws CommandError `failed` when the dataset or an earlier version of it does not exist
 */
export function rollbackVersion(db: CatalogDb, dataDir: DataDir, id: string): number {
  return inTransaction(db, () => {
    const served = findVersion(db, id, servedVersion(db, id))
    const earlier = served?.previousVersion == null ? undefined : findVersion(db, id, served.previousVersion)
    if (!earlier) {
      throw new CommandError(
        'failed',
        `${id} has no version before ${served?.version} that is still kept (see the setting keep_versions)`,
      )
    }
    const file = dataDir.versionFile(id, earlier.version)
    if (!existsSync(file))
      throw new CommandError('failed', `${file} is missing; version ${earlier.version} cannot be served`)
    serve(db, id, earlier.record as VersionRecord)
    return earlier.version
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
    raiseRevision(db)
    return removed.map(({ version }) => dataDir.versionFile(id, version))
  })
}

/**
 * Deletes version files that no record speaks of: left by a crash between move and commit, or by a deletion that the
 * system refused. Under the write lock, so that a version being published is never among them.
 */
export function sweepVersionFiles(db: CatalogDb, dataDir: DataDir): void {
  inTransaction(db, () => {
    const kept = new Set(
      db
        .select({ id: versions.datasetId, version: versions.version })
        .from(versions)
        .all()
        .map(({ id, version }) => dataDir.versionFile(id, version)),
    )
    dataDir.discard(dataDir.versionFiles().filter((path) => !kept.has(path)))
  })
}

/** Runs `work` under the write lock; commits its result or rolls everything back. */
function inTransaction<T>(db: CatalogDb, work: () => T): T {
  try {
    return db.$client.transaction(work).immediate()
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error
    const reason = error.code === 'SQLITE_FULL' ? 'the disk is full' : error.message
    throw new CommandError('failed', `cannot write ${db.$client.name}: ${reason}`)
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
    'failed',
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
