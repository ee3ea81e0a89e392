/**
 * The end of an account. One transaction in `accounts.db` ends all access: keys, sessions, links. What other files hold
 * is cleared after it, at the next start if need be (`keys/tombstones.ts`). Audit rows stay; they know a number only.
 */

import { eq } from 'drizzle-orm'
import { inTransaction, type Transaction } from '../../db/accounts.ts'
import { apiKeys, users } from '../../db/schema/accounts-schema.ts'
import { type Actor, type Operator, recordEvent } from '../audit/audit.ts'
import { finishDeletions, leaveTombstone } from '../keys/tombstones.ts'
import { queueMail } from '../mail/queue.ts'
import type { AccountService } from './account-service.ts'
import { confirmPassword, refuseChanged } from './passwords/passwords.ts'
import type { FoundSession } from './sign-in/sessions.ts'
import { requireUser } from './user.ts'

/**
 * Deletes the account of a session after its password was given again. The notice of it keeps the address until it is
 * sent, a day at most.
 * @throws ApiError `invalid_credentials`, `rate_limited`, `service_unavailable`
 */
export async function deleteAccount(
  service: AccountService,
  { userId }: FoundSession,
  { password }: { readonly password: string },
  now: Date,
): Promise<void> {
  const { db } = service
  const proven = await confirmPassword(service, userId, password, 'body.password', now)
  await inTransaction(db, async (tx) => {
    await refuseChanged(tx, proven, 'body.password')
    await endAccount(tx, userId, 'account', now)
  })
  service.later.add(async () => {
    await finishDeletions(db, service.usage)
    await db.emptyLog()
  })
  service.mailer.wake()
}

/** Takes the account away with all it could sign in or ask with, inside a transaction. */
export async function endAccount(
  tx: Transaction,
  userId: number,
  actor: Actor | Operator,
  now: Date,
): Promise<void> {
  const { email, language } = await requireUser(tx, userId)
  const keys = await tx.delete(apiKeys).where(eq(apiKeys.userId, userId)).returning({ keyId: apiKeys.keyId })
  await tx.delete(users).where(eq(users.id, userId))
  for (const { keyId } of keys) await leaveTombstone(tx, 'key', keyId, now)
  await leaveTombstone(tx, 'account', userId, now)
  await queueMail(tx, { id: null, email, language }, { kind: 'account_deleted' }, now)
  await recordEvent(tx, { actor, event: 'account_deleted', userId }, now)
}
