/**
 * The end of an account. One transaction in `accounts.db` ends all access: keys, sessions, links. What other files hold
 * is cleared after it, at the next start if need be (`keys/tombstones.ts`). Audit rows stay; they know a number only.
 */

import { eq } from 'drizzle-orm'
import { type Actor, recordEvent } from '../audit/audit.ts'
import { type AccountsDb, emptyLog } from '../db/accounts.ts'
import { apiKeys, users } from '../db/accounts-schema.ts'
import { finishDeletions, leaveTombstone } from '../keys/tombstones.ts'
import { queueMail } from '../mail/queue.ts'
import type { AccountService } from './account-service.ts'
import { confirmPassword, refuseChanged } from './passwords.ts'
import type { PasswordRequest } from './requests.ts'
import type { FoundSession } from './sessions.ts'
import { requireUser } from './user.ts'

/**
 * Deletes the account of a session after its password was given again. The notice of it keeps the address until it is
 * sent, a day at most.
 * @throws ApiError `invalid_credentials`, `rate_limited`, `service_unavailable`
 */
export async function deleteAccount(
  service: AccountService,
  { userId }: FoundSession,
  request: PasswordRequest,
  now: Date,
): Promise<void> {
  const { db } = service
  const proven = await confirmPassword(service, userId, request.password, 'body.password', now)
  db.transaction(
    (tx) => {
      refuseChanged(tx, proven, 'body.password')
      endAccount(tx, userId, 'account', now)
    },
    { behavior: 'immediate' },
  )
  service.later.add(() => {
    finishDeletions(db, service.usage)
    emptyLog(db)
  })
  service.mailer.wake()
}

/** Takes the account away with all it could sign in or ask with, inside a transaction. */
export function endAccount(
  tx: Pick<AccountsDb, 'select' | 'insert' | 'delete'>,
  userId: number,
  actor: Actor,
  now: Date,
): void {
  const { email, language } = requireUser(tx, userId)
  const keys = tx.delete(apiKeys).where(eq(apiKeys.userId, userId)).returning({ keyId: apiKeys.keyId }).all()
  tx.delete(users).where(eq(users.id, userId)).run()
  for (const { keyId } of keys) leaveTombstone(tx, 'key', keyId, now)
  leaveTombstone(tx, 'account', userId, now)
  queueMail(tx, { userId: null, email, language }, 'account_deleted', null, now)
  recordEvent(tx, { actor, event: 'account_deleted', userId }, now)
}
