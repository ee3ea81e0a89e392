/**
 * The verbs on API keys, for the operator and for the account that owns them. Each change is one transaction and holds
 * from the next request on, in every process. Secrets exist in plaintext only in what minting and rotating return. The
 * account of a key gets a notice by mail; `Mailer.wake` sends it at once.
 */

import { and, count, eq, isNull } from 'drizzle-orm'
import { sha256 } from '../../base/crypto/sha256.ts'
import { ApiError, CommandError } from '../../base/errors.ts'
import { paginationOf } from '../../base/pagination.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { type AccountsDb, type DbReading, inTransaction, type Transaction } from '../../db/accounts.ts'
import { apiKeys, users } from '../../db/schema/accounts-schema.ts'
import { type AuditEvent, OPERATOR, type Operator, recordEvent } from '../audit/audit.ts'
import { queueNotice } from '../mail/queue.ts'
import { forgetReminders, remindOfKey } from './expiry.ts'
import { generateKey, keyHint } from './key-format.ts'
import {
  type Key,
  type KeyRow,
  type LastUsed,
  requireKey,
  selectKeys,
  toKey,
  toOwnedKey,
} from './key-rows.ts'
import { requireAccountPlan, requirePlan } from './plans.ts'
import { DEFAULT_TERMS, type KeyTerms, requireTerms } from './scopes.ts'
import { leaveTombstone } from './tombstones.ts'

/** The account that acts, which finds its own keys only; or an operator, who finds all. */
export type Owner = number | Operator

/** Characters (code points) of a label after trimming. */
export const LABEL_LENGTH = { min: 1, max: 100 }

interface MintRequest extends Partial<KeyTerms> {
  readonly label: string
  /** For a key minted by the operator, which has its own plan and quota; left out: the account's. */
  readonly plan?: string | undefined
  /** For a key minted by the operator: the account that may see and revoke it. It does not count towards its limit. */
  readonly userId?: number | undefined
}

/** A field left out stays as it is. */
export type KeyChange = Partial<KeyTerms & Pick<Key, 'label'>>

/**
 * Makes an active key. An account's key follows the account's plan and shares its quota.
 * @throws ApiError `key_limit_reached` when the account has as many active keys as its plan allows, `invalid_body` for
 *   terms that cannot hold
 * @throws CommandError `usage` when the plan does not exist (its message names the plans), the operator names neither
 *   plan nor account, or the label's length is not 1-100
 */
export function mintKey(db: AccountsDb, owner: Owner, request: MintRequest, now: Date) {
  const account = typeof owner === 'number' ? owner : null
  const userId = account ?? request.userId ?? null
  return inTransaction(db, async (tx) => {
    const label = requireLabel(request.label)
    if (account !== null) await refuseBeyondLimit(tx, account)
    const plan = account === null ? await planOf(tx, request) : null
    const limits = await (plan === null ? requireAccountPlan(tx, userId!) : requirePlan(tx, plan))
    requireTerms(request, limits.monthly_quota, now)
    const { secret, stored } = newSecret()
    const terms = { ...termColumns({ ...DEFAULT_TERMS, ...request }), ...stored }
    const [inserted] = await tx
      .insert(apiKeys)
      .values({ label, userId, plan, createdAt: formatTimestamp(now), state: 'active', ...terms })
      .returning({ keyId: apiKeys.keyId })
    const row = await requireKey(tx, inserted!.keyId, OPERATOR)
    await note(tx, owner, 'key_minted', row, now, plan)
    if (userId !== null) await queueNotice(tx, userId, 'key_created', now)
    await remindOfKey(tx, row, now)
    return { ...toKey(row, null), secret }
  })
}

/** A page of all keys, oldest first. */
export async function pageKeys(
  db: DbReading,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  lastUsed: LastUsed,
) {
  const [all] = await db.select({ total: count() }).from(apiKeys)
  const rows = await selectKeys(db, undefined, { limit, offset })
  const data = await Promise.all(rows.map(async (row) => toOwnedKey(row, await lastUsed(row.keyId))))
  return { data, pagination: paginationOf({ total: all!.total, count: data.length, limit, offset }) }
}

/** Keys, oldest first; an account's include those minted for it by the operator. */
export async function listKeys(db: DbReading, owner: Owner, lastUsed: LastUsed): Promise<Key[]> {
  const rows = await selectKeys(db, typeof owner === 'number' ? eq(apiKeys.userId, owner) : undefined)
  return Promise.all(rows.map(async (row) => toKey(row, await lastUsed(row.keyId))))
}

/**
 * Changes the label and the terms, in any state; the secret stays. A later end brings an expired key back.
 * @throws ApiError `key_not_found`, `invalid_body` for terms that cannot hold
 */
export async function renameKey(
  db: AccountsDb,
  owner: Owner,
  keyId: number,
  change: KeyChange,
  lastUsed: LastUsed,
  now: Date,
): Promise<Key> {
  const row = await inTransaction(db, async (tx) => {
    const key = await requireKey(tx, keyId, owner)
    requireTerms(change, (await requirePlan(tx, key.plan)).monthly_quota, now)
    const label = change.label === undefined ? key.label : requireLabel(change.label)
    const terms = termColumns({ ...toKey(key, null), ...change })
    const isMoved = terms.expiresAt !== key.expiresAt
    const values = { label, ...terms, remindedDays: isMoved ? null : key.remindedDays }
    await tx.update(apiKeys).set(values).where(eq(apiKeys.keyId, keyId))
    const changed = { ...key, ...values }
    if (isMoved) await forgetReminders(tx, keyId)
    await remindOfKey(tx, changed, now)
    const given = (['expires_at', 'scopes', 'monthly_quota'] as const).flatMap((name) =>
      change[name] === undefined ? [] : [`${name} ${[change[name]].flat().map(String).join(' ')}`],
    )
    // Labels are people's words, so the log only says that the label changed.
    if (label !== key.label) given.unshift('label')
    if (given.length > 0) await note(tx, owner, 'key_changed', key, now, given.join(', '))
    return changed
  })
  return toKey(row, await lastUsed(keyId))
}

function termColumns({ expires_at, scopes, monthly_quota }: KeyTerms) {
  return { expiresAt: expires_at, scopes, monthlyQuota: monthly_quota }
}

/**
 * Replaces the secret; the old one stops working. Everything else stays, including the key's end.
 * @throws ApiError `key_not_found`, `key_not_active`
 */
export async function rotateKey(db: AccountsDb, owner: Owner, keyId: number, lastUsed: LastUsed, now: Date) {
  const { row, secret } = await inTransaction(db, async (tx) => {
    const rotated = await replaceSecret(tx, owner, await requireKey(tx, keyId, owner), now)
    const { userId } = rotated.row
    if (userId !== null) await queueNotice(tx, userId, 'key_rotated', now)
    return rotated
  })
  return { ...toKey(row, await lastUsed(keyId)), secret }
}

/** Replaces the secrets of all active keys of an account, all or none; revoked ones are left alone. */
export async function rotateAllKeys(db: AccountsDb, userId: number, lastUsed: LastUsed, now: Date) {
  const rotated = await inTransaction(db, async (tx) => {
    const active = await selectKeys(tx, and(eq(apiKeys.userId, userId), eq(apiKeys.state, 'active')))
    const replaced: { row: KeyRow; secret: string }[] = []
    for (const key of active) replaced.push(await replaceSecret(tx, userId, key, now))
    if (active.length > 0) await queueNotice(tx, userId, 'key_rotated', now)
    return replaced
  })
  return Promise.all(
    rotated.map(async ({ row, secret }) => ({ ...toKey(row, await lastUsed(row.keyId)), secret })),
  )
}

/**
 * Refuses the key from the next request on; its row and usage stay. Revoking again changes nothing.
 * @throws ApiError `key_not_found`
 */
export async function revokeKey(db: AccountsDb, owner: Owner, keyId: number, lastUsed: LastUsed, now: Date) {
  const row = await inTransaction(db, async (tx) => {
    const key = await requireKey(tx, keyId, owner)
    if (key.state === 'revoked') return key
    const change = { state: 'revoked', revokedAt: formatTimestamp(now) } as const
    await tx.update(apiKeys).set(change).where(eq(apiKeys.keyId, keyId))
    await forgetReminders(tx, keyId)
    await note(tx, owner, 'key_revoked', key, now)
    return { ...key, ...change }
  })
  return toKey(row, await lastUsed(keyId))
}

/**
 * Removes a revoked key for good; the calls it used of its account's quota stay counted. Call `finishDeletions` after
 * it, for the records in another database.
 * @throws ApiError `key_not_found`, `key_not_revoked`
 */
export function deleteKey(db: AccountsDb, owner: Owner, keyId: number, now: Date): Promise<void> {
  return inTransaction(db, async (tx) => {
    const key = await requireKey(tx, keyId, owner)
    if (key.state !== 'revoked') {
      throw new ApiError('key_not_revoked', `key ${keyId} is active; revoke it before deleting it`)
    }
    await tx.delete(apiKeys).where(eq(apiKeys.keyId, keyId))
    await leaveTombstone(tx, 'key', keyId, now)
    await note(tx, owner, 'key_deleted', key, now)
  })
}

/** Keys that are not revoked. */
export async function countActiveKeys(db: DbReading): Promise<number> {
  const [row] = await db.select({ keys: count() }).from(apiKeys).where(eq(apiKeys.state, 'active'))
  return row!.keys
}

async function replaceSecret(tx: Transaction, owner: Owner, key: KeyRow, now: Date) {
  const { keyId } = key
  if (key.state !== 'active') {
    throw new ApiError('key_not_active', `key ${keyId} is revoked; a revoked key cannot be rotated`)
  }
  const { secret, stored } = newSecret()
  const change = { rotatedAt: formatTimestamp(now), ...stored }
  await tx.update(apiKeys).set(change).where(eq(apiKeys.keyId, keyId))
  await note(tx, owner, 'key_rotated', key, now)
  return { row: { ...key, ...change }, secret }
}

function note(
  tx: Transaction,
  owner: Owner,
  event: AuditEvent,
  { keyId, userId }: KeyRow,
  now: Date,
  detail: string | null = null,
): Promise<void> {
  const actor = typeof owner === 'number' ? 'account' : owner
  return recordEvent(tx, { actor, event, userId, keyId, detail }, now)
}

/** The label, trimmed (contract 4). */
function requireLabel(text: string): string {
  const label = text.trim()
  const { length } = [...label]
  const { min, max } = LABEL_LENGTH
  if (length >= min && length <= max) return label
  throw new CommandError('usage', `a label has ${min} to ${max} characters; this one has ${length}`)
}

async function planOf(tx: Transaction, { plan, userId }: MintRequest): Promise<string> {
  if (plan !== undefined) return (await requirePlan(tx, plan)).name
  const [user] =
    userId === undefined ? [] : await tx.select({ plan: users.plan }).from(users).where(eq(users.id, userId))
  if (!user) throw new CommandError('usage', 'a key needs a plan or an account')
  return user.plan
}

/** Keys minted by the operator (with a plan of their own) do not count. */
async function refuseBeyondLimit(tx: Transaction, userId: number): Promise<void> {
  const { name, max_active_keys: limit } = await requireAccountPlan(tx, userId)
  if (limit === null) return
  const counting = and(eq(apiKeys.userId, userId), eq(apiKeys.state, 'active'), isNull(apiKeys.plan))
  const [active] = await tx.select({ keys: count() }).from(apiKeys).where(counting)
  if (active!.keys < limit) return
  const message = `The ${name} plan allows ${limit} active keys; revoke one to make another.`
  throw new ApiError('key_limit_reached', message)
}

function newSecret(): { secret: string; stored: { secretHash: Buffer; hint: string } } {
  const secret = generateKey()
  return { secret, stored: { secretHash: Buffer.from(sha256(secret)), hint: keyHint(secret) } }
}
