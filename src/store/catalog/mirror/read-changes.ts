/** What the database says of a copy that is behind: which datasets changed, and their rows. */

import { asc, eq, gt, inArray, or } from 'drizzle-orm'
import type { CatalogReading } from '../../../db/catalog.ts'
import { datasets, refusals, revision, sources, versions } from '../../../db/schema/catalog-schema.ts'
import { catalogChanges, numbers } from '../../../db/schema/nodes-schema.ts'
import type { DatasetRows, Stamp } from './mirror-copy.ts'

/** The number of the catalog. */
export async function readNumber(db: CatalogReading): Promise<number> {
  const [row] = await db.select().from(numbers).where(eq(numbers.name, 'catalog'))
  return row?.n ?? 0
}

/** The revision of the catalog, which only changes that an answer shows raise. */
export async function readRevision(db: CatalogReading): Promise<number> {
  const [row] = await db.select().from(revision)
  return row?.value ?? 1
}

/** The latest change of one dataset; undefined: there never was one of that name. */
export async function readStamp(db: CatalogReading, dataset: string): Promise<Stamp | undefined> {
  const [row] = await db.select().from(catalogChanges).where(eq(catalogChanges.datasetId, dataset))
  return row && toStamp(row)
}

/**
 * The changed datasets, the earliest change first.
 * @param after a number; null: all of them @param also datasets that are named in any case
 */
export async function readStamps(
  db: CatalogReading,
  after: number | null,
  also: readonly string[] = [],
): Promise<Stamp[]> {
  const later = after === null ? undefined : gt(catalogChanges.number, after)
  const named = also.length === 0 ? undefined : inArray(catalogChanges.datasetId, [...also])
  const rows = await db
    .select()
    .from(catalogChanges)
    .where(later && or(later, named))
    .orderBy(asc(catalogChanges.number), asc(catalogChanges.datasetId))
  return rows.map(toStamp)
}

function toStamp({ datasetId: id, number, mark }: typeof catalogChanges.$inferSelect): Stamp {
  return { id, number, mark }
}

/** All rows of these datasets. @param stamps as they are in this transaction */
export async function readDatasets(db: CatalogReading, stamps: readonly Stamp[]): Promise<DatasetRows[]> {
  if (stamps.length === 0) return []
  const ids = stamps.map(({ id }) => id)
  const rows = await db.select().from(datasets).where(inArray(datasets.id, ids))
  const kept = await db.select().from(versions).where(inArray(versions.datasetId, ids))
  const origins = await db.select().from(sources).where(inArray(sources.datasetId, ids))
  const refused = await db.select().from(refusals).where(inArray(refusals.datasetId, ids))
  const byDataset = Map.groupBy(kept, ({ datasetId }) => datasetId)
  return stamps.map((stamp) => ({
    ...stamp,
    dataset: rows.find(({ id }) => id === stamp.id),
    versions: byDataset.get(stamp.id) ?? [],
    source: origins.find(({ datasetId }) => datasetId === stamp.id),
    refusal: refused.find(({ datasetId }) => datasetId === stamp.id),
  }))
}
