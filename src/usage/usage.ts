/**
 * Counts calls per key and day, off the response path: `record` only adds to maps in memory, and what gathers within
 * 50 ms goes into one transaction. A killed process loses those 50 ms. A flush that fails (a full disk) keeps its
 * counts and tries again a second later; memory stays bounded, since it is one number per key and day.
 */

import type Database from 'better-sqlite3'
import { migrate } from '../db/migrate.ts'
import { USAGE_MIGRATIONS } from '../db/migrations.ts'
import { openDatabase } from '../db/open.ts'
import { formatDay, formatTimestamp } from '../text/timestamp.ts'

export interface UsageOptions {
  /** Told when a flush fails, once per failed attempt. */
  readonly onError?: (error: unknown) => void
}

const GATHER_MS = 50
const RETRY_MS = 1000
const DAY_MS = 86_400_000

/** What is not yet in the database, by key. */
interface Pending {
  /** Calls by day number since 1970. */
  readonly calls: Map<number, number>
  lastUsed: number
}

export class UsageRecorder {
  readonly #database: Database.Database
  readonly #statements: ReturnType<typeof prepareStatements>
  readonly #write: (pending: ReadonlyMap<number, Pending>) => void
  readonly #onError: (error: unknown) => void
  #pending = new Map<number, Pending>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  /**
   * Normal durability: a power cut may take the last counts, never the file.
   * @param path of `usage.db`; made when missing
   * @throws CommandError `failed` when it cannot be opened or is newer than the program
   */
  static open(path: string, options: UsageOptions = {}): UsageRecorder {
    const database = openDatabase(path, { durability: 'normal' })
    migrate(database, USAGE_MIGRATIONS)
    return new UsageRecorder(database, options)
  }

  private constructor(database: Database.Database, options: UsageOptions) {
    this.#database = database
    this.#statements = prepareStatements(database)
    const write = database.transaction((pending: ReadonlyMap<number, Pending>) => this.#writeAll(pending))
    this.#write = write.immediate
    this.#onError = options.onError ?? (() => {})
  }

  /** Notes one request. `counted`: it uses the quota. Never throws; after `close` it does nothing. */
  record(request: { keyId: number; counted: boolean; at: Date }): void {
    if (this.#closed) return
    const at = request.at.getTime()
    let pending = this.#pending.get(request.keyId)
    if (!pending) {
      pending = { calls: new Map(), lastUsed: at }
      this.#pending.set(request.keyId, pending)
    }
    if (at > pending.lastUsed) pending.lastUsed = at
    if (request.counted) {
      const day = Math.floor(at / DAY_MS)
      pending.calls.set(day, (pending.calls.get(day) ?? 0) + 1)
    }
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS)
  }

  /** Counted calls of all keys, written or not: since the beginning, and on the UTC day of `now`. */
  totals(now: Date): { total: number; today: number } {
    const stored = this.#statements.totals.get(formatDay(now))
    let total = stored?.total ?? 0
    let today = stored?.today ?? 0
    const thisDay = Math.floor(now.getTime() / DAY_MS)
    for (const { calls } of this.#pending.values()) {
      for (const [day, requests] of calls) {
        total += requests
        if (day === thisDay) today += requests
      }
    }
    return { total, today }
  }

  /** RFC 3339 UTC, whole seconds; null when the key was never used. */
  lastUsed(keyId: number): string | null {
    const pending = this.#pending.get(keyId)
    const stored = this.#statements.lastUsed.get(keyId) ?? null
    if (!pending) return stored
    const recent = formatTimestamp(new Date(pending.lastUsed))
    return stored !== null && stored > recent ? stored : recent
  }

  /** Drops what is known of a deleted key. The totals keep its calls. */
  forget(keyId: number): void {
    this.flush()
    this.#pending.delete(keyId)
    this.#statements.forgetDays.run(keyId)
    this.#statements.forgetUse.run(keyId)
  }

  /** Writes what is pending now. Never throws: what cannot be written stays pending and is tried again. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#pending.size === 0) return
    try {
      this.#write(this.#pending)
      this.#pending = new Map()
    } catch (error) {
      this.#timer = setTimeout(() => this.flush(), RETRY_MS)
      this.#onError(error)
    }
  }

  /** Writes what is pending and closes the file. */
  close(): void {
    if (this.#closed) return
    this.flush()
    clearTimeout(this.#timer)
    this.#closed = true
    this.#database.close()
  }

  #writeAll(pending: ReadonlyMap<number, Pending>): void {
    const perDay = new Map<string, number>()
    for (const [keyId, { calls, lastUsed }] of pending) {
      this.#statements.use.run(keyId, formatTimestamp(new Date(lastUsed)))
      for (const [number, requests] of calls) {
        const day = formatDay(new Date(number * DAY_MS))
        this.#statements.addDay.run(keyId, day, requests)
        perDay.set(day, (perDay.get(day) ?? 0) + requests)
      }
    }
    for (const [day, requests] of perDay) this.#statements.addTotal.run(day, requests)
  }
}

function prepareStatements(database: Database.Database) {
  return {
    addDay: database.prepare<[number, string, number]>(`
      INSERT INTO daily_usage (key_id, day, requests) VALUES (?, ?, ?)
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
    totals: database.prepare<[string], { total: number; today: number }>(`
      SELECT coalesce(sum(requests), 0) AS total, coalesce(sum(requests) FILTER (WHERE day = ?), 0) AS today
      FROM daily_totals
    `),
    lastUsed: database.prepare<[number], string>('SELECT last_used_at FROM key_use WHERE key_id = ?').pluck(),
    forgetDays: database.prepare<[number]>('DELETE FROM daily_usage WHERE key_id = ?'),
    forgetUse: database.prepare<[number]>('DELETE FROM key_use WHERE key_id = ?'),
  }
}
