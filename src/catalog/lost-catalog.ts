/**
 * A catalog that is not the one of its folder. Version files without it are all that is left of the published data, so
 * nothing may number new versions from 1 again, and nothing may take the files for leftovers.
 */

import { statSync } from 'node:fs'
import { datasets } from '../db/catalog-schema.ts'
import { CommandError } from '../errors.ts'
import type { DataDir, StoredVersion } from '../storage/data-dir.ts'
import type { CatalogDb } from './database.ts'

/**
 * To be asked before `catalog.db` is opened, which would make it.
 * @throws CommandError `damaged` when it is missing or of no length although version files are there
 */
export function refuseMissingCatalog(dataDir: DataDir): void {
  const isMissing = () => (statSync(dataDir.catalogDb, { throwIfNoEntry: false })?.size ?? 0) === 0
  // Looked at again after the files were found: another process may have made it, and the files, in between.
  if (isMissing()) refuseFiles(dataDir, 'is missing or empty', isMissing)
}

/** @throws CommandError `damaged` when the catalog never gave out a number although version files are there */
export function refuseEmptyCatalog(db: CatalogDb, dataDir: DataDir): void {
  // Its rows outlive the removal of a dataset, and a number is committed before its file is moved into place.
  const isEmpty = () => db.select({ id: datasets.id }).from(datasets).limit(1).get() === undefined
  if (isEmpty()) refuseFiles(dataDir, 'knows no dataset', isEmpty)
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
    'to begin anew without this data, move the folder datasets elsewhere'
  )
}
