/** What the database says of a copy that is behind: which datasets changed, and their rows. */

import { asc, eq, gt, inArray, or } from 'drizzle-orm'
import { datasets, refusals, revision, sources, versions } from '../../../db/schema/catalog-schema.ts'
import { catalogChanges, numbers } from '../../../db/schema/nodes-schema.ts'
import type { Reading } from '../../../db/transaction.ts'

/** The latest change of a dataset: its number, and a text that no other change has. */
export type Stamp = typeof catalogChanges.$inferSelect

/** All rows of one dataset, as they were at one moment. */
export type DatasetRows = Awaited<ReturnType<typeof readDatasets>>[number]

/** The number of the catalog. */
export async function readNumber(db: Reading): Promise<number> {
  const [row] = await db.select().from(numbers).where(eq(numbers.name, 'catalog'))
  return row?.n ?? 0
}

/** The revision of the catalog, which only changes that an answer shows raise. */
export async function readRevision(db: Reading): Promise<number> {
  const [row] = await db.select().from(revision)
  return row?.value ?? 1
}

/** The latest change of one dataset; undefined: there never was one of that name. */
export async function readStamp(db: Reading, dataset: string): Promise<Stamp | undefined> {
  const [row] = await db.select().from(catalogChanges).where(eq(catalogChanges.id, dataset))
  return row
}

/**
 * The changed datasets, the earliest change first.
 * @param after a number; null: all of them @param also datasets that are named in any case
 */
export async function readStamps(
  db: Reading,
  after: number | null,
  also: readonly string[] = [],
): Promise<Stamp[]> {
  const later = after === null ? undefined : gt(catalogChanges.number, after)
  const named = also.length === 0 ? undefined : inArray(catalogChanges.id, [...also])
  const rows = db
    .select()
    .from(catalogChanges)
    .where(later && or(later, named))
  return await rows.orderBy(asc(catalogChanges.number), asc(catalogChanges.id))
}

/** All rows of these datasets. @param stamps as they are in this transaction */
export async function readDatasets(db: Reading, stamps: readonly Stamp[]) {
  if (stamps.length === 0) return []
  const ids = stamps.map(({ id }) => id)
  const rows = await db.select().from(datasets).where(inArray(datasets.id, ids))
  const kept = await db.select().from(versions).where(inArray(versions.datasetId, ids))
  const origins = await db.select().from(sources).where(inArray(sources.dataset, ids))
  const refused = await db.select().from(refusals).where(inArray(refusals.dataset, ids))
  const byDataset = Map.groupBy(kept, ({ datasetId }) => datasetId)
  return stamps.map((stamp) => ({
    ...stamp,
    /** undefined: only a file was ever refused for it. */
    dataset: rows.find(({ id }) => id === stamp.id),
    versions: byDataset.get(stamp.id) ?? [],
    source: origins.find(({ dataset }) => dataset === stamp.id),
    refusal: refused.find(({ dataset }) => dataset === stamp.id),
  }))
}
