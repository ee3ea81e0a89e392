/**
 * The audit log: who did what to accounts, keys and plans. Append-only, which the database itself enforces. It
 * outlives the accounts it speaks of, so it holds numbers and never addresses, names or labels.
 */

import { desc } from 'drizzle-orm'
import type { AccountsDb } from '../db/accounts.ts'
import { audit } from '../db/accounts-schema.ts'
import { formatTimestamp } from '../text/timestamp.ts'

/** `operator`: a command; `account`: its owner, signed in or by a link; `service`: the program by itself. */
export type Actor = (typeof audit.actor.enumValues)[number]

export type AuditEvent =
  | 'account_created'
  | 'account_deleted'
  | 'account_plan_changed'
  | 'email_verified'
  | 'password_changed'
  | 'password_reset'
  | 'password_reset_requested'
  | 'sign_in_blocked'
  | 'session_revoked'
  | 'sessions_revoked'
  | 'key_minted'
  | 'key_rotated'
  | 'key_revoked'
  | 'key_deleted'
  | 'plan_changed'
  | 'mail_given_up'

export interface AuditEntry {
  readonly actor: Actor
  readonly event: AuditEvent
  readonly userId?: number | null
  readonly keyId?: number | null
  /** A plan, a kind of mail; never anything personal. */
  readonly detail?: string | null
}

export interface AuditRecord {
  readonly id: number
  /** RFC 3339 UTC. */
  readonly at: string
  readonly actor: Actor
  readonly event: string
  readonly user_id: number | null
  readonly key_id: number | null
  readonly detail: string | null
}

/** Adds an entry; inside the transaction of what it tells of, so that neither is ever there without the other. */
export function recordEvent(db: Pick<AccountsDb, 'insert'>, entry: AuditEntry, now: Date): void {
  db.insert(audit)
    .values({ at: formatTimestamp(now), ...entry })
    .run()
}

/** The latest entries, newest first. */
export function listEvents(db: AccountsDb, limit: number): AuditRecord[] {
  return db
    .select({
      id: audit.id,
      at: audit.at,
      actor: audit.actor,
      event: audit.event,
      user_id: audit.userId,
      key_id: audit.keyId,
      detail: audit.detail,
    })
    .from(audit)
    .orderBy(desc(audit.id))
    .limit(limit)
    .all()
}
