/**
 * Deleting an account. One transaction in `accounts.db` ends all access: keys, sessions, links. Records in other files
 * are cleared after it, at the next start if need be (`keys/tombstones.ts`). Audit rows stay; they hold only a number.
 */

import { and, eq, isNotNull, ne, or } from 'drizzle-orm'
import { ApiError } from '../../base/errors.ts'
import { inTransaction, type Transaction } from '../../db/accounts.ts'
import { apiKeys, users } from '../../db/schema/accounts-schema.ts'
import { type Actor, type Operator, recordEvent } from '../audit/audit.ts'
import { finishDeletions, leaveTombstone } from '../keys/tombstones.ts'
import { queueMail } from '../mail/queue.ts'
import type { AccountService } from './account-service.ts'
import { confirmPassword, refuseChanged } from './passwords/passwords.ts'
import type { FoundSession } from './sign-in/sessions.ts'
import { requireUser, type UserRow } from './user.ts'

/**
 * Deletes the account of a session after its password was given again. The notice keeps the address until it is sent,
 * for a day at most.
 * @throws ApiError `invalid_credentials`, `rate_limited`, `service_unavailable`, `last_operator`
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
    await refuseLastOperator(tx, await requireUser(tx, userId), { operator: userId })
    await endAccount(tx, userId, 'account', now)
  })
  service.later.add(async () => {
    await finishDeletions(db, service.usage)
    await db.emptyLog()
  })
  service.mailer.wake()
}

/**
 * Some operator must be able to sign in: one with a password, or the one acting now. The shell can make another.
 * @throws ApiError `last_operator`
 */
export async function refuseLastOperator(
  tx: Transaction,
  { id, role }: UserRow,
  by: Operator,
): Promise<void> {
  if (role !== 'operator' || by.operator === null) return
  const signsIn = or(isNotNull(users.passwordHash), eq(users.id, by.operator))
  const isOther = and(eq(users.role, 'operator'), ne(users.id, id), signsIn)
  const [other] = await tx.select({ id: users.id }).from(users).where(isOther).limit(1)
  if (other !== undefined) return
  throw new ApiError('last_operator', 'This is the last operator: make another account an operator first.')
}

/** Deletes the account with its keys, sessions and links, inside a transaction. */
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
