/**
 * The table of settings. Options, variables, `izvor config`, the example file and docs/settings.md come from it.
 */

import { type Values, variableOf } from './setting.ts'
import { BACKUP_SETTINGS, DATA_SETTINGS, LOG_SETTINGS, NODE_SETTINGS } from './settings/keeping.ts'
import { ACCOUNT_SETTINGS, HTTP_SETTINGS, LIMIT_SETTINGS, PAGES_SETTINGS } from './settings/serving.ts'

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

/**
 * Settings of nodes for the processes that a service starts; none for a data directory of a single machine. They go into the
 * environment, since the database's may have a password.
 */
export function nodeVariables(config: Config): Record<string, string> {
  const { database_url, object_store, object_store_endpoint, version_cache, disk_floor } = config
  if (object_store === null) return {}
  const settings = { database_url, object_store, object_store_endpoint, version_cache, disk_floor }
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      value === null ? [] : [[variableOf(name), String(value)]],
    ),
  )
}
