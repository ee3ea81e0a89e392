/**
 * The operator's verbs on API keys, with or without an account. Secrets exist in plaintext only in what `mintKey` and
 * `rotateKey` return. The owner of an account's key is told by mail.
 */

import { count, eq } from 'drizzle-orm'
import { recordEvent } from '../audit/audit.ts'
import type { AccountsDb } from '../db/accounts.ts'
import { apiKeys, users } from '../db/accounts-schema.ts'
import { CommandError } from '../errors.ts'
import { queueNotice } from '../mail/queue.ts'
import {
  insertKey,
  type Key,
  type KeyWithSecret,
  type LastUsed,
  markRevoked,
  removeKey,
  replaceSecret,
  requireKey,
  selectKeys,
  toKey,
} from './key-rows.ts'
import { requirePlan } from './plans.ts'
import { leaveTombstone } from './tombstones.ts'

/** Characters (code points) of a label after trimming. */
export const LABEL_LENGTH = { min: 1, max: 100 }

/** A label trimmed, or undefined when it is too short or too long (contract 4). */
export function trimLabel(text: string): string | undefined {
  const label = text.trim()
  const { length } = [...label]
  return length < LABEL_LENGTH.min || length > LABEL_LENGTH.max ? undefined : label
}

export interface MintRequest {
  readonly label: string
  /** Left out: the account's. A key minted here carries its plan and has a quota of its own. */
  readonly plan?: string | undefined
  /** The account that may see and revoke it; it does not count towards the account's active keys. */
  readonly userId?: number | undefined
}

/**
 * A new active key.
 * @throws CommandError `usage` when the plan does not exist (its message names the plans), neither plan nor account is
 *   given, or the label's length is not 1-100
 */
export function mintKey(db: AccountsDb, request: MintRequest, now: Date): KeyWithSecret {
  const label = trimLabel(request.label)
  if (label === undefined) {
    throw new CommandError(
      'usage',
      `a label has ${LABEL_LENGTH.min} to ${LABEL_LENGTH.max} characters, and this one has ${[...request.label.trim()].length}`,
    )
  }
  const { userId = null } = request
  return db.transaction(
    (tx) => {
      const wanted = request.plan ?? (userId === null ? undefined : planOf(tx, userId))
      if (wanted === undefined) throw new CommandError('usage', 'a key needs a plan or an account')
      const { name: plan } = requirePlan(tx, wanted)
      const { row, secret } = insertKey(tx, { label, userId, plan }, now)
      recordEvent(tx, { actor: 'operator', event: 'key_minted', userId, keyId: row.keyId, detail: plan }, now)
      if (userId !== null) queueNotice(tx, userId, 'key_created', now)
      return { ...toKey(row, null), secret }
    },
    { behavior: 'immediate' },
  )
}

/** All keys, oldest first. */
export function listKeys(db: AccountsDb, lastUsed: LastUsed): Key[] {
  return selectKeys(db).map((row) => toKey(row, lastUsed(row.keyId)))
}

/**
 * Replaces the secret; the old one stops working at the next request. Everything else stays.
 * @throws ApiError `key_not_found`, `key_not_active`
 */
export function rotateKey(db: AccountsDb, keyId: number, lastUsed: LastUsed, now: Date): KeyWithSecret {
  return db.transaction(
    (tx) => {
      const { row, secret } = replaceSecret(tx, requireKey(tx, keyId), now)
      const { userId } = row
      recordEvent(tx, { actor: 'operator', event: 'key_rotated', userId, keyId }, now)
      if (userId !== null) queueNotice(tx, userId, 'key_rotated', now)
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
      if (markRevoked(tx, key, now)) {
        recordEvent(tx, { actor: 'operator', event: 'key_revoked', userId: key.userId, keyId }, now)
      }
      return toKey(requireKey(tx, keyId), lastUsed(keyId))
    },
    { behavior: 'immediate' },
  )
}

/**
 * Removes a revoked key for good. Its usage is in another database: `finishDeletions` follows.
 * @throws ApiError `key_not_found`, `key_not_revoked`
 */
export function deleteKey(db: AccountsDb, keyId: number, now: Date): void {
  db.transaction(
    (tx) => {
      const key = requireKey(tx, keyId)
      removeKey(tx, key)
      leaveTombstone(tx, 'key', keyId, now)
      recordEvent(tx, { actor: 'operator', event: 'key_deleted', userId: key.userId, keyId }, now)
    },
    { behavior: 'immediate' },
  )
}

/** Keys that are not revoked. */
export function countActiveKeys(db: AccountsDb): number {
  const row = db.select({ keys: count() }).from(apiKeys).where(eq(apiKeys.state, 'active')).get()
  return row?.keys ?? 0
}

function planOf(db: Pick<AccountsDb, 'select'>, userId: number): string | undefined {
  return db.select({ plan: users.plan }).from(users).where(eq(users.id, userId)).get()?.plan
}
