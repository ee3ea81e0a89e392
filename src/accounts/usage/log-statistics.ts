/**
 * Statistics of the request log over a window: exact percentiles (nearest rank) by endpoint and in all. Rows are read in
 * slices with a turn of the event loop between, so that a long window does not hold up a short question.
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
  const tally = new Tally()
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

class Tally {
  readonly #all = new Latencies()
  readonly #endpoints = new Map<string, { errors: number; latencies: Latencies }>()
  readonly #statuses = new Map<number, number>()
  readonly #ips = new Map<string, number>()

  add({ path, status, latency_us, ip }: Pick<CallRecord, 'path' | 'status' | 'latency_us' | 'ip'>): void {
    const endpoint = this.#endpoints.get(path) ?? { errors: 0, latencies: new Latencies() }
    this.#endpoints.set(path, endpoint)
    if (status >= 400) endpoint.errors += 1
    endpoint.latencies.add(latency_us)
    this.#all.add(latency_us)
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
    this.#ips.set(ip, (this.#ips.get(ip) ?? 0) + 1)
  }

  result() {
    const all = this.#all.sorted()
    return {
      endpoints: [...this.#endpoints]
        .sort(([a, { latencies: x }], [b, { latencies: y }]) => y.count - x.count || (a < b ? -1 : 1))
        .slice(0, MOST_ENDPOINTS)
        .map(([endpoint, { errors, latencies }]) => {
          const sorted = latencies.sorted()
          const [p50_ms, p95_ms] = [percentile(sorted, 50)!, percentile(sorted, 95)!]
          return { endpoint, requests: latencies.count, errors, p50_ms, p95_ms }
        }),
      statuses: [...this.#statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, requests]) => ({ status, requests })),
      latency: {
        p50_ms: percentile(all, 50),
        p95_ms: percentile(all, 95),
        p99_ms: percentile(all, 99),
        max_ms: percentile(all, 100),
      },
      top_ips: [...this.#ips]
        .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
        .slice(0, MOST_IPS)
        .map(([ip, requests]) => ({ ip, requests })),
    }
  }
}

/** Microseconds, 4 bytes each. */
class Latencies {
  #values = new Uint32Array(4)
  count = 0

  add(microseconds: number): void {
    if (this.count === this.#values.length) {
      const larger = new Uint32Array(2 * this.count)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.count++] = microseconds
  }

  sorted(): Uint32Array {
    return this.#values.subarray(0, this.count).sort()
  }
}

/** The nearest-rank percentile in milliseconds: the least value that `percent` % of all do not exceed. */
function percentile(sortedMicroseconds: Uint32Array, percent: number): number | null {
  const rank = Math.ceil((percent * sortedMicroseconds.length) / 100)
  const value = sortedMicroseconds[rank - 1]
  return value === undefined ? null : value / 1000
}
