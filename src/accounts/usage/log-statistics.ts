/**
 * Statistics of the request log over a window: exact percentiles (nearest rank) by endpoint and overall. Rows are read
 * in slices with a turn of the event loop between, so that a long window does not hold up a short query.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, asc, eq, sql } from 'drizzle-orm'
import { requestLogs } from '../../db/schema/usage-schema.ts'
import type { DbReading } from '../../db/transaction.ts'
import type { CallRecord } from './log-record.ts'

export type LogStatistics = Awaited<ReturnType<typeof readLogStatistics>>

export interface StatisticsQuery {
  readonly keyIds: readonly number[]
  readonly days: number
  /** Seconds since 1970. */
  readonly since: number
}

/** Those with the most requests. An endpoint is a path as requested. */
const MOST_ENDPOINTS = 100
const MOST_IPS = 10
const SLICE = 2000

export async function readLogStatistics(db: DbReading, { keyIds, days, since }: StatisticsQuery) {
  const tally = new LogTally()
  const { id, at, path, status, latency_us, ip } = requestLogs
  for (const keyId of keyIds) {
    for (let last = { at: since - 1, id: Number.MAX_SAFE_INTEGER }; ; ) {
      const rows = await db
        .select({ id, at, path, status, latency_us, ip })
        .from(requestLogs)
        .where(and(eq(requestLogs.key_id, keyId), sql`(${at}, ${id}) > (${last.at}, ${last.id})`))
        .orderBy(asc(at), asc(id))
        .limit(SLICE)
      for (const row of rows) tally.add(row)
      if (rows.length < SLICE) break
      last = rows.at(-1)!
      await nextTurn()
    }
  }
  return { days, ...tally.result() }
}

class LogTally {
  /** Microseconds. */
  readonly #all: number[] = []
  readonly #endpoints = new Map<string, { errors: number; readonly latencies: number[] }>()
  readonly #statuses = new Map<number, number>()
  readonly #ips = new Map<string, number>()

  add({ path, status, latency_us, ip }: Pick<CallRecord, 'path' | 'status' | 'latency_us' | 'ip'>): void {
    const endpoint = this.#endpoints.getOrInsertComputed(path, () => ({ errors: 0, latencies: [] }))
    if (status >= 400) endpoint.errors += 1
    endpoint.latencies.push(latency_us)
    this.#all.push(latency_us)
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
    this.#ips.set(ip, (this.#ips.get(ip) ?? 0) + 1)
  }

  result() {
    const [p50_ms, p95_ms, p99_ms, max_ms] = percentiles(this.#all, [50, 95, 99, 100])
    return {
      endpoints: [...this.#endpoints]
        .sort(([a, { latencies: x }], [b, { latencies: y }]) => y.length - x.length || (a < b ? -1 : 1))
        .slice(0, MOST_ENDPOINTS)
        .map(([endpoint, { errors, latencies }]) => {
          const [p50_ms, p95_ms] = percentiles(latencies, [50, 95])
          return { endpoint, requests: latencies.length, errors, p50_ms: p50_ms!, p95_ms: p95_ms! }
        }),
      statuses: [...this.#statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, requests]) => ({ status, requests })),
      latency: { p50_ms, p95_ms, p99_ms, max_ms },
      top_ips: [...this.#ips]
        .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
        .slice(0, MOST_IPS)
        .map(([ip, requests]) => ({ ip, requests })),
    }
  }
}

/** Nearest-rank percentiles in milliseconds: the least value that this percentage does not exceed; null without any. */
function percentiles<const Percents extends readonly number[]>(microseconds: number[], percents: Percents) {
  const sorted = Uint32Array.from(microseconds).sort()
  const values = percents.map((percent) => sorted[Math.ceil((percent * sorted.length) / 100) - 1])
  return values.map((value) => (value === undefined ? null : value / 1000)) as {
    [At in keyof Percents]: number | null
  }
}
