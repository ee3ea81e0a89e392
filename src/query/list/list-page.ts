/** Answers a list query: a page or step of a walk, with its `pagination` and `links`. */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../base/errors.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { listPage, walkPage } from '../../engine/run.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { canonicalFilters } from '../filters.ts'
import { type Hint, withHints } from '../hints.ts'
import { offsetPage } from '../parameters.ts'
import type { ListQuery } from '../query.ts'
import type { ListPlace, WrittenLinks } from './links.ts'
import type { ReadList } from './list-reader.ts'

/**
 * Cursors: the position at which a walk in file order continues. Opaque to clients; inside, a sealed record.
 * Lifetime: as long as the dataset version is kept. Threat: with a forged or edited cursor, a client would get wrong rows.
 * The seal, HMAC-SHA256 truncated to 128 bits with a key of the data directory, prevents that. Layout before base64url, in
 * bytes: 1 format, 8 dataset, 8 version, 8 filters, 6 next row, 16 seal; names and filters are the first bytes of their
 * SHA-256.
 */
const FORMAT = 1
const DIGEST_BYTES = 8
const ROW_BYTES = 6
const ROW_AT = 1 + 3 * DIGEST_BYTES
const PAYLOAD_BYTES = ROW_AT + ROW_BYTES
const SEAL_BYTES = 16
const SHAPE = /^[\w-]{63}$/

/** A page ready for the envelope. */
export interface ListedPage {
  /** JSON array of row objects; copy it before anything else runs. */
  readonly rows: Uint8Array
  /** Undefined if there are no pages. */
  readonly pagination?: { readonly count: number; readonly [field: string]: unknown }
  readonly links: WrittenLinks
  /** What would have found rows, when the filters leave none. */
  readonly hints?: readonly Hint[]
}

/**
 * The row at which a cursor query continues; undefined in offset mode.
 * @throws ApiError `invalid_cursor`, `cursor_expired`
 */
export function startOfWalk(secret: Uint8Array, served: ServedDataset, query: ListQuery): number | undefined {
  if (query.cursor === undefined) return undefined
  if (query.cursor === 'start') return 0
  return openCursor(secret, { ...served, ...query }, query.cursor)
}

/** Runs a query in offset mode (specification 4.6 rules 1-3). `count`: whether the total is wanted. */
export function listByOffset(
  dataset: OpenDataset,
  list: ReadList,
  count: boolean,
  place: ListPlace,
): ValueOrPromise<ListedPage> {
  return withValue(listPage(dataset, { ...list.query, count }), (page) => {
    const { pagination, targets } = offsetPage(page, list.query)
    const listed = { rows: page.rows, pagination, links: list.addresses.write(place, targets) }
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
    const next = page.next === null ? null : seal(page.next)
    const listed = {
      rows: page.rows,
      pagination: {
        count: page.count,
        limit: list.query.limit,
        has_next: next !== null,
        next_cursor: next,
      },
      links: list.addresses.write(place, { next, first: 'start' }),
    }
    return page.count > 0 ? listed : withHints(dataset, list.query, listed)
  })
}

/** What a cursor is bound to. It includes the digest, as two directories restored separately may both have a version 3. */
export type CursorBinding = Pick<ServedDataset, 'id' | 'version' | 'sha256'> & Pick<ListQuery, 'filters'>

/** The cursor that continues at `row` (0-based, file order). */
export function sealCursor(secret: Uint8Array, binding: CursorBinding, row: number): string {
  const cursor = Buffer.alloc(PAYLOAD_BYTES + SEAL_BYTES)
  writeBinding(cursor, binding)
  cursor.writeUIntBE(row, ROW_AT, ROW_BYTES)
  sealOf(secret, cursor).copy(cursor, PAYLOAD_BYTES)
  return cursor.toString('base64url')
}

/**
 * The row at which a cursor continues.
 * @throws ApiError `cursor_expired` when it belongs to another version of the dataset, `invalid_cursor` when it is
 *   not from this service, was altered, or belongs to another dataset or other filters
 */
export function openCursor(secret: Uint8Array, binding: CursorBinding, text: string): number {
  const cursor = SHAPE.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0)
  const genuine =
    cursor.length === PAYLOAD_BYTES + SEAL_BYTES &&
    cursor[0] === FORMAT &&
    timingSafeEqual(sealOf(secret, cursor), cursor.subarray(PAYLOAD_BYTES)) &&
    cursor.toString('base64url') === text
  if (!genuine)
    throw refusal('invalid_cursor', 'The cursor is not one this service handed out. Start with cursor=start.')

  const expected = Buffer.alloc(PAYLOAD_BYTES)
  writeBinding(expected, binding)
  const same = (part: number) => {
    const [from, to] = [1 + part * DIGEST_BYTES, 1 + (part + 1) * DIGEST_BYTES]
    return cursor.subarray(from, to).equals(expected.subarray(from, to))
  }
  for (const [part, [code, message]] of OTHERS.entries()) if (!same(part)) throw refusal(code, message)
  return cursor.readUIntBE(ROW_AT, ROW_BYTES)
}

/** The refusal for each part of the binding that differs. */
const OTHERS = [
  ['invalid_cursor', 'The cursor belongs to another dataset. Start with cursor=start.'],
  ['cursor_expired', 'The dataset was replaced since the walk began. Start again with cursor=start.'],
  ['invalid_cursor', 'The cursor belongs to other filters. Keep them, or start with cursor=start.'],
] as const

function writeBinding(target: Buffer, { id, version, sha256, filters }: CursorBinding): void {
  target[0] = FORMAT
  const parts = [id, `${version} ${sha256}`, canonicalFilters(filters)]
  parts.forEach((part, index) => {
    createHash('sha256')
      .update(part)
      .digest()
      .copy(target, 1 + index * DIGEST_BYTES, 0, DIGEST_BYTES)
  })
}

function sealOf(secret: Uint8Array, cursor: Buffer): Buffer {
  const seal = createHmac('sha256', secret).update(cursor.subarray(0, PAYLOAD_BYTES)).digest()
  return seal.subarray(0, SEAL_BYTES)
}

function refusal(code: 'invalid_cursor' | 'cursor_expired', message: string): ApiError {
  return new ApiError(code, message, [{ location: 'query.cursor', message, suggestions: ['start'] }])
}
