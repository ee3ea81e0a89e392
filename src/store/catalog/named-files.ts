/** What the catalog of all nodes names, so that a sweep of kept files knows what nothing needs. */

import type { CatalogReading } from '../../db/catalog.ts'
import { datasets, drafts, versions } from '../../db/schema/catalog-schema.ts'
import type { NamedObjects } from '../objects/sweep.ts'
import type { CatalogRows } from './rows.ts'

/** @param home its rows are those of all nodes @throws as the database does */
export async function readNamedFiles(home: {
  readonly rows: CatalogRows
  readonly draftRows: CatalogRows
}): Promise<NamedObjects> {
  const now: CatalogReading = home.rows.now
  return {
    versions: await now.select({ id: versions.datasetId, version: versions.version }).from(versions),
    given: await now.select({ id: datasets.id, last: datasets.lastVersion }).from(datasets),
    drafts: (await home.draftRows.now.select({ id: drafts.id }).from(drafts)).map(({ id }) => id),
  }
}
