/**
 * The owner of a service on a desktop: an account without a password, signed in by a program of the same user.
 *
 * Lifetime: the token of an entry works once, within a minute. Threat: other users of the machine, who see command lines
 * and logs and reach every loopback port, and pages of other sites. The token is in a file that only its owner can read
 * (`commands/open/entry-file.ts`); a program that can make one can read the database anyway.
 */

import { and, eq, gt } from 'drizzle-orm'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { type AccountsDb, type DbReading, inTransaction } from '../../db/accounts.ts'
import { tokens } from '../../db/schema/accounts-schema.ts'
import { readSecret } from '../../db/secrets.ts'
import { LINK_SECRET } from '../mail/compose.ts'
import type { AccountService } from './account-service.ts'
import type { Client } from './client.ts'
import { type OpenedSession, openSession } from './sign-in/sessions.ts'
import { insertAttempt } from './sign-in/sign-in.ts'
import { issueToken, requireToken } from './sign-in/tokens.ts'
import { requireUser, type User } from './user.ts'

/** Makes a token that opens one session of the owner. */
export async function issueEntry(db: AccountsDb, { id }: Pick<User, 'id'>, now: Date) {
  const secret = await readSecret(db, LINK_SECRET)
  return await inTransaction(db, (tx) => issueToken(tx, secret, id, 'entry', now))
}

/** Whether an entry is neither used nor expired. */
export async function isEntryOpen(db: DbReading, tokenId: string, now: Date): Promise<boolean> {
  const isOpen = and(eq(tokens.tokenId, tokenId), gt(tokens.expiresAt, formatTimestamp(now)))
  return (await db.select({ id: tokens.tokenId }).from(tokens).where(isOpen)).length > 0
}

/** Opens a session with the token of an entry, and uses it up. @throws ApiError `token_invalid` */
export function enter(
  service: AccountService,
  token: string,
  client: Client,
  now: Date,
): Promise<OpenedSession> {
  return inTransaction(service.db, async (tx) => {
    const { tokenId, userId } = await requireToken(tx, token, 'entry', now)
    await tx.delete(tokens).where(eq(tokens.tokenId, tokenId))
    await insertAttempt(tx, userId, client, null, now)
    return await openSession(service, tx, await requireUser(tx, userId), client, now)
  })
}
