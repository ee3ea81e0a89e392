/** `limit` and `offset`, the same on every list (specification 8). */

import type { Findings } from './findings.ts'
import { quote } from './values.ts'

export const DEFAULT_LIMIT = 50
export const LARGEST_LIMIT = 1000

const DIGITS = /^[0-9]+$/

/** Reads `limit`: an integer from 1 to 1000, 50 when not given. */
export function readLimit(text: string | undefined, findings: Findings): number {
  if (text === undefined) return DEFAULT_LIMIT
  const limit = DIGITS.test(text) ? Number(text) : Number.NaN
  if (limit >= 1 && limit <= LARGEST_LIMIT) return limit
  const message = `parameter "limit" must be an integer from 1 to ${LARGEST_LIMIT}, not ${quote(text)}`
  findings.add('invalid_limit', 'query.limit', { message })
  return DEFAULT_LIMIT
}

/** Reads `offset`: an integer from 0 to 2^53 - 1, 0 when not given. */
export function readOffset(text: string | undefined, findings: Findings): number {
  if (text === undefined) return 0
  const offset = DIGITS.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(offset)) return offset
  const message = `parameter "offset" must be an integer from 0 to ${Number.MAX_SAFE_INTEGER}, not ${quote(text)}`
  findings.add('invalid_offset', 'query.offset', { message })
  return 0
}

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
