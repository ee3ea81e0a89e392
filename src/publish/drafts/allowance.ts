/** How much publishers may leave lying as drafts: the disk is everybody's, and a draft stays for days. */

import { ApiError } from '../../base/errors.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { DraftOwner, HeldDrafts } from '../../store/catalog/drafts.ts'

/** Drafts of an account, or of an operator's key, that are neither published nor unchanged. */
const MOST_DRAFTS = 100
/** Their files together, in largest uploads (`max_upload`). */
const MOST_UPLOADS = 5

interface Shelf {
  readonly catalog: Catalog
  readonly config: { readonly max_upload: number }
}

/**
 * Call it before a file is taken, and again in the transaction that adds its draft: others may come meanwhile.
 * @param held by its owner @param more bytes to come
 * @throws ApiError `payload_too_large` when the owner has as many drafts, or as much in them, as it may
 */
export function refuseManyDrafts(
  { max_upload }: Shelf['config'],
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
export async function roomForDrafts({ catalog, config }: Shelf, owner: DraftOwner): Promise<number> {
  const { bytes } = await catalog.drafts.held(owner)
  return Math.max(0, MOST_UPLOADS * config.max_upload - bytes)
}
