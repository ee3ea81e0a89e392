/** A list query answered: the page or walk step, with its `pagination` and `links`. */

import type { ServedDataset } from '../catalog/record.ts'
import type { OpenDataset } from '../engine/memory.ts'
import type { Page, WalkPage } from '../engine/query.ts'
import { listPage, walkPage } from '../engine/run.ts'
import { openCursor, sealCursor } from './cursor.ts'
import type { Links } from './links.ts'
import type { ReadList } from './list-reader.ts'
import { neighboursOf } from './paging.ts'
import type { ListQuery } from './query.ts'

/** A page ready for the envelope. */
export interface ListedPage {
  /** JSON array of row objects; to be copied before anything else runs. */
  readonly rows: Uint8Array
  readonly pagination: object
  readonly links: Links
}

/** Where a list was asked for. */
export interface ListPlace {
  /** Absolute address of the service, without a slash at the end. */
  readonly base: string
  readonly path: string
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
): ListedPage | Promise<ListedPage> {
  const page = listPage(dataset, { ...list.query, count })
  return page instanceof Promise
    ? page.then((done) => offsetPage(done, list, place))
    : offsetPage(page, list, place)
}

/** Runs a query in cursor mode (specification 4.6 rule 4), from row `from` in file order. */
export function listByCursor(
  dataset: OpenDataset,
  list: ReadList,
  from: number,
  place: ListPlace,
  seal: (row: number) => string,
): ListedPage | Promise<ListedPage> {
  const page = walkPage(dataset, { ...list.query, from })
  return page instanceof Promise
    ? page.then((done) => cursorPage(done, list, place, seal))
    : cursorPage(page, list, place, seal)
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

function offsetPage(page: Page, { query, addresses }: ReadList, { base, path }: ListPlace): ListedPage {
  const { limit, offset } = query
  const { total, count, hasNext } = page
  const { next, prev, last } = neighboursOf({ total, count, limit, offset, hasNext })
  const address = base + path
  const at = (target: number | null) => (target === null ? null : addresses.with(address, target))
  return {
    rows: page.rows,
    pagination: { total, count, limit, offset, has_next: hasNext, next_offset: next },
    links: {
      self: path,
      next: at(next),
      prev: at(prev),
      first: addresses.with(address, 0),
      last: at(last),
      documentation: `${base}/docs`,
    },
  }
}

function cursorPage(
  page: WalkPage,
  { query, addresses }: ReadList,
  { base, path }: ListPlace,
  seal: (row: number) => string,
): ListedPage {
  const nextCursor = page.next === null ? null : seal(page.next)
  const address = base + path
  return {
    rows: page.rows,
    pagination: {
      count: page.count,
      limit: query.limit,
      has_next: nextCursor !== null,
      next_cursor: nextCursor,
    },
    links: {
      self: path,
      next: nextCursor === null ? null : addresses.with(address, nextCursor),
      first: addresses.with(address, 'start'),
      documentation: `${base}/docs`,
    },
  }
}
