/**
 * Mail waiting to be sent. It is queued in the transaction that causes it and survives a restart; a row keeps who,
 * what kind, which language and the token's id, so nothing secret waits here.
 */

import { and, asc, eq, lte } from 'drizzle-orm'
import type { AccountsDb } from '../db/accounts.ts'
import { mailQueue, users } from '../db/accounts-schema.ts'
import { formatTimestamp } from '../text/timestamp.ts'
import type { Language } from './language.ts'

export type MailKind = (typeof mailQueue.kind.enumValues)[number]
/** Mail that only tells of something; it carries no link. */
export type NoticeKind = Exclude<MailKind, 'verify' | 'reset' | 'invitation'>
export type QueuedMail = typeof mailQueue.$inferSelect

export interface Addressee {
  /** null: the account is being deleted, the mail outlives it. */
  readonly userId: number | null
  readonly email: string
  readonly language: Language
}

/** No mail waits longer than what it says holds: a day, a reset's link half an hour. In seconds. */
const GIVE_UP_S: Readonly<Record<MailKind, number>> = {
  verify: 86_400,
  reset: 1800,
  invitation: 86_400,
  password_changed: 86_400,
  key_created: 86_400,
  key_rotated: 86_400,
  account_deleted: 86_400,
}
/** Longer than any attempt takes: until then no other process tries the same mail. */
const CLAIM_S = 120
const FIRST_PAUSE_S = 30
const LONGEST_PAUSE_S = 3600

type Writing = Pick<AccountsDb, 'insert' | 'select'>

/** Queues a mail; call `Mailer.wake` once the transaction is committed. */
export function queueMail(
  db: Pick<AccountsDb, 'insert'>,
  to: Addressee,
  kind: MailKind,
  tokenId: string | null,
  now: Date,
): void {
  const { userId, email: recipient, language } = to
  const queuedAt = formatTimestamp(now)
  const giveUpAt = after(now, GIVE_UP_S[kind])
  db.insert(mailQueue)
    .values({ userId, recipient, kind, language, tokenId, queuedAt, nextAttemptAt: queuedAt, giveUpAt })
    .run()
}

/** Queues a notice for the owner of an account, unless the same one is still waiting: many changes, one mail. */
export function queueNotice(db: Writing, userId: number, kind: NoticeKind, now: Date): void {
  const owner = db
    .select({ email: users.email, language: users.language })
    .from(users)
    .where(eq(users.id, userId))
    .get()
  const waiting = db
    .select({ id: mailQueue.id })
    .from(mailQueue)
    .where(and(eq(mailQueue.userId, userId), eq(mailQueue.kind, kind), eq(mailQueue.attempts, 0)))
    .get()
  if (owner && !waiting) queueMail(db, { userId, ...owner }, kind, null, now)
}

/** Takes the oldest mail that is due, for this process alone, and counts the attempt. */
export function claimDueMail(db: AccountsDb, now: Date): QueuedMail | undefined {
  return db.transaction(
    (tx) => {
      const due = tx
        .select({ id: mailQueue.id, attempts: mailQueue.attempts })
        .from(mailQueue)
        .where(lte(mailQueue.nextAttemptAt, formatTimestamp(now)))
        .orderBy(asc(mailQueue.nextAttemptAt), asc(mailQueue.id))
        .limit(1)
        .get()
      if (!due) return undefined
      return tx
        .update(mailQueue)
        .set({ attempts: due.attempts + 1, nextAttemptAt: after(now, CLAIM_S) })
        .where(eq(mailQueue.id, due.id))
        .returning()
        .get()
    },
    { behavior: 'immediate' },
  )
}

/** Whether any mail is due, without taking the write lock. */
export function isMailDue(db: AccountsDb, now: Date): boolean {
  const due = db
    .select({ id: mailQueue.id })
    .from(mailQueue)
    .where(lte(mailQueue.nextAttemptAt, formatTimestamp(now)))
    .limit(1)
    .get()
  return due !== undefined
}

/** The mail is sent, or given up. */
export function dropMail(db: Pick<AccountsDb, 'delete'>, id: number): void {
  db.delete(mailQueue).where(eq(mailQueue.id, id)).run()
}

/**
 * Sets the time of the next attempt: 30 s after the first, then twice as long each time, an hour at most.
 * @returns false when the mail's time would be over by then
 */
export function postponeMail(db: AccountsDb, mail: QueuedMail, now: Date): boolean {
  const pause = Math.min(FIRST_PAUSE_S * 2 ** (mail.attempts - 1), LONGEST_PAUSE_S)
  const nextAttemptAt = after(now, pause)
  if (nextAttemptAt >= mail.giveUpAt) return false
  db.update(mailQueue).set({ nextAttemptAt }).where(eq(mailQueue.id, mail.id)).run()
  return true
}

function after(now: Date, seconds: number): string {
  return formatTimestamp(new Date(now.getTime() + seconds * 1000))
}
