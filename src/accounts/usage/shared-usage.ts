/**
 * Usage in the database that several nodes share. Each node writes what it gathered in batches; a batch has a number, so
 * that one which was written although nobody could say so counts once.
 */

import { randomUUID } from 'node:crypto'
import { and, asc, between, eq, gte, lt, sql } from 'drizzle-orm'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { usageWriters } from '../../db/nodes-schema.ts'
import { isAmong, type SharedUsageTransaction, type UsageDb, type UsageTransaction } from '../../db/usage.ts'
import {
  dailyTotals,
  dailyUsage,
  datasetUsage,
  erasedKeys,
  keyUse,
  monthlyUsage,
  requestLogs,
} from '../../db/usage-schema.ts'
import { dayName } from './calendar.ts'
import { type FoundUse, readUse, type UseQuery } from './dataset-use.ts'
import { LOG_COLUMNS, LOG_FIELDS, type LogRow } from './log-record.ts'
import type { PendingCalls } from './pending-calls.ts'
import { SharedLog } from './shared-log.ts'
import { addUse, portions, separateKeyFromUse } from './shared-use.ts'
import type { DayRow, RequestLog, UsageBatch, UsageStore } from './usage-store.ts'

const LOGS_AT_ONCE = 250

export class SharedUsage implements UsageStore {
  readonly #db: UsageDb
  readonly #writer = randomUUID()
  /** The number of the batch that is to be written. */
  #batch = 1

  /** @param db closed by its owner */
  constructor(db: UsageDb) {
    this.#db = db
  }

  openLog(flush: () => Promise<void> | void, failed: (error: unknown) => void): RequestLog {
    return new SharedLog(this.#db, flush, failed)
  }

  async write(batch: UsageBatch): Promise<void> {
    await this.#db.transaction(async (tx) => {
      if (await this.#isNew(tx)) await writeBatch(tx, batch)
    })
    this.#batch++
  }

  /** Marks the batch as written, unless it is. */
  async #isNew(tx: UsageTransaction): Promise<boolean> {
    const [row] = await tx
      .insert(usageWriters)
      .values({ writer: this.#writer, batch: this.#batch, at: Math.floor(Date.now() / 1000) })
      .onConflictDoUpdate({
        target: usageWriters.writer,
        set: { batch: sql`excluded.batch`, at: sql`excluded.at` },
        setWhere: lt(usageWriters.batch, this.#batch),
      })
      .returning({ batch: usageWriters.batch })
    return row !== undefined
  }

  async totals(day: string): Promise<{ total: number; today: number }> {
    const total = sql`coalesce(sum(${dailyTotals.requests}), 0)`.mapWith(Number)
    const today =
      sql`coalesce(sum(${dailyTotals.requests}) FILTER (WHERE ${dailyTotals.day} = ${day}), 0)`.mapWith(
        Number,
      )
    const [row] = await this.#db.select({ total, today }).from(dailyTotals)
    return row!
  }

  async lastUsed(keyId: number): Promise<string | null> {
    const [row] = await this.#db.select().from(keyUse).where(eq(keyUse.keyId, keyId))
    return row?.lastUsedAt ?? null
  }

  days(keyIds: readonly number[], from: string): Promise<DayRow[]> {
    const { keyId, day, requests } = dailyUsage
    return this.#db
      .select({ key_id: keyId, day, requests })
      .from(dailyUsage)
      .where(and(isAmong(keyId, keyIds), gte(day, from), sql`${requests} > 0`))
      .orderBy(asc(day), asc(keyId))
  }

  async monthOf(owner: string, month: string): Promise<number> {
    const wanted = and(eq(monthlyUsage.owner, owner), eq(monthlyUsage.month, month))
    const [row] = await this.#db.select().from(monthlyUsage).where(wanted)
    return row?.requests ?? 0
  }

  async accountDays(owner: string, from: string): Promise<[day: string, requests: number][]> {
    const { month } = monthlyUsage
    const wanted = and(eq(monthlyUsage.owner, owner), gte(month, from), sql`length(${month}) = 10`)
    const rows = await this.#db.select().from(monthlyUsage).where(wanted)
    return rows.map(({ month: day, requests }) => [day, requests])
  }

  async keyMonth(keyId: number, month: string): Promise<number> {
    const calls = sql`coalesce(sum(${dailyUsage.requests}), 0)`.mapWith(Number)
    const wanted = and(eq(dailyUsage.keyId, keyId), between(dailyUsage.day, `${month}-01`, `${month}-31`))
    const [row] = await this.#db.select({ calls }).from(dailyUsage).where(wanted)
    return row!.calls
  }

  recordsOf(keyId: number, after: { at: number; id: number }): Promise<LogRow[]> {
    const { at, id } = requestLogs
    return this.#db
      .select(LOG_FIELDS)
      .from(requestLogs)
      .where(and(eq(requestLogs.keyId, keyId), sql`(${at}, ${id}) > (${after.at}, ${after.id})`))
      .orderBy(asc(at), asc(id))
      .limit(LOGS_AT_ONCE)
  }

  use(query: UseQuery): Promise<FoundUse> {
    return readUse(this.#db, query)
  }

  async forgetUseBefore(day: string): Promise<void> {
    await this.#db.transaction((tx) => tx.delete(datasetUsage).where(lt(datasetUsage.day, day)))
  }

  async eraseKey(keyId: number, at: number): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await separateKeyFromUse(tx, keyId)
      await tx.delete(monthlyUsage).where(eq(monthlyUsage.owner, `key:${keyId}`))
      await tx
        .insert(erasedKeys)
        .values({ keyId, erasedAt: at })
        .onConflictDoUpdate({ target: erasedKeys.keyId, set: { erasedAt: at } })
    })
  }

  async eraseOwner(owner: string): Promise<void> {
    await this.#db.transaction((tx) => tx.delete(monthlyUsage).where(eq(monthlyUsage.owner, owner)))
  }

  close(): void {}
}

async function writeBatch(tx: SharedUsageTransaction, { calls, use, logs }: UsageBatch): Promise<void> {
  await writeCalls(tx, calls)
  const used = [...use.sums()].map(({ day, dataset, ...sum }) => ({
    ...sum,
    day: dayName(day),
    datasetId: dataset,
  }))
  for (const rows of portions(
    sorted(used, ({ day, datasetId, keyId, format }) => [day, datasetId, keyId, format]),
  ))
    await addUse(tx, rows)
  for (const lines of portions(logs)) await tx.appendLog(LOG_COLUMNS, lines)
}

async function writeCalls(tx: UsageTransaction, calls: PendingCalls): Promise<void> {
  const requests = (table: typeof dailyUsage | typeof monthlyUsage | typeof dailyTotals) => ({
    requests: sql`${table.requests} + excluded.requests`,
  })
  for (const rows of portions(usedKeys(calls))) {
    const latest = sql`CASE WHEN excluded.last_used_at > ${keyUse.lastUsedAt} THEN excluded.last_used_at ELSE ${keyUse.lastUsedAt} END`
    await tx
      .insert(keyUse)
      .values(rows)
      .onConflictDoUpdate({ target: keyUse.keyId, set: { lastUsedAt: latest } })
  }
  for (const rows of portions(byKeyAndDay(calls))) {
    const target = [dailyUsage.keyId, dailyUsage.day]
    await tx
      .insert(dailyUsage)
      .values(rows)
      .onConflictDoUpdate({ target, set: requests(dailyUsage) })
  }
  for (const rows of portions(byDay(calls))) {
    await tx
      .insert(dailyTotals)
      .values(rows)
      .onConflictDoUpdate({ target: dailyTotals.day, set: requests(dailyTotals) })
  }
  for (const rows of portions(byOwnerAndPeriod(calls))) {
    const target = [monthlyUsage.owner, monthlyUsage.month]
    await tx
      .insert(monthlyUsage)
      .values(rows)
      .onConflictDoUpdate({ target, set: requests(monthlyUsage) })
  }
}

// In the order of their keys: two nodes that write the same rows wait for each other instead of both.

function usedKeys(calls: PendingCalls) {
  const used = [...calls.keys].flatMap(([keyId, { lastUsed }]) =>
    lastUsed === undefined ? [] : [{ keyId, lastUsedAt: formatTimestamp(new Date(lastUsed)) }],
  )
  return sorted(used, ({ keyId }) => [keyId])
}

function byKeyAndDay(calls: PendingCalls) {
  const rows = [...calls.keys].flatMap(([keyId, { calls: days }]) =>
    [...days].map(([day, requests]) => ({ keyId, day: dayName(day), requests })),
  )
  return sorted(rows.filter(counts), ({ keyId, day }) => [keyId, day])
}

function byDay(calls: PendingCalls) {
  const rows = [...calls.perDay()].map(([day, requests]) => ({ day: dayName(day), requests }))
  return sorted(rows.filter(counts), ({ day }) => [day])
}

function byOwnerAndPeriod(calls: PendingCalls) {
  const rows = [...calls.periods].flatMap(([owner, periods]) =>
    [...periods].map(([month, requests]) => ({ owner, month, requests })),
  )
  return sorted(rows.filter(counts), ({ owner, month }) => [owner, month])
}

function counts({ requests }: { readonly requests: number }): boolean {
  return requests !== 0
}

function sorted<T>(rows: readonly T[], key: (row: T) => readonly (number | string)[]): T[] {
  return rows.toSorted((a, b) => {
    const [x, y] = [key(a), key(b)]
    const place = x.findIndex((part, index) => part !== y[index])
    return place === -1 ? 0 : x[place]! < y[place]! ? -1 : 1
  })
}
