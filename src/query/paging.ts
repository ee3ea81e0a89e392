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

/**
 * Offsets of the neighbouring pages; null where there is none. `last` is in steps of `limit` from the page itself and never
 * before it; `prev` of a page past the end is the last page that a walk from the first one reaches (contract 3, `links`).
 */
export interface Neighbours {
  readonly next: number | null
  readonly prev: number | null
  readonly last: number | null
}

export function neighboursOf({ total, limit, offset, hasNext }: OffsetPage): Neighbours {
  const next = hasNext ? offset + limit : null
  const before = Math.max(0, offset - limit)
  if (total === null) return { next, prev: offset === 0 ? null : before, last: null }
  const pagesIn = (rows: number) => Math.max(0, Math.ceil(rows / limit) - 1)
  const prev = offset === 0 ? null : offset >= total ? pagesIn(total) * limit : before
  return { next, prev, last: offset + pagesIn(total - offset) * limit }
}
