/**
 * The tokens of links. Each works once, for 24 hours (to confirm an address, to take over an account made by the
 * operator), 30 minutes (to set a new password) or one minute (to open the service on one's own desktop; never mailed).
 * How they are derived and stored: `mail/compose.ts`.
 */

import { and, eq, gt } from 'drizzle-orm'
import { generateRandomString } from 'oslo/crypto'
import { BASE62 } from '../../../base/crypto/base62.ts'
import { sha256 } from '../../../base/crypto/sha256.ts'
import { ApiError } from '../../../base/errors.ts'
import { formatTimestamp } from '../../../base/text/timestamp.ts'
import type { DbReading, Transaction } from '../../../db/accounts.ts'
import { tokens } from '../../../db/schema/accounts-schema.ts'
import { deriveLinkToken } from '../../mail/compose.ts'
import { queueMail } from '../../mail/queue.ts'
import type { UserRow } from '../user.ts'

type LinkKind = 'verify' | 'reset' | 'invitation' | 'entry'

/** In seconds. */
const LIFETIMES: Readonly<Record<LinkKind, number>> = {
  verify: 86_400,
  reset: 1800,
  invitation: 86_400,
  entry: 60,
}
/** 190 random bits, so that no token can be derived from the secret without the row. */
const ID_LENGTH = 32
const TOKEN_SHAPE = /^[\w-]{43}$/

type TokenRow = typeof tokens.$inferSelect

/** Queues a mail with a link; call `Mailer.wake` once the transaction is committed. */
export async function mailLink(
  tx: Transaction,
  linkSecret: Uint8Array,
  user: UserRow,
  kind: Exclude<LinkKind, 'entry'>,
  now: Date,
): Promise<void> {
  const { tokenId } = await issueToken(tx, linkSecret, user.id, kind, now)
  await queueMail(tx, user, { kind, tokenId }, now)
}

/** Makes a token. One that sets a password deletes older ones of the kind, with their unsent mails. */
export async function issueToken(
  tx: Transaction,
  linkSecret: Uint8Array,
  userId: number,
  kind: LinkKind,
  now: Date,
): Promise<{ tokenId: string; token: string }> {
  const purpose = kind === 'invitation' ? 'reset' : kind
  if (purpose === 'reset') await endTokens(tx, userId, purpose)
  const tokenId = generateRandomString(ID_LENGTH, BASE62)
  const token = deriveLinkToken(linkSecret, tokenId)
  const tokenHash = Buffer.from(sha256(token))
  const expiresAt = formatTimestamp(new Date(now.getTime() + LIFETIMES[kind] * 1000))
  await tx.insert(tokens).values({ tokenId, userId, purpose, tokenHash, expiresAt })
  return { tokenId, token }
}

/**
 * The row of a valid token. Reading it does not use the token up.
 * @throws ApiError `token_invalid` for an unknown, used, replaced or expired one
 */
export async function requireToken(db: DbReading, token: string, purpose: TokenRow['purpose'], now: Date) {
  const same = and(eq(tokens.tokenHash, Buffer.from(sha256(token))), eq(tokens.purpose, purpose))
  const isValid = and(same, gt(tokens.expiresAt, formatTimestamp(now)))
  const [row] = TOKEN_SHAPE.test(token) ? await db.select().from(tokens).where(isValid) : []
  if (row) return row
  const message =
    'This link is not valid: it was used, replaced by a newer one, or has expired. Ask for a new one.'
  throw new ApiError('token_invalid', message, [{ location: 'body.token', message }])
}

/** Ends all tokens of one purpose. */
export async function endTokens(tx: Transaction, userId: number, purpose: TokenRow['purpose']) {
  await tx.delete(tokens).where(and(eq(tokens.userId, userId), eq(tokens.purpose, purpose)))
}
