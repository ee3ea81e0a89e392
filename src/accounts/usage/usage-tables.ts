/** Usage in `usage.db` of a data folder. */

import type Database from 'better-sqlite3'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import { migrate } from '../../db/migrate.ts'
import { SCHEMAS } from '../../db/migrations.ts'
import { openDatabase } from '../../db/open.ts'
import { writingAtOnce } from '../../db/transaction.ts'
import { openUsageReading } from '../../db/usage.ts'
import { dayName } from './calendar.ts'
import { type FoundUse, readUse, type UseQuery } from './dataset-use.ts'
import { LOG_COLUMNS, type LogRow } from './log-record.ts'
import { RequestLogs } from './request-logs.ts'
import { separateKey } from './separate-key.ts'
import type { DayRow, RequestLog, UsageBatch, UsageStore } from './usage-store.ts'

/**
 * How long a write may wait for another writer. Short beside requests, where it is repeated; long in commands and at
 * the end of the process.
 */
const BUSY_MS = { brief: 25, patient: 10_000 }

/** Records per row of the inbox: what the upkeep writes in one transaction, about a millisecond. */
const BATCH = 250
const LOGS_AT_ONCE = 250
/** Pages (of 4 KB) in the log before this connection tidies it itself; the upkeep does so long before. */
const CHECKPOINT_PAGES = 16_000

export class UsageTables implements UsageStore {
  readonly #path: string
  readonly #database: Database.Database
  readonly #reading: ReturnType<typeof openUsageReading>
  readonly #statements: ReturnType<typeof prepareStatements>
  readonly #write: (batch: UsageBatch) => void
  readonly #erase: (keyId: number, at: number) => void

  /**
   * Normal durability: a power cut may take the last counts, never the file.
   * @param path of `usage.db`; made when missing
   * @throws CommandError `failed` when it cannot be opened or was made by another version
   */
  constructor(path: string) {
    this.#database = openDatabase(path, { durability: 'normal' })
    migrate(this.#database, SCHEMAS.usage)
    this.#database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    this.#setPatience(BUSY_MS.brief)
    this.#path = path
    this.#reading = openUsageReading(path)
    this.#statements = prepareStatements(this.#database)
    this.#write = writingAtOnce(this.#database, (batch) => this.#writeAll(batch))
    this.#erase = writingAtOnce(this.#database, (keyId, at) => {
      const { forgetDays, forgetUse, forgetMonths, markErased } = this.#statements
      separateKey(this.#database, keyId)
      forgetDays.run(keyId)
      forgetUse.run(keyId)
      forgetMonths.run(`key:${keyId}`)
      markErased.run(keyId, at)
    })
  }

  openLog(flush: () => ValueOrPromise<void>, failed: (error: unknown) => void): RequestLog {
    return new RequestLogs(this.#path, () => this.#statements.unfinished.get() === 1, flush, failed)
  }

  write(batch: UsageBatch, patient: boolean): void {
    if (patient) this.#patiently(() => this.#write(batch))
    else this.#write(batch)
  }

  use(query: UseQuery): Promise<FoundUse> {
    return readUse(this.#reading, query)
  }

  forgetUseBefore(day: string): void {
    this.#patiently(() => this.#statements.forgetUseBefore.run(day))
  }

  eraseKey(keyId: number, at: number): void {
    this.#patiently(() => this.#erase(keyId, at))
  }

  eraseOwner(owner: string): void {
    this.#patiently(() => this.#statements.forgetMonths.run(owner))
  }

  monthOf(owner: string, month: string): number {
    return this.#statements.month.get(owner, month) ?? 0
  }

  accountDays(owner: string, from: string): [day: string, requests: number][] {
    return this.#statements.accountDays.all(owner, from)
  }

  keyMonth(keyId: number, month: string): number {
    return this.#statements.keyMonth.get(keyId, `${month}-01`, `${month}-31`) ?? 0
  }

  totals(day: string): { total: number; today: number } {
    return this.#statements.totals.get(day) ?? { total: 0, today: 0 }
  }

  lastUsed(keyId: number): string | null {
    return this.#statements.lastUsed.get(keyId) ?? null
  }

  days(keyIds: readonly number[], from: string): DayRow[] {
    return this.#statements.days.all(JSON.stringify(keyIds), from)
  }

  recordsOf(keyId: number, after: { at: number; id: number }): LogRow[] {
    return this.#statements.logs.all(keyId, after.at, after.id)
  }

  close(): void {
    this.#reading.close()
    this.#database.close()
  }

  #patiently(work: () => void): void {
    this.#setPatience(BUSY_MS.patient)
    try {
      work()
    } finally {
      this.#setPatience(BUSY_MS.brief)
    }
  }

  /** @param milliseconds that a statement waits for another writer */
  #setPatience(milliseconds: number): void {
    this.#database.pragma(`busy_timeout = ${milliseconds}`)
  }

  #writeAll({ calls, use: datasets, logs }: UsageBatch): void {
    const { addDay, addMonth, addTotal, use, addDatasetUse, addLogs } = this.#statements
    for (const [keyId, { calls: days, lastUsed }] of calls.keys) {
      if (lastUsed !== undefined) use.run(keyId, formatTimestamp(new Date(lastUsed)))
      for (const [day, requests] of days) if (requests !== 0) addDay.run(keyId, dayName(day), requests)
    }
    for (const [day, requests] of calls.perDay()) if (requests !== 0) addTotal.run(dayName(day), requests)
    for (const [owner, periods] of calls.periods) {
      for (const [period, requests] of periods) if (requests !== 0) addMonth.run(owner, period, requests)
    }
    for (const { day, dataset, keyId, format, calls, rows, bytes } of datasets.sums()) {
      addDatasetUse.run(dayName(day), dataset, keyId, format, calls, rows, bytes)
    }
    for (let from = 0; from < logs.length; from += BATCH) {
      addLogs.run(logs.slice(from, from + BATCH).join('\n'))
    }
  }
}

const DAYS_OF_ACCOUNT = 'SELECT month, requests FROM monthly_usage WHERE length(month) = 10 AND'

function prepareStatements(database: Database.Database) {
  return {
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
    accountDays: database
      .prepare<[string, string], [string, number]>(`${DAYS_OF_ACCOUNT} owner = ? AND month >= ?`)
      .raw(),
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
