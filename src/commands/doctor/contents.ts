/** What is in the folder: versions as they were published, sources, backups, what a crash left behind. */

import { existsSync } from 'node:fs'
import { describeBackups } from '../../backup/due.ts'
import { readBackupRecord } from '../../backup/record.ts'
import { swapIsUnfinished } from '../../storage/folder-swap.ts'
import { abandonedFolders } from '../../storage/work-folder.ts'
import { verifyFolder } from '../datasets/verify.ts'
import { withCatalog } from '../folder.ts'
import { formatAmount, formatBytes } from '../print.ts'
import { type Finding, finding, fine, type Site } from './finding.ts'
import { sizeOf } from './size.ts'

const DAY_MS = 86_400_000
/** Without a schedule somebody has to think of it. */
const OLD_BACKUP_DAYS = 30

/** Reads every version file and every database; as long as the disk takes. */
export function checkVersions({ loaded, quick, program }: Site): Finding[] {
  if (quick) return []
  const files = verifyFolder(loaded.values, undefined)
  const damaged = files.filter(({ problem }) => problem !== null)
  if (damaged.length === 0) {
    const databases = files.filter(({ dataset }) => dataset === null).length
    const versions = formatAmount(files.length - databases, 'kept version file')
    const what = `${versions} and ${formatAmount(databases, 'database')} were read whole: as they were written.`
    return [fine('versions', what)]
  }
  return damaged.map(({ dataset, problem }) =>
    finding('versions', 'problem', {
      what: `${problem}.`,
      why: 'It is not served, or not for long; the rest is.',
      remedy:
        dataset === null
          ? `${program} restore FILE   (the newest good backup)`
          : `${program} datasets rollback ${dataset}   (or ingest its file again, or restore a backup)`,
    }),
  )
}

export function checkSources({ loaded, program }: Site): Finding[] {
  const failing = withCatalog(loaded.values, (catalog) => catalog.sources.failing())
  if (failing.length === 0) return [fine('sources', 'No source failed at its last refresh.')]
  return failing.map((dataset) =>
    finding('sources', 'warning', {
      what: `${dataset} could not be fetched again.`,
      why: 'What was published stays served, and grows old.',
      remedy: `${program} datasets show ${dataset}   (says why), then ${program} datasets refresh ${dataset}`,
    }),
  )
}

export function checkBackups({ folder, loaded, now, program }: Site): Finding[] {
  const record = readBackupRecord(folder)
  const { backup_schedule: schedule } = loaded.values
  const why = 'A disk that dies takes accounts, keys and published versions with it.'
  const { status, message } = describeBackups(record, schedule)
  if (status !== 'ok') {
    const what = `Backups are not well: ${message}${record.failed === null ? '' : ` (${record.failed.error})`}.`
    const remedy = `${program} backup ${loaded.values.backup_dir ?? '/backup'}/   (shows what is wrong)`
    return [finding('backups', 'problem', { what, why, remedy })]
  }
  if (schedule !== null) return [fine('backups', `By schedule (${schedule}): ${message}.`)]
  const remedy = `IZVOR_BACKUP_SCHEDULE='30 2 * * *' IZVOR_BACKUP_DIR=/backup   (or by hand: ${program} backup /backup/)`
  if (record.last === null) {
    return [finding('backups', 'warning', { what: 'There is no backup of this folder.', why, remedy })]
  }
  const days = Math.floor((now().getTime() - Date.parse(record.last.at)) / DAY_MS)
  if (days <= OLD_BACKUP_DAYS)
    return [fine('backups', `The last one is ${formatAmount(days, 'day')} old (${record.last.target}).`)]
  const what = `The last backup is ${formatAmount(days, 'day')} old (${record.last.target}).`
  return [finding('backups', 'warning', { what, why, remedy })]
}

/** Ingests and restores that were killed. */
export function checkUnfinished({ folder, program }: Site): Finding[] {
  const found: Finding[] = []
  if (swapIsUnfinished(folder)) {
    found.push(
      finding('unfinished', 'problem', {
        what: 'A restore was killed while it exchanged the contents of the folder.',
        why: 'Until it is brought to its end, the folder is half of one and half of the other.',
        remedy: `${program} datasets list   (any command brings it to its end)`,
      }),
    )
  }
  const left = existsSync(folder.tmpDir) ? abandonedFolders(folder.tmpDir) : []
  if (left.length > 0) {
    const bytes = left.reduce((sum, path) => sum + sizeOf(path), 0)
    found.push(
      finding('unfinished', 'note', {
        what: `${formatAmount(left.length, 'ingest')} ended without warning and left ${formatBytes(bytes)} in ${folder.tmpDir}.`,
        why: 'Nothing of it was published; it takes room until the next start, which removes it.',
        remedy: `${program} ingest FILE   (again, if its data is missing)`,
      }),
    )
  }
  return found.length > 0 ? found : [fine('unfinished', 'Nothing was left half done.')]
}
