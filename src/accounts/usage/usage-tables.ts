/** The counters of `usage.db`: everything the recorder reads and writes there. */

import type Database from 'better-sqlite3'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { migrate } from '../../db/migrate.ts'
import { USAGE_MIGRATIONS } from '../../db/migrations.ts'
import { openDatabase } from '../../db/open.ts'
import { writingAtOnce } from '../../db/transaction.ts'
import { dayName } from './calendar.ts'
import { type FoundUse, type PendingUse, readUse, type UseQuery } from './dataset-use.ts'
import { LOG_COLUMNS, type LogRow } from './log-record.ts'
import type { PendingCalls } from './pending-calls.ts'
import { separateKey } from './separate-key.ts'

/** Calls of a key on a day (`2025-01-31`). */
export interface DayRow {
  readonly key_id: number
  readonly day: string
  readonly requests: number
}

/**
 * How long a write may wait for another writer. Short beside requests, where it is repeated; long in commands and at
 * the end of the process.
 */
export const BUSY_MS = { brief: 25, patient: 10_000 }

/** Records per row of the inbox: what the upkeep writes in one transaction, about a millisecond. */
const BATCH = 250
const LOGS_AT_ONCE = 250
/** Pages (of 4 KB) in the log before this connection tidies it itself; the upkeep does so long before. */
const CHECKPOINT_PAGES = 16_000

export class UsageTables {
  readonly #database: Database.Database
  readonly #statements: ReturnType<typeof prepareStatements>
  readonly #write: (calls: PendingCalls, use: PendingUse, logs: readonly string[]) => void
  readonly #erase: (keyId: number, at: number) => void

  /**
   * Normal durability: a power cut may take the last counts, never the file.
   * @param path of `usage.db`; made when missing
   * @throws CommandError `failed` when it cannot be opened or is newer than the program
   */
  constructor(path: string) {
    this.#database = openDatabase(path, { durability: 'normal' })
    migrate(this.#database, USAGE_MIGRATIONS)
    this.#database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    this.patience = BUSY_MS.brief
    this.#statements = prepareStatements(this.#database)
    this.#write = writingAtOnce(this.#database, (calls, use, logs) => this.#writeAll(calls, use, logs))
    this.#erase = writingAtOnce(this.#database, (keyId, at) => {
      const { forgetDays, forgetUse, forgetMonths, markErased } = this.#statements
      separateKey(this.#database, keyId)
      forgetDays.run(keyId)
      forgetUse.run(keyId)
      forgetMonths.run(`key:${keyId}`)
      markErased.run(keyId, at)
    })
  }

  /** Milliseconds that a statement waits for another writer. */
  set patience(milliseconds: number) {
    this.#database.pragma(`busy_timeout = ${milliseconds}`)
  }

  /** Changes whenever another connection commits. */
  get version(): number {
    return this.#statements.version.get() as number
  }

  /** Whether log records wait to be made rows, or to be erased. */
  get hasUnfinished(): boolean {
    return this.#statements.unfinished.get() === 1
  }

  /** Writes counts and log records (`packCall`), all or nothing. @throws SqliteError */
  write(calls: PendingCalls, use: PendingUse, logs: readonly string[]): void {
    this.#write(calls, use, logs)
  }

  /** What is committed of the use of datasets. For commands: a service asks the thread of the log. */
  use(query: UseQuery): FoundUse {
    return readUse(this.#database, query)
  }

  /** Removes the use of datasets from before a day: `2025-01-31`. */
  forgetUseBefore(day: string): void {
    this.#statements.forgetUseBefore.run(day)
  }

  /** Removes the counts of a key, and asks the upkeep for its log records. @param at seconds since 1970 */
  eraseKey(keyId: number, at: number): void {
    this.#erase(keyId, at)
  }

  eraseMonths(owner: string): void {
    this.#statements.forgetMonths.run(owner)
  }

  /** @param month `2025-01` */
  monthOf(owner: string, month: string): number {
    return this.#statements.month.get(owner, month) ?? 0
  }

  /** Calls of one key. @param month `2025-01` */
  keyMonth(keyId: number, month: string): number {
    return this.#statements.keyMonth.get(keyId, `${month}-01`, `${month}-31`) ?? 0
  }

  totals(day: string): { total: number; today: number } {
    return this.#statements.totals.get(day) ?? { total: 0, today: 0 }
  }

  lastUsed(keyId: number): string | null {
    return this.#statements.lastUsed.get(keyId) ?? null
  }

  /** Calls of some keys from a day on, by day and key. @param from `2025-01-31`; empty for everything */
  days(keyIds: readonly number[], from: string): DayRow[] {
    return this.#statements.days.all(JSON.stringify(keyIds), from)
  }

  /** Log records of a key, oldest first, some hundred at once. @param after seconds and id of the last one known */
  logs(keyId: number, after: { at: number; id: number }): LogRow[] {
    return this.#statements.logs.all(keyId, after.at, after.id)
  }

  close(): void {
    this.#database.close()
  }

  #writeAll(calls: PendingCalls, datasets: PendingUse, logs: readonly string[]): void {
    const { addDay, addMonth, addTotal, use, addDatasetUse, addLogs } = this.#statements
    for (const [keyId, { calls: days, lastUsed }] of calls.keys) {
      if (lastUsed !== undefined) use.run(keyId, formatTimestamp(new Date(lastUsed)))
      for (const [day, requests] of days) if (requests !== 0) addDay.run(keyId, dayName(day), requests)
    }
    for (const [day, requests] of calls.perDay()) if (requests !== 0) addTotal.run(dayName(day), requests)
    for (const [owner, months] of calls.months) {
      for (const [month, requests] of months) if (requests !== 0) addMonth.run(owner, month, requests)
    }
    for (const { day, dataset, keyId, format, calls, rows, bytes } of datasets.sums()) {
      addDatasetUse.run(dayName(day), dataset, keyId, format, calls, rows, bytes)
    }
    for (let from = 0; from < logs.length; from += BATCH) {
      addLogs.run(logs.slice(from, from + BATCH).join('\n'))
    }
  }
}

function prepareStatements(database: Database.Database) {
  return {
    version: database.prepare<[], number>('PRAGMA data_version').pluck(),
    unfinished: database
      .prepare<[], number>('SELECT EXISTS (SELECT 1 FROM log_inbox) OR EXISTS (SELECT 1 FROM erased_keys)')
      .pluck(),
    addDay: database.prepare<[number, string, number]>(`
      INSERT INTO daily_usage (key_id, day, requests) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET requests = requests + excluded.requests
    `),
    addMonth: database.prepare<[string, string, number]>(`
      INSERT INTO monthly_usage (owner, month, requests) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET requests = requests + excluded.requests
    `),
    addTotal: database.prepare<[string, number]>(`
      INSERT INTO daily_totals (day, requests) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET requests = requests + excluded.requests
    `),
    use: database.prepare<[number, string]>(`
      INSERT INTO key_use (key_id, last_used_at) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET last_used_at = max(last_used_at, excluded.last_used_at)
    `),
    addDatasetUse: database.prepare<[string, string, number, string, number, number, number]>(`
      INSERT INTO dataset_usage (day, dataset_id, key_id, format, calls, rows, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, rows = rows + excluded.rows, bytes = bytes + excluded.bytes
    `),
    forgetUseBefore: database.prepare<[string]>('DELETE FROM dataset_usage WHERE day < ?'),
    addLogs: database.prepare<[string]>('INSERT INTO log_inbox (records) VALUES (?)'),
    month: database
      .prepare<[string, string], number>('SELECT requests FROM monthly_usage WHERE owner = ? AND month = ?')
      .pluck(),
    keyMonth: database
      .prepare<[number, string, string], number>(
        'SELECT coalesce(sum(requests), 0) FROM daily_usage WHERE key_id = ? AND day BETWEEN ? AND ?',
      )
      .pluck(),
    totals: database.prepare<[string], { total: number; today: number }>(`
      SELECT coalesce(sum(requests), 0) AS total, coalesce(sum(requests) FILTER (WHERE day = ?), 0) AS today
      FROM daily_totals
    `),
    lastUsed: database.prepare<[number], string>('SELECT last_used_at FROM key_use WHERE key_id = ?').pluck(),
    days: database.prepare<[string, string], DayRow>(`
      SELECT key_id, day, requests FROM daily_usage
      WHERE key_id IN (SELECT value FROM json_each(?)) AND day >= ? AND requests > 0 ORDER BY day, key_id
    `),
    logs: database.prepare<[number, number, number], LogRow>(`
      SELECT id, ${LOG_COLUMNS} FROM request_logs
      WHERE key_id = ? AND (at, id) > (?, ?) ORDER BY at, id LIMIT ${LOGS_AT_ONCE}
    `),
    forgetDays: database.prepare<[number]>('DELETE FROM daily_usage WHERE key_id = ?'),
    forgetUse: database.prepare<[number]>('DELETE FROM key_use WHERE key_id = ?'),
    forgetMonths: database.prepare<[string]>('DELETE FROM monthly_usage WHERE owner = ?'),
    markErased: database.prepare<[number, number]>(
      'INSERT INTO erased_keys (key_id, erased_at) VALUES (?, ?) ON CONFLICT DO UPDATE SET erased_at = excluded.erased_at',
    ),
  }
}
