/**
 * Deleting spans two databases: `accounts.db` ends all access in one transaction and leaves a tombstone there,
 * and `usage.db` is cleared after it. After a crash in between, the next start finishes the deletion.
 */

import { asc, eq } from 'drizzle-orm'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import { type AccountsDb, inTransaction, type Transaction } from '../../db/accounts.ts'
import { tombstones } from '../../db/schema/accounts-schema.ts'

/** Deletes records of keys and accounts outside `accounts.db`. Deleting twice must do no harm. */
export interface UsageEraser {
  forget(keyId: number): ValueOrPromise<void>
  /** For records kept per account. */
  forgetAccount?(userId: number): ValueOrPromise<void>
}

/** Notes, in the transaction that deletes a key or an account, that it still has records elsewhere. */
export async function leaveTombstone(tx: Transaction, kind: 'account' | 'key', subjectId: number, now: Date) {
  await tx.insert(tombstones).values({ kind, subjectId, deletedAt: formatTimestamp(now) })
}

/** Clears the records that deleted keys and accounts left elsewhere. A tombstone is deleted after its records. */
export async function finishDeletions(db: AccountsDb, usage: UsageEraser): Promise<void> {
  for (const { id, kind, subjectId } of await db.select().from(tombstones).orderBy(asc(tombstones.id))) {
    if (kind === 'key') await usage.forget(subjectId)
    else await usage.forgetAccount?.(subjectId)
    await inTransaction(db, async (tx) => {
      await tx.delete(tombstones).where(eq(tombstones.id, id))
    })
  }
}
