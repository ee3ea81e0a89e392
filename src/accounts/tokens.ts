/**
 * The tokens of mailed links: one use, and a lifetime of 24 hours (to confirm an address, to take over an account made
 * by the operator) or 30 minutes (to set a new password). How they are made and kept: `mail/link-token.ts`.
 */

import { and, eq, gt } from 'drizzle-orm'
import { generateRandomString } from 'oslo/crypto'
import { BASE62 } from '../crypto/base62.ts'
import { sha256 } from '../crypto/sha256.ts'
import type { AccountsDb } from '../db/accounts.ts'
import { tokens } from '../db/accounts-schema.ts'
import { ApiError } from '../errors.ts'
import { deriveLinkToken } from '../mail/link-token.ts'
import { formatTimestamp } from '../text/timestamp.ts'

export type LinkKind = 'verify' | 'reset' | 'invitation'

/** In seconds. */
const LIFETIMES: Readonly<Record<LinkKind, number>> = { verify: 86_400, reset: 1800, invitation: 86_400 }
/** 190 random bits: whoever holds the secret but not the row cannot derive the token. */
const ID_LENGTH = 32
const TOKEN_SHAPE = /^[\w-]{43}$/

type Writing = Pick<AccountsDb, 'insert' | 'delete'>
type TokenRow = typeof tokens.$inferSelect

/** Makes a token. One that sets a password ends the older ones, and takes their unsent mails with them. */
export function issueToken(
  tx: Writing,
  linkSecret: Uint8Array,
  userId: number,
  kind: LinkKind,
  now: Date,
): { tokenId: string; token: string } {
  const purpose = kind === 'verify' ? 'verify' : 'reset'
  if (purpose === 'reset') endTokens(tx, userId, purpose)
  const tokenId = generateRandomString(ID_LENGTH, BASE62)
  const token = deriveLinkToken(linkSecret, tokenId)
  const tokenHash = Buffer.from(sha256(token))
  const expiresAt = formatTimestamp(new Date(now.getTime() + LIFETIMES[kind] * 1000))
  tx.insert(tokens).values({ tokenId, userId, purpose, tokenHash, expiresAt }).run()
  return { tokenId, token }
}

/**
 * The row of a token that still counts. Looking uses nothing up.
 * @throws ApiError `token_invalid` for an unknown, used, replaced or expired one
 */
export function requireToken(
  db: Pick<AccountsDb, 'select'>,
  token: string,
  purpose: TokenRow['purpose'],
  now: Date,
): TokenRow {
  const row = TOKEN_SHAPE.test(token)
    ? db
        .select()
        .from(tokens)
        .where(
          and(
            eq(tokens.tokenHash, Buffer.from(sha256(token))),
            eq(tokens.purpose, purpose),
            gt(tokens.expiresAt, formatTimestamp(now)),
          ),
        )
        .get()
    : undefined
  if (row) return row
  const message =
    'This link is not valid: it was used, replaced by a newer one, or has expired. Ask for a new one.'
  throw new ApiError('token_invalid', message, [{ location: 'body.token', message }])
}

/** Ends all tokens of one purpose. */
export function endTokens(
  tx: Pick<AccountsDb, 'delete'>,
  userId: number,
  purpose: TokenRow['purpose'],
): void {
  tx.delete(tokens)
    .where(and(eq(tokens.userId, userId), eq(tokens.purpose, purpose)))
    .run()
}
