/** Where datasets come from, when they are fetched again, and the outcome of the last time. */

import { and, asc, eq, gt, isNotNull, lte, sql } from 'drizzle-orm'
import type { Reason } from '../../base/errors.ts'
import { LAST_RETRY_MS, readPattern, retryDelay } from '../../base/process/schedule.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { type CatalogRows, raiseRevision } from '../../db/catalog.ts'
import { sources } from '../../db/schema/catalog-schema.ts'
import type { DbReading, Transaction } from '../../db/transaction.ts'
import type { PublicRefresh } from './record.ts'

/** The address and the validators (RFC 9110 8.8) of a fetched file. */
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
  /** A checked cron pattern. */
  readonly schedule: string | null
  /** null: the address is known, but the data came from a file. */
  readonly file: FetchedFile | null
  readonly sha256: string
}

type Row = typeof sources.$inferSelect

/** Where a dataset can be fetched again. */
export interface DatasetSource extends Omit<Row, keyof ReturnType<typeof writeFile>> {
  readonly file: FetchedFile | null
}

/** The state of a dataset's source, for the operator. */
export type RefreshState = PublicRefresh & Pick<Row, 'address' | 'error' | 'failures'>

/**
 * Call it inside the publishing transaction. A dataset's source is that of its last ingest, or none. An address and
 * schedule set by a publisher stay until an ingest brings another schedule than the one before it.
 */
export async function replaceSource(
  tx: Transaction,
  dataset: string,
  source: NewSource | null,
  at: string,
): Promise<void> {
  const [before] = await tx.select().from(sources).where(eq(sources.dataset, dataset))
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

const HEALED = { failed_at: null, error: null, reasons: null, failures: 0 }

async function insertSource(
  tx: Transaction,
  dataset: string,
  { file, ...source }: Omit<NewSource, 'address'> & Pick<Row, 'address' | 'byPublisher' | 'saidSchedule'>,
  at: string,
): Promise<void> {
  await tx.insert(sources).values({
    ...source,
    ...HEALED,
    dataset,
    ...writeFile(file),
    changed_at: at,
    checked_at: file === null ? null : at,
    next_run_at: runAfter(source.schedule, dataset, new Date(at)),
  })
}

function writeFile(file: FetchedFile | null) {
  return { fetchedUrl: file?.url ?? null, etag: file?.etag ?? null, lastModified: file?.lastModified ?? null }
}

function runAfter(schedule: string | null, dataset: string, after: Date): string | null {
  return schedule === null ? null : formatTimestamp(nextRun(schedule, dataset, after))
}

export async function removeSource(tx: Transaction, dataset: string): Promise<void> {
  await tx.delete(sources).where(eq(sources.dataset, dataset))
}

export class DatasetSources {
  readonly #db: DbReading
  readonly #rows: CatalogRows

  /** @param db of the folder, for what is shown with a dataset */
  constructor(db: DbReading, rows: CatalogRows) {
    this.#db = db
    this.#rows = rows
  }

  find(dataset: string): DatasetSource | undefined {
    const row = this.#db.select().from(sources).where(eq(sources.dataset, dataset)).get()
    return row && toSource(row)
  }

  /** Ordered by dataset. */
  list(): DatasetSource[] {
    return this.#db.select().from(sources).orderBy(asc(sources.dataset)).all().map(toSource)
  }

  /** Datasets that are due, the longest overdue first. */
  async due(now: Date): Promise<string[]> {
    const come = and(isNotNull(sources.next_run_at), lte(sources.next_run_at, formatTimestamp(now)))
    const rows = this.#rows.now.select({ dataset: sources.dataset }).from(sources).where(come)
    const inTurn = await rows.orderBy(asc(sources.next_run_at), asc(sources.dataset))
    return inTurn.map(({ dataset }) => dataset)
  }

  /** Datasets whose last refresh failed. */
  failing(): string[] {
    const rows = this.#db.select().from(sources).where(gt(sources.failures, 0)).orderBy(asc(sources.dataset))
    return rows.all().map(({ dataset }) => dataset)
  }

  /** Datasets that serve columns with personal data without anybody having been asked, and these columns. */
  servingPersonal(): { readonly dataset: string; readonly columns: readonly string[] }[] {
    const isNoted = sql`${sources.options} LIKE '%"personal_data_served"%'`
    const rows = this.#db.select().from(sources).where(isNoted).orderBy(asc(sources.dataset)).all()
    return rows.map(({ dataset, options: { personal_data_served: columns } }) => ({
      dataset,
      columns: Array.isArray(columns) ? columns.map(String) : [],
    }))
  }

  /**
   * Sets where a dataset is fetched from, and when, whatever its ingests say.
   * @param place the last publication
   */
  setSchedule(
    dataset: string,
    { address, schedule }: { readonly address: string; readonly schedule: string },
    { at: changedAt, ...published }: Pick<NewSource, 'options' | 'sha256'> & { readonly at: string },
    now: Date,
  ): Promise<void> {
    return this.#rows.change(async (tx) => {
      const [row] = await tx.select().from(sources).where(eq(sources.dataset, dataset))
      const next_run_at = runAfter(schedule, dataset, now)
      const set = { address, schedule, byPublisher: true }
      if (row === undefined)
        await insertSource(tx, dataset, { ...published, ...set, file: null, saidSchedule: null }, changedAt)
      const saidSchedule = row?.byPublisher === false ? row.schedule : (row?.saidSchedule ?? null)
      const changed = { ...set, saidSchedule, ...HEALED, next_run_at }
      await tx.update(sources).set(changed).where(eq(sources.dataset, dataset))
      await raiseRevision(tx)
    })
  }

  /** Ends a dataset's schedule; its address stays, for manual refreshes. Does nothing without a source. */
  endSchedule(dataset: string): Promise<void> {
    return this.#update(dataset, ({ byPublisher, saidSchedule, schedule }) => ({
      schedule: null,
      next_run_at: null,
      byPublisher: true,
      saidSchedule: byPublisher ? saidSchedule : schedule,
    }))
  }

  /**
   * Notes that the source still has the last ingested file.
   * @param file null: the server said so without sending it @param options of its ingest that are different now
   */
  recordUnchanged(
    dataset: string,
    file: FetchedFile | null,
    at: Date,
    options: NewSource['options'] = {},
  ): Promise<void> {
    return this.#update(dataset, ({ schedule, options: before }) => ({
      ...HEALED,
      options: { ...before, ...options },
      ...(file && writeFile(file)),
      checked_at: formatTimestamp(at),
      next_run_at: runAfter(schedule, dataset, at),
    }))
  }

  /**
   * Notes that a refresh failed; the served version stays.
   * @param reasons of the error, for pages
   * @param waits the same file would fail again, so the next attempt waits for the schedule's next run
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
      const next_run_at = next && formatTimestamp(next)
      const failed_at = formatTimestamp(at)
      return { checked_at: failed_at, failed_at, error, reasons, failures, next_run_at }
    })
  }

  #update(dataset: string, change: (row: Row) => Partial<Row>): Promise<void> {
    return this.#rows.change(async (tx) => {
      const [row] = await tx.select().from(sources).where(eq(sources.dataset, dataset))
      // Another process removed it.
      if (row === undefined) return
      await tx.update(sources).set(change(row)).where(eq(sources.dataset, dataset))
      await raiseRevision(tx)
    })
  }
}

function toSource({ fetchedUrl: url, etag, lastModified, ...row }: Row): DatasetSource {
  return { ...row, file: url === null ? null : { url, etag, lastModified } }
}

/**
 * The next run of a schedule. Each dataset has its own fixed delay of up to some minutes after the moment in the
 * pattern, so that fifty datasets with one pattern do not ask one publisher at the same time.
 */
export function nextRun(pattern: string, dataset: string, after: Date): Date {
  const [first, second] = readPattern(pattern).nextRuns(2, after)
  if (first === undefined) return new Date(after.getTime() + LAST_RETRY_MS)
  const interval = second === undefined ? LAST_RETRY_MS : second.getTime() - first.getTime()
  const place = Bun.hash.crc32(dataset) / 2 ** 32
  // Runs of one schedule are spread over this time, or over a tenth of its interval if that is less.
  return new Date(first.getTime() + Math.floor(place * Math.min(300_000, interval / 10)))
}

/**
 * When to try again: 5 minutes after the first failure, doubling each time up to a day.
 * @param failures in a row, at least 1 @param waits not before the schedule's next run, since the same file would fail
 * again
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
