/**
 * Browser sessions.
 *
 * Lifetime: 30 days after the last use, but at most 90 days after the sign-in; for an operator on another machine,
 * 12 hours after the last use. Threat: a copy of the database, and a stolen cookie. The token (256 random bits) exists
 * only in the cookie, and its SHA-256 is stored. Every sign-in makes a new one, so none can be planted beforehand. The
 * owner sees all sessions and can end any of them. The CSRF token is an HMAC of the session's hash, so it is not stored
 * and ends with the session.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { and, desc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { generateRandomString } from 'oslo/crypto'
import { BASE62 } from '../../../base/crypto/base62.ts'
import { sha256 } from '../../../base/crypto/sha256.ts'
import { ApiError } from '../../../base/errors.ts'
import { formatTimestamp } from '../../../base/text/timestamp.ts'
import { type DbReading, inTransaction, type Transaction } from '../../../db/accounts.ts'
import { sessions, users } from '../../../db/schema/accounts-schema.ts'
import { recordEvent } from '../../audit/audit.ts'
import type { AccountService } from '../account-service.ts'
import { type Client, shortUserAgent } from '../client.ts'
import { done, toUser, type UserRow } from '../user.ts'

const NO_SUCH_SESSION = 'This account has no such session; GET /account/api/sessions lists its sessions.'

/** Days that a session lasts after its last use. */
export const SESSION_DAYS = 30

/** `token` is the cookie's value, given out once; `body` the answer of sign-up and sign-in. */
export type OpenedSession = Awaited<ReturnType<typeof openSession>>
/** `renewed`: its end was moved, and the cookie should be set again; `body` is the answer to "who am I". */
export type FoundSession = NonNullable<Awaited<ReturnType<typeof findSession>>>
/** A session as lists show it. */
export type SessionRecord = Awaited<ReturnType<typeof listSessions>>[number]

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Hours without a use after which an operator's session ends, except on this machine. */
const OPERATOR_HOURS = 12
/** Days after the sign-in at which a session ends, however it is used. */
const LONGEST_SESSION_DAYS = 90
/** A use is stored at most once a minute: every write to `accounts.db` empties the key caches. */
const RENEW_AFTER_MS = 60_000
/** More open sessions than any person has; beyond it the least recently used one ends. */
const MOST_SESSIONS = 100
const TOKEN_LENGTH = 43
const ID_LENGTH = 22
const TOKEN_SHAPE = new RegExp(`^[0-9A-Za-z]{${TOKEN_LENGTH}}$`)

/** Opens a session with a new token, inside the transaction that proved who it is for. */
export async function openSession(
  service: AccountService,
  tx: Transaction,
  user: UserRow,
  client: Client,
  now: Date,
) {
  const token = generateRandomString(TOKEN_LENGTH, BASE62)
  const tokenHash = Buffer.from(sha256(token))
  const at = formatTimestamp(now)
  const expiresAt = endOf(now, now, idleTime(user, client.isLocal))
  await tx.insert(sessions).values({
    sessionId: generateRandomString(ID_LENGTH, BASE62),
    userId: user.id,
    tokenHash,
    createdAt: at,
    lastSeenAt: at,
    expiresAt,
    ip: client.ip,
    userAgent: shortUserAgent(client),
  })
  const beyond = tx
    .select({ sessionId: sessions.sessionId })
    .from(sessions)
    .where(eq(sessions.userId, user.id))
    .orderBy(desc(sessions.lastSeenAt), desc(sql`rowid`))
    .limit(1000)
    .offset(MOST_SESSIONS)
  await tx.delete(sessions).where(inArray(sessions.sessionId, beyond))
  const body = { user: toUser(user), csrf_token: csrfTokenOf(service, tokenHash), expires_at: expiresAt }
  return { token, body }
}

/**
 * Finds the session of a cookie, and renews it.
 * @param isLocal whether the call comes from this machine
 * @returns undefined when there is none, or it has ended
 */
export async function findSession(
  service: AccountService,
  token: string | null | undefined,
  now: Date,
  isLocal = false,
) {
  if (!token || !TOKEN_SHAPE.test(token)) return undefined
  const tokenHash = Buffer.from(sha256(token))
  const [found] = await service.db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, formatTimestamp(now))))
  if (!found) return undefined

  const { session, user } = found
  const [createdAt, lastSeenAt] = [new Date(session.createdAt), new Date(session.lastSeenAt)]
  const idle = idleTime(user, isLocal)
  // Also of a session that was renewed before there was a last day, or before its account became an operator's.
  if (endOf(createdAt, lastSeenAt, idle) <= formatTimestamp(now)) return undefined
  const renewed = now.getTime() - lastSeenAt.getTime() >= RENEW_AFTER_MS
  const end = endOf(createdAt, now, idle)
  if (renewed)
    await inTransaction(service.db, async (tx) => {
      const change = { lastSeenAt: formatTimestamp(now), expiresAt: end }
      await tx.update(sessions).set(change).where(eq(sessions.sessionId, session.sessionId))
    })
  const expiresAt = renewed ? end : session.expiresAt
  const csrfToken = csrfTokenOf(service, tokenHash)
  return {
    userId: user.id,
    sessionId: session.sessionId,
    csrfToken,
    renewed,
    expiresAt: new Date(expiresAt),
    body: { user: toUser(user), csrf_token: csrfToken, expires_at: expiresAt },
  }
}

/** Whether a header's value is the session's CSRF token; in constant time. */
export function isCsrfToken(session: FoundSession, value: string | null): boolean {
  const [given, expected] = [Buffer.from(value ?? ''), Buffer.from(session.csrfToken)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Ends the session. */
export function signOut({ db }: AccountService, session: FoundSession): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx.delete(sessions).where(eq(sessions.sessionId, session.sessionId))
  })
}

/** The account's open sessions, newest first. */
export async function listSessions({ db }: { readonly db: DbReading }, session: FoundSession, now: Date) {
  const rows = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, session.userId), gt(sessions.expiresAt, formatTimestamp(now))))
    .orderBy(desc(sessions.createdAt), desc(sql`rowid`))
  return rows.map((row) => ({
    session_id: row.sessionId,
    current: row.sessionId === session.sessionId,
    created_at: row.createdAt,
    last_seen_at: row.lastSeenAt,
    ip: row.ip,
    user_agent: row.userAgent,
  }))
}

/**
 * Ends one of the account's sessions, or the current one.
 * @throws ApiError `session_not_found`, also for another account's session
 */
export function revokeSession(
  service: AccountService,
  { userId }: FoundSession,
  sessionId: string,
  now: Date,
): Promise<void> {
  return inTransaction(service.db, async (tx) => {
    const ended = await tx
      .delete(sessions)
      .where(and(eq(sessions.sessionId, sessionId), eq(sessions.userId, userId)))
      .returning({ sessionId: sessions.sessionId })
    if (ended.length === 0) throw new ApiError('session_not_found', NO_SUCH_SESSION)
    await recordEvent(tx, { actor: 'account', event: 'session_revoked', userId }, now)
  })
}

/** Ends all of the account's sessions but this one. */
export async function revokeOtherSessions(service: AccountService, session: FoundSession, now: Date) {
  const { userId } = session
  const ended = await inTransaction(service.db, async (tx) => {
    await recordEvent(tx, { actor: 'account', event: 'sessions_revoked', userId }, now)
    return endSessions(tx, userId, session.sessionId)
  })
  const were = ended === 1 ? 'session was' : 'sessions were'
  return done(`${ended} other ${were} signed out.`)
}

/** Ends an account's sessions. @returns how many */
export async function endSessions(tx: Transaction, userId: number, exceptId?: string): Promise<number> {
  const others = exceptId === undefined ? undefined : ne(sessions.sessionId, exceptId)
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), others))
    .returning({ sessionId: sessions.sessionId })
  return ended.length
}

/** When a session ends by itself. @param idle how long it may go without a use, in ms */
function endOf(createdAt: Date, usedAt: Date, idle: number): string {
  const longest = createdAt.getTime() + LONGEST_SESSION_DAYS * DAY_MS
  return formatTimestamp(new Date(Math.min(usedAt.getTime() + idle, longest)))
}

function idleTime({ role }: Pick<UserRow, 'role'>, isLocal: boolean | undefined): number {
  return role === 'operator' && !isLocal ? OPERATOR_HOURS * HOUR_MS : SESSION_DAYS * DAY_MS
}

function csrfTokenOf(service: AccountService, tokenHash: Uint8Array): string {
  return createHmac('sha256', service.csrfSecret).update(tokenHash).digest('base64url')
}
