/**
 * The table of settings. Options, variables, `izvor config`, the example file and docs/settings.md come from it.
 */

import type { Values } from './setting.ts'
import { ACCOUNT_SETTINGS } from './settings/accounts.ts'
import { BACKUP_SETTINGS } from './settings/backup.ts'
import { DATA_SETTINGS } from './settings/data.ts'
import { HTTP_SETTINGS } from './settings/http.ts'
import { LIMIT_SETTINGS } from './settings/limits.ts'
import { LOG_SETTINGS } from './settings/log.ts'
import { NODE_SETTINGS } from './settings/nodes.ts'
import { PAGES_SETTINGS } from './settings/pages.ts'

/** The settings by topic, in the order in which they are listed. */
export const SETTING_TOPICS = {
  'Data directory and ingest': DATA_SETTINGS,
  Network: HTTP_SETTINGS,
  'Visitors without a key': PAGES_SETTINGS,
  'Accounts and mail': ACCOUNT_SETTINGS,
  'Queries, exports and memory': LIMIT_SETTINGS,
  Backup: BACKUP_SETTINGS,
  'Logs and metrics': LOG_SETTINGS,
  'Several machines': NODE_SETTINGS,
}

export const SETTINGS = {
  ...DATA_SETTINGS,
  ...HTTP_SETTINGS,
  ...PAGES_SETTINGS,
  ...ACCOUNT_SETTINGS,
  ...LIMIT_SETTINGS,
  ...BACKUP_SETTINGS,
  ...LOG_SETTINGS,
  ...NODE_SETTINGS,
}

/** Sizes in bytes, durations in seconds, shares from 0 to 1. */
export type Config = Values<typeof SETTINGS>
export type SettingName = keyof Config
