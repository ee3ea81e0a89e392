/** Where datasets come from, when they are fetched again, and how that went the last time. */

import { and, asc, eq, gt, isNotNull, lte, sql } from 'drizzle-orm'
import { revision, sources } from '../db/catalog-schema.ts'
import { formatTimestamp } from '../text/timestamp.ts'
import type { CatalogDb } from './database.ts'
import { nextAttempt, nextRun } from './refresh-times.ts'

/** The validators of a file that was fetched (RFC 9110 8.8), and its address. */
export interface FetchedFile {
  readonly url: string
  readonly etag: string | null
  readonly lastModified: string | null
}

/** What an ingest says about where its data came from. */
export interface NewSource {
  /** `https://…`, `http://…` or `ckan:…`, without passwords. */
  readonly address: string
  /** How it was told to read the file; only the ingest looks into it. */
  readonly options: Readonly<Record<string, unknown>>
  /** A cron pattern, found to be one. */
  readonly schedule: string | null
  /** null: the address is known, but the data came from a file. */
  readonly file: FetchedFile | null
  readonly sha256: string
}

/** How things stand with a dataset's source, for people. Times are RFC 3339 UTC. */
export interface RefreshState {
  readonly address: string
  readonly schedule: string | null
  readonly checked_at: string | null
  readonly changed_at: string
  readonly failed_at: string | null
  readonly error: string | null
  /** In a row. */
  readonly failures: number
  readonly next_run_at: string | null
}

export interface DatasetSource extends RefreshState {
  readonly dataset: string
  readonly options: Readonly<Record<string, unknown>>
  readonly file: FetchedFile | null
  readonly sha256: string
}

/** Inside the publishing transaction: a dataset's source is that of its last ingest, or none. */
export function replaceSource(db: CatalogDb, dataset: string, source: NewSource | null, at: string): void {
  db.delete(sources).where(eq(sources.datasetId, dataset)).run()
  if (source === null) return
  const { address, options, schedule, file, sha256 } = source
  db.insert(sources)
    .values({
      datasetId: dataset,
      address,
      options,
      schedule,
      sha256,
      fetchedUrl: file?.url ?? null,
      etag: file?.etag ?? null,
      lastModified: file?.lastModified ?? null,
      checkedAt: file === null ? null : at,
      changedAt: at,
      failures: 0,
      nextRunAt: schedule === null ? null : formatTimestamp(nextRun(schedule, dataset, new Date(at))),
    })
    .run()
}

/** Inside the transaction that removes a dataset. */
export function removeSource(db: CatalogDb, dataset: string): void {
  db.delete(sources).where(eq(sources.datasetId, dataset)).run()
}

export class DatasetSources {
  readonly #db: CatalogDb
  readonly #changed: () => void

  /** @param changed called after each change of what descriptors show */
  constructor(db: CatalogDb, changed: () => void) {
    this.#db = db
    this.#changed = changed
  }

  find(dataset: string): DatasetSource | undefined {
    const row = this.#db.select().from(sources).where(eq(sources.datasetId, dataset)).get()
    return row && toSource(row)
  }

  /** Ordered by dataset. */
  list(): DatasetSource[] {
    return this.#db.select().from(sources).orderBy(asc(sources.datasetId)).all().map(toSource)
  }

  /** Datasets whose time has come, the longest waiting first. */
  due(now: Date): string[] {
    const come = and(isNotNull(sources.nextRunAt), lte(sources.nextRunAt, formatTimestamp(now)))
    const rows = this.#db.select({ dataset: sources.datasetId }).from(sources).where(come)
    return rows
      .orderBy(asc(sources.nextRunAt), asc(sources.datasetId))
      .all()
      .map(({ dataset }) => dataset)
  }

  /** Datasets whose last refresh failed. */
  failing(): string[] {
    const rows = this.#db.select({ dataset: sources.datasetId }).from(sources).where(gt(sources.failures, 0))
    return rows
      .orderBy(asc(sources.datasetId))
      .all()
      .map(({ dataset }) => dataset)
  }

  /** The source still has what was ingested last. @param file null: it said so without sending it */
  recordUnchanged(dataset: string, file: FetchedFile | null, at: Date): void {
    this.#update(dataset, ({ schedule }) => ({
      ...(file && { fetchedUrl: file.url, etag: file.etag, lastModified: file.lastModified }),
      checkedAt: formatTimestamp(at),
      failedAt: null,
      error: null,
      failures: 0,
      nextRunAt: schedule === null ? null : formatTimestamp(nextRun(schedule, dataset, at)),
    }))
  }

  /**
   * A refresh failed; what is served stays.
   * @param waits the same file would fail again, so nothing is gained by trying before the schedule's next run
   */
  recordFailure(dataset: string, error: string, waits: boolean, at: Date): void {
    this.#update(dataset, ({ schedule, failures: before }) => {
      const failures = before + 1
      const next = schedule === null ? null : nextAttempt(schedule, dataset, { after: at, failures, waits })
      return {
        checkedAt: formatTimestamp(at),
        failedAt: formatTimestamp(at),
        error,
        failures,
        nextRunAt: next === null ? null : formatTimestamp(next),
      }
    })
  }

  #update(dataset: string, change: (row: Row) => Partial<Row>): void {
    const db = this.#db
    db.$client
      .transaction(() => {
        const row = db.select().from(sources).where(eq(sources.datasetId, dataset)).get()
        // Removed meanwhile.
        if (row === undefined) return
        db.update(sources).set(change(row)).where(eq(sources.datasetId, dataset)).run()
        db.update(revision)
          .set({ value: sql`${revision.value} + 1` })
          .run()
      })
      .immediate()
    this.#changed()
  }
}

type Row = typeof sources.$inferSelect

function toSource(row: Row): DatasetSource {
  const { fetchedUrl: url, etag, lastModified } = row
  return {
    dataset: row.datasetId,
    address: row.address,
    options: row.options as Readonly<Record<string, unknown>>,
    schedule: row.schedule,
    file: url === null ? null : { url, etag, lastModified },
    sha256: row.sha256,
    checked_at: row.checkedAt,
    changed_at: row.changedAt,
    failed_at: row.failedAt,
    error: row.error,
    failures: row.failures,
    next_run_at: row.nextRunAt,
  }
}
