/**
 * Version files and the catalog that numbers them. Without their catalog, version files are all that is left of the
 * published data: new versions must not be numbered from 1 again, and no sweep may delete the files.
 */

import { statSync } from 'node:fs'
import { CommandError } from '../../base/errors.ts'
import type { CatalogDb } from '../../db/catalog.ts'
import { isMirror } from '../../db/catalog-mirror.ts'
import { datasets, versions } from '../../db/schema/catalog-schema.ts'
import type { DbReading } from '../../db/transaction.ts'
import type { DataDir, StoredVersion } from '../files/data-dir.ts'

/**
 * Call it before `catalog.db` is opened, which would create it.
 * @throws CommandError `damaged` when it is missing or empty although version files exist
 */
export function refuseMissingCatalog(dataDir: DataDir): void {
  const isMissing = () => (statSync(dataDir.catalogDb, { throwIfNoEntry: false })?.size ?? 0) === 0
  // Checked again: another process may have created it, and the files, in between.
  if (isMissing()) refuseFiles(dataDir, 'is missing or empty', isMissing)
}

/** @throws CommandError `damaged` when the catalog never gave out a number although version files exist */
export function refuseEmptyCatalog(db: DbReading, dataDir: DataDir): void {
  // Its rows outlive the removal of a dataset, and a number is committed before its file is moved into place.
  if (isEmpty(db)) refuseFiles(dataDir, 'knows no dataset', () => isEmpty(db))
}

function isEmpty(db: DbReading): boolean {
  return db.select({ id: datasets.id }).from(datasets).limit(1).get() === undefined
}

/** @throws CommandError `failed` for the copy of a node, which can only be opened with the settings of a node */
export function refuseCopy(db: CatalogDb, { root, catalogDb }: DataDir): void {
  if (!isMirror(db)) return
  throw new CommandError(
    'failed',
    `${catalogDb} is a node's copy of a catalog in PostgreSQL: set database_url and object_store as on that node, ` +
      `or name another data directory than ${root}`,
  )
}

/** @throws CommandError `failed` for a catalog that is not a copy: a node would treat its datasets as removed */
export function refuseOwnCatalog(db: CatalogDb, { root }: DataDir): void {
  if (isMirror(db) || isEmpty(db)) return
  throw new CommandError(
    'failed',
    `${root} has a catalog of its own, and a node's directory only holds copies. Nothing was changed: back it up with ` +
      'database_url unset, restore the backup with database_url set, and give the node an empty directory',
  )
}

function refuseFiles(dataDir: DataDir, state: string, stillSo: () => boolean): void {
  const files = dataDir.versionFiles()
  if (files.length === 0 || !stillSo()) return
  const amount = files.length === 1 ? 'a version file' : `${files.length} version files`
  throw new CommandError(
    'damaged',
    `${dataDir.catalogDb} ${state}, but ${dataDir.datasetsDir} holds ${amount} (such as ${files[0]?.path}). ` +
      'Nothing was changed. Restore catalog.db from a backup of this folder; ' +
      'to start again without this data, move the folder datasets elsewhere',
  )
}

/**
 * Call it in the transaction that gives the number.
 * @throws CommandError `damaged` when a file of that or a later number exists: the catalog is older than the folder
 */
export function refuseReuse(dataDir: DataDir, id: string, next: number): void {
  const later = dataDir.versionFiles().find((file) => file.id === id && file.version >= next)
  if (later === undefined) return
  throw new CommandError(
    'damaged',
    `${later.path} exists, but ${dataDir.catalogDb} would assign the number ${next} next: it is older than the ` +
      'files beside it. Restore the newest backup of catalog.db, or move this file elsewhere',
  )
}

/**
 * Deletes version files without a record whose number was given out here, and whole datasets made from such versions. A
 * crash between move and commit leaves them, or a deletion that the system refused. Call it under the write lock, so
 * that a version being published is never among them. Files with numbers that this catalog never gave out stay.
 */
export function sweepVersionFiles(db: DbReading, dataDir: DataDir): void {
  const { leftover, recorded } = sortUnrecorded(db, dataDir)
  dataDir.discard(leftover)
  for (const id of dataDir.files.ids())
    dataDir.files.discard(id, (version) => !recorded.has(dataDir.versionFile(id, version)))
}

/**
 * Version files without a row, split by whether this catalog gave out their number, and the paths of those with a row. A
 * number that it never gave out shows that this is not, or no longer, the catalog of this directory.
 */
export function sortUnrecorded(db: DbReading, dataDir: DataDir) {
  // Files first: a number is committed before its file exists, so the rows read next know every file found here.
  const files = dataDir.versionFiles()
  const rows = db.select({ id: versions.datasetId, version: versions.version }).from(versions).all()
  const recorded: ReadonlySet<string> = new Set(
    rows.map(({ id, version }) => dataDir.versionFile(id, version)),
  )
  const numbers = db.select({ id: datasets.id, last: datasets.lastVersion }).from(datasets).all()
  const given = new Map(numbers.map(({ id, last }) => [id, last]))
  const unrecorded = files.filter(({ path }) => !recorded.has(path))
  const wasGiven = ({ id, version }: StoredVersion) => version <= (given.get(id) ?? 0)
  return {
    leftover: unrecorded.filter(wasGiven).map(({ path }) => path),
    unknown: unrecorded.filter((file) => !wasGiven(file)),
    recorded,
  }
}
