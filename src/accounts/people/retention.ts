/** Deletes expired sessions and links, and sign-ins older than the setting. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { inArray, lt } from 'drizzle-orm'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { type AccountsDb, inTransaction, type Transaction } from '../../db/accounts.ts'
import { sessions, signIns, tokens } from '../../db/accounts-schema.ts'

/** Rows per transaction: a few milliseconds, then other requests get a turn. */
const BATCH = 500

/** @param signInRetention seconds */
export async function clearExpired(db: AccountsDb, signInRetention: number, now: Date): Promise<void> {
  const time = formatTimestamp(now)
  await inTransaction(db, async (tx) => {
    await tx.delete(sessions).where(lt(sessions.expiresAt, time))
    await tx.delete(tokens).where(lt(tokens.expiresAt, time))
  })

  const oldest = formatTimestamp(new Date(now.getTime() - signInRetention * 1000))
  while ((await inTransaction(db, (tx) => deleteBatch(tx, oldest))) === BATCH) {
    await nextTurn()
  }
}

async function deleteBatch(tx: Transaction, oldest: string): Promise<number> {
  const old = tx.select({ id: signIns.id }).from(signIns).where(lt(signIns.attemptedAt, oldest)).limit(BATCH)
  const deleted = await tx.delete(signIns).where(inArray(signIns.id, old)).returning({ id: signIns.id })
  return deleted.length
}
