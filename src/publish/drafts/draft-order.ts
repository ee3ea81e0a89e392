/** What the service tells the process that works on a draft, and how much publishers may leave as drafts. */

import type { Config } from '../../base/config/config.ts'
import { ApiError } from '../../base/errors.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { DraftOwner, HeldDrafts } from '../../store/catalog/drafts.ts'

/** The variable that brings the address of the database, which may have a password in it. */
export const DATABASE_VARIABLE = 'IZVOR_DATABASE_URL'
const DRAFT_SETTINGS = [
  'max_quarantine',
  'max_mended',
  'personal_data',
  'keep_versions',
  'max_upload',
  'publish_private_addresses',
  'object_store',
  'object_store_endpoint',
  'version_cache',
  'disk_floor',
] as const satisfies readonly (keyof Config)[]

type DraftSettings = Pick<Config, (typeof DRAFT_SETTINGS)[number]>

export interface DraftOrder {
  readonly data: string
  readonly draft: string
  readonly settings: DraftSettings
}

export function settingsOf(config: Config): DraftSettings {
  return Object.fromEntries(DRAFT_SETTINGS.map((name) => [name, config[name]])) as DraftSettings
}

/** Processes that work on drafts at a time, of all services on a data directory. */
export const DRAFTS_AT_ONCE = 2
/** A draft is removed when nobody has changed it for this many days. */
export const DRAFT_DAYS = 7
/** How often a process takes up a draft, and how often a service starts over with it, before it is given up. */
export const MOST_ATTEMPTS = 2
export const MOST_RESTARTS = 10

/** Drafts of an account, or of an operator's key, that are neither published nor unchanged. */
const MOST_DRAFTS = 100
/** Their files together, in largest uploads (`max_upload`). */
const MOST_UPLOADS = 5

/**
 * Call it before a file is taken, and again in the transaction that adds its draft: others may come meanwhile.
 * @param held by its owner @param more bytes to come
 * @throws ApiError `payload_too_large` when the owner has as many drafts, or as much in them, as it may
 */
export function refuseManyDrafts(
  { max_upload }: Pick<Config, 'max_upload'>,
  { count, bytes }: HeldDrafts,
  more: number,
): void {
  const most = MOST_UPLOADS * max_upload
  const way = 'Publish or remove some of them first: GET /publish/api/drafts lists them.'
  if (count >= MOST_DRAFTS)
    throw new ApiError('payload_too_large', `You have ${count} drafts, and may have ${MOST_DRAFTS}. ${way}`)
  if (bytes + more > most) {
    const size = `${Math.floor(most / 1e6).toLocaleString('en')} MB`
    throw new ApiError('payload_too_large', `The files of your drafts may have ${size} together. ${way}`)
  }
}

/** Bytes that a file may have which is fetched into a draft. */
export async function roomForDrafts(
  { drafts }: Catalog,
  { max_upload }: DraftSettings,
  owner: DraftOwner,
): Promise<number> {
  const { bytes } = await drafts.held(owner)
  return Math.max(0, MOST_UPLOADS * max_upload - bytes)
}
