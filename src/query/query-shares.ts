/** How many long queries may be under way, by key or address and together, so that hundreds from some leave room for others. */

import { refuseBy } from '../base/limits.ts'
import { adviseCheaperQuery } from './advice.ts'

const RETRY_AFTER_S = 1

export interface QueryBounds {
  /** What queries are counted by. */
  readonly by: 'key' | 'address'
  /** Long queries that one key or address may have under way. */
  readonly most: number
  /** Those that all of them together may have; left out: as many as the service. */
  readonly mostInAll?: number
}

/** The share of one reader, for one query. */
export interface QueryShare {
  /** As `QueryShares.require`. */
  require(): void
  /** As `QueryShares.hold`. */
  hold(query: Promise<unknown>): void
}

export class QueryShares {
  readonly #bounds: QueryBounds
  readonly #running = new Map<number | string, number>()
  #total = 0

  constructor(bounds: QueryBounds) {
    this.#bounds = bounds
  }

  /** @param query as sent */
  of(who: number | string, query: string): QueryShare {
    return {
      require: () => this.require(who, query),
      hold: (running) => void this.hold(who, running),
    }
  }

  /**
   * Checks the share before a query that may take long.
   * @param query as sent
   * @throws ApiError `rate_limited` beyond the share of the key or address, `service_unavailable` when all together have
   * none left; both say which change of the query would help
   */
  require(who: number | string, query: string): void {
    const { by, most, mostInAll = Number.POSITIVE_INFINITY } = this.#bounds
    const isGreedy = (this.#running.get(who) ?? 0) >= most
    if (!isGreedy && this.#total < mostInAll) return
    const share = isGreedy
      ? `${most} long queries of this ${by} are being worked on, its share of the service`
      : `${mostInAll} long queries from all ${by === 'key' ? 'keys' : 'addresses without a key'} are being worked on, as many as may be`
    const message = `${share}; try again in ${RETRY_AFTER_S} s. ${adviseCheaperQuery(query)}`
    throw refuseBy(isGreedy ? 'key_queries' : 'open_queries', message, RETRY_AFTER_S)
  }

  /** Counts a query that turned out to be long, until it has ended. Never fails. */
  async hold(who: number | string, query: Promise<unknown>): Promise<void> {
    this.#running.set(who, (this.#running.get(who) ?? 0) + 1)
    this.#total++
    await query.catch(() => {})
    this.#total--
    const left = this.#running.get(who)! - 1
    if (left === 0) this.#running.delete(who)
    else this.#running.set(who, left)
  }
}
