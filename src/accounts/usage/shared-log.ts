/** The request log in the database that several nodes share: rows at once, in a part for each month. */

import { count } from 'drizzle-orm'
import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import { erasedKeys, requestLogs } from '../../db/schema/usage-schema.ts'
import type { SharedUsageDb, UsageReading, UsageRow, UsageSteps } from '../../db/usage.ts'
import { dayNumber } from './calendar.ts'
import { type FoundUse, readUse, type UseQuery } from './dataset-use.ts'
import { type LogPage, type LogQuery, readLogPage } from './log-record.ts'
import { type LogStatistics, readLogStatistics } from './log-statistics.ts'
import type { RequestLog } from './request-logs.ts'
import { separateKey } from './usage-tables.ts'

const DELETED_AT_ONCE = 5000
/** How long a deleted key, and a node that is gone, are remembered: longer than any node may hold calls. */
const REMEMBERED_S = 86_400
const DAY_S = 86_400

export class SharedLog implements RequestLog {
  readonly #db: SharedUsageDb
  readonly #reading: UsageReading & { close(): void }
  readonly #flush: () => ValueOrPromise<void>
  readonly #failed: (error: unknown) => void

  constructor(db: SharedUsageDb, flush: () => ValueOrPromise<void>, failed: (error: unknown) => void) {
    this.#db = db
    this.#reading = db.openLogReading()
    this.#flush = flush
    this.#failed = failed
  }

  async page(query: LogQuery): Promise<LogPage> {
    await this.#flush()
    return readLogPage(this.#reading, query)
  }

  async statistics(query: { keyIds: readonly number[]; days: number }, now: Date): Promise<LogStatistics> {
    await this.#flush()
    const since = (dayNumber(now) - query.days + 1) * DAY_S
    return readLogStatistics(this.#reading, { ...query, since })
  }

  async use(query: UseQuery): Promise<FoundUse> {
    await this.#flush()
    return readUse(this.#reading, query)
  }

  async settle(): Promise<void> {
    await this.#flush()
  }

  async retain(before: Date, rows: number): Promise<void> {
    await this.#flush()
    await this.#db.makeLogMonths(new Date())
    await this.#erase()
    await this.#db.dropLogMonths(before)
    const oldest = 'at < ? ORDER BY at, id LIMIT ?'
    while ((await this.#delete(oldest, [Math.floor(before.getTime() / 1000), DELETED_AT_ONCE])) > 0);
    const [kept] = await this.#db.select({ rows: count() }).from(requestLogs)
    for (let excess = kept!.rows - rows; excess > 0; ) {
      const most = Math.min(excess, DELETED_AT_ONCE)
      const deleted = await this.#delete(oldest, [Number.MAX_SAFE_INTEGER, most])
      if (deleted === 0) break
      excess -= deleted
    }
  }

  start(): void {
    this.#db.makeLogMonths(new Date()).catch(this.#failed)
  }

  noteWritten(): void {}

  eraseSoon(): void {
    this.#erase().catch(this.#failed)
  }

  close(): void {
    this.#reading.close()
  }

  /** Removes what deleted keys left, also what another node brought after their deletion. */
  async #erase(): Promise<void> {
    const gone = await this.#db.select().from(erasedKeys)
    for (const { keyId } of gone) {
      await this.#db.write(() => separateKey(keyId), { patient: true })
      while ((await this.#delete('key_id = ? LIMIT ?', [keyId, DELETED_AT_ONCE])) > 0);
    }
    const forgotten = [[Math.floor(Date.now() / 1000) - REMEMBERED_S]]
    await this.#db.write(
      function* () {
        yield { text: 'DELETE FROM erased_keys WHERE erased_at < ?', rows: forgotten }
        yield { text: 'DELETE FROM usage_writers WHERE at < ?', rows: forgotten }
      },
      { patient: true },
    )
  }

  /** Removes the records of a condition. @returns how many */
  async #delete(condition: string, row: UsageRow): Promise<number> {
    let deleted = 0
    const text = `DELETE FROM request_logs WHERE id IN (SELECT id FROM request_logs WHERE ${condition}) RETURNING id`
    function* steps(): UsageSteps {
      deleted = (yield { text, rows: [row] }).length
    }
    await this.#db.write(steps, { patient: true })
    return deleted
  }
}
