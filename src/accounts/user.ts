/** An account as answers show it, and how it is found. */

import { count, eq } from 'drizzle-orm'
import type { AccountsDb } from '../db/accounts.ts'
import { users } from '../db/accounts-schema.ts'
import { ApiError } from '../errors.ts'
import type { Language } from '../mail/language.ts'

export interface User {
  readonly id: number
  readonly email: string
  readonly email_verified: boolean
  readonly full_name: string | null
  readonly organization: string | null
  readonly language: Language
  readonly plan: string
  readonly created_at: string
}

export type UserRow = typeof users.$inferSelect
type Reading = Pick<AccountsDb, 'select'>

/** The answer of verbs that have nothing else to say. */
export interface Status {
  readonly status: 'ok'
  readonly message: string
}

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    email_verified: row.emailVerifiedAt !== null,
    full_name: row.fullName,
    organization: row.organization,
    language: row.language,
    plan: row.plan,
    created_at: row.createdAt,
  }
}

/** @param emailKey `EmailAddress.key` */
export function findUserByEmail(db: Reading, emailKey: string): UserRow | undefined {
  return db.select().from(users).where(eq(users.emailKey, emailKey)).get()
}

/**
 * The account of a session.
 * @throws ApiError `unauthenticated` when it was deleted meanwhile
 */
export function requireUser(db: Reading, userId: number): UserRow {
  const row = db.select().from(users).where(eq(users.id, userId)).get()
  if (!row) throw new ApiError('unauthenticated', 'This account no longer exists.')
  return row
}

export function countAccounts(db: Reading): number {
  return db.select({ accounts: count() }).from(users).get()?.accounts ?? 0
}
