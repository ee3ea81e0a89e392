/** The request log in the database that several nodes share: rows at once, in a part for each month. */

import { asc, count, eq, inArray, lt } from 'drizzle-orm'
import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import { usageWriters } from '../../db/nodes-schema.ts'
import type { UsageDb } from '../../db/usage.ts'
import { erasedKeys, requestLogs } from '../../db/usage-schema.ts'
import { dayNumber } from './calendar.ts'
import { type FoundUse, readUse, type UseQuery } from './dataset-use.ts'
import { type LogPage, type LogQuery, readLogPage } from './log-page.ts'
import { type LogStatistics, readLogStatistics } from './log-statistics.ts'
import { separateKeyFromUse } from './shared-use.ts'
import type { RequestLog } from './usage-store.ts'

const DELETED_AT_ONCE = 5000
/** How long a deleted key, and a node that is gone, are remembered: longer than any node may hold calls. */
const REMEMBERED_S = 86_400
const DAY_S = 86_400

export class SharedLog implements RequestLog {
  readonly #db: UsageDb
  readonly #reading: ReturnType<UsageDb['openLogReading']>
  readonly #flush: () => ValueOrPromise<void>
  readonly #failed: (error: unknown) => void

  constructor(db: UsageDb, flush: () => ValueOrPromise<void>, failed: (error: unknown) => void) {
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
    while ((await this.#deleteFirst(Math.floor(before.getTime() / 1000))) > 0);
    const [kept] = await this.#db.select({ rows: count() }).from(requestLogs)
    for (let excess = kept!.rows - rows; excess > 0; ) {
      const deleted = await this.#deleteFirst(Number.MAX_SAFE_INTEGER, Math.min(excess, DELETED_AT_ONCE))
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

  /** Removes the oldest records from before a moment (seconds since 1970). @returns how many */
  async #deleteFirst(before: number, most = DELETED_AT_ONCE): Promise<number> {
    const oldest = await this.#db
      .select({ id: requestLogs.id })
      .from(requestLogs)
      .where(lt(requestLogs.at, before))
      .orderBy(asc(requestLogs.at), asc(requestLogs.id))
      .limit(most)
    return this.#delete(oldest)
  }

  /** Removes what deleted keys left, also what another node brought after their deletion. */
  async #erase(): Promise<void> {
    const gone = await this.#db.select().from(erasedKeys)
    for (const { keyId } of gone) {
      await this.#db.transaction((tx) => separateKeyFromUse(tx, keyId))
      while ((await this.#delete(await this.#someOf(keyId))) > 0);
    }
    const forgotten = Math.floor(Date.now() / 1000) - REMEMBERED_S
    await this.#db.transaction(async (tx) => {
      await tx.delete(erasedKeys).where(lt(erasedKeys.erasedAt, forgotten))
      await tx.delete(usageWriters).where(lt(usageWriters.at, forgotten))
    })
  }

  #someOf(keyId: number): Promise<{ id: number }[]> {
    return this.#db
      .select({ id: requestLogs.id })
      .from(requestLogs)
      .where(eq(requestLogs.keyId, keyId))
      .limit(DELETED_AT_ONCE)
  }

  async #delete(records: readonly { id: number }[]): Promise<number> {
    if (records.length === 0) return 0
    const ids = records.map(({ id }) => id)
    await this.#db.transaction((tx) => tx.delete(requestLogs).where(inArray(requestLogs.id, ids)))
    return ids.length
  }
}
