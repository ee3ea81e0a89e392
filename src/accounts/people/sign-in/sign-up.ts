/** Signing up: makes an account and signs it in at once; a mailed link confirms the address later. */

import { ApiError } from '../../../base/errors.ts'
import type { Language } from '../../../base/text/language.ts'
import { formatTimestamp } from '../../../base/text/timestamp.ts'
import { type DbReading, inTransaction, type Transaction } from '../../../db/accounts.ts'
import { users } from '../../../db/schema/accounts-schema.ts'
import { recordEvent } from '../../audit/audit.ts'
import { networksOf, requireRoom } from '../../limits/limits.ts'
import type { AccountService } from '../account-service.ts'
import type { Client } from '../client.ts'
import { type EmailAddress, OWNER } from '../email-address.ts'
import { requireGoodPassword } from '../passwords/password-policy.ts'
import { findUserByEmail, type UserRow } from '../user.ts'
import { type OpenedSession, openSession } from './sessions.ts'
import { mailLink } from './tokens.ts'

/** The plan of accounts that register themselves. */
const FIRST_PLAN = 'free'

/**
 * Makes an account and its first session, and queues the mail that confirms the address. A refused password does not
 * count as one of the network's sign-ups.
 * @param context with the language of the browser, used when the request names none
 * @throws ApiError `weak_password`, `email_taken`, `rate_limited`, `service_unavailable`
 */
export async function signUp(
  service: AccountService,
  request: Omit<NewUser, 'passwordHash' | 'language'> & {
    readonly password: string
    readonly language?: Language
  },
  context: Client & { readonly language: Language },
  now: Date,
): Promise<OpenedSession> {
  const networks = networksOf(context.ip)
  const { limits, passwords, reservedEmails } = service
  await requireRoom(limits, 'sign_up', networks, 0, now)
  await requireRoom(limits, 'password_checks', networks, 1, now)
  await requireGoodPassword(passwords, request.password, request.address.email, 'body.password')
  await requireRoom(limits, 'sign_up', networks, 1, now)

  // Of simultaneous sign-ups with one address, only the first gets to the costly hashing.
  const { address, password } = request
  await refuseTaken(service.db, address)
  if (address === OWNER) throw emailTaken(address)
  if (reservedEmails.has(address.key)) throw emailTaken(address)
  reservedEmails.add(address.key)
  const passwordHash = await passwords.hash(password).finally(() => reservedEmails.delete(address.key))
  const opened = await inTransaction(service.db, async (tx) => {
    const { language = context.language } = request
    const user = await insertUser(tx, { ...request, language, passwordHash }, now)
    await mailLink(tx, service.linkSecret, user, 'verify', now)
    await recordEvent(tx, { actor: 'account', event: 'account_created', userId: user.id }, now)
    return openSession(service, tx, user, context, now)
  })
  service.mailer.wake()
  return opened
}

interface NewUser {
  readonly address: EmailAddress
  readonly passwordHash: string | null
  readonly language: Language
  readonly full_name?: string | null | undefined
  readonly organization?: string | null | undefined
}

/** @throws ApiError `email_taken` */
export async function insertUser(tx: Transaction, user: NewUser, now: Date): Promise<UserRow> {
  await refuseTaken(tx, user.address)
  const [row] = await tx
    .insert(users)
    .values({
      email: user.address.email,
      emailKey: user.address.key,
      passwordHash: user.passwordHash,
      fullName: user.full_name ?? null,
      organization: user.organization ?? null,
      language: user.language,
      plan: FIRST_PLAN,
      createdAt: formatTimestamp(now),
    })
    .returning()
  return row!
}

async function refuseTaken(db: DbReading, address: EmailAddress): Promise<void> {
  if (await findUserByEmail(db, address.key)) throw emailTaken(address)
}

function emailTaken({ email }: EmailAddress): ApiError {
  const message = `An account with the address ${email} already exists. Sign in, or ask for a new password.`
  return new ApiError('email_taken', message, [{ location: 'body.email', message }])
}
