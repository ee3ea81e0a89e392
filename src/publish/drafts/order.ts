/** What the service tells the process that works on a draft. */

import type { Config } from '../../base/config/config.ts'

/** The variable that brings the address of the database, which may have a password in it. */
export const DATABASE_VARIABLE = 'IZVOR_DATABASE_URL'

/** Settings that the process works by. */
type DraftSettings = Pick<
  Config,
  | 'max_quarantine'
  | 'max_mended'
  | 'personal_data'
  | 'keep_versions'
  | 'max_upload'
  | 'publish_private_addresses'
  | 'object_store'
  | 'object_store_endpoint'
  | 'version_cache'
  | 'disk_floor'
>

export interface DraftOrder {
  /** The data directory. */
  readonly data: string
  readonly draft: string
  readonly settings: DraftSettings
}

export function settingsOf(config: Config): DraftSettings {
  const { max_quarantine, max_mended, personal_data, keep_versions, max_upload } = config
  const { publish_private_addresses, object_store, object_store_endpoint } = config
  const { version_cache, disk_floor } = config
  return {
    ...{ max_quarantine, max_mended, personal_data, keep_versions, max_upload },
    ...{ publish_private_addresses, object_store, object_store_endpoint, version_cache, disk_floor },
  }
}

/** Processes that work on drafts at a time, of all services on a data directory. */
export const DRAFTS_AT_ONCE = 2
/** A draft is removed when nobody has changed it for so many days. */
export const DRAFT_DAYS = 7
/** How often a process takes up a draft, and how often a service begins anew with it: then it is given up. */
export const MOST_ATTEMPTS = 2
export const MOST_RESTARTS = 10
