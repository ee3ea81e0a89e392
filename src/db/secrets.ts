/**
 * Secrets the service makes for itself. Lifetime: that of the data directory. Threat: a reader of `accounts.db` can
 * forge what they seal: cursors, CSRF tokens (useless without the session's cookie), and the tokens of links in mail.
 * The last open an account, but only by a token row that is waiting at that moment: a copy of the file is worth
 * nothing for links that are requested later.
 */

import { eq } from 'drizzle-orm'
import type { AccountsDb } from './accounts.ts'
import { secrets } from './accounts-schema.ts'

const SECRET_BYTES = 32

/**
 * The 32 random bytes of this name, made at the first call; the same in every process on this folder. Synchronous, for
 * the start of the program, before anything else runs.
 */
export function readSecret(accounts: AccountsDb, name: string): Uint8Array {
  const find = () => accounts.select().from(secrets).where(eq(secrets.name, name)).get()
  const known = find()
  if (known) return new Uint8Array(known.bytes)

  const bytes = Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))
  accounts.$client
    .prepare('INSERT INTO secrets (name, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING')
    .run(name, bytes)
  return new Uint8Array(find()?.bytes ?? bytes)
}
