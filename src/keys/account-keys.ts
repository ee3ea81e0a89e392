/**
 * The verbs on API keys in the console: an account's own keys, and nobody else's (someone else's is not found). They
 * follow the account's plan. Each change holds from the next request on, in every process.
 */

import { and, count, eq, isNull } from 'drizzle-orm'
import { recordEvent } from '../audit/audit.ts'
import type { AccountsDb } from '../db/accounts.ts'
import { apiKeys } from '../db/accounts-schema.ts'
import { ApiError } from '../errors.ts'
import { queueNotice } from '../mail/queue.ts'
import {
  insertKey,
  type Key,
  type KeyWithSecret,
  type LastUsed,
  markRevoked,
  type Reading,
  removeKey,
  replaceSecret,
  requireKey,
  selectKeys,
  toKey,
} from './key-rows.ts'
import { findAccountPlan, type Plan } from './plans.ts'
import { finishDeletions, leaveTombstone, type UsageEraser } from './tombstones.ts'

/** What the verbs need of the program. */
export interface KeyDesk {
  readonly db: AccountsDb
  readonly mailer: { wake(): void }
  readonly usage: UsageEraser
}

/** The account's keys, oldest first, those minted for it by the operator included. */
export function listAccountKeys(db: Reading, userId: number, lastUsed: LastUsed): Key[] {
  return selectKeys(db, eq(apiKeys.userId, userId)).map((row) => toKey(row, lastUsed(row.keyId)))
}

/**
 * A new active key on the account's plan.
 * @param label 1 to 100 characters, trimmed
 * @throws ApiError `key_limit_reached` when as many are active as the plan allows
 */
export function mintAccountKey(desk: KeyDesk, userId: number, label: string, now: Date): KeyWithSecret {
  return change(desk, (tx) => {
    refuseBeyondLimit(tx, userId)
    const { row, secret } = insertKey(tx, { label, userId, plan: null }, now)
    recordEvent(tx, { actor: 'account', event: 'key_minted', userId, keyId: row.keyId }, now)
    queueNotice(tx, userId, 'key_created', now)
    return { ...toKey(row, null), secret }
  })
}

/**
 * Changes the label, in any state; the secret stays.
 * @throws ApiError `key_not_found`
 */
export function renameAccountKey(
  desk: KeyDesk,
  userId: number,
  keyId: number,
  label: string,
  lastUsed: LastUsed,
): Key {
  return change(desk, (tx) => {
    const key = requireKey(tx, keyId, userId)
    tx.update(apiKeys).set({ label }).where(eq(apiKeys.keyId, keyId)).run()
    return toKey({ ...key, label }, lastUsed(keyId))
  })
}

/**
 * Replaces the secret; the old one stops working.
 * @throws ApiError `key_not_found`, `key_not_active`
 */
export function rotateAccountKey(
  desk: KeyDesk,
  userId: number,
  keyId: number,
  lastUsed: LastUsed,
  now: Date,
): KeyWithSecret {
  return change(desk, (tx) => {
    const { row, secret } = replaceSecret(tx, requireKey(tx, keyId, userId), now)
    recordEvent(tx, { actor: 'account', event: 'key_rotated', userId, keyId }, now)
    queueNotice(tx, userId, 'key_rotated', now)
    return { ...toKey(row, lastUsed(keyId)), secret }
  })
}

/** Replaces the secrets of all active keys, all or none; revoked ones are left alone. */
export function rotateAllAccountKeys(
  desk: KeyDesk,
  userId: number,
  lastUsed: LastUsed,
  now: Date,
): KeyWithSecret[] {
  return change(desk, (tx) => {
    const active = selectKeys(tx, and(eq(apiKeys.userId, userId), eq(apiKeys.state, 'active')))
    const rotated = active.map((key) => {
      const { row, secret } = replaceSecret(tx, key, now)
      recordEvent(tx, { actor: 'account', event: 'key_rotated', userId, keyId: key.keyId }, now)
      return { ...toKey(row, lastUsed(key.keyId)), secret }
    })
    if (rotated.length > 0) queueNotice(tx, userId, 'key_rotated', now)
    return rotated
  })
}

/**
 * Refuses the key from the next request on; its row and usage stay. Revoking again changes nothing.
 * @throws ApiError `key_not_found`
 */
export function revokeAccountKey(desk: KeyDesk, userId: number, keyId: number, now: Date): void {
  change(desk, (tx) => {
    if (!markRevoked(tx, requireKey(tx, keyId, userId), now)) return
    recordEvent(tx, { actor: 'account', event: 'key_revoked', userId, keyId }, now)
  })
}

/**
 * Removes a revoked key with its usage records; the account's use of its quota stays.
 * @throws ApiError `key_not_found`, `key_not_revoked`
 */
export function deleteAccountKey(desk: KeyDesk, userId: number, keyId: number, now: Date): void {
  change(desk, (tx) => {
    removeKey(tx, requireKey(tx, keyId, userId))
    leaveTombstone(tx, 'key', keyId, now)
    recordEvent(tx, { actor: 'account', event: 'key_deleted', userId, keyId }, now)
  })
  finishDeletions(desk.db, desk.usage)
}

/**
 * For filters that name a key.
 * @throws ApiError `key_not_found` unless the key is the account's
 */
export function requireAccountKey(db: Reading, userId: number, keyId: number): void {
  requireKey(db, keyId, userId)
}

/**
 * For what takes its time with keys that were listed before.
 * @throws ApiError `key_not_found` when one of them was deleted meanwhile
 */
export function requireAccountKeys(db: Reading, userId: number, listed: readonly Key[]): void {
  const rows = db.select({ keyId: apiKeys.keyId }).from(apiKeys).where(eq(apiKeys.userId, userId)).all()
  const there = new Set(rows.map(({ keyId }) => keyId))
  const gone = listed.find((key) => !there.has(key.key_id))
  if (gone) throw new ApiError('key_not_found', `key ${gone.key_id} was deleted meanwhile`)
}

/**
 * The account's plan.
 * @throws ApiError `unauthenticated` when the account has just been deleted
 */
export function requireAccountPlan(db: Reading, userId: number): Plan {
  const plan = findAccountPlan(db, userId)
  if (!plan) throw new ApiError('unauthenticated', 'This account no longer exists.')
  return plan
}

type Transaction = Parameters<Parameters<AccountsDb['transaction']>[0]>[0]

/** One immediate transaction: what it reads stays true until it has written. Mail it queued leaves after it. */
function change<T>(desk: KeyDesk, work: (tx: Transaction) => T): T {
  const result = desk.db.transaction(work, { behavior: 'immediate' })
  desk.mailer.wake()
  return result
}

/** Keys minted by the operator (with a plan of their own) do not count. */
function refuseBeyondLimit(db: Reading, userId: number): void {
  const { name, max_active_keys: limit } = requireAccountPlan(db, userId)
  if (limit === null) return
  const counting = and(eq(apiKeys.userId, userId), eq(apiKeys.state, 'active'), isNull(apiKeys.plan))
  const active = db.select({ keys: count() }).from(apiKeys).where(counting).get()?.keys ?? 0
  if (active < limit) return
  throw new ApiError(
    'key_limit_reached',
    `The ${name} plan allows ${limit} active keys; revoke one to make another.`,
  )
}
