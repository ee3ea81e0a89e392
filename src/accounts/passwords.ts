/** Changing a password by knowing it, and setting a new one by a mailed link. */

import { randomInt } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { type AuditEvent, recordEvent } from '../audit/audit.ts'
import type { AccountsDb } from '../db/accounts.ts'
import { users } from '../db/accounts-schema.ts'
import { ApiError } from '../errors.ts'
import { queueMail, queueNotice } from '../mail/queue.ts'
import type { AccountService } from './account-service.ts'
import { type Client, networkOf } from './client.ts'
import { refuseWait } from './limits.ts'
import { requireGoodPassword } from './password-policy.ts'
import type { EmailRequest, PasswordChangeRequest, ResetRequest } from './requests.ts'
import { endSessions, type FoundSession } from './sessions.ts'
import { endTokens, issueToken, requireToken } from './tokens.ts'
import { findUserByEmail, requireUser, type Status, type UserRow } from './user.ts'
import { markVerified } from './verification.ts'

/** A reset is worked on at some moment between, when its load on the process is one of many. */
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
  request: PasswordChangeRequest,
  now: Date,
): Promise<Status> {
  const { userId, sessionId } = session
  const user = await confirmPassword(service, userId, request.current_password, 'body.current_password', now)
  refuseWait(service.limits.passwordChecks.take(`account ${userId}`, now))
  await requireGoodPassword(request.new_password, user.email, 'body.new_password')
  const passwordHash = await service.passwords.hash(request.new_password)
  service.db.transaction(
    (tx) => {
      refuseChanged(tx, user, 'body.current_password')
      setPassword(tx, userId, passwordHash, 'password_changed', now)
      endSessions(tx, userId, sessionId)
    },
    { behavior: 'immediate' },
  )
  service.mailer.wake()
  return { status: 'ok', message: 'The password is changed. All other sessions were signed out.' }
}

/**
 * Has a link sent with which a new password can be set. Whether there is such an account decides itself some time
 * after the answer, so neither the answer nor its time nor that of the next request says so; beyond the hourly limits
 * of the network and the account nothing is sent.
 * @param client who asks
 */
export function forgotPassword(
  service: AccountService,
  { address }: EmailRequest,
  client: Client,
  now: Date,
): Status {
  const source = networkOf(client.ip)
  if (service.limits.forgotAsked.take(source, now) === 0) {
    const delayMs = randomInt(SHORTEST_DELAY_MS, LONGEST_DELAY_MS)
    service.later.add(() => sendReset(service, address.key, now), { delayMs, source })
  }
  return {
    status: 'ok',
    message: 'If there is an account with this address, a mail with a link is on its way.',
  }
}

/**
 * Redeems the token of a reset mail: sets the password, ends every session, confirms the address (the mail arrived
 * there). API keys stay. A refused password leaves the token as it is.
 * @throws ApiError `token_invalid`, `weak_password`, `rate_limited`, `service_unavailable`
 */
export async function resetPassword(
  service: AccountService,
  request: ResetRequest,
  now: Date,
): Promise<Status> {
  const { token, new_password } = request
  const { id, email } = requireUser(service.db, requireToken(service.db, token, 'reset', now).userId)
  refuseWait(service.limits.passwordChecks.take(`account ${id}`, now))
  await requireGoodPassword(new_password, email, 'body.new_password')
  const passwordHash = await service.passwords.hash(new_password)
  service.db.transaction(
    (tx) => {
      const { userId } = requireToken(tx, token, 'reset', now)
      setPassword(tx, userId, passwordHash, 'password_reset', now)
      endSessions(tx, userId)
      markVerified(tx, userId, 'account', now)
    },
    { behavior: 'immediate' },
  )
  service.mailer.wake()
  return { status: 'ok', message: 'The new password is set. Sign in with it.' }
}

/**
 * Proves that somebody signed in knows the password.
 * @returns the account as it was when the password was compared; `refuseChanged` belongs into the transaction after it
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
  const user = requireUser(db, userId)
  refuseWait(limits.confirmations.take(String(userId), now))
  const giveBack = () => limits.confirmations.giveBack(String(userId), now)
  const matches = await passwords.matches(password, user.passwordHash).catch((error) => {
    giveBack()
    throw error
  })
  if (!matches) throw wrongPassword(location)
  giveBack()
  return user
}

/** @throws ApiError `invalid_credentials` when the password was changed while it was being compared */
export function refuseChanged(tx: Pick<AccountsDb, 'select'>, proven: UserRow, location: string): void {
  if (requireUser(tx, proven.id).passwordHash !== proven.passwordHash) throw wrongPassword(location)
}

function setPassword(
  tx: Pick<AccountsDb, 'select' | 'insert' | 'update' | 'delete'>,
  userId: number,
  passwordHash: string,
  event: AuditEvent,
  now: Date,
): void {
  tx.update(users).set({ passwordHash }).where(eq(users.id, userId)).run()
  endTokens(tx, userId, 'reset')
  recordEvent(tx, { actor: 'account', event, userId }, now)
  queueNotice(tx, userId, 'password_changed', now)
}

function sendReset(service: AccountService, emailKey: string, now: Date): void {
  const queued = service.db.transaction(
    (tx) => {
      const user = findUserByEmail(tx, emailKey)
      if (!user || service.limits.forgot.take(String(user.id), now) > 0) return false
      const { id: userId, email, language } = user
      const { tokenId } = issueToken(tx, service.linkSecret, userId, 'reset', now)
      queueMail(tx, { userId, email, language }, 'reset', tokenId, now)
      recordEvent(tx, { actor: 'account', event: 'password_reset_requested', userId }, now)
      return true
    },
    { behavior: 'immediate' },
  )
  if (queued) service.mailer.wake()
}

function wrongPassword(location: string): ApiError {
  const message = 'The current password is not right.'
  return new ApiError('invalid_credentials', message, [{ location, message }])
}
