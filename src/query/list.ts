/** A list query answered: the page or walk step, with its `pagination` and `links`. */

import { type ValueOrPromise, withValue } from '../base/value-or-promise.ts'
import type { OpenDataset } from '../engine/memory/open-dataset.ts'
import type { Page, WalkPage } from '../engine/query.ts'
import { listPage, walkPage } from '../engine/run.ts'
import type { ServedDataset } from '../store/catalog/record.ts'
import { openCursor, sealCursor } from './cursor.ts'
import { type Hint, withHints } from './hints.ts'
import type { ListPlace, WrittenLinks } from './links.ts'
import type { ReadList } from './list-reader.ts'
import { neighboursOf } from './paging.ts'
import type { ListQuery } from './query.ts'

/** A page ready for the envelope. */
export interface ListedPage {
  /** JSON array of row objects; to be copied before anything else runs. */
  readonly rows: Uint8Array
  /** Left out where there are no pages. */
  readonly pagination?: { readonly count: number; readonly [field: string]: unknown }
  readonly links: WrittenLinks
  /** What would have found some, where filters leave no row. */
  readonly hints?: readonly Hint[]
}

/**
 * The row a cursor query goes on from; undefined in offset mode.
 * @throws ApiError `invalid_cursor`, `cursor_expired`
 */
export function startOfWalk(secret: Uint8Array, served: ServedDataset, query: ListQuery): number | undefined {
  if (query.cursor === undefined) return undefined
  if (query.cursor === 'start') return 0
  return openCursor(secret, bindingOf(served, query), query.cursor)
}

/** Runs a query in offset mode (specification 4.6 rules 1-3). `count`: whether the total is wanted. */
export function listByOffset(
  dataset: OpenDataset,
  list: ReadList,
  count: boolean,
  place: ListPlace,
): ValueOrPromise<ListedPage> {
  return withValue(listPage(dataset, { ...list.query, count }), (page) => {
    const listed = offsetPage(page, list, place)
    return page.count > 0 ? listed : withHints(dataset, list.query, listed)
  })
}

/** Runs a query in cursor mode (specification 4.6 rule 4), from row `from` in file order. */
export function listByCursor(
  dataset: OpenDataset,
  list: ReadList,
  from: number,
  place: ListPlace,
  seal: (row: number) => string,
): ValueOrPromise<ListedPage> {
  return withValue(walkPage(dataset, { ...list.query, from }), (page) => {
    const listed = cursorPage(page, list, place, seal)
    return page.count > 0 ? listed : withHints(dataset, list.query, listed)
  })
}

/** Seals the cursors of one walk. */
export function cursorSealer(
  secret: Uint8Array,
  served: ServedDataset,
  query: ListQuery,
): (row: number) => string {
  return (row) => sealCursor(secret, bindingOf(served, query), row)
}

function bindingOf({ id, version, sha256 }: ServedDataset, { filters }: ListQuery) {
  return { dataset: id, version, sha256, filters }
}

function offsetPage(page: Page, { query, addresses }: ReadList, place: ListPlace): ListedPage {
  const { limit, offset } = query
  const { total, count, hasNext } = page
  const { next, prev, last } = neighboursOf({ total, count, limit, offset, hasNext })
  return {
    rows: page.rows,
    pagination: { total, count, limit, offset, has_next: hasNext, next_offset: next },
    links: addresses.write(place, { next, prev, first: 0, last }),
  }
}

function cursorPage(
  page: WalkPage,
  { query, addresses }: ReadList,
  place: ListPlace,
  seal: (row: number) => string,
): ListedPage {
  const nextCursor = page.next === null ? null : seal(page.next)
  return {
    rows: page.rows,
    pagination: {
      count: page.count,
      limit: query.limit,
      has_next: nextCursor !== null,
      next_cursor: nextCursor,
    },
    links: addresses.write(place, { next: nextCursor, first: 'start' }),
  }
}
