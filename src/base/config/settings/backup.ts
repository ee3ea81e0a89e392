/** Backups by schedule. */

import { setting } from '../setting.ts'
import { integer, SCHEDULE, text } from '../setting-kinds.ts'

export const BACKUP_SETTINGS = {
  backup_schedule: setting({
    kind: SCHEDULE,
    fallback: null,
    help: 'When serve backs up to backup_dir, in UTC; without a schedule it never does.',
  }),
  backup_dir: setting({
    kind: text('a folder, best on another disk'),
    fallback: null,
    help: 'Folder for backups by schedule.',
  }),
  backup_keep: setting({
    kind: integer(1, 10_000),
    fallback: '14',
    unit: 'backups',
    help: 'Backups of this data directory that stay in backup_dir; the oldest are removed first.',
  }),
}
