/** The request log, in `usage.db` (`request-logs.ts`) or in PostgreSQL (`shared-log.ts`). */

import type { FoundUse, UseQuery } from './dataset-use.ts'
import type { LogPage, LogQuery } from './log-page.ts'
import type { LogStatistics } from './log-statistics.ts'

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
