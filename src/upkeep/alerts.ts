/** Looks for problems every few seconds and tells the operator by mail. A look reads a few rows and the free space. */

import { and, eq } from 'drizzle-orm'
import { writeMoment } from '../accounts/mail/compose.ts'
import { type AlertKind, type AlertMailKind, queueMail } from '../accounts/mail/queue.ts'
import type { Config } from '../base/config/config.ts'
import { domainLabel } from '../base/config/domain-labels.ts'
import { readPattern, Schedule, type ScheduleOptions } from '../base/process/schedule.ts'
import type { Language } from '../base/text/language.ts'
import { formatTimestamp } from '../base/text/timestamp.ts'
import { type AccountsDb, inTransaction } from '../db/accounts.ts'
import { alerts } from '../db/schema/accounts-schema.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import type { DataDir } from '../store/files/data-dir.ts'
import { readBackupRecord } from './backup/record.ts'
import type { AcmeRecords } from './certificates/acme-records.ts'
import { failureOf, readRenewal } from './certificates/renewal.ts'

interface AlertScheduleOptions extends ScheduleOptions {
  readonly catalog: Catalog
  readonly dataDir: DataDir
  readonly accounts: AccountsDb
  readonly to: { readonly emails: readonly string[]; readonly language: Language }
  readonly config: Pick<Config, 'disk_floor' | 'backup_schedule' | 'domain_labels'>
  /** Called when something was queued (`Mailer.wake`). */
  readonly wake: () => void
  /** The certificate that clients get, with the path of its file; null: the service does not speak HTTPS. */
  readonly certificate: () => { readonly file: string; readonly ends: Date } | null
  /** Records of a certificate by ACME; null: there is none. */
  readonly records: AcmeRecords | null
  /** When this process began to look: a backup that was due before that could not be made yet. */
  readonly startedAt: Date
}

export class AlertSchedule extends Schedule<AlertScheduleOptions> {
  constructor(options: AlertScheduleOptions) {
    super('alerts', options)
  }

  protected override async look(): Promise<void> {
    const { now, wake } = this.options
    if (await settleAlerts(this.options, await findProblems(this.options, now()), now())) wake()
  }
}

/**
 * Queues mails for problems that began or ended since the last call in any process: one when each begins, and one when
 * it is over. Reported problems are stored in `accounts.db` by the transaction that queues the mail, so neither a
 * restart nor another process on the directory reports them again.
 * @param problems a reported problem that is not among them is over
 * @returns whether a mail was queued
 */
async function settleAlerts(
  { accounts, to: { emails, language } }: AlertScheduleOptions,
  problems: readonly Problem[],
  now: Date,
): Promise<boolean> {
  const raised = await accounts.select().from(alerts)
  const isSame = (one: (typeof raised)[number], other: Problem) =>
    one.kind === other.kind && one.subject === other.subject
  const begun = problems.filter((problem) => problem.stands && !raised.some((one) => isSame(one, problem)))
  const ended = raised.filter(
    (one) => !problems.some((problem) => isSame(one, problem) && problem.stands !== false),
  )
  if (begun.length === 0 && ended.length === 0) return false
  return inTransaction(accounts, async (tx) => {
    let isTold = false
    // Without rows, another process has reported it meanwhile.
    const tell = async (rows: unknown[], kind: AlertMailKind, facts: Problem['facts']) => {
      if (rows.length === 0) return
      for (const email of emails) await queueMail(tx, { id: null, email, language }, { kind, facts }, now)
      isTold = true
    }
    for (const { kind, subject, facts } of begun) {
      const row = { kind, subject, raisedAt: formatTimestamp(now) }
      const added = await tx.insert(alerts).values(row).onConflictDoNothing().returning()
      await tell(added, kind, { ...facts, subject })
    }
    for (const { kind, subject, raisedAt } of ended) {
      const isIt = and(eq(alerts.kind, kind), eq(alerts.subject, subject))
      const removed = await tx.delete(alerts).where(isIt).returning()
      await tell(removed, `${kind}_over`, { subject, since: writeMoment(raisedAt) })
    }
    return isTold
  })
}

interface Problem {
  readonly kind: AlertKind
  readonly subject: string
  /** null: undecided; a reported problem stays reported. */
  readonly stands: boolean | null
  /** For the texts of the mails (`accounts/mail/texts/`). */
  readonly facts: Readonly<Record<string, string>>
}

const DAY_MS = 86_400_000
export const CERTIFICATE_NOTICE_MS = 14 * DAY_MS

/** All current or undecided problems; a problem that is not in the list is over. */
async function findProblems(options: AlertScheduleOptions, now: Date): Promise<Problem[]> {
  const { catalog, dataDir, config, to } = options
  const { disk_floor: floor, domain_labels } = config
  const called = (domain: string) => domainLabel(domain_labels, to.language, domain) ?? domain
  const problems: Problem[] = []
  const add = (kind: AlertKind, subject: string, facts: Problem['facts'], stands: boolean | null = true) =>
    problems.push({ kind, subject, stands, facts })

  const failing = catalog.sources.failing()
  for (const dataset of failing) {
    const { error, failed_at } = catalog.sources.find(dataset) ?? {}
    add('refresh_failed', dataset, { reason: error ?? '', since: writeMoment(failed_at ?? '') })
  }
  // After 30 days without another attempt, a refused file no longer counts.
  const refused = catalog.refusals.list(new Date(now.getTime() - 30 * DAY_MS))
  for (const { dataset, domain, at, reason } of refused) {
    // If a refresh brought the file, `refresh_failed` reports it.
    const stands = failing.includes(dataset) ? null : true
    add('ingest_refused', dataset, { domain: called(domain), reason, since: writeMoment(at) }, stands)
  }
  // These last until the draft is changed, removed or swept.
  for (const { changes, dataset, fileName, problem, changedAt } of await catalog.drafts.refused()) {
    const subject = String(changes.id ?? dataset ?? fileName.replace(/\.[^.]*$/, ''))
    const domain = String(changes.domain ?? catalog.find(subject)?.domain ?? '-')
    // The report of a draft is a file, possibly on another node.
    const reason = problem?.message ?? 'The draft on the publishing desk says why.'
    add('ingest_refused', subject, { domain: called(domain), reason, since: writeMoment(changedAt) })
  }
  for (const { dataset, columns } of catalog.sources.servingPersonal())
    add('personal_data_served', dataset, { columns: columns.join(', ') })

  problems.push(...findLateBackup(options, now))

  const free = dataDir.freeBytes()
  const sizes = { free: writeSize(free), floor: writeSize(floor) }
  // The disk has room again when it is a tenth above the floor.
  add('disk_low', dataDir.root, sizes, free < floor ? true : free >= floor * 1.1 ? false : null)

  problems.push(...(await findCertificateProblems(options, now)))
  return problems
}

async function findCertificateProblems(
  { certificate, records }: AlertScheduleOptions,
  now: Date,
): Promise<Problem[]> {
  if (records !== null) {
    const failed = failureOf(await readRenewal(records))
    if (failed === null) return []
    const facts = { reason: failed.reason, since: writeMoment(failed.since) }
    return [{ kind: 'certificate_failed', subject: failed.host, stands: true, facts }]
  }
  const served = certificate()
  if (served === null) return []
  const stands = served.ends.getTime() - now.getTime() < CERTIFICATE_NOTICE_MS
  const facts = { ends: served.ends.toISOString().slice(0, 10) }
  return [{ kind: 'certificate_ending', subject: served.file, stands, facts }]
}

function findLateBackup({ dataDir, config, startedAt }: AlertScheduleOptions, now: Date): Problem[] {
  const { backup_schedule: schedule } = config
  if (schedule === null) return []
  const { last, scheduled, failed } = readBackupRecord(dataDir)
  const facts = { last: last === null ? '-' : `${writeMoment(last.at)} UTC`, reason: failed?.error ?? '' }
  const subject = dataDir.root
  if (failed !== null) return [{ kind: 'backup_late', subject, stands: true, facts }]
  const due = scheduled === null ? startedAt : readPattern(schedule).nextRun(new Date(scheduled.at))
  if (due === null || due > now) return [{ kind: 'backup_late', subject, stands: false, facts }]
  // An hour for the backup itself.
  const late = Math.max(due.getTime(), startedAt.getTime()) + 3_600_000
  return [{ kind: 'backup_late', subject, stands: now.getTime() >= late ? true : null, facts }]
}

function writeSize(bytes: number): string {
  return bytes < 1e9 ? `${Math.floor(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
