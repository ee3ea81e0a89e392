/** A new account, signed in at once; its address is confirmed by mail whenever its owner gets to it. */

import { recordEvent } from '../audit/audit.ts'
import type { AccountsDb } from '../db/accounts.ts'
import { users } from '../db/accounts-schema.ts'
import { ApiError } from '../errors.ts'
import type { Language } from '../mail/language.ts'
import { queueMail } from '../mail/queue.ts'
import { formatTimestamp } from '../text/timestamp.ts'
import type { AccountService } from './account-service.ts'
import { type Client, networkOf } from './client.ts'
import type { EmailAddress } from './email-address.ts'
import { refuseWait } from './limits.ts'
import { requireGoodPassword } from './password-policy.ts'
import type { SignUpRequest } from './requests.ts'
import { type OpenedSession, openSession } from './sessions.ts'
import { issueToken } from './tokens.ts'
import { findUserByEmail, type UserRow } from './user.ts'

/** The plan of accounts that register themselves. */
const FIRST_PLAN = 'free'

/** @param language of the browser; the request's own comes first */
export interface SignUpContext extends Client {
  readonly language: Language
}

/**
 * Makes an account and its first session, and queues the mail that confirms the address. A refused password uses
 * nothing of the network's sign-ups.
 * @throws ApiError `weak_password`, `email_taken`, `rate_limited`, `service_unavailable`
 */
export async function signUp(
  service: AccountService,
  request: SignUpRequest,
  context: SignUpContext,
  now: Date,
): Promise<OpenedSession> {
  const network = networkOf(context.ip)
  const { limits } = service
  refuseWait(limits.signUp.wait(network, now) || limits.passwordChecks.take(network, now))
  await requireGoodPassword(request.password, request.address.email, 'body.password')
  refuseWait(limits.signUp.take(network, now))

  const passwordHash = await withReservedEmail(service, request.address, () =>
    service.passwords.hash(request.password),
  )
  const opened = service.db.transaction(
    (tx) => {
      const user = insertUser(
        tx,
        { ...request, language: request.language ?? context.language, passwordHash },
        now,
      )
      const { tokenId } = issueToken(tx, service.linkSecret, user.id, 'verify', now)
      queueMail(tx, { userId: user.id, email: user.email, language: user.language }, 'verify', tokenId, now)
      recordEvent(tx, { actor: 'account', event: 'account_created', userId: user.id }, now)
      return openSession(service, tx, user, context, now)
    },
    { behavior: 'immediate' },
  )
  service.mailer.wake()
  return opened
}

export interface NewUser {
  readonly address: EmailAddress
  readonly passwordHash: string | null
  readonly language: Language
  readonly full_name?: string | null | undefined
  readonly organization?: string | null | undefined
}

/** @throws ApiError `email_taken` */
export function insertUser(tx: Pick<AccountsDb, 'select' | 'insert'>, user: NewUser, now: Date): UserRow {
  refuseTaken(tx, user.address)
  return tx
    .insert(users)
    .values({
      ...{ email: user.address.email, emailKey: user.address.key, passwordHash: user.passwordHash },
      ...{ fullName: user.full_name ?? null, organization: user.organization ?? null },
      ...{ language: user.language, plan: FIRST_PLAN, createdAt: formatTimestamp(now) },
    })
    .returning()
    .get()
}

/** Of many sign-ups with one address at a time only the first gets to the costly hashing. */
async function withReservedEmail<T>(
  { db, reservedEmails }: AccountService,
  address: EmailAddress,
  work: () => Promise<T>,
): Promise<T> {
  refuseTaken(db, address)
  if (reservedEmails.has(address.key)) throw emailTaken(address)
  reservedEmails.add(address.key)
  try {
    return await work()
  } finally {
    reservedEmails.delete(address.key)
  }
}

function refuseTaken(db: Pick<AccountsDb, 'select'>, address: EmailAddress): void {
  if (findUserByEmail(db, address.key)) throw emailTaken(address)
}

function emailTaken({ email }: EmailAddress): ApiError {
  const message = `There is an account with the address ${email} already. Sign in, or ask for a new password.`
  return new ApiError('email_taken', message, [{ location: 'body.email', message }])
}
