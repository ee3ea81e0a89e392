/**
 * Deleting spans two databases: `accounts.db` ends all access in one transaction and leaves a tombstone there,
 * `usage.db` is cleared after it. A process that dies in between is made up for by the next one that starts.
 */

import { asc, eq } from 'drizzle-orm'
import type { AccountsDb } from '../db/accounts.ts'
import { tombstones } from '../db/accounts-schema.ts'
import { formatTimestamp } from '../text/timestamp.ts'

/** What is kept of keys and accounts outside of `accounts.db`. Forgetting twice, or the unknown, must do no harm. */
export interface UsageEraser {
  forget(keyId: number): void
  /** For records kept per account. */
  forgetAccount?(userId: number): void
}

/** Notes, in the transaction that deletes it, that a key or an account still has records elsewhere. */
export function leaveTombstone(
  db: Pick<AccountsDb, 'insert'>,
  kind: 'account' | 'key',
  subjectId: number,
  now: Date,
): void {
  db.insert(tombstones)
    .values({ kind, subjectId, deletedAt: formatTimestamp(now) })
    .run()
}

/** Clears what deleted keys and accounts have left elsewhere. A tombstone goes only after its records are gone. */
export function finishDeletions(db: AccountsDb, usage: UsageEraser): void {
  for (const { id, kind, subjectId } of db.select().from(tombstones).orderBy(asc(tombstones.id)).all()) {
    if (kind === 'key') usage.forget(subjectId)
    else usage.forgetAccount?.(subjectId)
    db.delete(tombstones).where(eq(tombstones.id, id)).run()
  }
}
