/**
 * The audit log: who did what to accounts, keys, plans and datasets. Append-only, which the database itself enforces. It
 * outlives the accounts it refers to, so it holds numbers and never addresses, names or labels.
 */

import { and, count, desc, eq, or } from 'drizzle-orm'
import { paginationOf } from '../../base/pagination.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { type AccountsDb, type DbReading, inTransaction, type Transaction } from '../../db/accounts.ts'
import { audit } from '../../db/schema/accounts-schema.ts'

/**
 * `operator`: a command, an operator's key, or an operator's account at the desk; `shell`: a command that changes
 * datasets; `account`: its owner, signed in or by a link; `service`: the program by itself.
 */
export type Actor = (typeof audit.actor.enumValues)[number]

/** Who acts as the operator: an account with the role; null: a command, or a key of the operator. */
export interface Operator {
  readonly operator: number | null
}
export const OPERATOR: Operator = { operator: null }

export type AuditEvent =
  | 'account_created'
  | 'account_deleted'
  | 'account_plan_changed'
  | 'account_role_changed'
  | 'email_verified'
  | 'password_changed'
  | 'password_reset'
  | 'password_reset_requested'
  | 'second_factor_on'
  | 'second_factor_off'
  | 'recovery_code_used'
  | 'sign_in_blocked'
  | 'session_revoked'
  | 'sessions_revoked'
  | 'key_minted'
  | 'key_changed'
  | 'key_rotated'
  | 'key_revoked'
  | 'key_deleted'
  | 'plan_changed'
  | 'mail_given_up'
  | 'dataset_published'
  | 'dataset_changed'
  | 'dataset_served'
  | 'dataset_scheduled'
  | 'dataset_removed'
  | 'versions_dropped'
  | 'account_invited'
  | 'backup_started'
  | 'request_log_read'
  | 'settings_changed'

/**
 * Adds an entry, in the transaction of the change that it records: neither is stored without the other.
 * @param entry with a detail that is never personal: a plan, a role with its domains, the terms of a key, a kind of
 *   mail, a dataset or its version
 */
export async function recordEvent(
  tx: Transaction,
  entry: {
    actor: Actor | Operator
    event: AuditEvent
    userId?: number | null
    keyId?: number | null
    detail?: string | null
  },
  now: Date,
): Promise<void> {
  const { actor: by, userId: user_id, keyId: key_id, ...what } = entry
  const [actor, operator_id] = typeof by === 'string' ? [by, null] : (['operator', by.operator] as const)
  await tx.insert(audit).values({ at: formatTimestamp(now), actor, operator_id, user_id, key_id, ...what })
}

/** Adds an entry in a transaction of its own, for an event that changes nothing else in this database. */
export function noteEvent(
  db: AccountsDb,
  entry: Parameters<typeof recordEvent>[1],
  now: Date,
): Promise<void> {
  return inTransaction(db, (tx) => recordEvent(tx, entry, now))
}

/** A page of the entries, newest first. @param userId entries about this account, or by it as an operator */
export async function pageEvents(db: DbReading, { event, userId, limit, offset }: AuditQuery) {
  const wanted = and(
    event === undefined ? undefined : eq(audit.event, event),
    userId === undefined ? undefined : or(eq(audit.user_id, userId), eq(audit.operator_id, userId)),
  )
  const [all] = await db.select({ total: count() }).from(audit).where(wanted)
  const data = await db.select().from(audit).where(wanted).orderBy(desc(audit.id)).limit(limit).offset(offset)
  return { data, pagination: paginationOf({ total: all!.total, count: data.length, limit, offset }) }
}

interface AuditQuery {
  readonly event?: string | undefined
  readonly userId?: number | undefined
  readonly limit: number
  readonly offset: number
}

/** The latest entries, newest first. */
export function listEvents(db: DbReading, limit: number) {
  return db.select().from(audit).orderBy(desc(audit.id)).limit(limit).execute()
}

/** Who changes datasets. The change is committed elsewhere, in the catalog, so it is noted afterwards. */
export interface Publishing {
  /** null: the operator's key. */
  readonly accountId: number | null
  /** null: a session of the account. */
  readonly keyId: number | null
}

/** Who published which version. */
export interface Publication extends Publishing {
  readonly dataset: string
  readonly version: number
}

/** Notes a publication once, however often it is reported: version numbers are never reused. */
export async function notePublication(db: AccountsDb, { dataset, version, ...by }: Publication, now: Date) {
  const detail = `${dataset} version ${version}`
  await inTransaction(db, async (tx) => {
    const event = 'dataset_published'
    const same = and(eq(audit.event, event), eq(audit.detail, detail))
    const [known] = await tx.select({ id: audit.id }).from(audit).where(same).limit(1)
    if (known === undefined) await record(tx, by, event, detail, now)
  })
}

/** Notes another change of a dataset. @param detail the dataset and what was changed; nothing personal */
export function noteChange(db: AccountsDb, by: By, event: AuditEvent, detail: string, now: Date) {
  return inTransaction(db, (tx) => record(tx, by, event, detail, now))
}

type By = Publishing | 'shell' | 'service'

function record(tx: Transaction, by: By, event: AuditEvent, detail: string, now: Date) {
  if (typeof by === 'string') return recordEvent(tx, { actor: by, event, detail }, now)
  const { accountId, keyId } = by
  const actor = accountId === null ? 'operator' : 'account'
  return recordEvent(tx, { actor, event, userId: accountId, keyId, detail }, now)
}
