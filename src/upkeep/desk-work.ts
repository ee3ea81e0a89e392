/**
 * Work that operators start from their desk: the command of the same name in a separate process, since it reads disks
 * and contacts other machines.
 */

import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { type Config, nodeVariables } from '../base/config/config.ts'
import { givenByOptions, type LoadedConfig } from '../base/config/load.ts'
import { CommandError } from '../base/errors.ts'
import { printedBy, startProgram } from '../base/process/child.ts'
import type { DataDir } from '../store/files/data-dir.ts'
import { notedService } from '../store/files/service-file.ts'
import { readManifest } from './backup/folder-target.ts'
import { type BackupRecord, LONGEST_BACKUP_MS, readBackupRecord } from './backup/record.ts'
import { listBackups } from './backup/source.ts'

/** `note`: worth knowing; `warning`: will become a problem; `problem`: needs action now. */
export const SEVERITIES = ['ok', 'note', 'warning', 'problem'] as const
export type Severity = (typeof SEVERITIES)[number]

/** A finding of the doctor. */
export interface Finding {
  readonly check: string
  readonly state: Severity
  readonly what: string
  /** Why it matters, and the command to run or the setting to change; null when all is well. */
  readonly why: string | null
  readonly remedy: string | null
}

/** Longer checks wait for something that does not answer. */
const LONGEST_CHECKS_MS = 60_000
/** For this long the doctor's findings are shown again: pages ask at each visit. */
const FINDINGS_MS = 30_000
/** The newest backups that a list shows. */
const MOST_BACKUPS = 50

interface DeskWorkOptions {
  /** The command that starts this program. */
  readonly program: readonly string[]
  readonly config: Config
  /** The settings with their origins. */
  readonly given: LoadedConfig
  readonly dataDir: DataDir
  readonly now: () => Date
}

/** The doctor's findings, and when it was asked. */
interface Examination {
  readonly at: Date
  readonly findings: readonly Finding[]
}

export class DeskWork {
  readonly #options: DeskWorkOptions
  #examined: { readonly at: Date; readonly found: Promise<Examination> } | undefined
  #backup: Promise<void> | undefined

  constructor(options: DeskWorkOptions) {
    this.#options = options
  }

  /**
   * The findings of `izvor doctor --quick`, at most half a minute old. Simultaneous callers share one run.
   * @throws CommandError `failed` when the doctor could not run
   */
  examine(): Promise<Examination> {
    const at = this.#options.now()
    const last = this.#examined
    if (last !== undefined && Math.abs(at.getTime() - last.at.getTime()) < FINDINGS_MS) return last.found
    const examined = { at, found: this.#askDoctor(at) }
    this.#examined = examined
    // After a failure the next call asks again.
    examined.found.catch(() => {
      if (this.#examined === examined) this.#examined = undefined
    })
    return examined.found
  }

  async #askDoctor(at: Date): Promise<Examination> {
    const { program, config, given, dataDir } = this.#options
    const port = config.port === 0 ? portOf(notedService(dataDir)?.address) : config.port
    const place = ['--data', dataDir.root, '--host', config.host, '--port', String(port)]
    const command = [...program, 'doctor', '--quick', '--json', ...place]
    // The process reads all other settings from the same places as this one.
    const options = givenByOptions(given).map(({ env, written }) => [env, written])
    const variables = { ...Object.fromEntries(options), ...nodeVariables(config) }
    const { output, message } = await printedBy(command, LONGEST_CHECKS_MS, variables)
    try {
      return { at, findings: JSON.parse(output) as Finding[] }
    } catch {
      throw new CommandError('failed', `The doctor could not run: ${message}`)
    }
  }

  /**
   * Makes a backup in the folder from the settings, as `izvor backup` does.
   * @throws CommandError `failed` without such a folder, while another backup runs, or when it could not be made
   */
  backUp(): Promise<void> {
    const { program, config, dataDir } = this.#options
    const { backup_dir: folder, backup_keep: keep } = config
    if (folder === null) throw new CommandError('failed', 'There is no folder for backups: set backup_dir.')
    if (this.#backup !== undefined) throw new CommandError('failed', 'A backup is being made already.')
    const options = ['--keep', String(keep), '--data', dataDir.root]
    const command = [...program, 'backup', `${folder}/`, ...options]
    const run = startProgram(command, LONGEST_BACKUP_MS, false, nodeVariables(config))
    this.#backup = run.ended.then(({ code, message }) => {
      this.#backup = undefined
      // 6: it was made, and holds a damaged file.
      if (code !== 0 && code !== 6) throw new CommandError('failed', message)
    })
    return this.#backup
  }

  /** The backups in the folder from the settings, newest first, and the outcome of the last ones. */
  backups() {
    const { config, dataDir } = this.#options
    const { backup_dir: folder, backup_schedule: schedule, backup_keep: keep } = config
    const { last, failed }: BackupRecord = readBackupRecord(dataDir)
    const found = folder !== null && existsSync(folder) ? listBackups(folder) : []
    const data = found
      .slice(-MOST_BACKUPS)
      .toReversed()
      .flatMap((path) => {
        const manifest = readManifest(path)
        if (manifest === null) return []
        const { created_at: at, files, damaged } = manifest
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
        return [
          { name: basename(path), at, files: files.length, bytes, damaged: damaged.map(({ name }) => name) },
        ]
      })
    return { folder, schedule, keep, running: this.#backup !== undefined, last, failed, data }
  }
}

/** The port of a service that listens on a free port. */
function portOf(address: string | undefined): string {
  return address === undefined ? '0' : new URL(address).port
}
