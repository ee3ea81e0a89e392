/**
 * Mail waiting to be sent. It is queued in the transaction that causes it and survives a restart. A row holds the
 * recipient, the kind, the language and the token's id, so nothing in it is secret.
 */

import type Database from 'better-sqlite3'
import { and, asc, eq, lte } from 'drizzle-orm'
import type { Language } from '../../base/text/language.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { type AccountsDb, type DbReading, inTransaction, type Transaction } from '../../db/accounts.ts'
import { type alerts, mailQueue, users } from '../../db/schema/accounts-schema.ts'

export type MailKind = (typeof mailQueue.kind.enumValues)[number]
/** Mail to the operator (`upkeep/alerts.ts`): a problem, and its end. */
export type AlertMailKind = AlertKind | `${AlertKind}_over`
export type AlertKind = (typeof alerts.kind.enumValues)[number]
export type QueuedMail = typeof mailQueue.$inferSelect

interface Addressee {
  /** The account; null: none, or one that is being deleted, which the mail outlives. */
  readonly id: number | null
  readonly email: string
  readonly language: Language
}

/** The account of a person who runs the service on their own desktop (`izvor open`). It has no mailbox. */
export const OWNER_EMAIL = 'owner@localhost'

/** No mail waits longer than its content is valid: a day, except for the kinds listed here. In seconds. */
const GIVE_UP_S: Readonly<Partial<Record<MailKind, number>>> = { reset: 1800 }
const A_DAY_S = 86_400
/** Longer than any attempt takes; for this time no other process tries the same mail. */
const CLAIM_S = 120
const FIRST_PAUSE_S = 30
const LONGEST_PAUSE_S = 3600

/**
 * Queues a mail; call `Mailer.wake` once the transaction is committed. The owner's account gets none.
 * @param mail `tokenId` where it carries a link, `keyId` of the key it is about and is deleted with, `facts` as its
 *   text names them in braces, besides `{host}` and `{time}`
 */
export async function queueMail(
  tx: Transaction,
  { id: userId, email: recipient, language }: Addressee,
  mail: Pick<typeof mailQueue.$inferInsert, 'kind' | 'tokenId' | 'keyId' | 'facts'>,
  now: Date,
): Promise<void> {
  if (recipient === OWNER_EMAIL) return
  const [queuedAt, giveUpAt] = [formatTimestamp(now), after(now, GIVE_UP_S[mail.kind] ?? A_DAY_S)]
  const moments = { queuedAt, nextAttemptAt: queuedAt, giveUpAt }
  await tx.insert(mailQueue).values({ ...mail, userId, recipient, language, ...moments })
}

/** Queues a notice (mail without a link) for the owner of an account, unless the same notice is still waiting. */
export async function queueNotice(
  tx: Transaction,
  userId: number,
  kind: Exclude<MailKind, 'verify' | 'reset' | 'invitation' | 'key_expires' | AlertMailKind>,
  now: Date,
): Promise<void> {
  const owner = await findAddressee(tx, userId)
  const [waiting] = await tx
    .select({ id: mailQueue.id })
    .from(mailQueue)
    .where(and(eq(mailQueue.userId, userId), eq(mailQueue.kind, kind), eq(mailQueue.attempts, 0)))
    .limit(1)
  if (owner && !waiting) await queueMail(tx, owner, { kind }, now)
}

/** The owner of an account. */
export async function findAddressee(tx: Transaction, userId: number): Promise<Addressee | undefined> {
  const [owner] = await tx
    .select({ id: users.id, email: users.email, language: users.language })
    .from(users)
    .where(eq(users.id, userId))
  return owner
}

/** Claims the oldest mail that is due for this process, and counts the attempt. */
export function claimDueMail(db: AccountsDb, now: Date): Promise<QueuedMail | undefined> {
  return inTransaction(db, async (tx) => {
    const [due] = await tx
      .select({ id: mailQueue.id, attempts: mailQueue.attempts })
      .from(mailQueue)
      .where(lte(mailQueue.nextAttemptAt, formatTimestamp(now)))
      .orderBy(asc(mailQueue.nextAttemptAt), asc(mailQueue.id))
      .limit(1)
    if (!due) return undefined
    const [claimed] = await tx
      .update(mailQueue)
      .set({ attempts: due.attempts + 1, nextAttemptAt: after(now, CLAIM_S) })
      .where(eq(mailQueue.id, due.id))
      .returning()
    return claimed
  })
}

/** Whether any mail is due, without taking the write lock. */
export async function isMailDue(db: DbReading, now: Date): Promise<boolean> {
  const isDue = lte(mailQueue.nextAttemptAt, formatTimestamp(now))
  return (await db.select({ id: mailQueue.id }).from(mailQueue).where(isDue).limit(1)).length > 0
}

/** Deletes a mail that was sent or given up. */
export async function dropMail(tx: Transaction, id: number): Promise<void> {
  await tx.delete(mailQueue).where(eq(mailQueue.id, id))
}

/**
 * Sets the time of the next attempt: 30 s after the first, doubling each time, at most an hour.
 * @returns false when the mail would have expired by then
 */
export async function postponeMail(tx: Transaction, mail: QueuedMail, now: Date): Promise<boolean> {
  const pause = Math.min(FIRST_PAUSE_S * 2 ** (mail.attempts - 1), LONGEST_PAUSE_S)
  const nextAttemptAt = after(now, pause)
  if (nextAttemptAt >= mail.giveUpAt) return false
  await tx.update(mailQueue).set({ nextAttemptAt }).where(eq(mailQueue.id, mail.id))
  return true
}

/** A `giveUpAt` that sorts before every moment: the mail came with a backup, and was sent before. */
export const RESTORED = '0000-restored'

/**
 * Marks all waiting mail so that the next service to start gives it up, with an entry in the audit log for each.
 * @param accounts `accounts.db`, migrated @returns how many mails there are
 */
export function giveUpRestored(accounts: Database.Database): number {
  const mark = accounts.prepare<[string]>('UPDATE mail_queue SET give_up_at = ?, next_attempt_at = queued_at')
  return mark.run(RESTORED).changes
}

function after(now: Date, seconds: number): string {
  return formatTimestamp(new Date(now.getTime() + seconds * 1000))
}
