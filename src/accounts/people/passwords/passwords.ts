/** Changing a password by knowing it, and setting a new one by a mailed link. */

import { randomInt } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { ApiError } from '../../../base/errors.ts'
import { type DbReading, inTransaction, type Transaction } from '../../../db/accounts.ts'
import { users } from '../../../db/schema/accounts-schema.ts'
import { type AuditEvent, recordEvent } from '../../audit/audit.ts'
import { give, mayDo, networksOf, requireRoom } from '../../limits/limits.ts'
import { queueNotice } from '../../mail/queue.ts'
import type { AccountService } from '../account-service.ts'
import type { Client } from '../client.ts'
import type { EmailAddress } from '../email-address.ts'
import { endSessions, type FoundSession } from '../sign-in/sessions.ts'
import { endTokens, mailLink, requireToken } from '../sign-in/tokens.ts'
import { markVerified } from '../sign-in/verification.ts'
import { done, findUserByEmail, requireUser, type UserRow } from '../user.ts'
import { requireGoodPassword } from './password-policy.ts'

/** A reset starts after a random delay between these, so that its load reveals nothing. */
const SHORTEST_DELAY_MS = 500
const LONGEST_DELAY_MS = 2500

/**
 * Replaces the password and ends all other sessions; this one stays.
 * @throws ApiError `invalid_credentials` (the current password is wrong), `weak_password`, `rate_limited`,
 *   `service_unavailable`
 */
export async function changePassword(
  service: AccountService,
  session: FoundSession,
  { current_password, new_password }: { readonly current_password: string; readonly new_password: string },
  now: Date,
) {
  const { userId, sessionId } = session
  const user = await confirmPassword(service, userId, current_password, 'body.current_password', now)
  await requireRoom(service.limits, 'password_changes', userId, 1, now)
  await requireGoodPassword(service.passwords, new_password, user.email, 'body.new_password')
  const passwordHash = await service.passwords.hash(new_password, 'known')
  await inTransaction(service.db, async (tx) => {
    await refuseChanged(tx, user, 'body.current_password')
    await setPassword(tx, userId, passwordHash, 'password_changed', now)
    await endSessions(tx, userId, sessionId)
  })
  service.mailer.wake()
  return done('The password is changed. All other sessions were signed out.')
}

/**
 * Sends a link that sets a new password. The account is looked up some time after the answer, so neither the answer
 * nor its time nor that of the next request reveals whether it exists. Beyond the hourly limits of the network and
 * the account nothing is sent.
 * @param client that asks
 */
export async function forgotPassword(
  service: AccountService,
  { address }: { readonly address: EmailAddress },
  client: Client,
  now: Date,
) {
  if (await mayDo(service.limits, 'reset_requests', networksOf(client.ip), 1, now)) {
    const delayMs = randomInt(SHORTEST_DELAY_MS, LONGEST_DELAY_MS)
    service.later.add(() => sendReset(service, address.key, now), delayMs)
  }
  return done(`If there is an account with this address, ${service.mailer.whereabouts}.`)
}

/**
 * Redeems the token of a reset mail: sets the password, ends every session, confirms the address (the mail arrived
 * there). API keys stay. A refused password leaves the token as it is.
 * @throws ApiError `token_invalid`, `weak_password`, `rate_limited`, `service_unavailable`
 */
export async function resetPassword(
  service: AccountService,
  { token, new_password }: { readonly token: string; readonly new_password: string },
  now: Date,
) {
  const { userId: holder } = await requireToken(service.db, token, 'reset', now)
  const { id, email } = await requireUser(service.db, holder)
  await requireRoom(service.limits, 'password_changes', id, 1, now)
  await requireGoodPassword(service.passwords, new_password, email, 'body.new_password')
  const passwordHash = await service.passwords.hash(new_password, 'known')
  await inTransaction(service.db, async (tx) => {
    const { userId } = await requireToken(tx, token, 'reset', now)
    await setPassword(tx, userId, passwordHash, 'password_reset', now)
    await endSessions(tx, userId)
    await markVerified(tx, userId, 'account', now)
  })
  service.mailer.wake()
  return done('The new password is set. Sign in with it.')
}

/**
 * Proves that the holder of a session knows the password.
 * @returns the account as it was when the password was compared; call `refuseChanged` in the transaction that follows
 * @throws ApiError `invalid_credentials`, `rate_limited`, `service_unavailable`
 */
export async function confirmPassword(
  service: AccountService,
  userId: number,
  password: string,
  location: string,
  now: Date,
): Promise<UserRow> {
  const { limits, passwords, db } = service
  const user = await requireUser(db, userId)
  await requireRoom(limits, 'confirmations', userId, 1, now)
  const matches = await passwords.matches(password, user.passwordHash, 'known').catch(async (error) => {
    await give(limits, 'confirmations', userId, 1)
    throw error
  })
  if (!matches) throw wrongPassword(location)
  await give(limits, 'confirmations', userId, 1)
  return user
}

/** @throws ApiError `invalid_credentials` when the password was changed while it was being compared */
export async function refuseChanged(tx: DbReading, proven: UserRow, location: string): Promise<void> {
  if ((await requireUser(tx, proven.id)).passwordHash !== proven.passwordHash) throw wrongPassword(location)
}

async function setPassword(
  tx: Transaction,
  userId: number,
  passwordHash: string,
  event: AuditEvent,
  now: Date,
): Promise<void> {
  await tx.update(users).set({ passwordHash }).where(eq(users.id, userId))
  await endTokens(tx, userId, 'reset')
  await recordEvent(tx, { actor: 'account', event, userId }, now)
  await queueNotice(tx, userId, 'password_changed', now)
}

async function sendReset(service: AccountService, emailKey: string, now: Date): Promise<void> {
  const found = await findUserByEmail(service.db, emailKey)
  if (!found || !(await mayDo(service.limits, 'reset_mails', found.id, 1, now))) return
  const queued = await inTransaction(service.db, async (tx) => {
    const user = await findUserByEmail(tx, emailKey)
    if (!user) return false
    await mailLink(tx, service.linkSecret, user, 'reset', now)
    const entry = { actor: 'account', event: 'password_reset_requested', userId: user.id } as const
    await recordEvent(tx, entry, now)
    return true
  })
  if (queued) service.mailer.wake()
}

function wrongPassword(location: string): ApiError {
  const message = 'The current password is wrong.'
  return new ApiError('invalid_credentials', message, [{ location, message }])
}
