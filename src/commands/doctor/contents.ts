/** The contents of the data directory: versions, sources, backups, leftovers of a crash. */

import { existsSync } from 'node:fs'
import { swapIsUnfinished } from '../../store/files/folder-swap.ts'
import { abandonedFolders } from '../../store/files/work-folder.ts'
import { describeBackups, readBackupRecord } from '../../upkeep/backup/record.ts'
import { withCatalog } from '../cli/folder.ts'
import { formatAmount, formatBytes } from '../cli/print.ts'
import { verifyFolder } from '../datasets/verify.ts'
import { type Finding, finding, fine, type Site } from './finding.ts'
import { sizeOf } from './size.ts'

const DAY_MS = 86_400_000
/** Applies without a schedule, when an operator starts each backup. */
const OLD_BACKUP_DAYS = 30

/** Reads every version file and every database in full. */
export async function checkVersions({ loaded, quick, program }: Site): Promise<Finding[]> {
  if (quick) return []
  const files = await verifyFolder(loaded.values, undefined)
  const damaged = files.filter(({ problem }) => problem !== null)
  if (damaged.length === 0) {
    const databases = files.filter(({ dataset }) => dataset === null).length
    const versions = formatAmount(files.length - databases, 'kept version file')
    const what = `${versions} and ${formatAmount(databases, 'database')} were read in full: no damage.`
    return fine('versions', what)
  }
  return damaged.flatMap(({ dataset, problem }) =>
    finding('versions', 'problem', {
      what: `${problem}.`,
      why: 'It is not served, or will fail soon; all other datasets are served.',
      remedy:
        dataset === null
          ? `${program} restore FILE   (the newest good backup)`
          : `${program} datasets rollback ${dataset}   (or ingest its file again, or restore a backup)`,
    }),
  )
}

export async function checkSources({ loaded, program }: Site): Promise<Finding[]> {
  const failing = await withCatalog(loaded.values, (catalog) => catalog.sources.failing())
  if (failing.length === 0) return fine('sources', 'No source failed at its last refresh.')
  return failing.flatMap((dataset) =>
    finding('sources', 'warning', {
      what: `${dataset} could not be fetched again.`,
      why: 'The published version is still served and becomes outdated.',
      remedy: `${program} datasets show ${dataset}   (prints why), then ${program} datasets refresh ${dataset}`,
    }),
  )
}

export function checkBackups({ folder, loaded, now, program }: Site): Finding[] {
  const record = readBackupRecord(folder)
  const { backup_schedule: schedule } = loaded.values
  const why = 'When the disk fails, accounts, keys and published versions are lost.'
  const { status, message } = describeBackups(record, schedule)
  if (status !== 'ok') {
    const what = `Backups have a problem: ${message}${record.failed === null ? '' : ` (${record.failed.error})`}.`
    const remedy = `${program} backup ${loaded.values.backup_dir ?? '/backup'}/   (prints what is wrong)`
    return finding('backups', 'problem', { what, why, remedy })
  }
  if (schedule !== null) return fine('backups', `By schedule (${schedule}): ${message}.`)
  const remedy = `IZVOR_BACKUP_SCHEDULE='30 2 * * *' IZVOR_BACKUP_DIR=/backup   (or by hand: ${program} backup /backup/)`
  if (record.last === null) {
    return finding('backups', 'warning', { what: 'There is no backup of this folder.', why, remedy })
  }
  const days = Math.floor((now().getTime() - Date.parse(record.last.at)) / DAY_MS)
  if (days <= OLD_BACKUP_DAYS)
    return fine('backups', `The last one is ${formatAmount(days, 'day')} old (${record.last.target}).`)
  const what = `The last backup is ${formatAmount(days, 'day')} old (${record.last.target}).`
  return finding('backups', 'warning', { what, why, remedy })
}

/** Ingests and restores that were killed. */
export function checkUnfinished({ folder, program }: Site): Finding[] {
  const found: Finding[] = []
  if (swapIsUnfinished(folder)) {
    found.push(
      ...finding('unfinished', 'problem', {
        what: 'A restore was killed while it replaced the contents of the data directory.',
        why: 'Until it is finished, the directory holds parts of both the old and the new contents.',
        remedy: `${program} datasets list   (any command finishes it)`,
      }),
    )
  }
  const left = existsSync(folder.tmpDir) ? abandonedFolders(folder.tmpDir) : []
  if (left.length > 0) {
    const bytes = left.reduce((sum, path) => sum + sizeOf(path), 0)
    found.push(
      ...finding('unfinished', 'note', {
        what: `${formatAmount(left.length, 'killed ingest')} left ${formatBytes(bytes)} in ${folder.tmpDir}.`,
        why: 'Nothing of it was published. It takes space until the next start removes it.',
        remedy: `${program} ingest FILE   (again, if its data is missing)`,
      }),
    )
  }
  return found.length > 0 ? found : fine('unfinished', 'No ingest and no restore is unfinished.')
}
