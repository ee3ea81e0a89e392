/**
 * What a backup holds and under which names, in an archive as in a folder:
 *
 *     izvor-20250131T080000Z/
 *       accounts.db  catalog.db  usage.db     as far as there are any
 *       datasets/<id>/<version>.db            those the catalog beside them knows
 *       reference/<name>.csv                  the operator's own tables
 *       manifest.json  SHA256SUMS             last: what is cut short has none
 */

import { formatTimestamp } from '../../base/text/timestamp.ts'
import { SCHEMAS } from '../../db/migrations.ts'

export type DatabaseName = keyof typeof SCHEMAS
export const DATABASES = Object.keys(SCHEMAS) as readonly DatabaseName[]

export const MANIFEST = 'manifest.json'
export const SUMS = 'SHA256SUMS'

const BACKUP = /^izvor-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/
/** At the top or below one folder of any name: a backup may have been unpacked and packed again. */
const PART =
  /^(?:\.\/)?(?:(?!datasets\/|reference\/|\.\.\/)[^/]+\/)?((?:accounts|catalog|usage)\.db|datasets\/[a-z0-9_]{1,64}\/[1-9]\d{0,14}\.db|reference\/[^/\\]+\.csv|manifest\.json|SHA256SUMS)$/

/** `izvor-20250131T080000Z`: names sort by time. */
export function backupName(at: Date): string {
  return `izvor-${formatTimestamp(at).replaceAll(/[-:]/g, '')}`
}

export function isBackupName(name: string): boolean {
  return BACKUP.test(name)
}

/** The name within the backup of something found at a path, or null when it is not part of one. */
export function partOf(path: string): string | null {
  return PART.exec(path)?.[1] ?? null
}

export function isReferenceTable(file: string): boolean {
  return partOf(`reference/${file}`) !== null
}
