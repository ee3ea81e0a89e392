/**
 * Counts calls and records answers, off the response path: everything is added in memory, and what gathers within
 * 50 ms goes into one transaction. Numbers are live: what is committed, by any process on the data directory, plus
 * what is pending here. A killed process loses those 50 ms.
 *
 * A flush that fails (a full disk) keeps its counts and is repeated a second later; log records are kept up to a
 * bound, then dropped and reported to `onDropped`.
 */

import { Cron } from 'croner'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import { SlidingWindows, type WindowStore } from '../../db/sliding-windows.ts'
import { openUsage, type SharedUsageDb } from '../../db/usage.ts'
import { dayName, dayNumber, type Month, monthOf } from './calendar.ts'
import { type DatasetAnswer, DELETED_KEY, type FoundUse, UseCounters, type UseQuery } from './dataset-use.ts'
import type { CallRecord, LogRow } from './log-record.ts'
import type { CountedKey } from './pending-usage.ts'
import { PendingUsage, type UsageBatch } from './pending-usage.ts'
import { type LimitedKey, Quotas } from './quota.ts'
import type { RequestLog } from './request-logs.ts'
import { RequestLogs } from './request-logs.ts'
import { SharedLog } from './shared-log.ts'
import { type DayRow, UsageTables } from './usage-tables.ts'

export interface UsageOptions {
  /** Called when a flush fails, once per failed attempt. */
  readonly onError?: (error: unknown) => void
  /** Called with the number of log records that a failing disk has cost. */
  readonly onDropped?: (records: number) => void
  /** How long log records stay, and how many at most. */
  readonly retention?: LogRetention
  /** Where quotas are counted; without it by this recorder alone. */
  readonly counts?: WindowStore
}

interface LogRetention {
  readonly seconds: number
  readonly rows: number
}

const DEFAULT_RETENTION: LogRetention = { seconds: 90 * 86_400, rows: 5_000_000 }

/** When the log is brought within its bounds: 03:17 UTC, when few requests come and no other jobs start. */
const NIGHTLY = '17 3 * * *'
const GATHER_MS = 50
/** Two years, for reports of a year beside the one before. */
const USE_KEPT_DAYS = 731
const RETRY_MS = 1000
/** Wait for a writer of another thread or process, which takes a millisecond or two. */
const BUSY_RETRY_MS = 10
/** Attempts in a row after which a busy file counts as a failure. */
const MOST_BUSY = 100
export class UsageRecorder {
  /** Queries of what was recorded. */
  readonly logs: RequestLog
  readonly #store: UsageTables
  readonly #options: UsageOptions
  #nightly: Cron | undefined
  readonly #pending = new PendingUsage()
  readonly #useCounters = new UseCounters()
  #busyInRow = 0
  readonly #forgotten = new Set<number | string>()
  readonly #quotas: Quotas
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<boolean> | undefined
  #closed = false

  /**
   * @param path of `usage.db`; made when missing
   * @throws CommandError `failed` when it cannot be opened or was made by another version
   */
  static open(path: string, options: UsageOptions = {}): UsageRecorder {
    const db = openUsage(path)
    return new UsageRecorder(
      new UsageTables(db),
      options,
      (flush, failed) => new RequestLogs(path, db, flush, failed),
    )
  }

  /** Over the database that several nodes share, which its owner closes. */
  static over(db: SharedUsageDb, options: UsageOptions = {}): UsageRecorder {
    return new UsageRecorder(
      new UsageTables(db),
      options,
      (flush, failed) => new SharedLog(db, flush, failed),
    )
  }

  /** @param store closed with the recorder */
  private constructor(
    store: UsageTables,
    options: UsageOptions,
    openLog: (flush: () => ValueOrPromise<void>, failed: (error: unknown) => void) => RequestLog,
  ) {
    const failed = (error: unknown) => options.onError?.(error)
    this.#store = store
    this.#options = options
    this.#quotas = new Quotas(options.counts ?? new SlidingWindows(), {
      ofOwner: (owner, month) => this.#forNow(() => this.#usedBy(owner, month)),
      ofKey: (keyId, month) => this.#forNow(() => this.#usedByKey(keyId, month)),
    })
    this.logs = openLog(() => this.flush(false), failed)
  }

  /** Makes rows of what is recorded in the background from now on: for a process that serves. */
  start(): void {
    this.logs.start()
  }

  /** Keeps the log within its bounds, every night: for one process of all on the file. @returns ends it */
  startUpkeep(now: () => Date): () => void {
    const { onError: failed = () => {}, retention = DEFAULT_RETENTION } = this.#options
    const job = { timezone: 'UTC', unref: true, protect: true, catch: failed }
    const nightly = new Cron(NIGHTLY, job, async () => {
      await this.logs.retain(new Date(now().getTime() - retention.seconds * 1000), retention.rows)
      await this.dropOldUse(now())
    })
    this.#nightly = nightly
    return () => nightly.stop()
  }

  /**
   * Counts a call that is admitted, unless its month's quota is used up.
   * @returns the calls that are left after it, Infinity without a quota; -1 when none was left: nothing is counted then
   */
  reserve(key: LimitedKey, at: Date): ValueOrPromise<number> {
    return withValue(this.#quotas.take(key, at), (left) => {
      if (left >= 0) this.#count(key, at, 1)
      return left
    })
  }

  /** Calls that a key may make in the month of a moment, Infinity without a quota. */
  left(key: LimitedKey, at: Date): ValueOrPromise<number> {
    return this.#quotas.left(key, at)
  }

  /** Returns a reserved call. @param at the moment it was reserved with */
  giveBack(key: LimitedKey, at: Date): void {
    this.#count(key, at, -1)
    const given = this.#quotas.give(key, at)
    if (given instanceof Promise) given.catch((error) => this.#options.onError?.(error))
  }

  /** Records an answer. Never throws; after `close` it does nothing. */
  record(call: CallRecord): void {
    if (this.#closed || this.#forgotten.has(call.key_id)) return
    this.#pending.record(call)
    this.#flushSoon()
  }

  /** Counts an answer with data of a dataset. Never throws; after `close` it does nothing. */
  used(answer: DatasetAnswer): void {
    if (this.#closed) return
    const isForgotten = answer.keyId !== null && this.#forgotten.has(answer.keyId)
    this.#pending.used(isForgotten ? { ...answer, keyId: DELETED_KEY } : answer)
    this.#flushSoon()
  }

  /** Answers with data since this process began, as far as they are written. */
  get useCounters(): UseCounters {
    return this.#useCounters
  }

  /** The use of datasets, what is pending included. For commands: a service asks `logs`. */
  async use(query: UseQuery): Promise<FoundUse> {
    await this.flush()
    return this.#store.use(query)
  }

  /** Removes sums of the use of datasets that are too old. @throws Error when they cannot be */
  async dropOldUse(now: Date): Promise<void> {
    await this.flush()
    await this.#store.forgetUseBefore(dayName(dayNumber(now) - USE_KEPT_DAYS))
  }

  /** Log records that wait to be written. */
  get waiting(): number {
    return this.#pending.waiting
  }

  /** Calls that count against an owner's quota in the month of a moment. */
  monthOf(owner: string, at: Date): ValueOrPromise<number> {
    return this.#usedBy(owner, monthOf(at))
  }

  /** Counted calls of all keys since the beginning, and on the UTC day of `now`. */
  async totals(now: Date): Promise<{ total: number; today: number }> {
    let { total, today } = await this.#store.totals(dayName(dayNumber(now)))
    for (const [day, requests] of this.#pending.perDay()) {
      total += requests
      if (day === dayNumber(now)) today += requests
    }
    return { total, today }
  }

  /** Counted calls of some keys from a day on, each day that has any. @param from day number */
  async daysOf(keyIds: readonly number[], from: number): Promise<DayRow[]> {
    const rows = await this.#store.days(keyIds, dayName(from))
    for (const key_id of keyIds) {
      for (const [day, requests] of this.#pending.daysOf(key_id)) {
        if (day >= from && requests !== 0) rows.push({ key_id, day: dayName(day), requests })
      }
    }
    return rows
  }

  /**
   * Counted calls of an account on some days, also of keys that were deleted.
   * @param owner `account:7` @param days names in a row, `2025-01-31`
   */
  async daysOfAccount(owner: string, days: readonly string[]): Promise<Map<string, number>> {
    const stored = new Map(await this.#store.accountDays(owner, days[0]!))
    return new Map(days.map((day) => [day, (stored.get(day) ?? 0) + this.#pending.inPeriod(owner, day)]))
  }

  /** As `daysOf`, but only what is committed, of all time. */
  async committedDays(keyIds: readonly number[]): Promise<DayRow[]> {
    return this.#store.days(keyIds, '')
  }

  /** Log records of a key that are rows already, oldest first, some hundred at once. @param after the last one known */
  async logsOf(keyId: number, after: { at: number; id: number } = { at: -1, id: -1 }): Promise<LogRow[]> {
    return this.#store.recordsOf(keyId, after)
  }

  /** RFC 3339 UTC, whole seconds; null when the key was never used. */
  async lastUsed(keyId: number): Promise<string | null> {
    const stored = await this.#store.lastUsed(keyId)
    const pending = this.#pending.lastUsed(keyId)
    if (pending === undefined) return stored
    const recent = formatTimestamp(new Date(pending))
    return stored !== null && stored > recent ? stored : recent
  }

  /** Drops what is known of a deleted key. Its account's use of the quota and the totals keep its calls. */
  async forget(keyId: number): Promise<void> {
    await this.flush()
    this.#pending.forgetKey(keyId)
    this.#pending.forgetOwner(`key:${keyId}`)
    this.#forgotten.add(keyId).add(`key:${keyId}`)
    await this.#store.eraseKey(keyId, Math.floor(Date.now() / 1000))
    this.logs.eraseSoon()
  }

  /** Drops the counts of a deleted account; its keys are forgotten one by one. */
  async forgetAccount(userId: number): Promise<void> {
    const owner = `account:${userId}`
    await this.flush()
    this.#pending.forgetOwner(owner)
    this.#forgotten.add(owner)
    await this.#store.eraseOwner(owner)
  }

  /**
   * Writes what is pending now. Never throws: what cannot be written stays pending and is tried again.
   * @param patient whether it may wait for another writer
   */
  flush(patient = true): ValueOrPromise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#writing !== undefined) return this.#writing.then(() => this.flush(patient))
    if (this.#closed || this.#pending.isEmpty) return
    // What gathered since an attempt that failed comes after it.
    const again = this.#pending.isRepeated
    try {
      const written = this.#pending.write((batch) => this.#write(batch, patient))
      if (written instanceof Promise) {
        const done = this.#waitFor(written)
        return again
          ? done.then((isWritten) => (isWritten ? this.flush(patient) : undefined))
          : done.then(() => {})
      }
      if (again) return this.flush(patient)
    } catch (error) {
      this.#failed(error)
    }
  }

  /** Writes what is pending and closes the store. */
  async close(): Promise<void> {
    if (this.#closed) return
    await this.flush()
    clearTimeout(this.#timer)
    this.#closed = true
    this.#nightly?.stop()
    this.logs.close()
    this.#store.close()
  }

  #write(batch: UsageBatch, patient: boolean): ValueOrPromise<void> {
    return withValue(this.#store.write(batch, patient), () => {
      if (batch.logs.length > 0) this.logs.noteWritten()
      this.#useCounters.add(batch.use)
      this.#busyInRow = 0
      this.#tellDropped()
    })
  }

  /** What gathers meanwhile is written afterwards. @returns whether it was written */
  #waitFor(written: Promise<void>): Promise<boolean> {
    const done = written
      .then(
        () => true,
        (error) => {
          this.#failed(error)
          return false
        },
      )
      .finally(() => {
        this.#writing = undefined
        if (!this.#pending.isEmpty) this.#flushSoon()
      })
    this.#writing = done
    return done
  }

  #usedBy(owner: string, { name }: Month): ValueOrPromise<number> {
    return withValue(this.#store.monthOf(owner, name), (calls) => calls + this.#pending.inPeriod(owner, name))
  }

  #usedByKey(keyId: number, { name, start, end }: Month): ValueOrPromise<number> {
    return withValue(this.#store.keyMonth(keyId, name), (written) => {
      let calls = written
      for (const [day, count] of this.#pending.daysOf(keyId)) if (day >= start && day < end) calls += count
      return calls
    })
  }

  /** While usage cannot be read, calls count from zero: requests go on, and the quota is inexact. */
  #forNow(read: () => ValueOrPromise<number>): ValueOrPromise<number> {
    try {
      return read()
    } catch (error) {
      this.#options.onError?.(error)
      return 0
    }
  }

  #count(key: CountedKey, at: Date, calls: number): void {
    if (this.#closed || this.#forgotten.has(key.keyId) || this.#forgotten.has(key.quotaOwner)) return
    this.#pending.add(key, dayNumber(at), monthOf(at).name, calls)
    this.#flushSoon()
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => void this.flush(false), GATHER_MS)
  }

  #failed(error: unknown): void {
    const busy = (error as { code?: string }).code === 'SQLITE_BUSY' && ++this.#busyInRow < MOST_BUSY
    this.#timer = setTimeout(() => void this.flush(false), busy ? BUSY_RETRY_MS : RETRY_MS)
    if (busy) return
    this.#busyInRow = 0
    this.#options.onError?.(error)
    this.#tellDropped()
  }

  #tellDropped(): void {
    const dropped = this.#pending.takeDropped()
    if (dropped > 0) this.#options.onDropped?.(dropped)
  }
}
