/** Keys as the database has them and as answers show them; for the verbs of this room. */

import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { sha256 } from '../crypto/sha256.ts'
import type { AccountsDb } from '../db/accounts.ts'
import { apiKeys, users } from '../db/accounts-schema.ts'
import { ApiError } from '../errors.ts'
import { formatTimestamp } from '../text/timestamp.ts'
import { generateKey, keyHint } from './key-format.ts'

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
}

export interface KeyWithSecret extends Key {
  /** The plaintext: shown once, never again. */
  readonly secret: string
}

/** When a key was last used (`UsageRecorder.lastUsed`): kept in another database, so it is asked for. */
export type LastUsed = (keyId: number) => string | null

export type Reading = Pick<AccountsDb, 'select'>
export type Writing = Pick<AccountsDb, 'select' | 'insert' | 'update' | 'delete'>

/** A row with the plan that holds for it now, and whose it is. */
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
}

/** Keys that fit a condition, oldest first. */
export function selectKeys(db: Reading, condition?: SQL): KeyRow[] {
  return db
    .select(columns)
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.userId))
    .where(condition)
    .orderBy(asc(apiKeys.keyId))
    .all()
}

/**
 * @param owner the account that must have it; left out: anybody may
 * @throws ApiError `key_not_found`, also for a key of somebody else
 */
export function requireKey(db: Reading, keyId: number, owner?: number): KeyRow {
  const condition = and(eq(apiKeys.keyId, keyId), owner === undefined ? undefined : eq(apiKeys.userId, owner))
  const [row] = selectKeys(db, condition)
  if (!row) throw new ApiError('key_not_found', `there is no key ${keyId}`)
  return row
}

/** Inserts an active key and returns its row and secret. */
export function insertKey(
  db: Writing,
  key: { label: string; userId: number | null; plan: string | null },
  now: Date,
): { row: KeyRow; secret: string } {
  const { secret, stored } = newSecret()
  const { keyId } = db
    .insert(apiKeys)
    .values({ ...key, state: 'active', createdAt: formatTimestamp(now), ...stored })
    .returning({ keyId: apiKeys.keyId })
    .get()
  return { row: requireKey(db, keyId), secret }
}

/**
 * Gives an active key another secret.
 * @throws ApiError `key_not_active`
 */
export function replaceSecret(db: Writing, key: KeyRow, now: Date): { row: KeyRow; secret: string } {
  if (key.state !== 'active') {
    throw new ApiError('key_not_active', `key ${key.keyId} is revoked; a revoked key cannot be rotated`)
  }
  const { secret, stored } = newSecret()
  db.update(apiKeys)
    .set({ rotatedAt: formatTimestamp(now), ...stored })
    .where(eq(apiKeys.keyId, key.keyId))
    .run()
  return { row: requireKey(db, key.keyId), secret }
}

/** Makes an active key revoked; on a revoked one it changes nothing. @returns whether it changed anything */
export function markRevoked(db: Writing, key: KeyRow, now: Date): boolean {
  if (key.state === 'revoked') return false
  db.update(apiKeys)
    .set({ state: 'revoked', revokedAt: formatTimestamp(now) })
    .where(eq(apiKeys.keyId, key.keyId))
    .run()
  return true
}

/** @throws ApiError `key_not_revoked` */
export function removeKey(db: Writing, key: KeyRow): void {
  if (key.state !== 'revoked') {
    throw new ApiError('key_not_revoked', `key ${key.keyId} is active; revoke it before deleting it`)
  }
  db.delete(apiKeys).where(eq(apiKeys.keyId, key.keyId)).run()
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
  }
}

function newSecret(): { secret: string; stored: { secretHash: Buffer; hint: string } } {
  const secret = generateKey()
  return { secret, stored: { secretHash: Buffer.from(sha256(secret)), hint: keyHint(secret) } }
}
