/** Limits on concurrent long queries, by key or address and in total, so that a few busy clients leave room for others. */

import { refuseBy } from '../base/limits.ts'
import { ownRound } from '../base/own-round.ts'
import { Tally } from '../base/tally.ts'
import { readQueryString } from '../base/text/query-string.ts'
import { withValue } from '../base/value-or-promise.ts'
import type { OpenDataset } from '../engine/memory/open-dataset.ts'
import { DEFAULT_LIMIT, LARGEST_LIMIT } from './parameters.ts'
import { RESERVED_PARAMETERS } from './query.ts'

/** Messages repeat only what could be a name. */
const DATASET = /^\/v1\/(?!datasets\/)\w{1,64}\/[\w-]{1,64}$/

const EXPORT = /^\/v1\/\w{1,64}\/[\w-]{1,64}\/export$/

const COLUMN = /^([a-z0-9_]{1,64})(?:\[eq\])?$/

/** Further than a person would page. */
const DEEP_OFFSET = 10_000

const RESERVED: ReadonlySet<string> = new Set(RESERVED_PARAMETERS)

const RETRY_AFTER_S = 1

interface QueryBounds {
  readonly by: 'key' | 'address'
  readonly most: number
  /** The limit for all of them together; left out: the service's limit applies. */
  readonly mostInAll?: number
}

/** A reader's share, for one query. */
export interface QueryShare {
  require(): void
  hold(query: Promise<unknown>): void
}

export type QueryShares = ReturnType<typeof queryShares>

export function queryShares({ by, most, mostInAll = Number.POSITIVE_INFINITY }: QueryBounds) {
  const running = new Tally<number | string>()
  return {
    /** @param query as sent */
    of: (who: number | string, query: string): QueryShare => ({
      /**
       * Checks the share before a query that may take long.
       * @throws ApiError `rate_limited` beyond the share of the key or address, `service_unavailable` when the total is
       * used up; both say which change of the query would help
       */
      require() {
        const isGreedy = running.of(who) >= most
        if (!isGreedy && running.total < mostInAll) return
        const share = isGreedy
          ? `${most} long queries of this ${by} are running, its share of the service`
          : `${mostInAll} long queries from all ${by === 'key' ? 'keys' : 'addresses without a key'} are running, as many as are allowed`
        const message = `${share}; try again in ${RETRY_AFTER_S} s. ${adviseCheaperQuery(query)}`
        throw refuseBy(isGreedy ? 'key_queries' : 'open_queries', message, RETRY_AFTER_S)
      },
      /** Counts a query that turned out to be long, until it ends. */
      hold: (query) => void query.catch(() => {}).finally(running.add(who)),
    }),
  }
}

export type Query<T> = (dataset: OpenDataset) => T | Promise<T>

/**
 * Runs a query within a share. Columns that it needs are loaded first, and only after that it counts as long. Other queries
 * wait for the loading before they begin, so among them, too, only those count that turn out to be long.
 */
export function runQuery<T>(dataset: OpenDataset, query: Query<T>, share?: QueryShare): T | Promise<T> {
  // Rows are valid only until the next query, so each query that waited runs in a separate round.
  const loaded = () => dataset.loading?.then(ownRound)
  const before = loaded()
  if (before) return before.then(() => runQuery(dataset, query, share))
  share?.require()
  const result = query(dataset)
  if (share && result instanceof Promise) void withValue(loaded(), () => share.hold(result))
  return result
}

// Advice for clients that ask too often, or for too much: which change of the query helps. One or two sentences each.
/** For a key with too many requests. @param path and query as sent */
export function adviseFewerCalls(path: string, query: string): string {
  const given = parametersOf(query)
  const kept =
    'An answer that is kept and requested with If-None-Match costs no monthly call if it has not changed.'
  if (EXPORT.test(path)) return `An export is one request for all rows: keep the file. ${kept}`
  if (!DATASET.test(path)) return kept
  const limit = Number(given.get('limit') ?? DEFAULT_LIMIT)
  if (given.has('offset') || given.has('cursor')) {
    const pages =
      limit < LARGEST_LIMIT
        ? `limit=${LARGEST_LIMIT} brings in one request what ${Math.ceil(LARGEST_LIMIT / Math.max(1, limit))} bring now. `
        : ''
    return `${pages}${path}/export brings all rows of the same filters in one request.`
  }
  const filters = [...given.keys()].filter((name) => !RESERVED.has(name))
  const column = filters.flatMap((name) => COLUMN.exec(name)?.[1] ?? [])[0]
  if (column !== undefined) {
    return `${column}[in]=first,second,third asks for many values in one request. ${kept}`
  }
  return `limit=${LARGEST_LIMIT} brings up to ${LARGEST_LIMIT} rows in one request, ${path}/export all of them.`
}

/** For a slow query. @param query as sent */
export function adviseCheaperQuery(query: string): string {
  const given = parametersOf(query)
  const groups = given.get('group_by')
  if (groups?.includes(','))
    return `Grouping by fewer columns than ${groups} takes less time; so does a filter that leaves fewer rows.`
  const sort = given.get('sort')
  const names = [...given.keys()]
  if (sort?.includes(','))
    return `Sorting by fewer columns than ${sort} takes less time; so does a filter that leaves fewer rows to sort.`
  if (sort !== undefined)
    return 'A filter that leaves fewer rows to sort takes less time, and cursor=start without sort needs no order at all.'
  const contains = names.find((name) => name.endsWith('[contains]'))
  if (contains !== undefined)
    return `${contains.replace(/\[contains\]$/, '[starts_with]')} takes less time than [contains], which searches every value.`
  if (Number(given.get('offset') ?? 0) >= DEEP_OFFSET)
    return 'A walk with cursor=start takes less time than a large offset.'
  if (names.some((name) => !RESERVED.has(name)))
    return 'Fewer filters, or the same ones as before, take less time: their results are kept.'
  return 'A filter that leaves fewer rows takes less time.'
}

/** Readable names and values; the last of a repeated name. */
function parametersOf(query: string): Map<string, string> {
  return new Map(readQueryString(query).parameters.map(({ name, value }) => [name, value]))
}
