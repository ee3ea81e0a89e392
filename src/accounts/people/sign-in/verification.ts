/** Confirming that an e-mail address belongs to the account's owner. An unconfirmed address restricts nothing. */

import { eq } from 'drizzle-orm'
import { formatTimestamp } from '../../../base/text/timestamp.ts'
import { inTransaction, type Transaction } from '../../../db/accounts.ts'
import { users } from '../../../db/schema/accounts-schema.ts'
import { type Operator, recordEvent } from '../../audit/audit.ts'
import { requireRoom } from '../../limits/limits.ts'
import type { AccountService } from '../account-service.ts'
import { done, requireUser } from '../user.ts'
import type { FoundSession } from './sessions.ts'
import { endTokens, mailLink, requireToken } from './tokens.ts'

/**
 * Redeems the token of a verification mail. The token is the proof; no session is needed.
 * @throws ApiError `token_invalid`
 */
export async function verifyEmail(service: AccountService, { token }: { readonly token: string }, now: Date) {
  await inTransaction(service.db, async (tx) => {
    const { userId } = await requireToken(tx, token, 'verify', now)
    await endTokens(tx, userId, 'verify')
    await markVerified(tx, userId, 'account', now)
  })
  return done('The e-mail address is confirmed.')
}

/**
 * Queues another verification mail. The answer is the same when the address is already confirmed.
 * @throws ApiError `rate_limited`
 */
export async function resendVerification(service: AccountService, { userId }: FoundSession, now: Date) {
  await requireRoom(service.limits, 'verification_mails', userId, 1, now)
  await inTransaction(service.db, async (tx) => {
    const user = await requireUser(tx, userId)
    if (user.emailVerifiedAt !== null) return
    await mailLink(tx, service.linkSecret, user, 'verify', now)
  })
  service.mailer.wake()
  return done(`If the address is not confirmed yet, ${service.mailer.whereabouts}.`)
}

/** Notes that the address is confirmed; a second call keeps the first date. */
export async function markVerified(
  tx: Transaction,
  userId: number,
  actor: 'account' | Operator,
  now: Date,
): Promise<void> {
  if ((await requireUser(tx, userId)).emailVerifiedAt !== null) return
  await tx
    .update(users)
    .set({ emailVerifiedAt: formatTimestamp(now) })
    .where(eq(users.id, userId))
  await recordEvent(tx, { actor, event: 'email_verified', userId }, now)
}
