/** Takes away what has had its time: sessions, links, and sign-ins older than the setting. */

import { inArray, lt } from 'drizzle-orm'
import type { AccountsDb } from '../db/accounts.ts'
import { sessions, signIns, tokens } from '../db/accounts-schema.ts'
import { formatTimestamp } from '../text/timestamp.ts'

/** Rows per transaction: a few milliseconds, then everybody else has a turn. */
const BATCH = 500

/** @param signInRetention seconds */
export async function clearExpired(db: AccountsDb, signInRetention: number, now: Date): Promise<void> {
  const time = formatTimestamp(now)
  db.delete(sessions).where(lt(sessions.expiresAt, time)).run()
  db.delete(tokens).where(lt(tokens.expiresAt, time)).run()

  const oldest = formatTimestamp(new Date(now.getTime() - signInRetention * 1000))
  const old = db.select({ id: signIns.id }).from(signIns).where(lt(signIns.attemptedAt, oldest)).limit(BATCH)
  while (db.delete(signIns).where(inArray(signIns.id, old)).run().changes === BATCH) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}
