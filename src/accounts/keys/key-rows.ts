/** Keys as the database has them and as answers show them. */

import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { ApiError } from '../../base/errors.ts'
import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import type { Reading } from '../../db/accounts.ts'
import { apiKeys, users } from '../../db/schema/accounts-schema.ts'

/** A key as answers show it. */
export interface Key {
  readonly key_id: number
  readonly label: string
  readonly state: 'active' | 'revoked'
  readonly plan: string
  readonly hint: string
  readonly created_at: string
  readonly last_used_at: string | null
  readonly rotated_at: string | null
  readonly revoked_at: string | null
  /** When it stops by itself; null: never. Its state stays `active` then. */
  readonly expires_at: string | null
  readonly scopes: readonly string[]
  readonly monthly_quota: number | null
}

export interface KeyWithSecret extends Key {
  /** The plaintext: shown once, never again. */
  readonly secret: string
}

/** When a key was last used (`UsageRecorder.lastUsed`), which another database knows. */
export type LastUsed = (keyId: number) => ValueOrPromise<string | null>

/** A row with the plan that holds for it now. */
export interface KeyRow extends Omit<typeof apiKeys.$inferSelect, 'plan'> {
  readonly plan: string
}

const columns = {
  keyId: apiKeys.keyId,
  label: apiKeys.label,
  userId: apiKeys.userId,
  plan: sql<string>`coalesce(${apiKeys.plan}, ${users.plan})`,
  state: apiKeys.state,
  secretHash: apiKeys.secretHash,
  hint: apiKeys.hint,
  createdAt: apiKeys.createdAt,
  rotatedAt: apiKeys.rotatedAt,
  revokedAt: apiKeys.revokedAt,
  expiresAt: apiKeys.expiresAt,
  scopes: apiKeys.scopes,
  monthlyQuota: apiKeys.monthlyQuota,
  remindedDays: apiKeys.remindedDays,
}

/** Keys that fit a condition, oldest first. */
export function selectKeys(db: Reading, condition?: SQL): Promise<KeyRow[]> {
  return db
    .select(columns)
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.userId))
    .where(condition)
    .orderBy(asc(apiKeys.keyId))
    .execute()
}

/**
 * @param owner the account that must have it; null: any key
 * @throws ApiError `key_not_found`, also for another account's key
 */
export async function requireKey(db: Reading, keyId: number, owner: number | null): Promise<KeyRow> {
  const condition = and(eq(apiKeys.keyId, keyId), owner === null ? undefined : eq(apiKeys.userId, owner))
  const [row] = await selectKeys(db, condition)
  if (!row) throw new ApiError('key_not_found', `there is no key ${keyId}`)
  return row
}

/**
 * For slow work on keys that were listed before.
 * @throws ApiError `key_not_found` when one of them was deleted meanwhile
 */
export async function requireKeys(db: Reading, userId: number, listed: readonly Key[]): Promise<void> {
  const rows = await db.select({ keyId: apiKeys.keyId }).from(apiKeys).where(eq(apiKeys.userId, userId))
  const there = new Set(rows.map(({ keyId }) => keyId))
  const gone = listed.find((key) => !there.has(key.key_id))
  if (gone) throw new ApiError('key_not_found', `key ${gone.key_id} was deleted meanwhile`)
}

export function toKey(row: KeyRow, lastUsedAt: string | null): Key {
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
