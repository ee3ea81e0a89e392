/**
 * Backs up when the schedule says so, in a process of its own. What was done stands in the folder (`record.ts`), so
 * runs missed while the service was down are made up for, and several services on one folder do not repeat each other's.
 */

import type { Logger } from 'pino'
import { type RunningProgram, startProgram } from '../process/child.ts'
import { ScheduleRunner } from '../process/schedule-runner.ts'
import type { DataDir } from '../storage/data-dir.ts'
import { isBackupDue } from './due.ts'
import { type BackupFailure, type BackupRecord, readBackupRecord, recordBackupFailure } from './record.ts'

export interface BackupScheduleOptions {
  readonly dataDir: DataDir
  /** A cron pattern, in UTC. */
  readonly schedule: string
  readonly now: () => Date
  readonly log: Logger
  /** Starts a backup, if it is still due. */
  readonly startBackup: () => RunningProgram
}

/** What takes longer hangs: a network disk that is gone, above all. */
const LONGEST_RUN_MS = 12 * 3_600_000
/** Exit codes of a backup that is there: 6 says that it holds a damaged file. */
const DONE = [0, 6]

/** @param folder for backups, without a slash at its end */
export function startScheduledBackup(
  program: readonly string[],
  { data, folder, keep }: { data: string; folder: string; keep: number },
): RunningProgram {
  const options = ['--if-due', '--keep', String(keep), '--data', data]
  return startProgram([...program, 'backup', `${folder}/`, ...options], LONGEST_RUN_MS)
}

export class BackupSchedule {
  readonly #options: BackupScheduleOptions
  readonly #runner: ScheduleRunner
  /** A failure that the folder could not take: without it the next attempt would follow at once, again and again. */
  #unnoted: BackupFailure | null = null

  constructor(options: BackupScheduleOptions) {
    this.#options = options
    this.#runner = new ScheduleRunner(
      () => options.dataDir.sweep(),
      () => this.#look(),
    )
  }

  /** Looks now and every few seconds from now on. */
  start(): void {
    this.#runner.start()
  }

  /** Backs up if that is due, and returns when it is done; joins a look that is under way. */
  async runIfDue(): Promise<void> {
    await this.#runner.look()
  }

  /** Ends a backup that runs, which stays due. */
  async stop(): Promise<void> {
    await this.#runner.stop()
  }

  async #look(): Promise<void> {
    const { schedule, now, log } = this.#options
    try {
      if (!this.#runner.isClosed && isBackupDue(this.#readRecord(), schedule, now())) await this.#run()
    } catch (error) {
      log.error({ err: error }, 'the schedule of backups could not be followed; it will be tried again')
    }
  }

  #readRecord(): BackupRecord {
    const record = readBackupRecord(this.#options.dataDir)
    return this.#unnoted === null ? record : { ...record, failed: this.#unnoted }
  }

  async #run(): Promise<void> {
    const { dataDir, log, now, startBackup } = this.#options
    const before = readBackupRecord(dataDir).scheduled
    const end = await this.#runner.run(startBackup())
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
    // Another service's backup, or one by hand, is running: this one looks again in a moment.
    if (code === 0) return
    const { failed, isNoted } = recordBackupFailure(dataDir, message, now(), this.#readRecord().failed)
    this.#unnoted = isNoted ? null : failed
    log.error({ code, reason: message }, 'a backup by schedule failed; earlier ones are untouched')
  }
}
