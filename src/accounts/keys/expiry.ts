/** Reminders of keys that are about to expire: 14 and 3 days before the end, or at once when less time is left. */

import { and, eq, gt, isNotNull, lte } from 'drizzle-orm'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { type AccountsDb, inTransaction, type Transaction } from '../../db/accounts.ts'
import { apiKeys, mailQueue } from '../../db/schema/accounts-schema.ts'
import { writeMoment } from '../mail/compose.ts'
import { findAddressee, queueMail } from '../mail/queue.ts'

/** Days before the end, the last reminder first. */
const REMINDERS = [3, 14] as const
const LONGEST = 14
const DAY_MS = 86_400_000

/** Queues the reminder that a key is due for, unless its account has had it. Without an account nobody is reminded. */
export async function remindOfKey(tx: Transaction, key: typeof apiKeys.$inferSelect, now: Date) {
  const { keyId, label, userId, expiresAt, remindedDays, state } = key
  if (userId === null || expiresAt === null || state !== 'active') return
  const left = Date.parse(expiresAt) - now.getTime()
  const due = REMINDERS.find((days) => left > 0 && left <= days * DAY_MS)
  if (due === undefined || (remindedDays !== null && remindedDays <= due)) return
  const owner = await findAddressee(tx, userId)
  const facts = { key: label, end: writeMoment(expiresAt) }
  if (owner) await queueMail(tx, owner, { kind: 'key_expires', keyId, facts }, now)
  await tx.update(apiKeys).set({ remindedDays: due }).where(eq(apiKeys.keyId, keyId))
}

/** Drops unsent reminders of a key that has another end now or is revoked. */
export async function forgetReminders(tx: Transaction, keyId: number): Promise<void> {
  await tx.delete(mailQueue).where(eq(mailQueue.keyId, keyId))
}

/** Queues all reminders that are due; call `Mailer.wake` after it. */
export function remindOfExpiry(db: AccountsDb, now: Date): Promise<void> {
  const horizon = formatTimestamp(new Date(now.getTime() + LONGEST * DAY_MS))
  const isNear = and(gt(apiKeys.expiresAt, formatTimestamp(now)), lte(apiKeys.expiresAt, horizon))
  const condition = and(isNear, eq(apiKeys.state, 'active'), isNotNull(apiKeys.userId))
  return inTransaction(db, async (tx) => {
    for (const key of await tx.select().from(apiKeys).where(condition)) await remindOfKey(tx, key, now)
  })
}
