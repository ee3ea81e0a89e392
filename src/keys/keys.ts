/**
 * The verbs on API keys. Secrets exist in plaintext only in what `mintKey` and `rotateKey` return.
 */

import { asc, count, eq } from 'drizzle-orm'
import { sha256 } from '../crypto/sha256.ts'
import type { AccountsDb } from '../db/accounts.ts'
import { apiKeys, plans } from '../db/accounts-schema.ts'
import { ApiError, CommandError } from '../errors.ts'
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

/** Length of a label after trimming. */
const LABEL_LENGTH = { min: 1, max: 100 }

/**
 * A new active key on a plan.
 * @throws CommandError `usage` when the plan does not exist (its message names the plans) or the label's length is not 1-100
 */
export function mintKey(db: AccountsDb, request: { plan: string; label: string }, now: Date): KeyWithSecret {
  const label = request.label.trim()
  if (label.length < LABEL_LENGTH.min || label.length > LABEL_LENGTH.max) {
    throw new CommandError('usage', `a label has ${LABEL_LENGTH.min} to ${LABEL_LENGTH.max} characters`)
  }
  requirePlan(db, request.plan)
  const secret = generateKey()
  const row = db
    .insert(apiKeys)
    .values({
      label,
      plan: request.plan,
      state: 'active',
      createdAt: formatTimestamp(now),
      ...storedForm(secret),
    })
    .returning()
    .get()
  return { ...toKey(row, null), secret }
}

/** All keys, oldest first. */
export function listKeys(db: AccountsDb, lastUsed: LastUsed): Key[] {
  const rows = db.select().from(apiKeys).orderBy(asc(apiKeys.keyId)).all()
  return rows.map((row) => toKey(row, lastUsed(row.keyId)))
}

/**
 * Replaces the secret; the old one stops working at the next request. Everything else stays.
 * @throws ApiError `key_not_found`, `key_not_active`
 */
export function rotateKey(db: AccountsDb, keyId: number, lastUsed: LastUsed, now: Date): KeyWithSecret {
  return db.transaction(
    (tx) => {
      if (requireKey(tx, keyId).state !== 'active') {
        throw new ApiError('key_not_active', `key ${keyId} is revoked; a revoked key cannot be rotated`)
      }
      const secret = generateKey()
      const row = tx
        .update(apiKeys)
        .set({ rotatedAt: formatTimestamp(now), ...storedForm(secret) })
        .where(eq(apiKeys.keyId, keyId))
        .returning()
        .get()
      return { ...toKey(row, lastUsed(keyId)), secret }
    },
    { behavior: 'immediate' },
  )
}

/**
 * Refuses the key from the next request on, in every process. Revoking again changes nothing.
 * @throws ApiError `key_not_found`
 */
export function revokeKey(db: AccountsDb, keyId: number, lastUsed: LastUsed, now: Date): Key {
  return db.transaction(
    (tx) => {
      const key = requireKey(tx, keyId)
      if (key.state === 'revoked') return toKey(key, lastUsed(keyId))
      const row = tx
        .update(apiKeys)
        .set({ state: 'revoked', revokedAt: formatTimestamp(now) })
        .where(eq(apiKeys.keyId, keyId))
        .returning()
        .get()
      return toKey(row, lastUsed(keyId))
    },
    { behavior: 'immediate' },
  )
}

/**
 * Removes a revoked key for good. Its usage is in another database: `UsageRecorder.forget` follows.
 * @throws ApiError `key_not_found`, `key_not_revoked`
 */
export function deleteKey(db: AccountsDb, keyId: number): void {
  db.transaction(
    (tx) => {
      if (requireKey(tx, keyId).state !== 'revoked') {
        throw new ApiError('key_not_revoked', `key ${keyId} is active; revoke it before deleting it`)
      }
      tx.delete(apiKeys).where(eq(apiKeys.keyId, keyId)).run()
    },
    { behavior: 'immediate' },
  )
}

/** Keys that are not revoked. */
export function countActiveKeys(db: AccountsDb): number {
  const row = db.select({ keys: count() }).from(apiKeys).where(eq(apiKeys.state, 'active')).get()
  return row?.keys ?? 0
}

type Row = typeof apiKeys.$inferSelect
type Reading = Pick<AccountsDb, 'select'>

function requireKey(db: Reading, keyId: number): Row {
  const row = db.select().from(apiKeys).where(eq(apiKeys.keyId, keyId)).get()
  if (!row) throw new ApiError('key_not_found', `there is no key ${keyId}`)
  return row
}

function requirePlan(db: Reading, name: string): void {
  const names = db.select({ name: plans.name }).from(plans).orderBy(asc(plans.name)).all()
  if (names.some((plan) => plan.name === name)) return
  const known = names.map((plan) => plan.name).join(', ')
  throw new CommandError('usage', `there is no plan ${name}; the plans are ${known}`)
}

function storedForm(secret: string): { secretHash: Buffer; hint: string } {
  return { secretHash: Buffer.from(sha256(secret)), hint: keyHint(secret) }
}

function toKey(row: Row, lastUsedAt: string | null): Key {
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
