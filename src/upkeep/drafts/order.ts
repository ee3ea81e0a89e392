/** What the service tells the process that works on a draft. */

import type { IngestSettings } from '../../ingest/publish/findings.ts'

export interface DraftOrder {
  /** The data directory. */
  readonly data: string
  readonly draft: string
  readonly settings: IngestSettings & {
    readonly keep_versions: number
    readonly max_upload: number
    /** Addresses inside private networks may be fetched. */
    readonly publish_private_addresses: boolean
  }
}

/** Processes that work on drafts at a time, of all services on a data directory. */
export const DRAFTS_AT_ONCE = 2
/** A draft is removed when nobody has changed it for so many days. */
export const DRAFT_DAYS = 7
/** How often a process takes up a draft, and how often a service begins anew with it: then it is given up. */
export const MOST_ATTEMPTS = 2
export const MOST_RESTARTS = 10
