/**
 * Counts calls and records answers off the response path: everything is added in memory, and one transaction writes what
 * gathers within 50 ms. Numbers are live: those committed by any process on the data directory, plus those pending here.
 * A killed process loses those 50 ms.
 */

import { Cron } from 'croner'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import type { WindowStore } from '../../db/counts/blocks.ts'
import { SlidingWindows } from '../../db/sliding-windows.ts'
import { openUsage, type SharedUsageDb } from '../../db/usage.ts'
import { dayName, dayNumber, type Month, monthOf } from './calendar.ts'
import { type DatasetAnswer, DELETED_KEY, UseCounters, type UseQuery } from './dataset-use.ts'
import type { CallRecord } from './log-record.ts'
import { type CountedKey, PendingUsage } from './pending-usage.ts'
import { type LimitedKey, openQuotas } from './quota.ts'
import { fileLog, type LogEngine, RequestLogs, sharedLog } from './request-logs.ts'
import { UsageTables } from './usage-tables.ts'
import { UsageWriter, type WriterOptions } from './usage-writer.ts'

export interface UsageOptions extends WriterOptions {
  /** How long log records are kept, and how many at most. */
  readonly retention?: { readonly seconds: number; readonly rows: number }
  /** Where quotas are counted; left out: in this recorder alone. */
  readonly counts?: WindowStore
}

const DEFAULT_RETENTION = { seconds: 90 * 86_400, rows: 5_000_000 }

/** When old log records are removed: 03:17 UTC, when few requests come and no other jobs start. */
const NIGHTLY = '17 3 * * *'
/** Two years, for reports that compare a year with the one before. */
const USE_KEPT_DAYS = 731

export class UsageRecorder {
  readonly logs: RequestLogs
  /** Committed counts. */
  readonly tables: UsageTables
  /** Written answers with data since this process began. */
  readonly useCounters = new UseCounters()
  readonly #options: UsageOptions
  #nightly: Cron | undefined
  readonly #pending = new PendingUsage()
  readonly #forgotten = new Set<number | string>()
  readonly #quotas: ReturnType<typeof openQuotas>
  readonly #writer: UsageWriter

  /**
   * @param path of `usage.db`; made when missing
   * @throws CommandError `failed` when it cannot be opened or was made by another version
   */
  static open(path: string, options: UsageOptions = {}): UsageRecorder {
    const db = openUsage(path)
    return new UsageRecorder(new UsageTables(db), fileLog(path, db), options)
  }

  /** Over the database that several nodes share, which its owner closes. */
  static over(db: SharedUsageDb, options: UsageOptions = {}): UsageRecorder {
    return new UsageRecorder(new UsageTables(db), sharedLog(db), options)
  }

  /** @param tables closed with the recorder, as is the log */
  private constructor(tables: UsageTables, log: LogEngine, options: UsageOptions) {
    this.tables = tables
    this.#options = options
    this.#writer = new UsageWriter(this.#pending, tables, options, (batch) => {
      if (batch.logs.length > 0) this.logs.noteWritten()
      this.useCounters.add(batch.use)
    })
    this.#quotas = openQuotas(options.counts ?? new SlidingWindows(), {
      ofOwner: (owner, month) => this.#forNow(() => this.#usedBy(owner, month)),
      ofKey: (keyId, { name, start, end }) =>
        this.#forNow(() =>
          withValue(this.tables.keyMonth(keyId, name), (written) => {
            let calls = written
            for (const [day, n] of this.#pending.daysOf(keyId)) if (day >= start && day < end) calls += n
            return calls
          }),
        ),
    })
    this.logs = new RequestLogs(
      log,
      () => this.flush(false),
      (error) => options.onError?.(error),
    )
  }

  /** Removes old log records every night, in one of the processes on the file. @returns a function that ends this */
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
   * Counts an admitted call, unless the month's quota is used up.
   * @returns the calls left after it, Infinity without a quota; -1 when none was left and nothing was counted
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
    if (this.#writer.isClosed || this.#forgotten.has(call.key_id)) return
    this.#pending.record(call)
    this.#writer.soon()
  }

  /** Counts an answer with data of a dataset. Never throws; after `close` it does nothing. */
  used(answer: DatasetAnswer): void {
    if (this.#writer.isClosed) return
    const isForgotten = answer.keyId !== null && this.#forgotten.has(answer.keyId)
    this.#pending.used(isForgotten ? { ...answer, keyId: DELETED_KEY } : answer)
    this.#writer.soon()
  }

  /** The use of datasets, including pending answers. For commands; a service asks `logs`. */
  async use(query: UseQuery) {
    await this.flush()
    return this.tables.use(query)
  }

  /** Removes sums of the use of datasets that are too old. @throws Error when that fails */
  async dropOldUse(now: Date): Promise<void> {
    await this.flush()
    await this.tables.forgetUseBefore(dayName(dayNumber(now) - USE_KEPT_DAYS))
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
    let { total, today } = await this.tables.totals(dayName(dayNumber(now)))
    for (const [day, requests] of this.#pending.perDay()) {
      total += requests
      if (day === dayNumber(now)) today += requests
    }
    return { total, today }
  }

  /** Counted calls of some keys from a day on; days without calls are left out. @param from day number */
  async daysOf(keyIds: readonly number[], from: number) {
    const rows = await this.tables.days(keyIds, dayName(from))
    for (const key_id of keyIds) {
      for (const [day, requests] of this.#pending.daysOf(key_id)) {
        if (day >= from && requests !== 0) rows.push({ key_id, day: dayName(day), requests })
      }
    }
    return rows
  }

  /**
   * Counted calls of an account on some days, including those of deleted keys.
   * @param owner `account:7` @param days consecutive names, `2025-01-31`
   */
  async daysOfAccount(owner: string, days: readonly string[]): Promise<Map<string, number>> {
    const stored = new Map(await this.tables.accountDays(owner, days[0]!))
    return new Map(days.map((day) => [day, (stored.get(day) ?? 0) + this.#pending.inPeriod(owner, day)]))
  }

  /** RFC 3339 UTC, whole seconds; null when the key was never used. */
  async lastUsed(keyId: number): Promise<string | null> {
    const stored = await this.tables.lastUsed(keyId)
    const pending = this.#pending.lastUsed(keyId)
    if (pending === undefined) return stored
    const recent = formatTimestamp(new Date(pending))
    return stored !== null && stored > recent ? stored : recent
  }

  /** Drops the records of a deleted key. Its calls stay in its account's quota and in the totals. */
  async forget(keyId: number): Promise<void> {
    await this.flush()
    this.#pending.forgetKey(keyId)
    this.#pending.forgetOwner(`key:${keyId}`)
    this.#forgotten.add(keyId).add(`key:${keyId}`)
    await this.tables.eraseKey(keyId, Math.floor(Date.now() / 1000))
    await this.logs.erase()
  }

  /** Drops the counts of a deleted account; its keys are forgotten one by one. */
  async forgetAccount(userId: number): Promise<void> {
    const owner = `account:${userId}`
    await this.flush()
    this.#pending.forgetOwner(owner)
    this.#forgotten.add(owner)
    await this.tables.eraseOwner(owner)
  }

  /**
   * Writes what is pending now. Never throws: a batch that cannot be written stays pending and is tried again.
   * @param patient whether it may wait for another writer
   */
  flush(patient = true): ValueOrPromise<void> {
    return this.#writer.flush(patient)
  }

  /** Writes what is pending and closes the store. */
  async close(): Promise<void> {
    if (this.#writer.isClosed) return
    await this.flush()
    this.#writer.stop()
    this.#nightly?.stop()
    this.logs.close()
    this.tables.close()
  }

  #usedBy(owner: string, { name }: Month): ValueOrPromise<number> {
    return withValue(this.tables.monthOf(owner, name), (calls) => calls + this.#pending.inPeriod(owner, name))
  }

  /** While usage cannot be read, calls count from zero: requests keep working, and the quota is inexact. */
  #forNow(read: () => ValueOrPromise<number>): ValueOrPromise<number> {
    try {
      return read()
    } catch (error) {
      this.#options.onError?.(error)
      return 0
    }
  }

  #count(key: CountedKey, at: Date, calls: number): void {
    if (this.#writer.isClosed || this.#forgotten.has(key.keyId) || this.#forgotten.has(key.quotaOwner)) return
    this.#pending.add(key, dayNumber(at), monthOf(at).name, calls)
    this.#writer.soon()
  }
}
