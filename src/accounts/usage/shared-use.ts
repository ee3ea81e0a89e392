/** The use of datasets in the database that several nodes share. */

import { eq, sql } from 'drizzle-orm'
import type { UsageTransaction } from '../../db/usage.ts'
import { dailyUsage, datasetUsage, keyUse } from '../../db/usage-schema.ts'
import { DELETED_KEY } from './dataset-use.ts'

/** Rows of one statement: its parameters stay below the 65,535 that PostgreSQL takes. */
const ROWS_AT_ONCE = 2000

/** Removes the counts of a deleted key; what it read of datasets stays, without it. Again it does nothing. */
export async function separateKeyFromUse(tx: UsageTransaction, keyId: number): Promise<void> {
  const own = await tx.delete(datasetUsage).where(eq(datasetUsage.keyId, keyId)).returning()
  const nobodys = own.map((row) => ({ ...row, keyId: DELETED_KEY }))
  for (const rows of portions(nobodys, ROWS_AT_ONCE)) await addUse(tx, rows)
  await tx.delete(dailyUsage).where(eq(dailyUsage.keyId, keyId))
  await tx.delete(keyUse).where(eq(keyUse.keyId, keyId))
}

type Rows = (typeof datasetUsage.$inferInsert)[]

/** Adds sums to those that are there; no two of the rows belong to the same. */
export async function addUse(tx: UsageTransaction, rows: Rows): Promise<void> {
  const { day, datasetId, keyId, format, calls, rows: read, bytes } = datasetUsage
  await tx
    .insert(datasetUsage)
    .values(rows)
    .onConflictDoUpdate({
      target: [day, datasetId, keyId, format],
      set: {
        calls: sql`${calls} + excluded.calls`,
        rows: sql`${read} + excluded.rows`,
        bytes: sql`${bytes} + excluded.bytes`,
      },
    })
}

/** Parts of a list, for one statement each. */
export function* portions<T>(rows: readonly T[], most = ROWS_AT_ONCE): Generator<T[]> {
  for (let from = 0; from < rows.length; from += most) yield rows.slice(from, from + most)
}
