/** The tables of counts in either database. `usage.db` returns plain values, PostgreSQL promises. */

import { randomUUID } from 'node:crypto'
import { and, asc, eq, gte, sql } from 'drizzle-orm'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import { dailyTotals, dailyUsage, keyUse, monthlyUsage, requestLogs } from '../../db/schema/usage-schema.ts'
import { isAmong, type UsageDb, type UsageRow, type UsageStatement, type UsageSteps } from '../../db/usage.ts'
import { dayName } from './calendar.ts'
import { DELETED_KEY, readUse, type UseQuery } from './dataset-use.ts'
import { LOG_COLUMNS } from './log-record.ts'
import type { UsageBatch } from './pending-usage.ts'

const LOGS_AT_ONCE = 250

export class UsageTables {
  readonly #db: UsageDb
  readonly #writer = randomUUID()
  #batch = 1

  constructor(db: UsageDb) {
    this.#db = db
  }

  /**
   * Writes a batch, all or nothing. The caller repeats a failed batch until it is written. It counts only once, even
   * when the first attempt was committed and its answer was lost.
   * @param patient whether it may wait for another writer
   * @throws Error when it cannot be written now
   */
  write(batch: UsageBatch, patient: boolean): ValueOrPromise<void> {
    const number = { writer: this.#writer, number: this.#batch }
    return withValue(
      this.#db.write(() => writeBatch(this.#db, batch), { patient, batch: number }),
      () => {
        this.#batch++
      },
    )
  }

  /** Counted calls of all keys in all, and on one day (`2025-01-31`). */
  async totals(day: string): Promise<{ total: number; today: number }> {
    const { requests } = dailyTotals
    const total = sql`coalesce(sum(${requests}), 0)`.mapWith(Number)
    const isToday = sql`${dailyTotals.day} = ${day}`
    const today = sql`coalesce(sum(${requests}) FILTER (WHERE ${isToday}), 0)`.mapWith(Number)
    const [row] = await this.#db.select({ total, today }).from(dailyTotals)
    return row!
  }

  /** When a key was last used; null: never. */
  async lastUsed(keyId: number): Promise<string | null> {
    const [row] = await this.#db.select().from(keyUse).where(eq(keyUse.keyId, keyId))
    return row?.lastUsedAt ?? null
  }

  /** Calls of some keys from a day on, by day and key. @param from `2025-01-31`; empty for all days */
  async days(keyIds: readonly number[], from: string) {
    const { keyId, day, requests } = dailyUsage
    return await this.#db
      .select({ key_id: keyId, day, requests })
      .from(dailyUsage)
      .where(and(isAmong(keyId, keyIds), gte(day, from), sql`${requests} > 0`))
      .orderBy(asc(day), asc(keyId))
  }

  /** Calls that count against an owner's quota in a month: `2025-01`. */
  monthOf(owner: string, month: string): ValueOrPromise<number> {
    return this.#count('SELECT requests FROM monthly_usage WHERE owner = ? AND month = ?', [owner, month])
  }

  /** Calls of one key in a month: `2025-01`. */
  keyMonth(keyId: number, month: string): ValueOrPromise<number> {
    const sum = 'SELECT CAST(coalesce(sum(requests), 0) AS bigint) FROM daily_usage'
    const days = [`${month}-01`, `${month}-31`]
    return this.#count(`${sum} WHERE key_id = ? AND day BETWEEN ? AND ?`, [keyId, ...days])
  }

  /** Calls of an account by day, from a day on. */
  async accountDays(owner: string, from: string): Promise<[day: string, requests: number][]> {
    const { month } = monthlyUsage
    const wanted = and(eq(monthlyUsage.owner, owner), gte(month, from), sql`length(${month}) = 10`)
    const rows = await this.#db.select().from(monthlyUsage).where(wanted)
    return rows.map(({ month: day, requests }) => [day, requests])
  }

  /** A key's log records that are already rows, oldest first, a few hundred at a time. @param after the last one read */
  async recordsOf(keyId: number, after = { at: -1, id: -1 }) {
    const { at, id } = requestLogs
    return await this.#db
      .select()
      .from(requestLogs)
      .where(and(eq(requestLogs.key_id, keyId), sql`(${at}, ${id}) > (${after.at}, ${after.id})`))
      .orderBy(asc(at), asc(id))
      .limit(LOGS_AT_ONCE)
  }

  use(query: UseQuery) {
    return readUse(this.#db, query)
  }

  /** Removes the use of datasets from before a day: `2025-01-31`. */
  forgetUseBefore(day: string): ValueOrPromise<void> {
    return this.#change(() => stepsOf(once('DELETE FROM dataset_usage WHERE day < ?', day)))
  }

  eraseOwner(owner: string): ValueOrPromise<void> {
    return this.#change(() => stepsOf(once(FORGET_OWNER, owner)))
  }

  /** Removes the counts of a key, and marks its log records for removal. @param at seconds since 1970 */
  eraseKey(keyId: number, at: number): ValueOrPromise<void> {
    return this.#change(function* () {
      yield* separateKey(keyId)
      yield once(FORGET_OWNER, `key:${keyId}`)
      yield once(MARK_ERASED, keyId, at)
    })
  }

  close(): void {
    this.#db.close()
  }

  #count(text: string, row: UsageRow): ValueOrPromise<number> {
    return withValue(this.#db.ask(text, row), ([found]) => Number(found?.[0] ?? 0))
  }

  #change(steps: () => UsageSteps): ValueOrPromise<void> {
    return this.#db.write(steps, { patient: true })
  }
}

const FORGET_OWNER = 'DELETE FROM monthly_usage WHERE owner = ?'
const ADD_DATASET_USE = `
  INSERT INTO dataset_usage (day, dataset_id, key_id, format, calls, rows, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (day, dataset_id, key_id, format) DO UPDATE SET calls = dataset_usage.calls + excluded.calls,
    rows = dataset_usage.rows + excluded.rows, bytes = dataset_usage.bytes + excluded.bytes`
const ADD_KEY_USE = `
  INSERT INTO key_use (key_id, last_used_at) VALUES (?, ?)
  ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at
  WHERE excluded.last_used_at > key_use.last_used_at`
const MARK_ERASED = `
  INSERT INTO erased_keys (key_id, erased_at) VALUES (?, ?)
  ON CONFLICT (key_id) DO UPDATE SET erased_at = excluded.erased_at`

function once(text: string, ...row: UsageRow): UsageStatement {
  return { text, rows: [row] }
}

function* stepsOf(statement: UsageStatement): UsageSteps {
  yield statement
}

/** Removes the counts of a deleted key; its use of datasets stays, without the key. A second run does nothing. */
export function* separateKey(keyId: number): UsageSteps {
  const own = yield once(
    'DELETE FROM dataset_usage WHERE key_id = ? RETURNING day, dataset_id, format, calls, rows, bytes',
    keyId,
  )
  const nobodys = own.map(([day, dataset, ...rest]) => [day!, dataset!, DELETED_KEY, ...rest])
  if (nobodys.length > 0) yield { text: ADD_DATASET_USE, rows: nobodys }
  yield once('DELETE FROM daily_usage WHERE key_id = ?', keyId)
  yield once('DELETE FROM key_use WHERE key_id = ?', keyId)
}

function* writeBatch(db: UsageDb, { calls, use, logs }: UsageBatch): UsageSteps {
  const keys = [...calls.keys]
  const used = keys.flatMap(([keyId, { lastUsed }]) =>
    lastUsed === undefined ? [] : [[keyId, formatTimestamp(new Date(lastUsed))]],
  )
  yield { text: ADD_KEY_USE, rows: used }
  const days = keys.flatMap(([keyId, { calls: byDay }]) =>
    [...byDay].map(([day, requests]) => [keyId, dayName(day), requests]),
  )
  yield addRequests('daily_usage', ['key_id', 'day'], days)
  const totals = [...calls.perDay()].map(([day, requests]) => [dayName(day), requests])
  yield addRequests('daily_totals', ['day'], totals)
  const periods = [...calls.periods].flatMap(([owner, byPeriod]) =>
    [...byPeriod].map(([period, requests]) => [owner, period, requests]),
  )
  yield addRequests('monthly_usage', ['owner', 'month'], periods)
  const answers = [...use.sums()].map((sum) => {
    const { day, dataset, keyId, format } = sum
    return [dayName(day), dataset, keyId, format, sum.calls, sum.rows, sum.bytes]
  })
  yield { text: ADD_DATASET_USE, rows: answers }
  if (logs.length > 0) yield* db.logStatements(LOG_COLUMNS, logs)
}

/** @param rows the keys, then requests, which may add up to 0 */
function addRequests(table: string, keys: readonly string[], rows: readonly UsageRow[]): UsageStatement {
  const marks = keys.map(() => '?').join(', ')
  return {
    text: `INSERT INTO ${table} (${keys.join(', ')}, requests) VALUES (${marks}, ?)
      ON CONFLICT (${keys.join(', ')}) DO UPDATE SET requests = ${table}.requests + excluded.requests`,
    rows: rows.filter((row) => row.at(-1) !== 0),
  }
}
