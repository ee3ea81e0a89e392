/** What may be read without a key, and how often (contract 2): rows and files while the operator lets everybody look. */

import { networkOf } from '../../accounts/client.ts'
import { SlidingWindow } from '../../accounts/limits.ts'
import type { ServedDataset } from '../../catalog/record.ts'
import { datasetEndpoint } from '../../catalog/record.ts'
import { ApiError } from '../../errors.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Service } from '../../http/service.ts'

const MINUTE_S = 60
/** Files that one address may be sent at the same time. */
const DOWNLOADS = 6

/** Public requests, by address. */
export class PublicAccess {
  readonly #isOpen: boolean
  readonly #requests: SlidingWindow
  readonly #downloads = new Map<string, number>()

  constructor({ config }: Service) {
    this.#isOpen = config.public_browsing
    this.#requests = new SlidingWindow(config.public_per_minute, MINUTE_S)
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
   * Takes one of an address's downloads.
   * @returns gives it back; calling it again does nothing
   * @throws ApiError `service_unavailable` when the address has none left
   */
  takeDownload({ ip }: Exchange): () => void {
    const network = networkOf(ip)
    const running = this.#downloads.get(network) ?? 0
    if (running >= DOWNLOADS) {
      throw new ApiError(
        'service_unavailable',
        `${DOWNLOADS} downloads of this address are running; wait for one to end.`,
      )
    }
    this.#downloads.set(network, running + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const left = this.#downloads.get(network)! - 1
      if (left === 0) this.#downloads.delete(network)
      else this.#downloads.set(network, left)
    }
  }
}
