/** `limit` and `offset`, the same on every list (specification 8). */

import { integerParameter } from './parameters.ts'

export const DEFAULT_LIMIT = 50
export const LARGEST_LIMIT = 1000

/** `limit`: 50 when not given. `offset`: 0. */
export const PAGE_PARAMETERS = {
  limit: integerParameter('limit', { min: 1, max: LARGEST_LIMIT, fallback: DEFAULT_LIMIT }, 'invalid_limit'),
  offset: integerParameter('offset', { min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }, 'invalid_offset'),
} as const

/** Where a page stands among all, as the `pagination` of a list by offset (specification 2.3). */
export interface OffsetPage {
  /** null when counting was skipped. */
  readonly total: number | null
  readonly count: number
  readonly limit: number
  readonly offset: number
  readonly hasNext: boolean
}

/** Offsets of the neighbouring pages; null where there is none (contract 3, `links`). */
export interface Neighbours {
  readonly next: number | null
  readonly prev: number | null
  readonly last: number | null
}

/** `prev` of a page past the end is the last page, where the total is known. */
export function neighboursOf({ total, limit, offset, hasNext }: OffsetPage): Neighbours {
  const last = total === null ? null : Math.max(0, Math.ceil(total / limit) - 1) * limit
  const pastEnd = total !== null && offset >= total
  const prev = offset === 0 ? null : pastEnd ? last : Math.max(0, offset - limit)
  return { next: hasNext ? offset + limit : null, prev, last }
}
