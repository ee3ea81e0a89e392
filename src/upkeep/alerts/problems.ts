/** What the operator should know: found again each time, from what the data directory and the machine show. */

import { writeMoment } from '../../accounts/mail/compose.ts'
import type { AlertKind } from '../../accounts/mail/queue.ts'
import { readPattern } from '../../base/process/schedule.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { readBackupRecord } from '../backup/record.ts'

/** What is looked at. */
export interface Watched {
  readonly catalog: Catalog
  readonly dataDir: DataDir
  /** In bytes. */
  readonly diskFloor: number
  /** The pattern of backups, in UTC; null: none are made by schedule. */
  readonly backupSchedule: string | null
  /** The certificate that clients get; null: the service speaks no HTTPS. */
  readonly certificate: () => Certificate | null
  /** When this process began to look: what fell due before had no chance yet. */
  readonly startedAt: Date
}

export interface Certificate {
  /** Path of its file. */
  readonly file: string
  readonly ends: Date
}

export interface Problem {
  readonly kind: AlertKind
  readonly subject: string
  /** null: in between; what was told stays told. */
  readonly stands: boolean | null
  /** For the texts of the mails (`accounts/mail/texts/`). */
  readonly facts: Readonly<Record<string, string>>
}

const DAY_MS = 86_400_000
/** A refused file after which nothing was tried for so long is given up. */
const GIVEN_UP_MS = 30 * DAY_MS
/** A backup takes its time. */
const BACKUP_GRACE_MS = 3_600_000
export const CERTIFICATE_NOTICE_MS = 14 * DAY_MS
/** Above the floor by so much the disk has room again. */
const ROOM = 1.1

/** All that stands or may stand; what is not in the list is over. */
export async function findProblems(watched: Watched, now: Date): Promise<Problem[]> {
  return [
    ...findFailedRefreshes(watched),
    ...findRefusedFiles(watched, now),
    ...(await findRefusedDrafts(watched)),
    ...findServedPersonal(watched),
    ...findLateBackup(watched, now),
    findFullDisk(watched),
    ...findEndingCertificate(watched, now),
  ]
}

function findFailedRefreshes({ catalog }: Watched): Problem[] {
  return catalog.sources.failing().map((subject) => {
    const { error, failed_at } = catalog.sources.find(subject) ?? {}
    const facts = { reason: error ?? '', since: writeMoment(failed_at ?? '') }
    return { kind: 'refresh_failed', subject, stands: true, facts }
  })
}

/** A file that a refresh brought is the refresh's own problem. */
function findRefusedFiles({ catalog }: Watched, now: Date): Problem[] {
  const failing = new Set(catalog.sources.failing())
  const refused = catalog.refusals.list(new Date(now.getTime() - GIVEN_UP_MS))
  return refused.map(({ dataset, domain, at, reason }) => ({
    kind: 'ingest_refused',
    subject: dataset,
    stands: failing.has(dataset) ? null : true,
    facts: { domain, reason, since: writeMoment(at) },
  }))
}

/** The report of a draft is a file, maybe of another node. */
const REPORTED = 'The draft on the publishing desk says why.'

/** Until the draft is changed, removed or swept. */
async function findRefusedDrafts({ catalog }: Watched): Promise<Problem[]> {
  return (await catalog.drafts.refused()).map(({ changes, dataset, fileName, problem, changedAt }) => {
    const subject = String(changes.id ?? dataset ?? fileName.replace(/\.[^.]*$/, ''))
    const domain = String(changes.domain ?? catalog.find(subject)?.domain ?? '-')
    const facts = { domain, reason: problem?.message ?? REPORTED, since: writeMoment(changedAt) }
    return { kind: 'ingest_refused', subject, stands: true, facts }
  })
}

function findServedPersonal({ catalog }: Watched): Problem[] {
  return catalog.sources.servingPersonal().map(({ dataset: subject, columns }) => ({
    ...{ kind: 'personal_data_served', subject, stands: true, facts: { columns: columns.join(', ') } },
  }))
}

function findLateBackup({ dataDir, backupSchedule, startedAt }: Watched, now: Date): Problem[] {
  if (backupSchedule === null) return []
  const { last, scheduled, failed } = readBackupRecord(dataDir)
  const facts = { last: last === null ? '-' : `${writeMoment(last.at)} UTC`, reason: failed?.error ?? '' }
  const subject = dataDir.root
  if (failed !== null) return [{ kind: 'backup_late', subject, stands: true, facts }]
  const due = scheduled === null ? startedAt : readPattern(backupSchedule).nextRun(new Date(scheduled.at))
  if (due === null || due > now) return [{ kind: 'backup_late', subject, stands: false, facts }]
  const late = Math.max(due.getTime(), startedAt.getTime()) + BACKUP_GRACE_MS
  return [{ kind: 'backup_late', subject, stands: now.getTime() >= late ? true : null, facts }]
}

function findFullDisk({ dataDir, diskFloor }: Watched): Problem {
  const free = dataDir.freeBytes()
  const facts = { free: writeSize(free), floor: writeSize(diskFloor) }
  const stands = free < diskFloor ? true : free >= diskFloor * ROOM ? false : null
  return { kind: 'disk_low', subject: dataDir.root, stands, facts }
}

function findEndingCertificate({ certificate }: Watched, now: Date): Problem[] {
  const served = certificate()
  if (served === null) return []
  const stands = served.ends.getTime() - now.getTime() < CERTIFICATE_NOTICE_MS
  const facts = { ends: served.ends.toISOString().slice(0, 10) }
  return [{ kind: 'certificate_ending', subject: served.file, stands, facts }]
}

function writeSize(bytes: number): string {
  return bytes < 1e9 ? `${Math.floor(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
