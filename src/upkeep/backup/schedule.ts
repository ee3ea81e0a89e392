/**
 * Backs up by schedule, in a process of its own. The data directory records what was done (`record.ts`), so runs missed
 * while the service was down are run later, and several services on one directory do not repeat each other's.
 */

import { type RunningProgram, startProgram } from '../../base/process/child.ts'
import { Schedule, type ScheduleOptions } from '../../base/process/schedule.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import {
  type BackupFailure,
  type BackupRecord,
  isBackupDue,
  readBackupRecord,
  recordBackupFailure,
} from './record.ts'

export interface BackupScheduleOptions extends ScheduleOptions {
  readonly dataDir: DataDir
  /** A cron pattern, in UTC. */
  readonly schedule: string
  /** Starts a backup, if it is still due. */
  readonly startBackup: () => RunningProgram
}

/** A longer run hangs, for example on an unreachable network disk. */
const LONGEST_RUN_MS = 12 * 3_600_000
/** Exit codes of a completed backup: 6 means that it holds a damaged file. */
const DONE = [0, 6]

/** @param folder for backups, without a slash at its end */
export function startScheduledBackup(
  program: readonly string[],
  { data, folder, keep }: { data: string; folder: string; keep: number },
): RunningProgram {
  const options = ['--if-due', '--keep', String(keep), '--data', data]
  return startProgram([...program, 'backup', `${folder}/`, ...options], LONGEST_RUN_MS)
}

export class BackupSchedule extends Schedule<BackupScheduleOptions> {
  /** A failure that could not be written to the directory; without it the next attempt would follow at once. */
  #unnoted: BackupFailure | null = null

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
    if (isDone && DONE.includes(code ?? -1)) {
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
