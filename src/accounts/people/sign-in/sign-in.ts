/**
 * Signing in by password, and its history.
 *
 * Threat: guessing passwords, from one address or many, and learning which accounts exist. Every attempt, known
 * account or not, passes the same limits, the same hashing and a write of the same size, and gets the same answer.
 * While other networks attack an account, its owner can still sign in from a network used before.
 */

import { and, desc, eq, gte } from 'drizzle-orm'
import type { ErrorCode } from '../../../base/error-codes.ts'
import { ApiError } from '../../../base/errors.ts'
import { networkOf } from '../../../base/text/ip-address.ts'
import { formatTimestamp } from '../../../base/text/timestamp.ts'
import { type AccountsDb, inTransaction, type Transaction } from '../../../db/accounts.ts'
import { sessions, signIns } from '../../../db/schema/accounts-schema.ts'
import { recordEvent } from '../../audit/audit.ts'
import { give, madeUpCount, mayDo, refusal, requireRoom, take, widerNetworksOf } from '../../limits/limits.ts'
import type { AccountService } from '../account-service.ts'
import { type Client, shortUserAgent } from '../client.ts'
import type { EmailAddress } from '../email-address.ts'
import { findUserByEmail, type UserRow } from '../user.ts'
import { type ProvenCode, proveSecondFactor, spendCode, wrongCode } from './second-factor.ts'
import { type FoundSession, type OpenedSession, openSession } from './sessions.ts'

/** An attempt as the history shows it. */
export type SignIn = Awaited<ReturnType<typeof listSignIns>>[number]

/** For addresses without an account; account numbers begin at 1. */
const NO_ACCOUNT = 0
/** How long people take to look up a code. */
const SECOND_STEP_MS = 600_000

/** What wrong passwords are counted by. */
type Budget = { readonly limit: 'sign_in_failures' | 'unknown_failures'; readonly who: number | string }
type FailureReason = (typeof signIns.reason.enumValues)[number]

/**
 * Opens a new session.
 * @throws ApiError `invalid_credentials`, `second_factor_required`, `rate_limited`, `service_unavailable`
 */
export async function signIn(
  service: AccountService,
  request: { readonly address: EmailAddress; readonly password: string; readonly code?: string },
  client: Client,
  now: Date,
): Promise<OpenedSession> {
  const { db, limits, passwords } = service
  await requireRoom(limits, 'sign_in', networkOf(client.ip), 1, now)
  const user = await findUserByEmail(db, request.address.key)
  const isKnown = await isKnownNetwork(db, user?.id ?? NO_ACCOUNT, networkOf(client.ip))
  // Known networks are exempt: neighbours in the same /48 could otherwise keep people out.
  if (!isKnown) await requireRoom(limits, 'sign_in', widerNetworksOf(client.ip), 1, now)
  // Each network that has signed in to the account has a budget of its own; all others share one. The budget is kept by
  // the account's number, so made-up addresses, however many, cannot make the service forget it.
  const budget: Budget =
    user === undefined
      ? { limit: 'unknown_failures', who: madeUpCount(service.csrfSecret, request.address.key) }
      : { limit: 'sign_in_failures', who: isKnown ? `${user.id} ${networkOf(client.ip)}` : user.id }
  // Counted before the password is compared: a thousand guesses at once are a thousand guesses.
  const { admitted, resetSeconds } = await take(limits, budget.limit, budget.who, 1, now)
  if (!admitted) {
    await noteBlocked(service, user, request.address.key, client, now)
    throw refusal(budget.limit, resetSeconds)
  }

  const matches = await passwords
    .matches(request.password, user?.passwordHash ?? null, isKnown ? 'known' : 'stranger')
    .catch(async (error) => {
      await give(limits, budget.limit, budget.who, 1)
      throw error
    })
  const opened =
    user && matches
      ? await openWithCode(service, user, { code: request.code, budget }, client, now)
      : undefined
  if (!opened) {
    await recordFailure(db, user, client, 'wrong_password', now)
    throw new ApiError('invalid_credentials', 'There is no account with this e-mail address and password.')
  }
  await give(limits, budget.limit, budget.who, 1)
  return opened
}

/** The account's attempts, newest first. */
export function listSignIns({ db }: AccountService, { userId }: FoundSession, limit: number) {
  const { attemptedAt: attempted_at, success, ip, userAgent: user_agent, reason } = signIns
  return db
    .select({ attempted_at, success, ip, user_agent, reason })
    .from(signIns)
    .where(eq(signIns.userId, userId))
    .orderBy(desc(signIns.id))
    .limit(limit)
    .execute()
}

/** The second step, if the account has one; then `openProven`. The password was right: its count is given back. */
async function openWithCode(
  service: AccountService,
  user: UserRow,
  { code, budget }: { code: string | undefined; budget: Budget },
  client: Client,
  now: Date,
): Promise<OpenedSession | undefined> {
  try {
    const proof = await proveSecondFactor(service, user, code, budget.who, now)
    return await openProven(service, user, proof, client, now)
  } catch (error) {
    await give(service.limits, budget.limit, budget.who, 1)
    const reason = error instanceof ApiError ? CODE_FAILURES[error.code] : undefined
    if (reason === 'too_many_failures') await noteBlocked(service, user, user.emailKey, client, now)
    else if (reason) await recordFailure(service.db, user, client, reason, now)
    throw error
  }
}

const CODE_FAILURES: Readonly<Partial<Record<ErrorCode, FailureReason>>> = {
  second_factor_required: 'code_missing',
  invalid_credentials: 'wrong_code',
  rate_limited: 'too_many_failures',
}

/** @returns undefined when the password was changed or the account deleted while the password was being compared */
function openProven(
  service: AccountService,
  proven: UserRow,
  proof: ProvenCode | null,
  client: Client,
  now: Date,
): Promise<OpenedSession | undefined> {
  return inTransaction(service.db, async (tx) => {
    const user = await findUserByEmail(tx, proven.emailKey)
    if (user?.id !== proven.id || user.passwordHash !== proven.passwordHash) return undefined
    if (proof === null ? user.secondFactorSince !== null : !(await spendCode(tx, proven, proof, now)))
      throw wrongCode()
    // The history shows a sign-in in two steps once: its first step, without the code, no longer counts as a failure.
    const recent = formatTimestamp(new Date(now.getTime() - SECOND_STEP_MS))
    const mine = and(eq(signIns.userId, user.id), eq(signIns.ip, client.ip))
    const firstStep = and(eq(signIns.reason, 'code_missing'), gte(signIns.attemptedAt, recent))
    await tx.delete(signIns).where(and(mine, firstStep))
    await insertAttempt(tx, user.id, client, null, now)
    return openSession(service, tx, user, client, now)
  })
}

/** One index lookup, however long the history is; open sessions are few (`sessions.ts`). */
async function isKnownNetwork(db: AccountsDb, userId: number, network: string): Promise<boolean> {
  const signedIn = and(eq(signIns.userId, userId), eq(signIns.success, true), eq(signIns.network, network))
  const [before] = await db.select({ id: signIns.id }).from(signIns).where(signedIn).limit(1)
  const open = await db.select({ ip: sessions.ip }).from(sessions).where(eq(sessions.userId, userId))
  return before !== undefined || open.some(({ ip }) => networkOf(ip) === network)
}

/** One entry a minute at most: an attacker must not make the history grow. */
async function noteBlocked(
  { db, limits, csrfSecret }: AccountService,
  user: UserRow | undefined,
  emailKey: string,
  client: Client,
  now: Date,
): Promise<void> {
  const who = user?.id ?? `made up ${madeUpCount(csrfSecret, emailKey)}`
  if (await mayDo(limits, 'blocked_notes', who, 1, now))
    await recordFailure(db, user, client, 'too_many_failures', now)
}

/** Without an account the row is deleted again before the commit, so that the cost is the same. */
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

/** Notes an attempt in an account's history. @param reason why it failed; null: it succeeded @returns its number */
export async function insertAttempt(
  tx: Transaction,
  userId: number | null,
  client: Client,
  reason: FailureReason | null,
  now: Date,
): Promise<number> {
  const { ip } = client
  const from = { ip, network: networkOf(ip), userAgent: shortUserAgent(client) }
  const [row] = await tx
    .insert(signIns)
    .values({ userId, attemptedAt: formatTimestamp(now), ...from, success: reason === null, reason })
    .returning({ id: signIns.id })
  return row!.id
}
