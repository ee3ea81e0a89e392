/** Everything that is held about an account, as one JSON document in pieces. Secrets are not in it: only hashes are kept. */

import { and, asc, eq, gt } from 'drizzle-orm'
import type { AccountsDb } from '../db/accounts.ts'
import { signIns } from '../db/accounts-schema.ts'
import { listAccountKeys, requireAccountKeys } from '../keys/account-keys.ts'
import type { Key, LastUsed } from '../keys/key-rows.ts'
import { formatTimestamp } from '../text/timestamp.ts'
import type { AccountService } from './account-service.ts'
import { type FoundSession, readSessions } from './sessions.ts'
import { requireUser, toUser } from './user.ts'

/** What `usage.db` knows of the account, oldest first. Read in pages: an open cursor would keep others from writing. */
export interface ExportSources {
  readonly lastUsed: LastUsed
  readonly daily: Iterable<{ readonly date: string; readonly key_id: number; readonly requests: number }>
  readonly logs: Iterable<object>
}

/** Records that are gathered into one piece of text. */
const PIECE = 200

/**
 * The document, to be sent piece by piece. A deletion on the way breaks it: what is left would look whole, and what is
 * deleted is sent no more.
 * @throws ApiError before any piece: `unauthenticated` when the account was deleted, `key_not_found` when a listed key was
 */
export function* exportAccount(
  { db }: AccountService,
  session: FoundSession,
  sources: ExportSources,
  now: Date,
): Generator<string> {
  const { userId } = session
  requireUser(db, userId)
  const keys = listAccountKeys(db, userId, sources.lastUsed)
  for (const piece of documentPieces(db, session, keys, sources, now)) {
    // After it was read and before it is sent: rows that were missing already are noticed too.
    requireUser(db, userId)
    requireAccountKeys(db, userId, keys)
    yield piece
  }
}

function* documentPieces(
  db: AccountsDb,
  { userId, sessionId }: FoundSession,
  keys: readonly Key[],
  sources: ExportSources,
  now: Date,
): Generator<string> {
  const account = toUser(requireUser(db, userId))
  const sessions = readSessions(db, userId, sessionId, now)
  const head = JSON.stringify({ generated_at: formatTimestamp(now), account, sessions })
  yield `${head.slice(0, -1)},"sign_ins":`
  yield* jsonArray(readSignIns(db, userId))
  yield `,"keys":${JSON.stringify(keys)},"usage":{"daily":`
  yield* jsonArray(sources.daily)
  yield '},"logs":'
  yield* jsonArray(sources.logs)
  yield '}'
}

function* jsonArray(records: Iterable<object>): Generator<string> {
  let piece: string[] = []
  let start = '['
  for (const record of records) {
    piece.push(JSON.stringify(record))
    if (piece.length < PIECE) continue
    yield start + piece.join(',')
    piece = []
    start = ','
  }
  yield `${piece.length > 0 || start === '[' ? start : ''}${piece.join(',')}]`
}

function* readSignIns(db: AccountsDb, userId: number): Generator<object> {
  let last = 0
  for (;;) {
    const page = db
      .select()
      .from(signIns)
      .where(and(eq(signIns.userId, userId), gt(signIns.id, last)))
      .orderBy(asc(signIns.id))
      .limit(PIECE)
      .all()
    for (const { attemptedAt: attempted_at, success, ip, userAgent: user_agent, reason } of page) {
      yield { attempted_at, success, ip, user_agent, reason }
    }
    if (page.length < PIECE) return
    last = page.at(-1)!.id
  }
}
