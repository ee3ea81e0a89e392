/** Where datasets come from, when they are fetched again, and how that went the last time. */

import { and, asc, eq, gt, isNotNull, lte, sql } from 'drizzle-orm'
import type { Reason } from '../../base/errors.ts'
import { LAST_RETRY_MS, readPattern, retryDelay } from '../../base/process/schedule.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { type CatalogRows, raiseRevision } from '../../db/catalog.ts'
import { sources } from '../../db/schema/catalog-schema.ts'
import type { Reading, Transaction } from '../../db/transaction.ts'
import type { PublicRefresh } from './record.ts'

/** Runs of one schedule are spread over this time, or over a tenth of its interval where that is less. */
const SPREAD_MS = 300_000

/** The validators of a file that was fetched (RFC 9110 8.8), and its address. */
export interface FetchedFile {
  readonly url: string
  readonly etag: string | null
  readonly lastModified: string | null
}

/** What an ingest says about where its data came from. */
export interface NewSource {
  /** `https://…`, `http://…` or `ckan:…`, without passwords; null: it cannot be fetched. */
  readonly address: string | null
  /** The reading options of the ingest, which alone interprets them. */
  readonly options: Readonly<Record<string, unknown>>
  /** A cron pattern, found to be one. */
  readonly schedule: string | null
  /** null: the address is known, but the data came from a file. */
  readonly file: FetchedFile | null
  readonly sha256: string
}

/** The state of a dataset's source, for the operator. */
export interface RefreshState extends PublicRefresh {
  readonly address: string
  readonly error: string | null
  /** In a row. */
  readonly failures: number
}

export interface DatasetSource extends RefreshState, Pick<NewSource, 'options' | 'file' | 'sha256'> {
  readonly dataset: string
  /** The failure for pages; null without one, or where an earlier release recorded it. */
  readonly reasons: readonly Reason[] | null
  /** Whether a publisher set address and schedule. */
  readonly byPublisher: boolean
}

/**
 * Inside the publishing transaction: a dataset's source is that of its last ingest, or none. Address and schedule that a
 * publisher set stay, until an ingest says another schedule than the one before it.
 */
export async function replaceSource(
  tx: Transaction,
  dataset: string,
  source: NewSource | null,
  at: string,
): Promise<void> {
  const [before] = await tx.select().from(sources).where(eq(sources.datasetId, dataset))
  await removeSource(tx, dataset)
  const said = source?.schedule ?? null
  const isKept = before?.byPublisher === true && (said === null || said === before.saidSchedule)
  if (isKept) {
    const { address, schedule } = before
    const set = { address, schedule, byPublisher: true, saidSchedule: said ?? before.saidSchedule }
    await insertSource(tx, dataset, { ...(source ?? toSource(before)), ...set }, at)
  } else if (source !== null && source.address !== null) {
    const { address } = source
    await insertSource(tx, dataset, { ...source, address, byPublisher: false, saidSchedule: null }, at)
  }
}

type SetSource = NewSource & Pick<Row, 'address' | 'byPublisher' | 'saidSchedule'>

async function insertSource(
  tx: Transaction,
  dataset: string,
  { address, options, schedule, file, sha256, byPublisher, saidSchedule }: SetSource,
  at: string,
): Promise<void> {
  await tx.insert(sources).values({
    datasetId: dataset,
    ...{ address, options, schedule, sha256, byPublisher, saidSchedule },
    fetchedUrl: file?.url ?? null,
    etag: file?.etag ?? null,
    lastModified: file?.lastModified ?? null,
    checkedAt: file === null ? null : at,
    changedAt: at,
    failures: 0,
    nextRunAt: runAfter(schedule, dataset, new Date(at)),
  })
}

/** The next moment of a schedule; null without one. */
function runAfter(schedule: string | null, dataset: string, after: Date): string | null {
  return schedule === null ? null : formatTimestamp(nextRun(schedule, dataset, after))
}

/** Inside the transaction that removes a dataset. */
export async function removeSource(tx: Transaction, dataset: string): Promise<void> {
  await tx.delete(sources).where(eq(sources.datasetId, dataset))
}

export class DatasetSources {
  readonly #db: Reading
  readonly #rows: CatalogRows

  /** @param db of the folder, for what is shown with a dataset */
  constructor(db: Reading, rows: CatalogRows) {
    this.#db = db
    this.#rows = rows
  }

  find(dataset: string): DatasetSource | undefined {
    const row = this.#db.select().from(sources).where(eq(sources.datasetId, dataset)).get()
    return row && toSource(row)
  }

  /** Ordered by dataset. */
  list(): DatasetSource[] {
    return this.#db.select().from(sources).orderBy(asc(sources.datasetId)).all().map(toSource)
  }

  /** Datasets that are due, the longest overdue first. */
  async due(now: Date): Promise<string[]> {
    const come = and(isNotNull(sources.nextRunAt), lte(sources.nextRunAt, formatTimestamp(now)))
    const rows = this.#rows.now.select({ dataset: sources.datasetId }).from(sources).where(come)
    const inTurn = await rows.orderBy(asc(sources.nextRunAt), asc(sources.datasetId))
    return inTurn.map(({ dataset }) => dataset)
  }

  /** Datasets whose last refresh failed. */
  failing(): string[] {
    const rows = this.#db.select({ dataset: sources.datasetId }).from(sources).where(gt(sources.failures, 0))
    return rows
      .orderBy(asc(sources.datasetId))
      .all()
      .map(({ dataset }) => dataset)
  }

  /** Datasets with columns about people that nobody was asked about, and the columns. */
  servingPersonal(): { readonly dataset: string; readonly columns: readonly string[] }[] {
    const isNoted = sql`${sources.options} LIKE '%"personal_data_served"%'`
    const rows = this.#db.select().from(sources).where(isNoted).orderBy(asc(sources.datasetId)).all()
    return rows.map(toSource).map(({ dataset, options }) => {
      const { personal_data_served: columns } = options
      return { dataset, columns: Array.isArray(columns) ? columns.map(String) : [] }
    })
  }

  /**
   * Sets where a dataset is fetched from, and when, apart from what its ingests say.
   * @param place what was published last, and when
   */
  setSchedule(
    dataset: string,
    { address, schedule }: { readonly address: string; readonly schedule: string },
    { at: changedAt, ...published }: Pick<NewSource, 'options' | 'sha256'> & { readonly at: string },
    now: Date,
  ): Promise<void> {
    return this.#rows.change(async (tx) => {
      const [row] = await tx.select().from(sources).where(eq(sources.datasetId, dataset))
      const nextRunAt = runAfter(schedule, dataset, now)
      if (row === undefined) {
        const set = { address, schedule, ...published, file: null, byPublisher: true, saidSchedule: null }
        await insertSource(tx, dataset, set, changedAt)
        await tx.update(sources).set({ nextRunAt }).where(eq(sources.datasetId, dataset))
      } else {
        const healed = { failedAt: null, error: null, reasons: null, failures: 0, nextRunAt }
        const said = row.byPublisher ? row.saidSchedule : row.schedule
        const set = { address, schedule, byPublisher: true, saidSchedule: said }
        await tx
          .update(sources)
          .set({ ...set, ...healed })
          .where(eq(sources.datasetId, dataset))
      }
      await raiseRevision(tx)
    })
  }

  /** Ends a dataset's schedule; its address stays, for refreshes by hand. Nothing without a source. */
  endSchedule(dataset: string): Promise<void> {
    return this.#update(dataset, ({ byPublisher, saidSchedule, schedule }) => ({
      ...{ schedule: null, nextRunAt: null, byPublisher: true },
      saidSchedule: byPublisher ? saidSchedule : schedule,
    }))
  }

  /**
   * The source still has what was ingested last.
   * @param file null: it said so without sending it @param options those of its ingest that are different now
   */
  recordUnchanged(
    dataset: string,
    file: FetchedFile | null,
    at: Date,
    options: NewSource['options'] = {},
  ): Promise<void> {
    return this.#update(dataset, ({ schedule, options: before }) => ({
      options: { ...(before as NewSource['options']), ...options },
      ...(file && { fetchedUrl: file.url, etag: file.etag, lastModified: file.lastModified }),
      checkedAt: formatTimestamp(at),
      failedAt: null,
      error: null,
      reasons: null,
      failures: 0,
      nextRunAt: runAfter(schedule, dataset, at),
    }))
  }

  /**
   * A refresh failed; what is served stays.
   * @param reasons what the error says, for pages
   * @param waits the same file would fail again, so nothing is gained by trying before the schedule's next run
   */
  recordFailure(
    dataset: string,
    error: string,
    waits: boolean,
    at: Date,
    reasons: readonly Reason[] = [],
  ): Promise<void> {
    return this.#update(dataset, ({ schedule, failures: before }) => {
      const failures = before + 1
      const next = schedule === null ? null : nextAttempt(schedule, dataset, { after: at, failures, waits })
      return {
        checkedAt: formatTimestamp(at),
        failedAt: formatTimestamp(at),
        error,
        reasons,
        failures,
        nextRunAt: next === null ? null : formatTimestamp(next),
      }
    })
  }

  #update(dataset: string, change: (row: Row) => Partial<Row>): Promise<void> {
    return this.#rows.change(async (tx) => {
      const [row] = await tx.select().from(sources).where(eq(sources.datasetId, dataset))
      // Removed by another process.
      if (row === undefined) return
      await tx.update(sources).set(change(row)).where(eq(sources.datasetId, dataset))
      await raiseRevision(tx)
    })
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
    byPublisher: row.byPublisher,
    checked_at: row.checkedAt,
    changed_at: row.changedAt,
    failed_at: row.failedAt,
    error: row.error,
    reasons: row.reasons,
    failures: row.failures,
    next_run_at: row.nextRunAt,
  }
}

// When a dataset is fetched again: by its schedule, with growing delays after failures.
/**
 * The next run of a schedule. Each dataset has its own place within some minutes after the moment that the pattern
 * names, always the same, so that fifty datasets with one pattern do not ask one publisher at once.
 */
export function nextRun(pattern: string, dataset: string, after: Date): Date {
  const [first, second] = readPattern(pattern).nextRuns(2, after)
  if (first === undefined) return new Date(after.getTime() + LAST_RETRY_MS)
  const interval = second === undefined ? LAST_RETRY_MS : second.getTime() - first.getTime()
  const place = Bun.hash.crc32(dataset) / 2 ** 32
  return new Date(first.getTime() + Math.floor(place * Math.min(SPREAD_MS, interval / 10)))
}

/**
 * When to try again: 5 minutes after the first failure, then twice as long each time, up to a day.
 * @param failures in a row, at least 1 @param waits a failure that the same file would bring again: not before the
 * schedule's next run
 */
export function nextAttempt(
  pattern: string,
  dataset: string,
  { after, failures, waits }: { after: Date; failures: number; waits: boolean },
): Date {
  const retry = new Date(after.getTime() + retryDelay(failures))
  const regular = nextRun(pattern, dataset, after)
  return waits && regular > retry ? regular : retry
}
