/** The position of a page in a list with a known total: the `pagination` of account and publishing APIs. */

export interface Pagination {
  readonly total: number
  readonly count: number
  readonly limit: number
  readonly offset: number
  readonly has_next: boolean
  /** null on the last page, and past the end. */
  readonly next_offset: number | null
}

/** @param page as requested and found; after an empty one there is no next */
export function paginationOf(page: Pick<Pagination, 'total' | 'count' | 'limit' | 'offset'>): Pagination {
  const { total, count, limit, offset } = page
  const has_next = count > 0 && offset + count < total
  return { total, count, limit, offset, has_next, next_offset: has_next ? offset + count : null }
}
