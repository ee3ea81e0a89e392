/**
 * Turns query strings of lists into queries, cached. A client that walks through pages sends the same filters with another
 * offset: everything else is neither parsed nor planned again (`planFilters` finds the plan by the list of filters), which
 * saves a fifth of the cost of an answer.
 */

import { LRUCache } from 'lru-cache'
import { writeQueryString } from '../../base/text/query-string.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { type ListQuery, parseListQuery } from '../query.ts'
import type { QuerySchema } from '../query-schema.ts'
import { AddressTemplate } from './links.ts'

/** A list query and what its answer repeats from it. */
export interface ReadList {
  readonly query: ListQuery
  /** The query string in this service's canonical form. */
  readonly normalised: string
  readonly addresses: AddressTemplate
}

interface Remembered extends ReadList {
  readonly served: ServedDataset
}

const MOST_QUERIES = 8192
const MOST_BYTES = 16 * 2 ** 20
/** Size of a cached query: its objects, and several copies of its text. */
const OVERHEAD = 1500
const COPIES = 8

/** An offset of at most this many digits is always within bounds. */
const MOST_DIGITS = 15
const OFFSET = 'offset='

export class ListReader {
  readonly #remembered: LRUCache<string, Remembered>

  constructor(workers = 1) {
    this.#remembered = new LRUCache({
      max: Math.ceil(MOST_QUERIES / workers),
      maxSize: Math.floor(MOST_BYTES / workers),
    })
  }

  /** @param raw the query string without `?`, still percent-encoded @throws ApiError as `parseListQuery` */
  read(raw: string, served: ServedDataset, schema: QuerySchema): ReadList {
    const offset = findOffset(raw)
    if (offset === undefined) return readList(raw, schema)
    const { from, to } = offset
    const key = `${served.id}?${from === to ? raw : raw.slice(0, from) + raw.slice(to)}`
    const known = this.#remembered.get(key)
    if (known?.served === served) return from === to ? known : atOffset(known, Number(raw.slice(from, to)))
    const read = readList(raw, schema)
    this.#remembered.set(key, { ...read, served }, { size: OVERHEAD + COPIES * raw.length })
    return read
  }
}

/** The position of the offset's digits; `from` = `to` without one; undefined with a cursor and for unusual queries. */
function findOffset(raw: string): { from: number; to: number } | undefined {
  if (raw.includes('cursor') || raw.includes('%6')) return undefined
  const at = raw.indexOf(OFFSET)
  if (at < 0) return { from: raw.length, to: raw.length }
  if ((at > 0 && raw[at - 1] !== '&') || raw.includes(OFFSET, at + 1)) return undefined
  const from = at + OFFSET.length
  const end = raw.indexOf('&', from)
  const to = end < 0 ? raw.length : end
  return /^[0-9]+$/.test(raw.slice(from, to)) && to - from <= MOST_DIGITS ? { from, to } : undefined
}

/** Reads a query without caching it. @throws ApiError as `parseListQuery` */
function readList(raw: string, schema: QuerySchema): ReadList {
  const query = parseListQuery(raw, schema)
  const { parameters, cursor } = query
  const addresses = new AddressTemplate(parameters, cursor === undefined ? 'offset' : 'cursor')
  const hasOffset = cursor === undefined && parameters.some(({ name }) => name === 'offset')
  return hasOffset
    ? atOffset({ query, addresses }, query.offset)
    : { query, normalised: writeQueryString(parameters), addresses }
}

function atOffset({ query, addresses }: Pick<ReadList, 'query' | 'addresses'>, offset: number): ReadList {
  return { query: { ...query, offset }, normalised: addresses.with('', offset), addresses }
}
