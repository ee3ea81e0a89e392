/** What the operator does with accounts, from the shell. */

import { and, asc, count, desc, eq } from 'drizzle-orm'
import { recordEvent } from '../audit/audit.ts'
import type { AccountsDb } from '../db/accounts.ts'
import { apiKeys, sessions, signIns, users } from '../db/accounts-schema.ts'
import { readSecret } from '../db/secrets.ts'
import { ApiError, CommandError } from '../errors.ts'
import { requirePlan } from '../keys/plans.ts'
import type { Language } from '../mail/language.ts'
import { LINK_SECRET } from '../mail/mailer.ts'
import { queueMail } from '../mail/queue.ts'
import { endAccount } from './delete-account.ts'
import { type EmailAddress, parseEmail } from './email-address.ts'
import { endSessions } from './sessions.ts'
import { insertUser } from './sign-up.ts'
import { issueToken } from './tokens.ts'
import { findUserByEmail, requireUser, toUser, type User, type UserRow } from './user.ts'
import { markVerified } from './verification.ts'

/** An account with what an operator who is asked about it wants to know. */
export interface AccountDetails extends User {
  readonly active_keys: number
  readonly sessions: number
  readonly last_sign_in_at: string | null
}

/** All accounts, oldest first. */
export function listAccounts(db: AccountsDb): User[] {
  return db.select().from(users).orderBy(asc(users.id)).all().map(toUser)
}

/** The accounts that keys belong to, by the key's number. Keys without an account are not in it. */
export function listKeyOwners(db: AccountsDb): Map<number, Pick<User, 'id' | 'email'>> {
  const rows = db
    .select({ keyId: apiKeys.keyId, id: users.id, email: users.email })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .all()
  return new Map(rows.map(({ keyId, ...owner }) => [keyId, owner]))
}

/** @throws CommandError `failed` when there is no account with this address */
export function requireAccount(db: Pick<AccountsDb, 'select'>, email: string): UserRow {
  const address = parseEmail(email)
  const user = address && findUserByEmail(db, address.key)
  if (!user)
    throw new CommandError(
      'failed',
      `there is no account with the address ${email}; "izvor users list" shows all`,
    )
  return user
}

/** @throws CommandError `failed` when there is no such account */
export function showAccount(db: AccountsDb, email: string): AccountDetails {
  const user = requireAccount(db, email)
  const active = and(eq(apiKeys.userId, user.id), eq(apiKeys.state, 'active'))
  const latest = db
    .select({ at: signIns.attemptedAt })
    .from(signIns)
    .where(and(eq(signIns.userId, user.id), eq(signIns.success, true)))
    .orderBy(desc(signIns.id))
    .limit(1)
    .get()
  return {
    ...toUser(user),
    active_keys: db.select({ n: count() }).from(apiKeys).where(active).get()?.n ?? 0,
    sessions: db.select({ n: count() }).from(sessions).where(eq(sessions.userId, user.id)).get()?.n ?? 0,
    last_sign_in_at: latest?.at ?? null,
  }
}

/**
 * Makes an account without a password. Its owner sets one by a link, which works once, for 24 hours: queued as a mail,
 * or returned as a token to hand on.
 * @throws CommandError `usage` when the text is no address; ApiError `email_taken`
 */
export function createAccount(
  db: AccountsDb,
  request: { email: string; language: Language; mail: boolean },
  now: Date,
): { user: User; token: string } {
  const address = requireAddress(request.email)
  const linkSecret = readSecret(db, LINK_SECRET)
  return db.transaction(
    (tx) => {
      refuseTaken(tx, address)
      const user = insertUser(tx, { address, language: request.language, passwordHash: null }, now)
      const { id: userId, email, language } = user
      const { tokenId, token } = issueToken(tx, linkSecret, userId, 'invitation', now)
      if (request.mail) queueMail(tx, { userId, email, language }, 'invitation', tokenId, now)
      recordEvent(tx, { actor: 'operator', event: 'account_created', userId }, now)
      return { user: toUser(user), token }
    },
    { behavior: 'immediate' },
  )
}

/** Confirms the address in its owner's place. @throws CommandError `failed` when there is no such account */
export function verifyAccount(db: AccountsDb, email: string, now: Date): User {
  return changeAccount(db, email, (tx, userId) => markVerified(tx, userId, 'operator', now))
}

/** Ends all sessions of an account. @throws CommandError `failed` when there is no such account */
export function signOutAccount(db: AccountsDb, email: string, now: Date): User {
  return changeAccount(db, email, (tx, userId) => {
    endSessions(tx, userId)
    recordEvent(tx, { actor: 'operator', event: 'sessions_revoked', userId }, now)
  })
}

/**
 * Puts an account on another plan: its keys follow at once, none is revoked.
 * @throws CommandError `failed` when there is no such account, `usage` when there is no such plan
 */
export function setAccountPlan(db: AccountsDb, email: string, plan: string, now: Date): User {
  return changeAccount(db, email, (tx, userId) => {
    requirePlan(tx, plan)
    tx.update(users).set({ plan }).where(eq(users.id, userId)).run()
    recordEvent(tx, { actor: 'operator', event: 'account_plan_changed', userId, detail: plan }, now)
  })
}

/**
 * Deletes an account as its owner would; `finishDeletions` follows.
 * @throws CommandError `failed` when there is no such account
 */
export function deleteAccountOf(db: AccountsDb, email: string, now: Date): Pick<User, 'id' | 'email'> {
  return db.transaction(
    (tx) => {
      const user = requireAccount(tx, email)
      endAccount(tx, user.id, 'operator', now)
      return { id: user.id, email: user.email }
    },
    { behavior: 'immediate' },
  )
}

type Transaction = Parameters<Parameters<AccountsDb['transaction']>[0]>[0]

function changeAccount(
  db: AccountsDb,
  email: string,
  change: (tx: Transaction, userId: number) => void,
): User {
  return db.transaction(
    (tx) => {
      const { id } = requireAccount(tx, email)
      change(tx, id)
      return toUser(requireUser(tx, id))
    },
    { behavior: 'immediate' },
  )
}

/** As sign-up refuses it, in words for an operator, who cannot sign in with it. */
function refuseTaken(db: Pick<AccountsDb, 'select'>, { key }: EmailAddress): void {
  const taken = findUserByEmail(db, key)
  if (!taken) return
  const { id, email } = taken
  throw new ApiError(
    'email_taken',
    `there is an account with the address ${email} already (id ${id}): izvor users show ${email}`,
  )
}

function requireAddress(email: string): EmailAddress {
  const address = parseEmail(email)
  if (!address) throw new CommandError('usage', `"${email}" is not an e-mail address`)
  return address
}
