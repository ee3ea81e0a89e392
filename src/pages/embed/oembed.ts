import { ApiError } from '../../base/errors.ts'
import { safeBase } from '../../interop/addresses.ts'
import { requireDataset } from '../../query/query-schema.ts'
import type { PageAccess } from '../dataset/ask-rows.ts'
import { embedAddress } from '../explorer/embed-address.ts'
import { FRAME_SIZE, frameCode } from '../explorer/embed-code.tsx'
import { CARD_SIZE } from '../explorer/share-head.tsx'
import type { View } from '../layout/view.ts'

export interface AskedEmbed {
  /** The address of a page of this service. */
  readonly url: string
  /** In pixels; undefined for the default size. */
  readonly maxwidth: number | undefined
  readonly maxheight: number | undefined
}

/**
 * Describes the frame for a page in oEmbed 1.0, within the requested size.
 * @throws ApiError `not_found` for an address that is not of this service or has no frame, `dataset_not_found`,
 *   `api_key_missing` for a dataset that is not shown without a key
 */
export function describeEmbed(view: View, access: PageAccess, { url, maxwidth, maxheight }: AskedEmbed) {
  const { app, language } = view
  const base = safeBase(view.base)
  const found = url.startsWith(`${base}/`) ? embedAddress(url.slice(base.length), language) : undefined
  if (found === undefined)
    throw new ApiError('not_found', `Only pages of datasets at ${base} can be embedded.`, [
      { location: 'query.url', message: 'not the address of a dataset, a summary, a map or a frame here' },
    ])
  const served = requireDataset(app.catalog, found.id)
  access.require(served)
  const { title, publisher } = app.catalog.record(served.id)!.dataset
  const width = Math.min(FRAME_SIZE.width, maxwidth ?? FRAME_SIZE.width)
  const height = Math.min(FRAME_SIZE.height, maxheight ?? FRAME_SIZE.height)
  return {
    version: '1.0',
    type: 'rich',
    title,
    ...(publisher !== null && { author_name: publisher }),
    provider_name: app.config.publisher ?? 'Izvor',
    provider_url: base,
    ...(fits(maxwidth, CARD_SIZE.width) &&
      fits(maxheight, CARD_SIZE.height) && {
        thumbnail_url: `${base}/datasets/${served.id}/summary.png?lang=${language}`,
        thumbnail_width: CARD_SIZE.width,
        thumbnail_height: CARD_SIZE.height,
      }),
    html: frameCode(base + found.address, title, { width, height }),
    width,
    height,
  }
}

function fits(most: number | undefined, size: number): boolean {
  return most === undefined || most >= size
}
