/** What operators do with accounts, in the shell and at their desk. */

import { and, asc, count, desc, eq, sql } from 'drizzle-orm'
import { ApiError, CommandError } from '../../base/errors.ts'
import { paginationOf } from '../../base/pagination.ts'
import type { Language } from '../../base/text/language.ts'
import { type AccountsDb, type DbReading, inTransaction, type Transaction } from '../../db/accounts.ts'
import { apiKeys, sessions, signIns, users } from '../../db/schema/accounts-schema.ts'
import { readSecret } from '../../db/secrets.ts'
import { OPERATOR, type Operator, recordEvent } from '../audit/audit.ts'
import { requirePlan } from '../keys/plans.ts'
import { LINK_SECRET } from '../mail/compose.ts'
import { queueMail } from '../mail/queue.ts'
import { endAccount, refuseLastOperator } from './delete-account.ts'
import { OWNER, parseEmail } from './email-address.ts'
import { dropSecondFactor } from './sign-in/second-factor.ts'
import { endSessions } from './sign-in/sessions.ts'
import { insertUser } from './sign-in/sign-up.ts'
import { issueToken } from './sign-in/tokens.ts'
import { markVerified } from './sign-in/verification.ts'
import { findUserByEmail, requireUser, toUser, type User, type UserRow } from './user.ts'

/** All accounts, oldest first. */
export async function listAccounts(db: DbReading): Promise<User[]> {
  const rows = await db.select().from(users).orderBy(asc(users.id))
  return rows.map(toUser)
}

/** The accounts that keys belong to, by the key's number. Keys without an account are left out. */
export async function listKeyOwners(db: DbReading): Promise<Map<number, Pick<User, 'id' | 'email'>>> {
  const rows = await db
    .select({ keyId: apiKeys.keyId, id: users.id, email: users.email })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
  return new Map(rows.map(({ keyId, ...owner }) => [keyId, owner]))
}

/** A page of the accounts, oldest first. @param q a text that the address contains */
export async function pageAccounts(
  db: DbReading,
  { q, limit, offset }: { readonly q?: string | undefined; readonly limit: number; readonly offset: number },
) {
  // A literal search in both databases: a text that contains `q` changes when `q` is removed.
  const wanted = q ? sql`replace(${users.emailKey}, ${q.toLowerCase()}, '') <> ${users.emailKey}` : undefined
  const [all] = await db.select({ total: count() }).from(users).where(wanted)
  const rows = await db.select().from(users).where(wanted).orderBy(asc(users.id)).limit(limit).offset(offset)
  const pagination = paginationOf({ total: all!.total, count: rows.length, limit, offset })
  return { data: rows.map(toUser), pagination }
}

/**
 * @param who the address of the account, or its number
 * @throws CommandError `failed` when there is no account with this address, ApiError `not_found` with this number
 */
export async function requireAccount(db: DbReading, who: string | number): Promise<UserRow> {
  if (typeof who === 'number') {
    const [found] = await db.select().from(users).where(eq(users.id, who))
    if (found === undefined) throw new ApiError('not_found', `There is no account ${who}.`)
    return found
  }
  const address = parseEmail(who)
  const user = address && (await findUserByEmail(db, address.key))
  if (!user)
    throw new CommandError(
      'failed',
      `there is no account with the address ${who}; "izvor users list" shows all`,
    )
  return user
}

/** An account as `users show` prints it. @throws as `requireAccount` */
export async function showAccount(db: DbReading, who: string | number) {
  const user = await requireAccount(db, who)
  const active = and(eq(apiKeys.userId, user.id), eq(apiKeys.state, 'active'))
  const [latest] = await db
    .select({ at: signIns.attemptedAt })
    .from(signIns)
    .where(and(eq(signIns.userId, user.id), eq(signIns.success, true)))
    .orderBy(desc(signIns.id))
    .limit(1)
  const [keys] = await db.select({ n: count() }).from(apiKeys).where(active)
  const [open] = await db.select({ n: count() }).from(sessions).where(eq(sessions.userId, user.id))
  const last_sign_in_at = latest?.at ?? null
  return { ...toUser(user), active_keys: keys!.n, sessions: open!.n, last_sign_in_at }
}

/**
 * Makes an account without a password. Its owner sets one by a link, which works once, for 24 hours: it is queued as a
 * mail, or its token is returned to hand on.
 * @throws CommandError `usage` when the text is not an address; ApiError `email_taken`
 */
export async function createAccount(
  db: AccountsDb,
  request: { email: string; language: Language; mail: boolean; role?: GivenRole },
  now: Date,
  by = OPERATOR,
): Promise<{ user: User; token: string }> {
  const address = parseEmail(request.email)
  if (!address) throw new CommandError('usage', `"${request.email}" is not an e-mail address`)
  const linkSecret = await readSecret(db, LINK_SECRET)
  return inTransaction(db, async (tx) => {
    // Sign-up refuses it too, but tells people to sign in, which an operator cannot do with this address.
    const taken = await findUserByEmail(tx, address.key)
    if (taken)
      throw new ApiError(
        'email_taken',
        `an account with the address ${taken.email} already exists (id ${taken.id}): izvor users show ${taken.email}`,
      )
    const user = await insertUser(tx, { address, language: request.language, passwordHash: null }, now)
    const { id: userId } = user
    const { tokenId, token } = await issueToken(tx, linkSecret, userId, 'invitation', now)
    if (request.mail) await queueMail(tx, user, { kind: 'invitation', tokenId }, now)
    await recordEvent(tx, { actor: by, event: 'account_created', userId }, now)
    if (request.role) await setRole(tx, userId, request.role, now, by)
    return { user: toUser(await requireUser(tx, userId)), token }
  })
}

/**
 * The account of a person who runs the service on their own desktop: an operator, made at the first call. It has no
 * password until its owner sets one by a link from the operator's desk.
 */
export function requireOwner(db: AccountsDb, language: Language, now: Date): Promise<UserRow> {
  return inTransaction(db, async (tx) => {
    const found = await findUserByEmail(tx, OWNER.key)
    if (found?.role === 'operator') return found
    const owner = found ?? (await insertUser(tx, { address: OWNER, language, passwordHash: null }, now))
    if (!found) await recordEvent(tx, { actor: OPERATOR, event: 'account_created', userId: owner.id }, now)
    await markVerified(tx, owner.id, OPERATOR, now)
    await setRole(tx, owner.id, { role: 'operator', publisher_domains: null }, now, OPERATOR)
    return requireUser(tx, owner.id)
  })
}

/**
 * Makes a link by which the owner of an account sets the first password; it replaces an earlier link.
 * @throws ApiError `invalid_body` for an account that has a password; as `requireAccount`
 */
export async function inviteAgain(db: AccountsDb, who: string | number, now: Date, by: Operator) {
  const linkSecret = await readSecret(db, LINK_SECRET)
  return inTransaction(db, async (tx) => {
    const user = await requireAccount(tx, who)
    if (user.passwordHash !== null) {
      const message = 'This account has a password. Its owner asks for a new one by mail.'
      throw new ApiError('invalid_body', message, [{ location: 'path.account', message }])
    }
    await recordEvent(tx, { actor: by, event: 'account_invited', userId: user.id }, now)
    const { token } = await issueToken(tx, linkSecret, user.id, 'invitation', now)
    return { user: toUser(user), token }
  })
}

/** Confirms the address on its owner's behalf. @throws as `requireAccount` */
export function verifyAccount(db: AccountsDb, who: string | number, now: Date, by = OPERATOR): Promise<User> {
  return changeAccount(db, who, (tx, userId) => markVerified(tx, userId, by, now))
}

/** Ends all sessions of an account. @throws as `requireAccount` */
export function signOutAccount(
  db: AccountsDb,
  who: string | number,
  now: Date,
  by = OPERATOR,
): Promise<User> {
  return changeAccount(db, who, async (tx, userId) => {
    await endSessions(tx, userId)
    await recordEvent(tx, { actor: by, event: 'sessions_revoked', userId }, now)
  })
}

/**
 * Removes the second factor of an account, for an owner who lost the app and the recovery codes, and ends its sessions.
 * @throws as `requireAccount`; CommandError `failed` when it has no second factor
 */
export function resetSecondFactor(
  db: AccountsDb,
  who: string | number,
  now: Date,
  by = OPERATOR,
): Promise<User> {
  return changeAccount(db, who, async (tx, userId) => {
    const { secondFactorSince } = await requireUser(tx, userId)
    if (secondFactorSince === null)
      throw new CommandError('failed', `the account ${who} has no second factor`)
    await dropSecondFactor(tx, userId, by, now)
    await endSessions(tx, userId)
  })
}

/**
 * Puts an account on another plan. Its keys follow at once; none is revoked.
 * @throws as `requireAccount`, `usage` when there is no such plan
 */
export function setAccountPlan(
  db: AccountsDb,
  who: string | number,
  plan: string,
  now: Date,
  by = OPERATOR,
): Promise<User> {
  return changeAccount(db, who, async (tx, userId) => {
    await requirePlan(tx, plan)
    await tx.update(users).set({ plan }).where(eq(users.id, userId))
    await recordEvent(tx, { actor: by, event: 'account_plan_changed', userId, detail: plan }, now)
  })
}

/** A role, with the domains of a publisher: null for all, as it is for operators. */
export type GivenRole = Pick<User, 'role' | 'publisher_domains'>

/**
 * Gives an account a role. Its sessions and keys follow at once.
 * @throws as `requireAccount`
 */
export function setAccountRole(
  db: AccountsDb,
  who: string | number,
  given: GivenRole,
  now: Date,
  by = OPERATOR,
): Promise<User> {
  return changeAccount(db, who, (tx, userId) => setRole(tx, userId, given, now, by))
}

async function setRole(
  tx: Transaction,
  userId: number,
  { role, publisher_domains: publisherDomains }: GivenRole,
  now: Date,
  by: Operator,
): Promise<void> {
  if (role !== 'operator') await refuseLastOperator(tx, await requireUser(tx, userId), by)
  await tx.update(users).set({ role, publisherDomains }).where(eq(users.id, userId))
  const detail = publisherDomains?.length ? `${role} of ${publisherDomains.join(', ')}` : role
  await recordEvent(tx, { actor: by, event: 'account_role_changed', userId, detail }, now)
}

/**
 * Deletes an account as its owner would; call `finishDeletions` after it.
 * @throws as `requireAccount`
 */
export function deleteAccountOf(db: AccountsDb, who: string | number, now: Date, by = OPERATOR) {
  return inTransaction(db, async (tx) => {
    const user = await requireAccount(tx, who)
    await refuseLastOperator(tx, user, by)
    await endAccount(tx, user.id, by, now)
    return { id: user.id, email: user.email }
  })
}

function changeAccount(
  db: AccountsDb,
  who: string | number,
  change: (tx: Transaction, userId: number) => Promise<void>,
): Promise<User> {
  return inTransaction(db, async (tx) => {
    const { id } = await requireAccount(tx, who)
    await change(tx, id)
    return toUser(await requireUser(tx, id))
  })
}
