/**
 * Secrets that the service makes for itself. Lifetime: that of the data directory. Threat: a reader of `accounts.db`
 * can forge what they seal: cursors, CSRF tokens (useless without the session's cookie), and the tokens of links in
 * mail. Link tokens open an account, but only through a token row that is waiting at that moment: a copy of the file is
 * useless for links requested later. Nodes also keep their ACME certificate here, sealed (`upkeep/certificates`).
 */

import { eq } from 'drizzle-orm'
import { type AccountsDb, type DbReading, inTransaction } from './accounts.ts'
import { secrets } from './schema/accounts-schema.ts'

/** The 32 random bytes of this name, made by the first call; the same for every process on these accounts. */
export async function readSecret(accounts: AccountsDb, name: string): Promise<Uint8Array> {
  const known = await findSecret(accounts, name)
  if (known !== undefined) return known
  return inTransaction(accounts, async (tx) => {
    const made = await findSecret(tx, name)
    if (made !== undefined) return made
    const bytes = crypto.getRandomValues(new Uint8Array(32))
    await tx.insert(secrets).values({ name, bytes: Buffer.from(bytes) })
    return bytes
  })
}

/** Replaces the bytes of this name. They must be sealed, since others may read the table. */
export async function putSecret(accounts: AccountsDb, name: string, bytes: Buffer): Promise<void> {
  await inTransaction(accounts, async (tx) => {
    await tx
      .insert(secrets)
      .values({ name, bytes })
      .onConflictDoUpdate({ target: secrets.name, set: { bytes } })
  })
}

/** The bytes of this name; undefined without any. */
export async function findSecret(db: DbReading, name: string): Promise<Uint8Array | undefined> {
  const [known] = await db.select().from(secrets).where(eq(secrets.name, name))
  return known && new Uint8Array(known.bytes)
}
