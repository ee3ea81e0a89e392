/**
 * Backs up by schedule, in a separate process. Runs missed while the service was down are made up for, and several
 * services on one directory do not repeat each other's. The directory's `backups.json` records the outcome of its
 * backups, for the health endpoint, the doctor and the next backup. It is not in a database because a restore must not
 * bring an old one back.
 */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { alphabet, generateRandomString } from 'oslo/crypto'
import { type RunningProgram, startProgram } from '../../base/process/child.ts'
import { readPattern, retryDelay, Schedule, type ScheduleOptions } from '../../base/process/schedule.ts'
import { systemFailure } from '../../base/text/system-failure.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import type { DataDir } from '../../store/files/data-dir.ts'

export interface BackupDone {
  /** RFC 3339 UTC: the moment that the backup shows. */
  readonly at: string
  /** Path; `-` for standard output. */
  readonly target: string
  readonly bytes: number
  /** Version files that were damaged or missing. */
  readonly damaged: readonly string[]
}

export interface BackupRecord {
  /** Distinguishes the backups of this folder from those of others. */
  readonly origin: string
  /** The last successful backup, manual or by schedule. */
  readonly last: BackupDone | null
  /** The last successful one by schedule. */
  readonly scheduled: BackupDone | null
  /** The last failed one by schedule; null when one has succeeded since. `failures`: in a row. */
  readonly failed: { readonly at: string; readonly error: string; readonly failures: number } | null
  /** Paths that a killed backup may have left behind. */
  readonly leftovers: readonly string[]
}

/** Never throws: an unreadable file counts as missing. */
export function readBackupRecord({ backupsFile }: DataDir): BackupRecord {
  const none = { origin: '', last: null, scheduled: null, failed: null, leftovers: [] }
  try {
    return { ...none, ...(JSON.parse(readFileSync(backupsFile, 'utf8')) as Partial<BackupRecord>) }
  } catch {
    return none
  }
}

/** Identifies this data directory in its backups; made at the first call. */
export function readOrigin(dataDir: DataDir): string {
  const { origin } = readBackupRecord(dataDir)
  if (origin !== '') return origin
  const made = generateRandomString(16, alphabet('a-z', '0-9'))
  change(dataDir, { origin: made })
  return made
}

export function recordBackup(dataDir: DataDir, done: BackupDone, bySchedule: boolean): void {
  change(dataDir, { last: done, ...(bySchedule && { scheduled: done, failed: null }) })
}

/** @returns the failure, which the caller keeps if it could not be written, for example on a full disk */
export function recordBackupFailure(
  dataDir: DataDir,
  error: string,
  now: Date,
  before = readBackupRecord(dataDir).failed,
) {
  const failed = { at: formatTimestamp(now), error, failures: (before?.failures ?? 0) + 1 }
  try {
    change(dataDir, { failed })
    return { failed, isNoted: true }
  } catch {
    return { failed, isNoted: false }
  }
}

/** A path for an unfinished backup, which the next backup removes if this process cannot. */
export function claimLeftover(dataDir: DataDir, path: (random: string) => string): string {
  const claimed = path(generateRandomString(8, alphabet('a-z', '0-9')))
  change(dataDir, { leftovers: [...readBackupRecord(dataDir).leftovers, claimed] })
  return claimed
}

/** Call it in one process at a time. Never throws: the next backup tries again to remove what is left. */
export function removeLeftovers(dataDir: DataDir): void {
  const { leftovers } = readBackupRecord(dataDir)
  if (leftovers.length === 0) return
  const stubborn = leftovers.filter((path) => {
    if (!/\.partial-[a-z0-9]{8}$/.test(path)) return false
    try {
      rmSync(path, { recursive: true, force: true })
      return false
    } catch {
      return true
    }
  })
  try {
    change(dataDir, { leftovers: stubborn })
  } catch {
    // The record then still names removed paths, which does no harm.
  }
}

/** @throws CommandError `failed`; the record is then what it was */
function change(dataDir: DataDir, changed: Partial<BackupRecord>): void {
  const unfinished = `${dataDir.backupsFile}.${process.pid}`
  const record = { ...readBackupRecord(dataDir), ...changed }
  try {
    writeFileSync(unfinished, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(unfinished, dataDir.backupsFile)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw systemFailure(`cannot write ${dataDir.backupsFile}`, error)
  }
}

/**
 * Whether a backup is due. The first one is due at once, which shows the operator that the schedule works. Runs missed
 * while the service was down are made up for. After a failure the delay grows from 5 minutes to a day.
 * @param schedule a cron pattern, in UTC
 */
export function isBackupDue({ scheduled, failed }: BackupRecord, schedule: string, now: Date): boolean {
  if (failed !== null) return now.getTime() >= Date.parse(failed.at) + retryDelay(failed.failures)
  if (scheduled === null) return true
  const next = readPattern(schedule).nextRun(new Date(scheduled.at))
  return next !== null && next <= now
}

/** For the public health endpoint, without paths and reasons. */
export function describeBackups(
  { last, scheduled, failed }: BackupRecord,
  schedule: string | null,
): { readonly status: 'ok' | 'degraded'; readonly message: string } {
  const newest = last === null ? 'there is none' : `the last one: ${last.at}`
  if (schedule === null)
    return { status: 'ok', message: last === null ? 'not scheduled' : `not scheduled; ${newest}` }
  if (failed !== null) return { status: 'degraded', message: `failing, at last ${failed.at}; ${newest}` }
  if (scheduled === null) return { status: 'ok', message: 'none yet' }
  if (scheduled.damaged.length > 0)
    return { status: 'degraded', message: `${newest}, with ${scheduled.damaged.length} damaged files` }
  return { status: 'ok', message: newest }
}

interface BackupScheduleOptions extends ScheduleOptions {
  readonly dataDir: DataDir
  /** A cron pattern, in UTC. */
  readonly schedule: string
  /** Starts a backup, if it is still due. */
  readonly startBackup: () => RunningProgram
}

/** A longer run hangs, for example on an unreachable network disk. */
export const LONGEST_BACKUP_MS = 12 * 3_600_000

/** @param folder for backups, without a slash at its end */
export function startScheduledBackup(
  program: readonly string[],
  { data, folder, keep }: { data: string; folder: string; keep: number },
): RunningProgram {
  const options = ['--if-due', '--keep', String(keep), '--data', data]
  return startProgram([...program, 'backup', `${folder}/`, ...options], LONGEST_BACKUP_MS)
}

export class BackupSchedule extends Schedule<BackupScheduleOptions> {
  /** A failure that could not be recorded; without this the next attempt would follow at once. */
  #unnoted: BackupRecord['failed'] = null

  constructor(options: BackupScheduleOptions) {
    super('backups', options)
  }

  protected override async look(): Promise<void> {
    const { schedule, now } = this.options
    if (!this.isClosed && isBackupDue(this.#readRecord(), schedule, now())) await this.#backUp()
  }

  #readRecord(): BackupRecord {
    const record = readBackupRecord(this.options.dataDir)
    return this.#unnoted === null ? record : { ...record, failed: this.#unnoted }
  }

  async #backUp(): Promise<void> {
    const { dataDir, log, now, startBackup } = this.options
    const before = readBackupRecord(dataDir).scheduled
    const end = await this.run(startBackup())
    if (end === undefined) return
    const { code, message } = end
    const { scheduled } = readBackupRecord(dataDir)
    const isDone = scheduled !== null && scheduled.at !== before?.at
    // 6: the backup was made, and holds a damaged file.
    if (isDone && (code === 0 || code === 6)) {
      this.#unnoted = null
      const { target, bytes, damaged } = scheduled
      if (damaged.length === 0) log.info({ target, bytes }, 'backed up by schedule')
      else
        log.error(
          { target, damaged },
          'backed up by schedule; older backups stay, since version files are damaged',
        )
      return
    }
    // Another backup is running; the next check tries again.
    if (code === 0) return
    const { failed, isNoted } = recordBackupFailure(dataDir, message, now(), this.#readRecord().failed)
    this.#unnoted = isNoted ? null : failed
    log.error({ code, reason: message }, 'a backup by schedule failed; earlier ones are untouched')
  }
}
