/**
 * Counts calls and records answers, off the response path: everything is added in memory, and what gathers within
 * 50 ms goes into one transaction. Numbers asked for are live: what is committed, by any process on the data folder, plus
 * what is pending here. A killed process loses those 50 ms.
 *
 * A flush that fails (a full disk) keeps its counts and tries again a second later; log records are kept up to a
 * bound, then dropped, and `onDropped` is told.
 */

import { LRUCache } from 'lru-cache'
import { formatTimestamp } from '../text/timestamp.ts'
import { dayName, dayNumber, monthOf } from './calendar.ts'
import { type AnsweredCall, type LogRow, packCall } from './log-record.ts'
import { type CountedKey, PendingCalls } from './pending-calls.ts'
import { RequestLogs } from './request-logs.ts'
import { Retention } from './retention.ts'
import { BUSY_MS, type DayRow, UsageTables } from './usage-tables.ts'

export interface UsageOptions {
  /** Told when a flush fails, once per failed attempt. */
  readonly onError?: (error: unknown) => void
  /** Told how many log records a failing disk has cost. */
  readonly onDropped?: (records: number) => void
  /** How long log records stay, and how many at most. */
  readonly retention?: LogRetention
}

export interface LogRetention {
  readonly seconds: number
  readonly rows: number
}

/** A key whose calls are bounded. */
export interface LimitedKey extends CountedKey {
  /** null: no limit. */
  readonly plan: { readonly monthlyQuota: number | null }
}

const DEFAULT_RETENTION: LogRetention = { seconds: 90 * 86_400, rows: 5_000_000 }

const GATHER_MS = 50
const RETRY_MS = 1000
/** After a writer of another thread or process was met, which is over in a millisecond or two. */
const BUSY_RETRY_MS = 10
/** So often in a row it is no longer taken for normal. */
const MOST_BUSY = 100
/** Records that wait at most, in characters; about 100,000 ordinary ones. */
const MOST_LOG_TEXT = 16 * 2 ** 20
/** Owners whose committed count is remembered between two commits. */
const REMEMBERED_OWNERS = 10_000

export class UsageRecorder {
  /** What was recorded, for those who ask. */
  readonly logs: RequestLogs
  readonly #tables: UsageTables
  readonly #options: UsageOptions
  readonly #retention: Retention
  #pending = new PendingCalls()
  #logs: string[] = []
  #logText = 0
  #dropped = 0
  #busyInRow = 0
  readonly #forgotten = new Set<number | string>()
  /** Committed calls by owner, in `#month`; good until anything is committed. */
  readonly #committed = new LRUCache<string, number>({ max: REMEMBERED_OWNERS })
  #month = ''
  #version = -1
  #looked = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  /**
   * @param path of `usage.db`; made when missing
   * @throws CommandError `failed` when it cannot be opened or is newer than the program
   */
  static open(path: string, options: UsageOptions = {}): UsageRecorder {
    return new UsageRecorder(path, options)
  }

  private constructor(path: string, options: UsageOptions) {
    this.#tables = new UsageTables(path)
    this.#options = options
    this.logs = new RequestLogs(
      path,
      () => this.flush(BUSY_MS.brief),
      (error) => this.#options.onError?.(error),
    )
    this.#retention = new Retention(this.logs, options.retention ?? DEFAULT_RETENTION)
  }

  /** Begins the upkeep of the log: for a process that serves. */
  start(now: () => Date): void {
    this.logs.start(this.#tables.hasUnfinished)
    this.#retention.start(now, (error) => this.#options.onError?.(error))
  }

  /**
   * Counts a call that is admitted, unless its month's quota is used up.
   * @returns the calls that are left after it, Infinity without a quota; -1 when there was none: nothing is counted then
   */
  reserve(key: LimitedKey, at: Date): number {
    const quota = key.plan.monthlyQuota
    const left = quota === null ? Number.POSITIVE_INFINITY : quota - this.monthOf(key.quotaOwner, at) - 1
    if (left < 0) return -1
    this.#count(key, at, 1)
    return left
  }

  /** Returns a reserved call. @param at the moment it was reserved with */
  giveBack(key: CountedKey, at: Date): void {
    this.#count(key, at, -1)
  }

  /** Notes an answer. Never throws; after `close` it does nothing. */
  record(call: AnsweredCall): void {
    if (this.#closed || this.#forgotten.has(call.keyId)) return
    this.#pending.used(call.keyId, call.at.getTime())
    this.#flushSoon()
    if (this.#logText > MOST_LOG_TEXT) {
      this.#dropped += 1
      return
    }
    const line = packCall(call)
    this.#logText += line.length
    this.#logs.push(line)
  }

  /** Log records that wait to be written. */
  get waiting(): number {
    return this.#logs.length
  }

  /** Calls that count against an owner's quota in the month of a moment. */
  monthOf(owner: string, at: Date): number {
    const month = monthOf(at).name
    this.#dropStale(month)
    let committed = this.#committed.get(owner)
    if (committed === undefined) {
      committed = this.#readMonth(owner, month)
      this.#committed.set(owner, committed)
    }
    return committed + this.#pending.inMonth(owner, month)
  }

  /** Counted calls of all keys since the beginning, and on the UTC day of `now`. */
  totals(now: Date): { total: number; today: number } {
    let { total, today } = this.#tables.totals(dayName(dayNumber(now)))
    for (const [day, requests] of this.#pending.perDay()) {
      total += requests
      if (day === dayNumber(now)) today += requests
    }
    return { total, today }
  }

  /** Counted calls of some keys from a day on, each day that has any. @param from day number */
  daysOf(keyIds: readonly number[], from: number): DayRow[] {
    const rows = this.#tables.days(keyIds, dayName(from))
    for (const key_id of keyIds) {
      for (const [day, requests] of this.#pending.daysOf(key_id)) {
        if (day >= from && requests !== 0) rows.push({ key_id, day: dayName(day), requests })
      }
    }
    return rows
  }

  /** As `daysOf`, but only what is committed, of all time. */
  committedDays(keyIds: readonly number[]): DayRow[] {
    return this.#tables.days(keyIds, '')
  }

  /** Log records of a key that are rows already, oldest first, some hundred at once. @param after the last one known */
  logsOf(keyId: number, after?: LogRow): LogRow[] {
    const [id, at] = after ?? [-1, -1]
    return this.#tables.logs(keyId, { at, id })
  }

  /** RFC 3339 UTC, whole seconds; null when the key was never used. */
  lastUsed(keyId: number): string | null {
    const pending = this.#pending.keys.get(keyId)?.lastUsed
    const stored = this.#tables.lastUsed(keyId)
    if (pending === undefined) return stored
    const recent = formatTimestamp(new Date(pending))
    return stored !== null && stored > recent ? stored : recent
  }

  /** Drops what is known of a deleted key. Its account's use of the quota and the totals keep its calls. */
  forget(keyId: number): void {
    this.flush()
    this.#pending.forgetKey(keyId)
    this.#pending.forgetOwner(`key:${keyId}`)
    this.#forgotten.add(keyId).add(`key:${keyId}`)
    this.#patiently(() => this.#tables.eraseKey(keyId, Math.floor(Date.now() / 1000)))
    this.#committed.clear()
    this.logs.eraseSoon()
  }

  /** Drops the count of a deleted account's quota; its keys are forgotten one by one. */
  forgetAccount(userId: number): void {
    const owner = `account:${userId}`
    this.flush()
    this.#pending.forgetOwner(owner)
    this.#forgotten.add(owner)
    this.#patiently(() => this.#tables.eraseMonths(owner))
    this.#committed.clear()
  }

  /**
   * Writes what is pending now. Never throws: what cannot be written stays pending and is tried again.
   * @param patience milliseconds to wait for another writer
   */
  flush(patience = BUSY_MS.patient): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#closed || (this.#pending.isEmpty && this.#logs.length === 0)) return
    try {
      this.#patiently(() => this.#tables.write(this.#pending, this.#logs), patience)
    } catch (error) {
      this.#failed(error)
      return
    }
    if (this.#logs.length > 0) this.logs.unpackSoon()
    this.#pending = new PendingCalls()
    this.#logs = []
    this.#logText = 0
    this.#committed.clear()
    this.#busyInRow = 0
    this.#tellDropped()
  }

  /** Writes what is pending and closes the file. */
  close(): void {
    if (this.#closed) return
    this.flush()
    clearTimeout(this.#timer)
    this.#closed = true
    this.#retention.stop()
    this.logs.close()
    this.#tables.close()
  }

  #count(key: CountedKey, at: Date, calls: number): void {
    if (this.#closed || this.#forgotten.has(key.keyId) || this.#forgotten.has(key.quotaOwner)) return
    this.#pending.add(key, dayNumber(at), monthOf(at).name, calls)
    this.#flushSoon()
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => this.flush(BUSY_MS.brief), GATHER_MS)
  }

  /** A file that cannot be read costs exactness, not the service: calls count from zero until it can. */
  #readMonth(owner: string, month: string): number {
    try {
      return this.#tables.monthOf(owner, month)
    } catch (error) {
      this.#options.onError?.(error)
      return 0
    }
  }

  /** Looks for commits of others, at most once per turn of the event loop. */
  #dropStale(month: string): void {
    if (!this.#looked) {
      this.#looked = true
      setImmediate(this.#lookAgain)
      const version = this.#tables.version
      if (version !== this.#version) this.#committed.clear()
      this.#version = version
    }
    if (month === this.#month) return
    this.#committed.clear()
    this.#month = month
  }

  readonly #lookAgain = () => {
    this.#looked = false
  }

  #patiently(work: () => void, patience = BUSY_MS.patient): void {
    if (patience !== BUSY_MS.brief) this.#tables.patience = patience
    try {
      work()
    } finally {
      if (patience !== BUSY_MS.brief) this.#tables.patience = BUSY_MS.brief
    }
  }

  #failed(error: unknown): void {
    const busy = (error as { code?: string }).code === 'SQLITE_BUSY' && ++this.#busyInRow < MOST_BUSY
    this.#timer = setTimeout(() => this.flush(BUSY_MS.brief), busy ? BUSY_RETRY_MS : RETRY_MS)
    if (busy) return
    this.#busyInRow = 0
    this.#options.onError?.(error)
    this.#tellDropped()
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return
    this.#options.onDropped?.(this.#dropped)
    this.#dropped = 0
  }
}
