/**
 * What may be read without a key, how often and how much at a time (contract 2): rows and files while the operator lets
 * everybody look. An address is bounded like a key of `/v1`; all of them together have as much room as all keys.
 */

import { networkOf } from '../../accounts/client.ts'
import { SlidingWindow } from '../../accounts/limits.ts'
import type { ServedDataset } from '../../catalog/record.ts'
import { datasetEndpoint } from '../../catalog/record.ts'
import { ExportSlots } from '../../datasets/export.ts'
import { QueryShares } from '../../datasets/query-shares.ts'
import { ApiError } from '../../errors.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Service } from '../../http/service.ts'

const MINUTE_S = 60
/** Files that one address may be sent at the same time: people download a few. */
const DOWNLOADS = 6

/** Public requests, by address. */
export class PublicAccess {
  readonly #isOpen: boolean
  readonly #requests: SlidingWindow
  readonly #shares: QueryShares
  readonly #downloads: ExportSlots

  constructor({ config }: Service) {
    this.#isOpen = config.public_browsing
    this.#requests = new SlidingWindow(config.public_per_minute, MINUTE_S)
    this.#shares = new QueryShares('address', config.max_queries_per_key)
    const mostInAll = config.max_exports_total
    this.#downloads = new ExportSlots({ by: 'address', most: DOWNLOADS, mostInAll })
  }

  /** Whether rows are shown without a key. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /**
   * Counts a request that reads rows.
   * @throws ApiError `rate_limited`
   */
  count(exchange: Exchange): void {
    const wait = this.#requests.take(networkOf(exchange.ip), exchange.startedAt)
    if (wait === 0) return
    const { public_per_minute: most } = exchange.service.config
    const message = `One address may make ${most} requests a minute without a key; try again in ${wait} s.`
    throw new ApiError('rate_limited', message, undefined, wait)
  }

  /**
   * Lets a request for rows through.
   * @throws ApiError `api_key_missing` while public browsing is off, `rate_limited`
   */
  admit(exchange: Exchange, { domain, id }: ServedDataset): void {
    if (!this.#isOpen) {
      const endpoint = datasetEndpoint(domain, id)
      const message = `Rows are not shown here without a key: read ${endpoint} with one.`
      throw new ApiError('api_key_missing', message)
    }
    this.count(exchange)
  }

  /**
   * Asks before a query that may be a long one.
   * @throws ApiError `rate_limited` beyond the address's share
   */
  requireShare({ ip, query }: Exchange): void {
    this.#shares.require(networkOf(ip), query)
  }

  /** Counts a query that turned out to be long, one that is a promise, until it has ended. @returns the query */
  hold<T>({ ip }: Exchange, query: T | Promise<T>): T | Promise<T> {
    if (query instanceof Promise) void this.#shares.hold(networkOf(ip), query)
    return query
  }

  /**
   * Takes one of the downloads that may run.
   * @returns gives it back; calling it again does nothing
   * @throws ApiError `service_unavailable` when address or service have none left
   */
  takeDownload({ ip }: Exchange): () => void {
    return this.#downloads.take(networkOf(ip))
  }
}
