/** The contents of the data directory: versions, sources, backups, leftovers of a crash, old copies. */

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { COPIES_FOLDER } from '../../db/migrate.ts'
import { abandonedFolders } from '../../store/files/work-folder.ts'
import { describeBackups, readBackupRecord } from '../../upkeep/backup/record.ts'
import { keptAside } from '../../upkeep/backup/restore.ts'
import { withCatalog } from '../cli/folder.ts'
import { formatAmount, formatBytes } from '../cli/print.ts'
import { verifyFolder } from '../datasets/verify.ts'
import { type Answer, fine, note, problem, type Said, type Site, sizeOf, warning } from './finding.ts'

const DAY_MS = 86_400_000
/** Applies to backups without a schedule, which an operator starts. */
const OLD_DAYS = 30
/** Share of the free space above which copies are reported: an ingest or a backup may need the space. */
const MUCH_ROOM = 0.1

/** Reads every version file and every database in full. */
export async function checkVersions({ config, quick, program }: Site): Promise<Answer> {
  if (quick) return
  const files = await verifyFolder(config, undefined)
  const damaged = files.filter((file) => file.problem !== null)
  if (damaged.length === 0) {
    const databases = files.filter(({ dataset }) => dataset === null).length
    const versions = formatAmount(files.length - databases, 'kept version file')
    return fine(`${versions} and ${formatAmount(databases, 'database')} were read in full: no damage.`)
  }
  return damaged.map(({ dataset, problem: damage }) =>
    problem(
      `${damage}.`,
      'It is not served, or will fail soon; all other datasets are served.',
      dataset === null
        ? `${program} restore FILE   (the newest good backup)`
        : `${program} datasets rollback ${dataset}   (or ingest its file again, or restore a backup)`,
    ),
  )
}

export async function checkSources({ config, program }: Site): Promise<Answer> {
  const failing = await withCatalog(config, (catalog) => catalog.sources.failing())
  if (failing.length === 0) return fine('No source failed at its last refresh.')
  return failing.map((dataset) =>
    warning(
      `${dataset} could not be fetched again.`,
      'The published version is still served and becomes outdated.',
      `${program} datasets show ${dataset}   (prints why), then ${program} datasets refresh ${dataset}`,
    ),
  )
}

export function checkBackups({ folder, config, now, program }: Site): Answer {
  const record = readBackupRecord(folder)
  const { last, failed } = record
  const { backup_schedule: schedule, backup_dir } = config
  const why = 'When the disk fails, accounts, keys and published versions are lost.'
  const { status, message } = describeBackups(record, schedule)
  if (status !== 'ok') {
    const what = `Backups have a problem: ${message}${failed === null ? '' : ` (${failed.error})`}.`
    return problem(what, why, `${program} backup ${backup_dir ?? '/backup'}/   (prints what is wrong)`)
  }
  if (schedule !== null) return fine(`By schedule (${schedule}): ${message}.`)
  const remedy = `IZVOR_BACKUP_SCHEDULE='30 2 * * *' IZVOR_BACKUP_DIR=/backup   (or by hand: ${program} backup /backup/)`
  if (last === null) return warning('There is no backup of this folder.', why, remedy)
  const days = Math.floor((now().getTime() - Date.parse(last.at)) / DAY_MS)
  const age = `is ${formatAmount(days, 'day')} old (${last.target}).`
  return days <= OLD_DAYS ? fine(`The last one ${age}`) : warning(`The last backup ${age}`, why, remedy)
}

/** Ingests and restores that were killed. */
export function checkUnfinished({ folder, program }: Site): Answer {
  const found: Said[] = []
  if (existsSync(folder.restoringDir))
    found.push(
      problem(
        'A restore was killed while it replaced the contents of the data directory.',
        'Until it is finished, the directory holds parts of both the old and the new contents.',
        `${program} datasets list   (any command finishes it)`,
      ),
    )
  const left = existsSync(folder.tmpDir) ? abandonedFolders(folder.tmpDir) : []
  if (left.length > 0) {
    const bytes = left.reduce((sum, path) => sum + sizeOf(path), 0)
    found.push(
      note(
        `${formatAmount(left.length, 'killed ingest')} left ${formatBytes(bytes)} in ${folder.tmpDir}.`,
        'Nothing of it was published. It takes space until the next start removes it.',
        `${program} ingest FILE   (again, if its data is missing)`,
      ),
    )
  }
  return found.length > 0 ? found : fine('No ingest and no restore is unfinished.')
}

/** Reports copies of databases from before a migration, and contents that a restore put aside, if old or large. */
export function checkOldCopies({ folder, now }: Site): Answer {
  const upgrades = join(folder.root, COPIES_FOLDER)
  const copies = [...(existsSync(upgrades) ? [upgrades] : []), ...keptAside(folder)].map((path) => {
    // The folder's time: files that were put aside keep their own.
    const days = Math.max(0, Math.floor((now().getTime() - statSync(path).mtimeMs) / DAY_MS))
    return { path, bytes: sizeOf(path), days }
  })
  const burdens = copies.filter(
    ({ bytes, days }) => days > OLD_DAYS || bytes > folder.freeBytes() * MUCH_ROOM,
  )
  if (burdens.length === 0) return fine('No copy from before an upgrade or a restore is old or large.')
  return burdens.map(({ path, bytes, days }) => {
    const source =
      path === upgrades ? 'Databases as they were before an upgrade' : 'The contents from before a restore'
    return note(
      `${source} are in ${path}: ${formatBytes(bytes)}, ${formatAmount(days, 'day')} old.`,
      'They hold accounts and addresses that people may have deleted since, are in no backup, and take space.',
      `rm -r ${path}   (when you are sure that you do not need it)`,
    )
  })
}
