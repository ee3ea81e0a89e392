/**
 * Signing in by password, and its history.
 *
 * Threat: guessing passwords, from one address or many, and learning which accounts exist. Every attempt, known
 * account or not, passes the same limits, the same hashing and a write of the same size, and gets the same answer.
 * Somebody who is attacked from elsewhere can still sign in from where they did before.
 */

import { and, desc, eq } from 'drizzle-orm'
import { recordEvent } from '../audit/audit.ts'
import type { AccountsDb } from '../db/accounts.ts'
import { sessions, signIns } from '../db/accounts-schema.ts'
import { ApiError } from '../errors.ts'
import { formatTimestamp } from '../text/timestamp.ts'
import type { AccountService } from './account-service.ts'
import { type Client, networkOf, shortUserAgent } from './client.ts'
import { refuseWait } from './limits.ts'
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
  refuseWait(limits.signIn.take(networkOf(client.ip), now))
  const user = findUserByEmail(db, request.address.key)
  const budget = failureBudget(db, user, request.address.key, client)
  // Counted before the password is compared: a thousand guesses at once are a thousand guesses.
  const wait = limits.failures.take(budget, now)
  if (wait > 0) noteBlocked(service, user, request.address.key, client, now)
  refuseWait(wait)

  const matches = await passwords.matches(request.password, user?.passwordHash ?? null).catch((error) => {
    limits.failures.giveBack(budget, now)
    throw error
  })
  const opened = user && matches ? openProven(service, user, client, now) : undefined
  if (!opened) {
    recordFailure(db, user, client, 'wrong_password', now)
    throw invalidCredentials()
  }
  limits.failures.giveBack(budget, now)
  return opened
}

/** The account's attempts, newest first. */
export function listSignIns(service: AccountService, { userId }: FoundSession, limit: number): SignIn[] {
  return service.db
    .select(columns)
    .from(signIns)
    .where(eq(signIns.userId, userId))
    .orderBy(desc(signIns.id))
    .limit(limit)
    .all()
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
): OpenedSession | undefined {
  return service.db.transaction(
    (tx) => {
      const user = findUserByEmail(tx, proven.emailKey)
      if (user?.id !== proven.id || user.passwordHash !== proven.passwordHash) return undefined
      insertAttempt(tx, user.id, client, null, now)
      return openSession(service, tx, user, client, now)
    },
    { behavior: 'immediate' },
  )
}

/** Networks that have signed in to the account have a budget of their own; all others share one. */
function failureBudget(db: AccountsDb, user: UserRow | undefined, emailKey: string, client: Client): string {
  const network = networkOf(client.ip)
  return isKnownNetwork(db, user?.id ?? 0, network) ? `${emailKey} ${network}` : emailKey
}

/** One look into an index, however long the history is; open sessions are few (`sessions.ts`). */
function isKnownNetwork(db: AccountsDb, userId: number, network: string): boolean {
  const signedIn = and(eq(signIns.userId, userId), eq(signIns.success, true), eq(signIns.network, network))
  const before = db.select({ id: signIns.id }).from(signIns).where(signedIn).limit(1).get()
  const open = db.select({ ip: sessions.ip }).from(sessions).where(eq(sessions.userId, userId)).all()
  return before !== undefined || open.some(({ ip }) => networkOf(ip) === network)
}

/** One line a minute at most: the history must not grow as fast as somebody can knock. */
function noteBlocked(
  { db, limits }: AccountService,
  user: UserRow | undefined,
  emailKey: string,
  client: Client,
  now: Date,
): void {
  if (limits.blockedNotes.take(emailKey, now) > 0) return
  recordFailure(db, user, client, 'too_many_failures', now)
}

/** For nobody's account the row is taken away again before anybody sees it: it costs the same. */
function recordFailure(
  db: AccountsDb,
  user: UserRow | undefined,
  client: Client,
  reason: FailureReason,
  now: Date,
): void {
  db.transaction(
    (tx) => {
      const stillThere = user !== undefined && findUserByEmail(tx, user.emailKey)?.id === user.id
      const id = insertAttempt(tx, stillThere ? user.id : null, client, reason, now)
      if (!stillThere) tx.delete(signIns).where(eq(signIns.id, id)).run()
      else if (reason === 'too_many_failures') {
        recordEvent(tx, { actor: 'service', event: 'sign_in_blocked', userId: user.id }, now)
      }
    },
    { behavior: 'immediate' },
  )
}

function insertAttempt(
  tx: Pick<AccountsDb, 'insert'>,
  userId: number | null,
  client: Client,
  reason: FailureReason | null,
  now: Date,
): number {
  const attempt = {
    userId,
    attemptedAt: formatTimestamp(now),
    ip: client.ip,
    network: networkOf(client.ip),
    userAgent: shortUserAgent(client),
  }
  const { id } = tx
    .insert(signIns)
    .values({ ...attempt, success: reason === null, reason })
    .returning({ id: signIns.id })
    .get()
  return id
}

function invalidCredentials(): ApiError {
  return new ApiError('invalid_credentials', 'There is no account with this e-mail address and password.')
}
