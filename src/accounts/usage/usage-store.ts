/**
 * Where usage is kept: `usage.db` of a data folder (`folder-usage.ts`), or the database that several nodes share
 * (`shared-usage.ts`). Plain values come from the folder, promises from across the network.
 */

import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import type { FoundUse, PendingUse, UseQuery } from './dataset-use.ts'
import type { LogPage, LogQuery } from './log-page.ts'
import type { LogRow } from './log-record.ts'
import type { LogStatistics } from './log-statistics.ts'
import type { PendingCalls } from './pending-calls.ts'

/** Calls of a key on a day (`2025-01-31`). */
export interface DayRow {
  readonly key_id: number
  readonly day: string
  readonly requests: number
}

/** What is written at once. */
export interface UsageBatch {
  readonly calls: PendingCalls
  readonly use: PendingUse
  /** Log records, as `packCall` writes them. */
  readonly logs: readonly string[]
}

export interface UsageStore {
  /**
   * @param flush writes what the recorder still holds
   * @param failed gets the errors of upkeep in the background, which is repeated
   */
  openLog(flush: () => ValueOrPromise<void>, failed: (error: unknown) => void): RequestLog
  /**
   * Writes a batch, all or nothing. One that was refused is given again until it is written; it counts once, also when the
   * first attempt was written and nobody could say so.
   * @param patient whether it may wait for another writer
   * @throws Error when it cannot be written now
   */
  write(batch: UsageBatch, patient: boolean): ValueOrPromise<void>
  /** Counted calls of all keys in all, and on one day (`2025-01-31`). */
  totals(day: string): ValueOrPromise<{ total: number; today: number }>
  /** When a key was last used; null: never. */
  lastUsed(keyId: number): ValueOrPromise<string | null>
  /** Calls of some keys from a day on, by day and key. @param from `2025-01-31`; empty for everything */
  days(keyIds: readonly number[], from: string): ValueOrPromise<DayRow[]>
  /** Calls that count against an owner's quota in a month: `2025-01`. */
  monthOf(owner: string, month: string): ValueOrPromise<number>
  /** Calls of an account by day, from one on. */
  accountDays(owner: string, from: string): ValueOrPromise<[day: string, requests: number][]>
  /** Calls of one key in a month: `2025-01`. */
  keyMonth(keyId: number, month: string): ValueOrPromise<number>
  /** Log records of a key, oldest first, some hundred at once. @param after seconds and id of the last one known */
  recordsOf(keyId: number, after: { at: number; id: number }): ValueOrPromise<LogRow[]>
  /** The use of datasets. */
  use(query: UseQuery): Promise<FoundUse>
  /** Removes the use of datasets from before a day: `2025-01-31`. */
  forgetUseBefore(day: string): ValueOrPromise<void>
  /** Removes the counts of a key, and has its log records removed. @param at seconds since 1970 */
  eraseKey(keyId: number, at: number): ValueOrPromise<void>
  /** Removes the counts of an owner. */
  eraseOwner(owner: string): ValueOrPromise<void>
  close(): ValueOrPromise<void>
}

/** The request log: its records, and upkeep of them in the background. */
export interface RequestLog {
  /** A page of records, all recorded so far included. @throws Error when the log cannot be read */
  page(query: LogQuery): Promise<LogPage>
  /** Statistics over the last `days` UTC days, today included. @throws Error when the log cannot be read */
  statistics(query: { keyIds: readonly number[]; days: number }, now: Date): Promise<LogStatistics>
  /** The use of datasets, all recorded so far included. @throws Error when it cannot be read */
  use(query: UseQuery): Promise<FoundUse>
  /** Resolves when everything recorded so far is among the rows of the log. */
  settle(): Promise<void>
  /** Removes records from before a moment, then the oldest beyond a number of rows, and what deleted keys left. */
  retain(before: Date, rows: number): Promise<void>
  /** Upkeep runs in the background from now on; before, the caller waits for it. */
  start(): void
  /** Records were written. */
  noteWritten(): void
  /** Removes the records of keys that were erased. */
  eraseSoon(): void
  /** Ends upkeep. Queries that wait are rejected. */
  close(): void
}
