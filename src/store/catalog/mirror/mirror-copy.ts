/**
 * The copy of the catalog in a node's folder. Several processes may write it: a dataset is only ever replaced by a later
 * state of itself.
 */

import { setImmediate } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { and, asc, eq, gt, gte, inArray, ne, or } from 'drizzle-orm'
import { formatTimestamp } from '../../../base/text/timestamp.ts'
import type { CatalogDb } from '../../../db/catalog.ts'
import { mirror, mirrorBehind, mirrored } from '../../../db/catalog-mirror.ts'
import { datasets, refusals, revision, sources, versions } from '../../../db/schema/catalog-schema.ts'
import { catalogChanges, numbers } from '../../../db/schema/nodes-schema.ts'
import type { DbReading, Transaction } from '../../../db/transaction.ts'
import { completeRecord, type VersionRecord } from '../record.ts'
import { localIndex, type SearchIndex } from '../search/search-index.ts'

interface Batch {
  readonly rows: readonly DatasetRows[]
  /** Datasets that cannot be served yet, with the number of the missing change. */
  readonly behind: readonly { readonly dataset: string; readonly number: number; readonly reason: string }[]
  /** With this batch, changes up to this number are here, except those of datasets that are behind. */
  readonly upTo: number
  /** The revision of the catalog at that number, for tags of its answers. */
  readonly revision: number
  /** Whether nothing is left to read. */
  readonly isLast: boolean
}

/** A version whose row is gone, and whether it was taken down. */
type Dropped = { readonly id: string; readonly version: number; readonly isTaken: boolean }

/** Revisions that no catalog reaches, for states of a copy that the catalog never had. */
const PARTIAL_FROM = 2 ** 40

const TURN_MS = 8

/** A change that is here differs from the one in the database, which was restored or is a different database. */
export class OtherHistoryError extends Error {}

export class MirrorCopy {
  readonly #db: CatalogDb
  readonly #index: SearchIndex
  /** Used for thousands of datasets at once. */
  readonly #stamp: Database.Statement<[string], Stamp>

  constructor(db: CatalogDb) {
    this.#db = db
    this.#stamp = db.reading.prepare(
      'SELECT dataset_id AS id, number, mark FROM mirrored WHERE dataset_id = ?',
    )
    this.#index = localIndex(db.writing)
  }

  get number(): number {
    return this.#db.select().from(mirror).get()?.number ?? 0
  }

  /** Datasets that are not up to date, and why; ordered by dataset. */
  behind() {
    const { datasetId: dataset, reason } = mirrorBehind
    return this.#db.select({ dataset, reason }).from(mirrorBehind).orderBy(dataset).all()
  }

  ids(): string[] {
    const rows = this.#db.select({ id: mirrored.id }).from(mirrored).all()
    return rows.map(({ id }) => id)
  }

  /** The latest change of a dataset that is here. */
  stamp(id: string): Stamp | undefined {
    return this.#stamp.get(id)
  }

  /** The served version of a dataset, with its file. */
  served(id: string): Pick<VersionRecord, 'version' | 'file'> | undefined {
    const isServed = and(eq(versions.datasetId, datasets.id), eq(versions.version, datasets.servedVersion))
    const row = this.#db
      .select({ record: versions.record, version: versions.version })
      .from(datasets)
      .innerJoin(versions, isServed)
      .where(eq(datasets.id, id))
      .get()
    return row && { version: row.version, file: (row.record as VersionRecord).file }
  }

  /**
   * Puts a batch into place in one transaction.
   * @returns versions that are no longer kept
   * @throws OtherHistoryError when the rows cannot be later states of those here
   */
  put({ rows, behind, upTo, revision, isLast }: Batch): Promise<Dropped[]> {
    let turn = performance.now()
    return this.#db.change(async (tx) => {
      const dropped: Dropped[] = []
      let isChanged = false
      for (const row of rows) {
        const [known] = await tx.select().from(mirrored).where(eq(mirrored.id, row.id))
        if (known !== undefined && known.number >= row.number) {
          if (known.number === row.number && known.mark !== row.mark) throw new OtherHistoryError()
          await tx.delete(mirrorBehind).where(eq(mirrorBehind.datasetId, row.id))
          continue
        }
        isChanged = true
        dropped.push(...(await this.#replace(tx, row)))
        if (performance.now() - turn < TURN_MS) continue
        // Readers have their own connections; only other copying processes wait for this transaction.
        await setImmediate()
        turn = performance.now()
      }
      await noteBehind(tx, behind)
      const [at] = await tx.select().from(mirror)
      const number = Math.max(at?.number ?? 0, upTo)
      await tx.update(mirror).set({ number })
      if (isChanged || number !== at?.number) await this.#setRevision(tx, revision, isLast)
      return dropped
    })
  }

  /** Removes all rows. The files stay, for versions that come again. */
  async clear(): Promise<void> {
    await this.#db.change(async (tx) => {
      for (const { number } of await tx.select({ number: datasets.number }).from(datasets))
        this.#index.drop(number)
      for (const table of [sources, refusals, versions, datasets, mirrored, mirrorBehind])
        await tx.delete(table)
      await tx.update(mirror).set({ number: 0 })
      await this.#setRevision(tx, 1, false)
    })
  }

  async #replace(tx: Transaction, row: DatasetRows): Promise<Dropped[]> {
    const { id, number, mark, dataset } = row
    const ofDataset = eq(versions.datasetId, id)
    const before = await tx.select({ version: versions.version }).from(versions).where(ofDataset)
    await tx.delete(sources).where(eq(sources.dataset, id))
    await tx.delete(refusals).where(eq(refusals.dataset, id))
    await tx.delete(versions).where(ofDataset)
    if (dataset !== undefined) await this.#putDataset(tx, row, dataset)
    else {
      // Only a restore removes a dataset from the table.
      const gone = tx.delete(datasets).where(eq(datasets.id, id)).returning({ number: datasets.number })
      for (const { number } of await gone) this.#index.drop(number)
    }
    if (row.refusal !== undefined) await tx.insert(refusals).values(row.refusal)
    const stamp = { number, mark }
    const stamps = tx.insert(mirrored).values({ id, ...stamp })
    await stamps.onConflictDoUpdate({ target: mirrored.id, set: stamp })
    await tx.delete(mirrorBehind).where(eq(mirrorBehind.datasetId, id))
    const kept = new Set(row.versions.map(({ version }) => version))
    return before
      .filter(({ version }) => !kept.has(version))
      .map(({ version }) => ({ id, version, isTaken: dataset?.dropped.includes(version) === true }))
  }

  async #putDataset(
    tx: Transaction,
    { versions: rows, source }: DatasetRows,
    dataset: typeof datasets.$inferSelect,
  ): Promise<void> {
    const { id, number, ...values } = dataset
    const isOther = or(
      and(eq(datasets.id, id), ne(datasets.number, number)),
      and(ne(datasets.id, id), eq(datasets.number, number)),
    )
    const [other] = await tx.select({ id: datasets.id }).from(datasets).where(isOther)
    if (other !== undefined) throw new OtherHistoryError()
    await tx.insert(datasets).values(dataset).onConflictDoUpdate({ target: datasets.id, set: values })
    for (const version of rows) await tx.insert(versions).values(version)
    if (source !== undefined) await tx.insert(sources).values(source)
    const served = rows.find(({ version }) => version === dataset.servedVersion)
    if (served === undefined) this.#index.drop(number)
    else this.#index.put(number, completeRecord(served.record as VersionRecord))
  }

  /** The same in every complete copy; an incomplete copy gets a number that no other state has. */
  async #setRevision(tx: Transaction, whole: number, isLast: boolean): Promise<void> {
    const [held] = await tx.select({ id: mirrorBehind.datasetId }).from(mirrorBehind).limit(1)
    const isWhole = isLast && held === undefined
    const value = isWhole ? whole : PARTIAL_FROM + Math.floor(Math.random() * PARTIAL_FROM)
    await tx.update(revision).set({ value })
  }
}

/** Skips datasets that another process on this folder has brought meanwhile. */
async function noteBehind(tx: Transaction, behind: Batch['behind']): Promise<void> {
  const since = formatTimestamp(new Date())
  for (const { dataset: datasetId, number, reason } of behind) {
    const here = and(eq(mirrored.id, datasetId), gte(mirrored.number, number))
    if ((await tx.select().from(mirrored).where(here)).length > 0) continue
    const row = tx.insert(mirrorBehind).values({ datasetId, reason, since })
    await row.onConflictDoUpdate({ target: mirrorBehind.datasetId, set: { reason } })
  }
}

/** The latest change of a dataset: its number, and a text unique to it. */
export type Stamp = typeof catalogChanges.$inferSelect

/** All rows of one dataset as of one moment. */
export type DatasetRows = Awaited<ReturnType<typeof readDatasets>>[number]

export async function readNumber(db: DbReading): Promise<number> {
  const [row] = await db.select().from(numbers).where(eq(numbers.name, 'catalog'))
  return row?.n ?? 0
}

/** The revision of the catalog, raised only by changes that an answer shows. */
export async function readRevision(db: DbReading): Promise<number> {
  const [row] = await db.select().from(revision)
  return row?.value ?? 1
}

/** The latest change of a dataset; undefined: it never existed. */
export async function readStamp(db: DbReading, dataset: string): Promise<Stamp | undefined> {
  const [row] = await db.select().from(catalogChanges).where(eq(catalogChanges.id, dataset))
  return row
}

/**
 * The changed datasets, the earliest change first.
 * @param after a number; null: all datasets @param also datasets that are included in any case
 */
export async function readStamps(
  db: DbReading,
  after: number | null,
  also: readonly string[] = [],
): Promise<Stamp[]> {
  const later = after === null ? undefined : gt(catalogChanges.number, after)
  const named = also.length === 0 ? undefined : inArray(catalogChanges.id, [...also])
  const wanted = later && or(later, named)
  const rows = db.select().from(catalogChanges).where(wanted)
  return await rows.orderBy(asc(catalogChanges.number), asc(catalogChanges.id))
}

/** All rows of these datasets. @param stamps as of this transaction */
export async function readDatasets(db: DbReading, stamps: readonly Stamp[]) {
  if (stamps.length === 0) return []
  const ids = stamps.map(({ id }) => id)
  const rows = await db.select().from(datasets).where(inArray(datasets.id, ids))
  const kept = await db.select().from(versions).where(inArray(versions.datasetId, ids))
  const origins = await db.select().from(sources).where(inArray(sources.dataset, ids))
  const refused = await db.select().from(refusals).where(inArray(refusals.dataset, ids))
  const byDataset = Map.groupBy(kept, ({ datasetId }) => datasetId)
  return stamps.map((stamp) => ({
    ...stamp,
    /** undefined if nothing was ever published, only a file refused. */
    dataset: rows.find(({ id }) => id === stamp.id),
    versions: byDataset.get(stamp.id) ?? [],
    source: origins.find(({ dataset }) => dataset === stamp.id),
    refusal: refused.find(({ dataset }) => dataset === stamp.id),
  }))
}
