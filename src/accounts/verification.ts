/** Confirming that an e-mail address is its owner's. An address that is not confirmed limits nothing. */

import { eq } from 'drizzle-orm'
import { recordEvent } from '../audit/audit.ts'
import type { AccountsDb } from '../db/accounts.ts'
import { users } from '../db/accounts-schema.ts'
import { queueMail } from '../mail/queue.ts'
import { formatTimestamp } from '../text/timestamp.ts'
import type { AccountService } from './account-service.ts'
import { refuseWait } from './limits.ts'
import type { TokenRequest } from './requests.ts'
import type { FoundSession } from './sessions.ts'
import { endTokens, issueToken, requireToken } from './tokens.ts'
import { requireUser, type Status } from './user.ts'

/**
 * Redeems the token of a verification mail: it is the proof, no session is needed.
 * @throws ApiError `token_invalid`
 */
export function verifyEmail(service: AccountService, { token }: TokenRequest, now: Date): Status {
  service.db.transaction(
    (tx) => {
      const { userId } = requireToken(tx, token, 'verify', now)
      endTokens(tx, userId, 'verify')
      markVerified(tx, userId, 'account', now)
    },
    { behavior: 'immediate' },
  )
  return { status: 'ok', message: 'The e-mail address is confirmed.' }
}

/**
 * Queues another verification mail. The answer is the same when the address is confirmed already.
 * @throws ApiError `rate_limited`
 */
export function resendVerification(service: AccountService, { userId }: FoundSession, now: Date): Status {
  refuseWait(service.limits.resend.take(String(userId), now))
  service.db.transaction(
    (tx) => {
      const user = requireUser(tx, userId)
      if (user.emailVerifiedAt !== null) return
      const { tokenId } = issueToken(tx, service.linkSecret, userId, 'verify', now)
      queueMail(tx, { userId, email: user.email, language: user.language }, 'verify', tokenId, now)
    },
    { behavior: 'immediate' },
  )
  service.mailer.wake()
  return { status: 'ok', message: 'If the address is not confirmed yet, a mail with a link is on its way.' }
}

/** Notes that the address is confirmed; again, it keeps the first date. */
export function markVerified(
  tx: Pick<AccountsDb, 'select' | 'insert' | 'update'>,
  userId: number,
  actor: 'account' | 'operator',
  now: Date,
): void {
  if (requireUser(tx, userId).emailVerifiedAt !== null) return
  tx.update(users)
    .set({ emailVerifiedAt: formatTimestamp(now) })
    .where(eq(users.id, userId))
    .run()
  recordEvent(tx, { actor, event: 'email_verified', userId }, now)
}
