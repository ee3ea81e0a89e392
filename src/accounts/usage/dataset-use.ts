/**
 * How much each dataset is read: answers with data, their rows and bytes, summed by day, key and format. No addresses.
 * Answers without a key are those of the open pages.
 */

import { type AnyColumn, and, asc, between, count, desc, inArray, sql } from 'drizzle-orm'
import { datasetUsage } from '../../db/schema/usage-schema.ts'
import type { DbReading } from '../../db/transaction.ts'
import { isAmong } from '../../db/usage.ts'

export interface Use {
  readonly calls: number
  readonly rows: number
  /** Of the bodies as sent. */
  readonly bytes: number
}

/** An answer with data. */
export interface DatasetAnswer extends Omit<Use, 'calls'> {
  /** Day number. */
  readonly day: number
  readonly dataset: string
  /** null: without a key. */
  readonly keyId: number | null
  readonly format: string
}

/** Numbers that no key has. */
export const WITHOUT_KEY = 0
/** The calls of a deleted key stay, but no longer say whose they were. */
export const DELETED_KEY = -1

interface PendingSum extends Growing<Use> {
  readonly day: number
  readonly dataset: string
  readonly keyId: number
  readonly format: string
}

type Growing<T> = { -readonly [K in keyof T]: T[K] }

/** Answers that are not yet in the database. */
export class PendingUse {
  readonly #sums = new Map<string, PendingSum>()
  /** Most answers are like the one before. */
  #last: PendingSum | undefined

  get isEmpty(): boolean {
    return this.#sums.size === 0
  }

  add({ day, dataset, keyId, format, rows, bytes }: DatasetAnswer): void {
    increase(this.#sumOf(day, dataset, keyId ?? WITHOUT_KEY, format), 1, rows, bytes)
  }

  sums(): Iterable<Readonly<PendingSum>> {
    return this.#sums.values()
  }

  /** Moves the sums of a key to the deleted keys. */
  forgetKey(keyId: number): void {
    this.#last = undefined
    for (const [place, own] of [...this.#sums]) {
      if (own.keyId !== keyId) continue
      this.#sums.delete(place)
      const { day, dataset, format, calls, rows, bytes } = own
      increase(this.#sumOf(day, dataset, DELETED_KEY, format), calls, rows, bytes)
    }
  }

  #sumOf(day: number, dataset: string, keyId: number, format: string): PendingSum {
    const last = this.#last
    if (last?.keyId === keyId && last.dataset === dataset && last.format === format && last.day === day)
      return last
    const place = `${keyId} ${day} ${format} ${dataset}`
    const nothing = () => ({ day, dataset, keyId, format, calls: 0, rows: 0, bytes: 0 })
    this.#last = this.#sums.getOrInsertComputed(place, nothing)
    return this.#last
  }
}

function increase(sum: Growing<Use>, calls: number, rows: number, bytes: number): void {
  sum.calls += calls
  sum.rows += rows
  sum.bytes += bytes
}

/** What sums can be grouped by. */
export const USE_DIMENSIONS = ['day', 'dataset', 'key', 'format'] as const
export type UseDimension = (typeof USE_DIMENSIONS)[number]

const COLUMNS = {
  day: datasetUsage.day,
  dataset: datasetUsage.datasetId,
  key: datasetUsage.keyId,
  format: datasetUsage.format,
}

export interface UseQuery {
  readonly datasets: readonly string[] | null
  /** null: all keys, and answers without a key. */
  readonly keyIds: readonly number[] | null
  /** Days, both included: `2025-01-31`. */
  readonly from: string
  readonly to: string
  readonly by: readonly UseDimension[]
  readonly limit: number
  readonly offset: number
}

/** The fields of the dimensions that were asked for. */
export interface UseRow extends Use {
  readonly day?: string
  readonly dataset?: string
  readonly key_id?: number
  readonly format?: string
}

export type FoundUse = Awaited<ReturnType<typeof readUse>>

const SUMS = {
  calls: sumOf(datasetUsage.calls),
  rows: sumOf(datasetUsage.rows),
  bytes: sumOf(datasetUsage.bytes),
}

/**
 * The sum, the number of rows in all, and the rows of a page: by day, else the most calls first. These are three
 * queries: answers recorded between them appear only in the later ones.
 */
export async function readUse(db: DbReading, query: UseQuery) {
  const { datasets, keyIds, from, to, by, limit, offset } = query
  const wanted = and(
    between(datasetUsage.day, from, to),
    datasets === null ? undefined : inArray(datasetUsage.datasetId, [...datasets]),
    keyIds === null ? undefined : isAmong(datasetUsage.keyId, keyIds),
  )
  const groups = by.map((dimension) => COLUMNS[dimension])
  const order = [...(by.includes('day') ? [asc(datasetUsage.day)] : []), desc(SUMS.calls), ...groups]
  const found = db
    .select({ one: sql`1`.as('one') })
    .from(datasetUsage)
    .where(wanted)
  const [sum] = await db.select(SUMS).from(datasetUsage).where(wanted)
  const [counted] = await db.select({ total: count() }).from(found.groupBy(...groups).as('found'))
  const fields = Object.fromEntries(
    by.map((dimension) => [dimension === 'key' ? 'key_id' : dimension, COLUMNS[dimension]]),
  )
  const rows: readonly UseRow[] = await db
    .select({ ...fields, ...SUMS })
    .from(datasetUsage)
    .where(wanted)
    .groupBy(...groups)
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
  return { sum: sum!, total: counted!.total, rows }
}

function sumOf(column: AnyColumn) {
  return sql`coalesce(sum(${column}), 0)`.mapWith(Number)
}

/** Answers since the process began, for metrics, by dataset, format, and whether there was a key. */
export class UseCounters {
  readonly #sums = new Map<string, Growing<Use> & { dataset: string; format: string; keyed: boolean }>()

  /** @param pending the answers just written */
  add(pending: PendingUse): void {
    for (const { dataset, keyId, format, calls, rows, bytes } of pending.sums()) {
      const keyed = keyId !== WITHOUT_KEY
      const nothing = () => ({ dataset, format, keyed, calls: 0, rows: 0, bytes: 0 })
      const sum = this.#sums.getOrInsertComputed(`${keyed} ${format} ${dataset}`, nothing)
      increase(sum, calls, rows, bytes)
    }
  }

  list() {
    return [...this.#sums.values()]
  }
}
