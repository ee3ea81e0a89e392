/**
 * The verbs that change the catalog. Each runs in the caller's transaction, so a reader in any process sees the state
 * before or after it, and two writers never decide on the same state.
 */

import { and, eq, inArray, notInArray } from 'drizzle-orm'
import { CommandError } from '../../base/errors.ts'
import { raiseRevision } from '../../db/catalog.ts'
import { datasets, versions } from '../../db/schema/catalog-schema.ts'
import type { DbReading, Transaction } from '../../db/transaction.ts'
import { carryEdits } from './edit.ts'
import { completeRecord, type VersionRecord } from './record.ts'
import { settleRefusal } from './refusals.ts'
import type { SearchIndex } from './search/search-index.ts'
import type { SearchedTexts } from './search/searched-texts.ts'
import { type NewSource, removeSource, replaceSource } from './sources.ts'

/** Conditions of a publication, and further changes with it. */
export interface PublicationTerms {
  /** The version that must still be the served one, null for none; left out: any. */
  readonly expected?: number | null | undefined
  /** Texts that searches look into besides the record. */
  readonly texts?: SearchedTexts | undefined
  /** Further changes in the same transaction. */
  readonly alongside?: ((tx: Transaction, version: number) => Promise<void>) | undefined
}

/**
 * Serves a new version from the next request on. The file is moved inside the transaction, so that no sweep removes it;
 * the caller removes it if the transaction fails.
 * @param publication `moveIntoPlace` is called again if the transaction runs a second time; `keepVersions`: how many
 * are kept, the served one included; `source`: where the data can be fetched again, null: nowhere
 * @returns numbers of the versions that are no longer kept
 * @throws CommandError `usage` when the id is published in another domain, `failed` when the expected version is no
 * longer the served one
 */
export async function publishVersion(
  tx: Transaction,
  index: SearchIndex,
  {
    record,
    moveIntoPlace,
    keepVersions,
    source,
    terms,
  }: {
    readonly record: VersionRecord
    readonly moveIntoPlace: () => void
    readonly keepVersions: number
    readonly source: NewSource | null
    readonly terms: PublicationTerms
  },
): Promise<number[]> {
  const { id, domain } = record.dataset
  const dataset = await findDataset(tx, id)
  if (!dataset) throw new Error(`no version of ${id} was reserved`)
  if (dataset.domain !== null && dataset.domain !== domain)
    throw new CommandError(
      'usage',
      `${id} is published in domain ${dataset.domain}, and ids are unique over all domains; ` +
        `remove it there first or choose another --id`,
    )
  const { expected, alongside, texts = null } = terms
  if (expected !== undefined && dataset.servedVersion !== expected) throw changedMeanwhile(id)
  await alongside?.(tx, record.version)
  moveIntoPlace()
  const served = dataset.servedVersion === null ? undefined : await findVersion(tx, id, dataset.servedVersion)
  const edited = carryEdits(record, served?.record)
  const { title, description } = edited.dataset
  await tx.insert(versions).values({
    datasetId: id,
    version: edited.version,
    previousVersion: dataset.servedVersion,
    title,
    description,
    rowCount: edited.rows,
    importedAt: edited.provenance.imported_at,
    record: edited,
    searchTexts: texts,
  })
  await replaceSource(tx, id, source, record.provenance.imported_at)
  await settleRefusal(tx, id)
  await serve(tx, index, edited)
  return await prune(tx, id, record.version, keepVersions)
}

/**
 * The version that a rollback would serve.
 * @throws CommandError `failed` when the dataset or an earlier version of it does not exist
 */
export async function earlierVersion(db: DbReading, id: string): Promise<VersionRecord> {
  const served = await findVersion(db, id, await servedVersion(db, id))
  const earlier =
    served?.previousVersion == null ? undefined : await findVersion(db, id, served.previousVersion)
  if (earlier) return earlier.record
  throw new CommandError(
    'failed',
    `${id} has no version before ${served?.version} that is still kept (see the setting keep_versions)`,
  )
}

/**
 * Serves any kept version from the next request on, exactly as it was.
 * @throws CommandError `failed` when the dataset does not exist, or the version is no longer kept
 */
export async function serveVersion(
  tx: Transaction,
  index: SearchIndex,
  id: string,
  version: number,
): Promise<void> {
  await servedVersion(tx, id)
  const row = await findVersion(tx, id, version)
  if (!row) throw changedMeanwhile(id)
  await serve(tx, index, row.record)
}

export function changedMeanwhile(id: string): CommandError {
  return new CommandError('failed', `${id} was changed by another process; check it and try again`)
}

/**
 * Takes a dataset out of the catalog. Its numbers stay used.
 * @returns numbers of its versions
 * @throws CommandError `failed` when it does not exist
 */
export async function removeDataset(tx: Transaction, index: SearchIndex, id: string): Promise<number[]> {
  await servedVersion(tx, id)
  const removed = await tx
    .delete(versions)
    .where(eq(versions.datasetId, id))
    .returning({ version: versions.version })
  const dataset = await findDataset(tx, id)
  const dropped = [...(dataset?.dropped ?? []), ...removed.map(({ version }) => version)]
  const none = { servedVersion: null, domain: null, open: true, dropped }
  await tx.update(datasets).set(none).where(eq(datasets.id, id))
  if (dataset) index.drop(dataset.number)
  await removeSource(tx, id)
  await settleRefusal(tx, id)
  await raiseRevision(tx)
  return removed.map(({ version }) => version)
}

/**
 * Takes kept versions down: they are no longer kept, and all reading of them ends.
 * @throws CommandError `failed` when one is the served version by now
 */
export async function dropVersions(tx: Transaction, id: string, numbers: readonly number[]): Promise<void> {
  const dataset = await findDataset(tx, id)
  if (dataset?.servedVersion == null || numbers.includes(dataset.servedVersion)) throw changedMeanwhile(id)
  const isDropped = and(eq(versions.datasetId, id), inArray(versions.version, [...numbers]))
  const gone = await tx
    .delete(versions)
    .where(isDropped)
    .returning({ version: versions.version, previous: versions.previousVersion })
  const previousOf = new Map(gone.map(({ version, previous }) => [version, previous]))
  const kept = await tx.select().from(versions).where(eq(versions.datasetId, id))
  for (const { version, previousVersion } of kept) {
    let to = previousVersion
    while (to !== null && previousOf.has(to)) to = previousOf.get(to) ?? null
    if (to !== previousVersion) await pointTo(tx, id, version, to)
  }
  const dropped = [...dataset.dropped, ...previousOf.keys()]
  await tx.update(datasets).set({ dropped }).where(eq(datasets.id, id))
  await settleRefusal(tx, id)
  await raiseRevision(tx)
}

async function findDataset(db: DbReading, id: string) {
  const [row] = await db.select().from(datasets).where(eq(datasets.id, id))
  return row
}

async function findVersion(db: DbReading, id: string, version: number) {
  const isIt = and(eq(versions.datasetId, id), eq(versions.version, version))
  const [row] = await db.select().from(versions).where(isIt)
  return row && { ...row, record: completeRecord(row.record as VersionRecord) }
}

async function servedVersion(db: DbReading, id: string): Promise<number> {
  const version = (await findDataset(db, id))?.servedVersion
  if (version == null) throw new CommandError('failed', `there is no dataset ${id}`)
  return version
}

export async function serve(tx: Transaction, index: SearchIndex, record: VersionRecord): Promise<void> {
  const { id, domain } = record.dataset
  const [row] = await tx
    .update(datasets)
    .set({ servedVersion: record.version, domain })
    .where(eq(datasets.id, id))
    .returning({ number: datasets.number })
  index.put(row!.number, record)
  await raiseRevision(tx)
}

/**
 * Keeps the served version and those that a rollback can reach: of each of the last `keep` editions (different source
 * bytes), the last `keep` versions. A corrected title makes a version of the same edition, so the previous edition
 * stays. Drops the others; a rollback skips them.
 */
async function prune(tx: Transaction, id: string, served: number, keep: number): Promise<number[]> {
  const kept: number[] = []
  const editions = new Map<string, number>()
  for (let next: number | null = served; next !== null; ) {
    const row = await findVersion(tx, id, next)
    if (!row) break
    const edition = row.record.provenance.sources.map(({ sha256 }) => sha256).join()
    const versionsOfIt = editions.get(edition) ?? 0
    if (versionsOfIt === 0 && editions.size === keep) break
    if (versionsOfIt < keep) {
      const last = kept.at(-1)
      if (last !== undefined) await pointTo(tx, id, last, row.version)
      kept.push(row.version)
    }
    editions.set(edition, versionsOfIt + 1)
    next = row.previousVersion
  }
  const dropped = await tx
    .delete(versions)
    .where(and(eq(versions.datasetId, id), notInArray(versions.version, kept)))
    .returning({ version: versions.version })
  return dropped.map(({ version }) => version)
}

/** Makes a rollback lead from one kept version to another. */
async function pointTo(tx: Transaction, id: string, from: number, to: number | null): Promise<void> {
  const isFrom = and(eq(versions.datasetId, id), eq(versions.version, from))
  await tx.update(versions).set({ previousVersion: to }).where(isFrom)
}
