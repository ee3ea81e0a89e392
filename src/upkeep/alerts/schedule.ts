/** Looks for problems every few seconds and tells the operator by mail. A look reads a few rows and asks for free space. */

import { and, eq } from 'drizzle-orm'
import { writeMoment } from '../../accounts/mail/compose.ts'
import { type AlertMailKind, queueMail } from '../../accounts/mail/queue.ts'
import { Schedule, type ScheduleOptions } from '../../base/process/schedule.ts'
import type { Language } from '../../base/text/language.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { type AccountsDb, inTransaction, type Transaction } from '../../db/accounts.ts'
import { alerts } from '../../db/schema/accounts-schema.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { findProblems, type Problem, type Watched } from './problems.ts'

export interface AlertScheduleOptions extends ScheduleOptions, Watched {
  readonly dataDir: DataDir
  readonly accounts: AccountsDb
  readonly to: Recipients
  /** Something was queued (`Mailer.wake`). */
  readonly wake: () => void
}

export class AlertSchedule extends Schedule<AlertScheduleOptions> {
  constructor(options: AlertScheduleOptions) {
    super('alerts', options)
  }

  protected override async look(): Promise<void> {
    const { accounts, to, now, wake } = this.options
    const changes = await settleAlerts(accounts, await findProblems(this.options, now()), to, now())
    if (changes > 0) wake()
  }
}

/**
 * Mails to the operator, one for each problem and one when it is over. What was told is kept in `accounts.db`, in the
 * transaction that queues the mail: neither a restart nor another process on the directory tells it again.
 */
interface Recipients {
  readonly emails: readonly string[]
  readonly language: Language
}

type Raised = typeof alerts.$inferSelect

/**
 * Queues mails for problems that began or ended since the last call in any process; call `Mailer.wake` when there are any.
 * @param current problems; one that was reported and is not among them is over
 * @returns how many problems began or ended
 */
async function settleAlerts(
  db: AccountsDb,
  problems: readonly Problem[],
  to: Recipients,
  now: Date,
): Promise<number> {
  const raised = await db.select().from(alerts)
  const begun = problems.filter((problem) => problem.stands && !raised.some((one) => isSame(one, problem)))
  const ended = raised.filter(
    (one) => !problems.some((problem) => isSame(one, problem) && problem.stands !== false),
  )
  if (begun.length === 0 && ended.length === 0) return 0
  return inTransaction(db, async (tx) => {
    let changes = 0
    for (const problem of begun) if (await begin(tx, problem, to, now)) changes++
    for (const one of ended) if (await end(tx, one, to, now)) changes++
    return changes
  })
}

function isSame(one: Pick<Raised, 'kind' | 'subject'>, other: Pick<Raised, 'kind' | 'subject'>): boolean {
  return one.kind === other.kind && one.subject === other.subject
}

/** @returns false when another process has told it meanwhile */
async function begin(tx: Transaction, problem: Problem, to: Recipients, now: Date): Promise<boolean> {
  const { kind, subject, facts } = problem
  const raisedAt = formatTimestamp(now)
  const added = await tx.insert(alerts).values({ kind, subject, raisedAt }).onConflictDoNothing().returning()
  if (added.length === 0) return false
  await queueForAll(tx, to, kind, { ...facts, subject }, now)
  return true
}

/** @returns as `begin` */
async function end(
  tx: Transaction,
  { kind, subject, raisedAt }: Raised,
  to: Recipients,
  now: Date,
): Promise<boolean> {
  const removed = await tx
    .delete(alerts)
    .where(and(eq(alerts.kind, kind), eq(alerts.subject, subject)))
    .returning()
  if (removed.length === 0) return false
  await queueForAll(tx, to, `${kind}_over`, { subject, since: writeMoment(raisedAt) }, now)
  return true
}

async function queueForAll(
  tx: Transaction,
  { emails, language }: Recipients,
  kind: AlertMailKind,
  facts: Problem['facts'],
  now: Date,
): Promise<void> {
  for (const email of emails) await queueMail(tx, { userId: null, email, language }, { kind, facts }, now)
}
