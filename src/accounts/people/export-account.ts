/** All data of an account, as one JSON document in pieces, without secrets: only hashes of them are stored. */

import { and, asc, eq, gt } from 'drizzle-orm'
import { ApiError } from '../../base/errors.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import type { DbReading } from '../../db/accounts.ts'
import { apiKeys, signIns } from '../../db/schema/accounts-schema.ts'
import type { LastUsed } from '../keys/key-rows.ts'
import { listKeys } from '../keys/keys.ts'
import type { AccountService } from './account-service.ts'
import { type FoundSession, listSessions } from './sign-in/sessions.ts'
import { requireUser, toUser } from './user.ts'

/** Records in one piece of text. */
const PIECE = 200

/**
 * The document, piece by piece, with the account's records in `usage.db`, oldest first. A deletion meanwhile breaks it
 * off: the rest would look complete, and deleted data must not be sent.
 * @throws ApiError before any piece: `unauthenticated` if the account, `key_not_found` if a listed key was deleted
 */
export async function* exportAccount(
  { db }: AccountService,
  session: FoundSession,
  sources: {
    readonly lastUsed: LastUsed
    readonly daily: Iterable<object>
    readonly logs: Iterable<object> | AsyncIterable<object>
  },
  now: Date,
): AsyncGenerator<string> {
  const { userId } = session
  await requireUser(db, userId)
  const keys = await listKeys(db, userId, sources.lastUsed)
  async function* pieces(): AsyncGenerator<string> {
    const account = toUser(await requireUser(db, userId))
    const sessions = await listSessions({ db }, session, now)
    const head = JSON.stringify({ generated_at: formatTimestamp(now), account, sessions })
    yield `${head.slice(0, -1)},"sign_ins":`
    yield* jsonArray(readSignIns(db, userId))
    yield `,"keys":${JSON.stringify(keys)},"usage":{"daily":`
    yield* jsonArray(sources.daily)
    yield '},"logs":'
    yield* jsonArray(sources.logs)
    yield '}'
  }
  for await (const piece of pieces()) {
    // Between reading and sending, so that rows that were missing when read are noticed too.
    await requireUser(db, userId)
    const rows = await db.select({ keyId: apiKeys.keyId }).from(apiKeys).where(eq(apiKeys.userId, userId))
    const there = new Set(rows.map(({ keyId }) => keyId))
    const gone = keys.find((key) => !there.has(key.key_id))
    if (gone) throw new ApiError('key_not_found', `key ${gone.key_id} was deleted meanwhile`)
    yield piece
  }
}

async function* jsonArray(records: Iterable<object> | AsyncIterable<object>): AsyncGenerator<string> {
  let piece: string[] = []
  let start = '['
  for await (const record of records) {
    piece.push(JSON.stringify(record))
    if (piece.length < PIECE) continue
    yield start + piece.join(',')
    piece = []
    start = ','
  }
  yield `${piece.length > 0 || start === '[' ? start : ''}${piece.join(',')}]`
}

/** In pages: an open cursor would keep others from writing. */
async function* readSignIns(db: DbReading, userId: number): AsyncGenerator<object> {
  let last = 0
  for (;;) {
    const page = await db
      .select()
      .from(signIns)
      .where(and(eq(signIns.userId, userId), gt(signIns.id, last)))
      .orderBy(asc(signIns.id))
      .limit(PIECE)
    for (const { attemptedAt: attempted_at, success, ip, userAgent: user_agent, reason } of page) {
      yield { attempted_at, success, ip, user_agent, reason }
    }
    if (page.length < PIECE) return
    last = page.at(-1)!.id
  }
}
