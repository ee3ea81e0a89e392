/** Queries of the request log and its background upkeep, over a file or the database that several nodes share. */

import { count } from 'drizzle-orm'
import { TaskThread } from '../../base/process/task-thread.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import { erasedKeys, requestLogs } from '../../db/schema/usage-schema.ts'
import type { SharedUsageDb, UsageDb, UsageRow, UsageSteps } from '../../db/usage.ts'
import { dayNumber } from './calendar.ts'
import { readUse, type UseQuery } from './dataset-use.ts'
import { type LogQuery, readLogPage } from './log-record.ts'
import { readLogStatistics } from './log-statistics.ts'
import type { FileLogWork } from './log-worker.ts'
import { separateKey } from './usage-tables.ts'

/** The tasks of `log-worker.ts`, without the path. */
type LogWork = {
  [K in Exclude<keyof FileLogWork, 'close'>]: FileLogWork[K] extends (
    path: string,
    ...input: infer I
  ) => infer R
    ? (...input: I) => R
    : never
}

export interface LogEngine extends LogWork {
  /** Called when a service starts. @returns whether an earlier process left upkeep undone */
  start(): ValueOrPromise<boolean>
  /** Lets a task under way end. Waiting queries are rejected. */
  close(): void
}

/** Time between two rounds of unpacking recorded lines into rows: large rounds cost less. */
const UNPACK_MS = 1000
/** After a round that failed. */
const RETRY_MS = 60_000
const DAY_S = 86_400

export class RequestLogs {
  readonly #engine: LogEngine
  readonly #flush: () => ValueOrPromise<void>
  readonly #failed: (error: unknown) => void
  #serving = false
  #unpacking: ReturnType<typeof setTimeout> | undefined
  #closed = false

  /**
   * @param flush writes what the recorder still holds
   * @param failed gets the errors of background upkeep, which is repeated
   */
  constructor(engine: LogEngine, flush: () => ValueOrPromise<void>, failed: (error: unknown) => void) {
    this.#engine = engine
    this.#flush = flush
    this.#failed = failed
  }

  /** A page of all records so far. @throws Error when the log cannot be read */
  async page(query: LogQuery) {
    await this.settle()
    return this.#engine.page(query)
  }

  /** Statistics over the last `days` UTC days, today included. @throws Error when the log cannot be read */
  async statistics(query: { keyIds: readonly number[]; days: number }, now: Date) {
    await this.settle()
    return this.#engine.statistics({ ...query, since: (dayNumber(now) - query.days + 1) * DAY_S })
  }

  /** The use of datasets, including all answers so far. @throws Error when it cannot be read */
  async use(query: UseQuery) {
    await this.#flush()
    return this.#engine.use(query)
  }

  /** Resolves when everything recorded so far is among the rows of the log. */
  async settle(): Promise<void> {
    await this.#flush()
    await this.#engine.unpack()
  }

  /** Removes records from before a moment, then the oldest beyond a number of rows, and what deleted keys left. */
  async retain(before: Date, rows: number): Promise<void> {
    await this.settle()
    await this.#engine.erase(seconds(new Date()))
    await this.#engine.retain(seconds(before), rows)
  }

  /** From now on upkeep runs in the background; until then the caller waits for it. */
  start(): void {
    this.#serving = true
    const left = this.#engine.start()
    Promise.resolve(left).then((isLeft) => {
      if (isLeft) void this.erase()
    }, this.#failed)
  }

  /** Called after records were written: they become rows within a second. */
  noteWritten(): void {
    if (this.#serving && this.#unpacking === undefined) this.#unpackAfter(UNPACK_MS)
  }

  /** Removes the records of erased keys; in a service, in the background. */
  async erase(): Promise<void> {
    const work = this.#engine.unpack().then(() => this.#engine.erase(seconds(new Date())))
    if (this.#serving) this.#inBackground(work)
    else await work
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#unpacking)
    this.#engine.close()
  }

  #unpackAfter(milliseconds: number): void {
    clearTimeout(this.#unpacking)
    this.#unpacking = setTimeout(() => {
      this.#unpacking = undefined
      this.#inBackground(this.#engine.unpackSome().then((more) => more && this.noteWritten()))
    }, milliseconds)
    this.#unpacking.unref()
  }

  /** A later round repeats work that fails. */
  #inBackground(work: Promise<unknown>): void {
    work.catch((error) => {
      if (this.#closed) return
      this.#failed(error)
      this.#unpackAfter(RETRY_MS)
    })
  }
}

const UNFINISHED = 'SELECT EXISTS (SELECT 1 FROM log_inbox) OR EXISTS (SELECT 1 FROM erased_keys)'

/** The log of `usage.db`, in a thread of its own. @param db the same file */
export function fileLog(path: string, db: UsageDb): LogEngine {
  const thread = new TaskThread<FileLogWork>('accounts/usage/log-worker.ts')
  return {
    page: (query) => thread.ask('page', path, query),
    statistics: (query) => thread.ask('statistics', path, query),
    use: (query) => thread.ask('use', path, query),
    unpack: () => thread.ask('unpack', path),
    unpackSome: () => thread.ask('unpackSome', path),
    erase: (now) => thread.ask('erase', path, now),
    retain: (before, rows) => thread.ask('retain', path, before, rows),
    start() {
      thread.start()
      return withValue(db.ask(UNFINISHED, []), ([found]) => found?.[0] === 1)
    },
    close: () => thread.endBy('close', new Error('the log is closed')),
  }
}

const DELETED_AT_ONCE = 5000

/** The log in PostgreSQL: records become rows at once, in a partition for each month. */
export function sharedLog(db: SharedUsageDb): LogEngine {
  const reading = db.openLogReading()
  const change = (steps: () => UsageSteps) => db.write(steps, { patient: true })
  /** Removes the records of a condition. @returns how many */
  async function remove(condition: string, row: UsageRow): Promise<number> {
    let removed = 0
    const text = `DELETE FROM request_logs WHERE id IN (SELECT id FROM request_logs WHERE ${condition}) RETURNING id`
    await change(function* () {
      removed = (yield { text, rows: [row] }).length
    })
    return removed
  }
  const oldest = 'at < ? ORDER BY at, id LIMIT ?'
  return {
    page: (query) => readLogPage(reading, query),
    statistics: (query) => readLogStatistics(reading, query),
    use: (query) => readUse(reading, query),
    async unpack() {},
    unpackSome: async () => false,
    /** Also removes records that another node wrote after a key's deletion. */
    async erase(now) {
      for (const { keyId } of await db.select().from(erasedKeys)) {
        await change(() => separateKey(keyId))
        while ((await remove('key_id = ? LIMIT ?', [keyId, DELETED_AT_ONCE])) > 0);
      }
      // Deleted keys and lost nodes are remembered for longer than any node may hold calls.
      const rows = [[now - DAY_S]]
      await change(function* () {
        yield { text: 'DELETE FROM erased_keys WHERE erased_at < ?', rows }
        yield { text: 'DELETE FROM usage_writers WHERE at < ?', rows }
      })
    },
    async retain(before, most) {
      await db.makeLogMonths(new Date())
      await db.dropLogMonths(new Date(before * 1000))
      while ((await remove(oldest, [before, DELETED_AT_ONCE])) > 0);
      const [kept] = await db.select({ rows: count() }).from(requestLogs)
      for (let excess = kept!.rows - most, removed = 1; excess > 0 && removed > 0; excess -= removed)
        removed = await remove(oldest, [Number.MAX_SAFE_INTEGER, Math.min(excess, DELETED_AT_ONCE)])
    },
    start: async () => {
      await db.makeLogMonths(new Date())
      return false
    },
    close: () => reading.close(),
  }
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}
