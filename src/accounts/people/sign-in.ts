/**
 * Signing in by password, and its history.
 *
 * Threat: guessing passwords, from one address or many, and learning which accounts exist. Every attempt, known
 * account or not, passes the same limits, the same hashing and a write of the same size, and gets the same answer.
 * While other networks attack an account, its owner can still sign in from a network used before.
 */

import { and, desc, eq } from 'drizzle-orm'
import { ApiError } from '../../base/errors.ts'
import { networkOf } from '../../base/text/ip-address.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { type AccountsDb, inTransaction, type Transaction } from '../../db/accounts.ts'
import { sessions, signIns } from '../../db/accounts-schema.ts'
import { recordEvent } from '../audit/audit.ts'
import { give, refusal, requireRoom, take } from '../limits/limits.ts'
import type { AccountService } from './account-service.ts'
import { type Client, shortUserAgent } from './client.ts'
import type { SignInRequest } from './requests.ts'
import { type FoundSession, type OpenedSession, openSession } from './sessions.ts'
import { findUserByEmail, type UserRow } from './user.ts'

/** An attempt as the history shows it. */
export interface SignIn {
  readonly attempted_at: string
  readonly success: boolean
  readonly ip: string
  readonly user_agent: string | null
  /** Why it failed. */
  readonly reason: FailureReason | null
}

type FailureReason = (typeof signIns.reason.enumValues)[number]

/**
 * Opens a new session.
 * @throws ApiError `invalid_credentials`, `rate_limited`, `service_unavailable`
 */
export async function signIn(
  service: AccountService,
  request: SignInRequest,
  client: Client,
  now: Date,
): Promise<OpenedSession> {
  const { db, limits, passwords } = service
  await requireRoom(limits, 'sign_in', networkOf(client.ip), 1, now)
  const user = await findUserByEmail(db, request.address.key)
  const budget = await failureBudget(db, user, request.address.key, client)
  // Counted before the password is compared: a thousand guesses at once are a thousand guesses.
  const { admitted, resetSeconds } = await take(limits, 'sign_in_failures', budget, 1, now)
  if (!admitted) {
    await noteBlocked(service, user, request.address.key, client, now)
    throw refusal('sign_in_failures', resetSeconds)
  }

  const matches = await passwords
    .matches(request.password, user?.passwordHash ?? null)
    .catch(async (error) => {
      await give(limits, 'sign_in_failures', budget, 1)
      throw error
    })
  const opened = user && matches ? await openProven(service, user, client, now) : undefined
  if (!opened) {
    await recordFailure(db, user, client, 'wrong_password', now)
    throw invalidCredentials()
  }
  await give(limits, 'sign_in_failures', budget, 1)
  return opened
}

/** The account's attempts, newest first. */
export function listSignIns(
  service: AccountService,
  { userId }: FoundSession,
  limit: number,
): Promise<SignIn[]> {
  return service.db
    .select(columns)
    .from(signIns)
    .where(eq(signIns.userId, userId))
    .orderBy(desc(signIns.id))
    .limit(limit)
    .execute()
}

const columns = {
  attempted_at: signIns.attemptedAt,
  success: signIns.success,
  ip: signIns.ip,
  user_agent: signIns.userAgent,
  reason: signIns.reason,
}

/** Undefined when the password was changed, or the account deleted, while it was being compared. */
function openProven(
  service: AccountService,
  proven: UserRow,
  client: Client,
  now: Date,
): Promise<OpenedSession | undefined> {
  return inTransaction(service.db, async (tx) => {
    const user = await findUserByEmail(tx, proven.emailKey)
    if (user?.id !== proven.id || user.passwordHash !== proven.passwordHash) return undefined
    await insertAttempt(tx, user.id, client, null, now)
    return openSession(service, tx, user, client, now)
  })
}

/** Networks that have signed in to the account have a budget of their own; all others share one. */
async function failureBudget(
  db: AccountsDb,
  user: UserRow | undefined,
  emailKey: string,
  client: Client,
): Promise<string> {
  const network = networkOf(client.ip)
  return (await isKnownNetwork(db, user?.id ?? 0, network)) ? `${emailKey} ${network}` : emailKey
}

/** One lookup in an index, however long the history is; open sessions are few (`sessions.ts`). */
async function isKnownNetwork(db: AccountsDb, userId: number, network: string): Promise<boolean> {
  const signedIn = and(eq(signIns.userId, userId), eq(signIns.success, true), eq(signIns.network, network))
  const [before] = await db.select({ id: signIns.id }).from(signIns).where(signedIn).limit(1)
  const open = await db.select({ ip: sessions.ip }).from(sessions).where(eq(sessions.userId, userId))
  return before !== undefined || open.some(({ ip }) => networkOf(ip) === network)
}

/** One entry a minute at most: an attacker must not make the history grow. */
async function noteBlocked(
  { db, limits }: AccountService,
  user: UserRow | undefined,
  emailKey: string,
  client: Client,
  now: Date,
): Promise<void> {
  const { admitted } = await take(limits, 'blocked_notes', emailKey, 1, now)
  if (!admitted) return
  await recordFailure(db, user, client, 'too_many_failures', now)
}

/** Without an account the row is deleted again before the commit: it costs the same. */
function recordFailure(
  db: AccountsDb,
  user: UserRow | undefined,
  client: Client,
  reason: FailureReason,
  now: Date,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const stillThere = user !== undefined && (await findUserByEmail(tx, user.emailKey))?.id === user.id
    const id = await insertAttempt(tx, stillThere ? user.id : null, client, reason, now)
    if (!stillThere) await tx.delete(signIns).where(eq(signIns.id, id))
    else if (reason === 'too_many_failures') {
      await recordEvent(tx, { actor: 'service', event: 'sign_in_blocked', userId: user.id }, now)
    }
  })
}

async function insertAttempt(
  tx: Transaction,
  userId: number | null,
  client: Client,
  reason: FailureReason | null,
  now: Date,
): Promise<number> {
  const attempt = {
    userId,
    attemptedAt: formatTimestamp(now),
    ip: client.ip,
    network: networkOf(client.ip),
    userAgent: shortUserAgent(client),
  }
  const [row] = await tx
    .insert(signIns)
    .values({ ...attempt, success: reason === null, reason })
    .returning({ id: signIns.id })
  return row!.id
}

function invalidCredentials(): ApiError {
  return new ApiError('invalid_credentials', 'There is no account with this e-mail address and password.')
}
