/** Keys as the database stores them and as answers show them. */

import { and, asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { ApiError } from '../../base/errors.ts'
import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import type { DbReading } from '../../db/accounts.ts'
import { apiKeys, users } from '../../db/schema/accounts-schema.ts'
import type { Operator } from '../audit/audit.ts'

export type Key = ReturnType<typeof toKey>

/** With the plaintext, which is shown only once. */
export type KeyWithSecret = Key & { readonly secret: string }

/** When a key was last used (`UsageRecorder.lastUsed`), from another database. */
export type LastUsed = (keyId: number) => ValueOrPromise<string | null>

interface Page {
  readonly limit: number
  readonly offset: number
}

const EVERYTHING: Page = { limit: Number.MAX_SAFE_INTEGER, offset: 0 }

/** A row with the plan that holds for it now. */
export type KeyRow = Awaited<ReturnType<typeof selectKeys>>[number]

/** Keys that meet a condition, oldest first, with the addresses of their accounts. */
export function selectKeys(db: DbReading, condition?: SQL, page: Page = EVERYTHING) {
  const plan = sql<string>`coalesce(${apiKeys.plan}, ${users.plan})`
  return db
    .select({ ...getTableColumns(apiKeys), plan, email: users.email })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.userId))
    .where(condition)
    .orderBy(asc(apiKeys.keyId))
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

/**
 * @param owner the account that must own the key; an operator finds any key
 * @throws ApiError `key_not_found`, also for another account's key
 */
export async function requireKey(db: DbReading, keyId: number, owner: number | Operator): Promise<KeyRow> {
  const isOwn = typeof owner === 'number' ? eq(apiKeys.userId, owner) : undefined
  const condition = and(eq(apiKeys.keyId, keyId), isOwn)
  const [row] = await selectKeys(db, condition)
  if (!row) throw new ApiError('key_not_found', `there is no key ${keyId}`)
  return row
}

/** A key as operators see it: with its account, if it has one. */
export function toOwnedKey(row: KeyRow, lastUsedAt: string | null) {
  return { ...toKey(row, lastUsedAt), user_id: row.userId, email: row.email }
}

/** A key as answers show it. */
export function toKey(row: KeyRow, lastUsedAt: string | null) {
  return {
    key_id: row.keyId,
    label: row.label,
    state: row.state,
    plan: row.plan,
    hint: row.hint,
    created_at: row.createdAt,
    last_used_at: lastUsedAt,
    rotated_at: row.rotatedAt,
    revoked_at: row.revokedAt,
    expires_at: row.expiresAt,
    scopes: row.scopes,
    monthly_quota: row.monthlyQuota,
  }
}
