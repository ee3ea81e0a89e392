/**
 * Detects a catalog that does not belong to its directory. Without their catalog, version files are all that is left of
 * the published data: new versions must not be numbered from 1 again, and no sweep may delete the files.
 */

import { statSync } from 'node:fs'
import { CommandError } from '../../base/errors.ts'
import type { CatalogDb, CatalogReading } from '../../db/catalog.ts'
import { hasDatasets, isMirror } from '../../db/catalog-mirror.ts'
import { datasets } from '../../db/schema/catalog-schema.ts'
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
export function refuseEmptyCatalog(db: CatalogReading, dataDir: DataDir): void {
  // Its rows outlive the removal of a dataset, and a number is committed before its file is moved into place.
  const isEmpty = () => db.select({ id: datasets.id }).from(datasets).limit(1).get() === undefined
  if (isEmpty()) refuseFiles(dataDir, 'knows no dataset', isEmpty)
}

/** @throws CommandError `failed` for the copy of a node, which is opened with the settings of a node */
export function refuseCopy(db: CatalogDb, { root, catalogDb }: DataDir): void {
  if (!isMirror(db)) return
  throw new CommandError(
    'failed',
    `${catalogDb} is a node's copy of a catalog in PostgreSQL: set database_url and object_store as on that node, ` +
      `or name another data directory than ${root}`,
  )
}

/** @throws CommandError `failed` for a catalog that is not a copy: a node would take its datasets for gone */
export function refuseOwnCatalog(db: CatalogDb, { root }: DataDir): void {
  if (isMirror(db) || !hasDatasets(db)) return
  throw new CommandError(
    'failed',
    `${root} has a catalog of its own, and a node's directory only holds copies. Nothing was changed: back it up with ` +
      'database_url unset, restore the backup with database_url set, and give the node an empty directory',
  )
}

function refuseFiles(dataDir: DataDir, state: string, stillSo: () => boolean): void {
  const files = dataDir.versionFiles()
  if (files.length > 0 && stillSo()) throw new CommandError('damaged', describe(dataDir, state, files))
}

function describe(
  { catalogDb, datasetsDir }: DataDir,
  state: string,
  files: readonly StoredVersion[],
): string {
  const amount = files.length === 1 ? 'a version file' : `${files.length} version files`
  return (
    `${catalogDb} ${state}, but ${datasetsDir} holds ${amount} (such as ${files[0]?.path}). ` +
    'Nothing was changed. Restore catalog.db from a backup of this folder; ' +
    'to start again without this data, move the folder datasets elsewhere'
  )
}
