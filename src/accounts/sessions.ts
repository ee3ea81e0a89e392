/**
 * Browser sessions.
 *
 * Lifetime: 30 days after they were last used. Threat: a copy of the database, and a stolen cookie. The token (256
 * random bits) exists in the cookie only, its SHA-256 is stored; every sign-in makes a new one, so none can be planted
 * beforehand; the owner sees all sessions and ends any of them. The CSRF token is an HMAC of the session's hash, so it
 * needs no place to be kept and ends with the session.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { and, desc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { generateRandomString } from 'oslo/crypto'
import { recordEvent } from '../audit/audit.ts'
import { BASE62 } from '../crypto/base62.ts'
import { sha256 } from '../crypto/sha256.ts'
import type { AccountsDb } from '../db/accounts.ts'
import { sessions, users } from '../db/accounts-schema.ts'
import { ApiError } from '../errors.ts'
import { formatTimestamp } from '../text/timestamp.ts'
import type { AccountService } from './account-service.ts'
import { type Client, shortUserAgent } from './client.ts'
import { type Status, toUser, type User, type UserRow } from './user.ts'

const NO_SUCH_SESSION =
  'There is no such session of this account; GET /account/api/sessions lists those there are.'

/** Days that a session lasts after its last use. */
export const SESSION_DAYS = 30

/** The answer of sign-up, sign-in and "who am I". */
interface SessionBody {
  readonly user: User
  readonly csrf_token: string
  readonly expires_at: string
}

/** A session as lists show it. */
export interface SessionRecord {
  readonly session_id: string
  readonly current: boolean
  readonly created_at: string
  readonly last_seen_at: string
  readonly ip: string
  readonly user_agent: string | null
}

export interface OpenedSession {
  /** The cookie's value: given out once. */
  readonly token: string
  readonly body: SessionBody
}

export interface FoundSession {
  readonly userId: number
  readonly sessionId: string
  readonly csrfToken: string
  readonly expiresAt: Date
  /** Its end was moved: the cookie should be set again. */
  readonly renewed: boolean
  readonly body: SessionBody
}

const SESSION_MS = SESSION_DAYS * 86_400_000
/** A use is written down once a minute at most: every write to `accounts.db` empties the key caches. */
const RENEW_AFTER_MS = 60_000
/** More open sessions than any person has; beyond it the oldest ends. */
const MOST_SESSIONS = 100
const TOKEN_LENGTH = 43
const ID_LENGTH = 22
const TOKEN_SHAPE = new RegExp(`^[0-9A-Za-z]{${TOKEN_LENGTH}}$`)

type Writing = Pick<AccountsDb, 'select' | 'insert' | 'delete'>

/** Opens a session with a new token, inside the transaction that proved who it is for. */
export function openSession(
  service: AccountService,
  tx: Writing,
  user: UserRow,
  client: Client,
  now: Date,
): OpenedSession {
  const token = generateRandomString(TOKEN_LENGTH, BASE62)
  const tokenHash = Buffer.from(sha256(token))
  const at = formatTimestamp(now)
  const expiresAt = formatTimestamp(new Date(now.getTime() + SESSION_MS))
  tx.insert(sessions)
    .values({
      ...{ sessionId: generateRandomString(ID_LENGTH, BASE62), userId: user.id, tokenHash },
      ...{ createdAt: at, lastSeenAt: at, expiresAt, ip: client.ip, userAgent: shortUserAgent(client) },
    })
    .run()
  endOldest(tx, user.id)
  return { token, body: toBody(user, csrfTokenOf(service, tokenHash), expiresAt) }
}

/**
 * The session of a cookie, renewed by being used.
 * @returns undefined when there is none, or it has ended
 */
export function findSession(
  service: AccountService,
  token: string | null | undefined,
  now: Date,
): FoundSession | undefined {
  if (!token || !TOKEN_SHAPE.test(token)) return undefined
  const tokenHash = Buffer.from(sha256(token))
  const found = service.db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, formatTimestamp(now))))
    .get()
  if (!found) return undefined

  const { session, user } = found
  const renewed = now.getTime() - Date.parse(session.lastSeenAt) >= RENEW_AFTER_MS
  const expiresAt = renewed ? renew(service.db, session.sessionId, now) : session.expiresAt
  const csrfToken = csrfTokenOf(service, tokenHash)
  return {
    ...{ userId: user.id, sessionId: session.sessionId, csrfToken, renewed },
    expiresAt: new Date(expiresAt),
    body: toBody(user, csrfToken, expiresAt),
  }
}

/** Whether a header's value is the session's CSRF token; in constant time. */
export function isCsrfToken(session: FoundSession, value: string | null): boolean {
  const [given, expected] = [Buffer.from(value ?? ''), Buffer.from(session.csrfToken)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Ends the session. */
export function signOut(service: AccountService, session: FoundSession): void {
  service.db.delete(sessions).where(eq(sessions.sessionId, session.sessionId)).run()
}

/** The account's open sessions, newest first. */
export function listSessions(service: AccountService, session: FoundSession, now: Date): SessionRecord[] {
  return readSessions(service.db, session.userId, session.sessionId, now)
}

/** @param currentId which of them is asking */
export function readSessions(
  db: Pick<AccountsDb, 'select'>,
  userId: number,
  currentId: string,
  now: Date,
): SessionRecord[] {
  const rows = db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, formatTimestamp(now))))
    .orderBy(desc(sessions.createdAt), desc(sql`rowid`))
    .all()
  return rows.map((row) => ({
    session_id: row.sessionId,
    current: row.sessionId === currentId,
    created_at: row.createdAt,
    last_seen_at: row.lastSeenAt,
    ip: row.ip,
    user_agent: row.userAgent,
  }))
}

/**
 * Ends one of the account's sessions; the own one, too.
 * @throws ApiError `session_not_found`, also for a session of somebody else
 */
export function revokeSession(
  service: AccountService,
  { userId }: FoundSession,
  sessionId: string,
  now: Date,
): void {
  service.db.transaction(
    (tx) => {
      const { changes } = tx
        .delete(sessions)
        .where(and(eq(sessions.sessionId, sessionId), eq(sessions.userId, userId)))
        .run()
      if (changes === 0) throw new ApiError('session_not_found', NO_SUCH_SESSION)
      recordEvent(tx, { actor: 'account', event: 'session_revoked', userId }, now)
    },
    { behavior: 'immediate' },
  )
}

/** Ends all of the account's sessions but this one. */
export function revokeOtherSessions(service: AccountService, session: FoundSession, now: Date): Status {
  const { userId } = session
  const ended = service.db.transaction(
    (tx) => {
      recordEvent(tx, { actor: 'account', event: 'sessions_revoked', userId }, now)
      return endSessions(tx, userId, session.sessionId)
    },
    { behavior: 'immediate' },
  )
  return {
    status: 'ok',
    message: `${ended} other ${ended === 1 ? 'session was' : 'sessions were'} signed out.`,
  }
}

/** Ends an account's sessions. @returns how many */
export function endSessions(tx: Pick<AccountsDb, 'delete'>, userId: number, exceptId?: string): number {
  const others = exceptId === undefined ? undefined : ne(sessions.sessionId, exceptId)
  return tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), others))
    .run().changes
}

function renew(db: AccountsDb, sessionId: string, now: Date): string {
  const expiresAt = formatTimestamp(new Date(now.getTime() + SESSION_MS))
  db.update(sessions)
    .set({ lastSeenAt: formatTimestamp(now), expiresAt })
    .where(eq(sessions.sessionId, sessionId))
    .run()
  return expiresAt
}

function endOldest(tx: Writing, userId: number): void {
  const beyond = tx
    .select({ sessionId: sessions.sessionId })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.lastSeenAt), desc(sql`rowid`))
    .limit(1000)
    .offset(MOST_SESSIONS)
  tx.delete(sessions).where(inArray(sessions.sessionId, beyond)).run()
}

function csrfTokenOf(service: AccountService, tokenHash: Uint8Array): string {
  return createHmac('sha256', service.csrfSecret).update(tokenHash).digest('base64url')
}

function toBody(user: UserRow, csrf_token: string, expires_at: string): SessionBody {
  return { user: toUser(user), csrf_token, expires_at }
}
