/** An account as answers show it, and how it is found. */

import { count, eq } from 'drizzle-orm'
import { ApiError } from '../../base/errors.ts'
import type { Language } from '../../base/text/language.ts'
import { type AccountsDb, type DbReading, inTransaction } from '../../db/accounts.ts'
import { users } from '../../db/schema/accounts-schema.ts'
import type { Domains } from '../keys/scopes.ts'

export type User = ReturnType<typeof toUser>
export type UserRow = typeof users.$inferSelect

/** Each role may do everything that those before it may. */
export const ROLES = users.role.enumValues

/** The answer of verbs that have nothing else to say. */
export function done(message: string) {
  return { status: 'ok', message } as const
}

export function toUser(row: UserRow) {
  return {
    id: row.id,
    email: row.email,
    email_verified: row.emailVerifiedAt !== null,
    full_name: row.fullName,
    organization: row.organization,
    language: row.language,
    plan: row.plan,
    role: row.role,
    /** What a publisher may change; null: every domain. Empty for readers. */
    publisher_domains: row.publisherDomains,
    /** Whether signing in takes a code as well. */
    second_factor: row.secondFactorSince !== null,
    created_at: row.createdAt,
  }
}

/** The domains that an account may change. */
export function roleDomains({ role, publisher_domains }: Pick<User, 'role' | 'publisher_domains'>): Domains {
  return role === 'reader' ? [] : (publisher_domains ?? 'all')
}

/**
 * Whether an account must first turn a second factor on: because of the setting, or as an operator on another machine.
 * @param isLocal whether the call comes from this machine
 */
export function lacksSecondFactor(
  required: 'off' | 'publishers' | 'all',
  { role, second_factor }: Pick<User, 'role' | 'second_factor'>,
  isLocal: boolean,
): boolean {
  if (second_factor) return false
  if (role === 'operator' && !isLocal) return true
  return required === 'all' || (required === 'publishers' && role !== 'reader')
}

/** @param emailKey `EmailAddress.key` */
export async function findUserByEmail(db: DbReading, emailKey: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.emailKey, emailKey))
  return row
}

/**
 * The account of a session.
 * @throws ApiError `unauthenticated` when it was deleted meanwhile
 */
export async function requireUser(db: DbReading, userId: number): Promise<UserRow> {
  const [row] = await db.select().from(users).where(eq(users.id, userId))
  if (!row) throw new ApiError('unauthenticated', 'This account no longer exists.')
  return row
}

export async function accountExists(db: DbReading, userId: number): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).where(eq(users.id, userId))).length > 0
}

export async function countAccounts(db: DbReading): Promise<number> {
  const [row] = await db.select({ accounts: count() }).from(users)
  return row!.accounts
}

/** Changes the fields given and leaves the others as they are; null empties a field. */
export function changeProfile(
  { db }: { readonly db: AccountsDb },
  { userId }: { readonly userId: number },
  request: {
    readonly full_name?: string | null
    readonly organization?: string | null
    readonly language?: Language
  },
): Promise<User> {
  return inTransaction(db, async (tx) => {
    const before = await requireUser(tx, userId)
    const { full_name: fullName = before.fullName, organization = before.organization } = request
    const { language = before.language } = request
    await tx.update(users).set({ fullName, organization, language }).where(eq(users.id, userId))
    return toUser({ ...before, fullName, organization, language })
  })
}
