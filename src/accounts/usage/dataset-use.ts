/**
 * What is read of each dataset: answers with data, their rows and bytes, as sums of a day by key and format. No addresses.
 * Answers without a key are those of the open pages.
 */

import type Database from 'better-sqlite3'
import { readAtOnce } from '../../db/transaction.ts'

/** An answer with data. */
export interface DatasetAnswer {
  /** Day number. */
  readonly day: number
  readonly dataset: string
  /** null: without a key. */
  readonly keyId: number | null
  /** `json`, `csv` and so on. */
  readonly format: string
  readonly rows: number
  /** Of the body, as sent. */
  readonly bytes: number
}

/** Sums. */
export interface Use {
  readonly calls: number
  readonly rows: number
  readonly bytes: number
}

/** Numbers that no key has. */
export const WITHOUT_KEY = 0
/** The calls of a deleted key stay, and nothing tells whose they were. */
export const DELETED_KEY = -1

interface PendingSum {
  readonly day: number
  readonly dataset: string
  readonly keyId: number
  readonly format: string
  calls: number
  rows: number
  bytes: number
}

/** Answers that are not yet in the database. */
export class PendingUse {
  readonly #sums = new Map<string, PendingSum>()
  /** Most answers are like the one before. */
  #last: PendingSum | undefined

  get isEmpty(): boolean {
    return this.#sums.size === 0
  }

  add({ day, dataset, keyId, format, rows, bytes }: DatasetAnswer): void {
    const sum = this.#sumOf(day, dataset, keyId ?? WITHOUT_KEY, format)
    sum.calls += 1
    sum.rows += rows
    sum.bytes += bytes
  }

  sums(): Iterable<Readonly<PendingSum>> {
    return this.#sums.values()
  }

  /** Takes the key away from what it has asked for. */
  forgetKey(keyId: number): void {
    this.#last = undefined
    for (const [place, { day, dataset, keyId: of, format, calls, rows, bytes }] of [...this.#sums]) {
      if (of !== keyId) continue
      this.#sums.delete(place)
      const sum = this.#sumOf(day, dataset, DELETED_KEY, format)
      sum.calls += calls
      sum.rows += rows
      sum.bytes += bytes
    }
  }

  #sumOf(day: number, dataset: string, keyId: number, format: string): PendingSum {
    const last = this.#last
    if (last?.keyId === keyId && last.dataset === dataset && last.format === format && last.day === day)
      return last
    const place = `${keyId} ${day} ${format} ${dataset}`
    const sum = this.#sums.get(place) ?? { day, dataset, keyId, format, calls: 0, rows: 0, bytes: 0 }
    this.#sums.set(place, sum)
    this.#last = sum
    return sum
  }
}

/** What sums are told apart by. */
export const USE_DIMENSIONS = ['day', 'dataset', 'key', 'format'] as const
export type UseDimension = (typeof USE_DIMENSIONS)[number]

const COLUMNS: Readonly<Record<UseDimension, string>> = {
  day: 'day',
  dataset: 'dataset_id AS dataset',
  key: 'key_id',
  format: 'format',
}

export interface UseQuery {
  /** null: all. */
  readonly datasets: readonly string[] | null
  /** null: all, and answers without a key. */
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

export interface FoundUse {
  readonly sum: Use
  /** Rows in all. */
  readonly total: number
  /** By day, else the most calls first. */
  readonly rows: readonly UseRow[]
}

const SUMS =
  'coalesce(sum(calls), 0) AS calls, coalesce(sum(rows), 0) AS rows, coalesce(sum(bytes), 0) AS bytes'

/** @param database `usage.db` */
export function readUse(database: Database.Database, query: UseQuery): FoundUse {
  const { datasets, keyIds, from, to, by, limit, offset } = query
  const lists = [datasets, keyIds].map((list) => (list === null ? null : JSON.stringify(list)))
  const values = [from, to, ...lists.flatMap((list) => [list, list])]
  const found = `FROM dataset_usage WHERE day BETWEEN ? AND ?
    AND (? IS NULL OR dataset_id IN (SELECT value FROM json_each(?)))
    AND (? IS NULL OR key_id IN (SELECT value FROM json_each(?)))`
  const columns = by.map((dimension) => COLUMNS[dimension])
  const groups = by.map((dimension) => COLUMNS[dimension].split(' ')[0])
  const order = by.includes('day') ? ['day', 'calls DESC'] : ['calls DESC']
  const all = database.prepare<unknown[], Use>(`SELECT ${SUMS} ${found}`)
  const count = database.prepare<unknown[], number>(
    `SELECT count(*) FROM (SELECT 1 ${found} GROUP BY ${groups.join(', ')})`,
  )
  const page = database.prepare<unknown[], UseRow>(
    `SELECT ${columns.join(', ')}, ${SUMS} ${found} GROUP BY ${groups.join(', ')}
     ORDER BY ${[...order, ...groups].join(', ')} LIMIT ? OFFSET ?`,
  )
  return readAtOnce(database, () => ({
    sum: all.get(...values) ?? { calls: 0, rows: 0, bytes: 0 },
    total: count.pluck().get(...values) ?? 0,
    rows: page.all(...values, limit, offset),
  }))
}

/** Answers since the process began, for metrics: by dataset and format, with a key or without. */
export class UseCounters {
  readonly #sums = new Map<
    string,
    { dataset: string; format: string; keyed: boolean } & { -readonly [K in keyof Use]: number }
  >()

  /** @param pending what is being written */
  add(pending: PendingUse): void {
    for (const { dataset, keyId, format, calls, rows, bytes } of pending.sums()) {
      const keyed = keyId !== WITHOUT_KEY
      const place = `${keyed} ${format} ${dataset}`
      const sum = this.#sums.get(place) ?? { dataset, format, keyed, calls: 0, rows: 0, bytes: 0 }
      this.#sums.set(place, sum)
      sum.calls += calls
      sum.rows += rows
      sum.bytes += bytes
    }
  }

  list() {
    return [...this.#sums.values()]
  }
}
