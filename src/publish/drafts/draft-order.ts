/** The order that the service gives to a draft's process, and the limits on drafts. */

import type { Config } from '../../base/config/config.ts'
import { ApiError } from '../../base/errors.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { DraftOwner, HeldDrafts } from '../../store/catalog/drafts.ts'

/** The environment variable with the database's address, which may contain a password. */
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

/** Processes that work on drafts at the same time, for all services on a data directory. */
export const DRAFTS_AT_ONCE = 2
/** A draft that nobody has changed for 7 days is removed. */
export const DRAFT_MS = 7 * 86_400_000
/** How many times processes take up a draft, and how many restarts of the service it survives, before it is given up. */
export const MOST_ATTEMPTS = 2
export const MOST_RESTARTS = 10

/** Drafts of an account, or of an operator's key, that are neither published nor unchanged. */
const MOST_DRAFTS = 100
/** Size of their files together, as a multiple of the largest upload (`max_upload`). */
const MOST_UPLOADS = 5

/**
 * Call it before a file is received, and again in the transaction that adds its draft: other drafts may be added meanwhile.
 * @param held what the owner has already @param more bytes to add
 * @throws ApiError `payload_too_large` when the owner has reached the limit of drafts or of their bytes
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

/** The largest file, in bytes, that may be fetched into a draft. */
export async function roomForDrafts(
  { drafts }: Catalog,
  { max_upload }: DraftSettings,
  owner: DraftOwner,
): Promise<number> {
  const { bytes } = await drafts.held(owner)
  return Math.max(0, MOST_UPLOADS * max_upload - bytes)
}
