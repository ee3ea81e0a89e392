/** How many long queries one key or address may have under way, so that hundreds from one client leave room for others. */

import { ApiError } from '../base/errors.ts'
import { adviseCheaperQuery } from './advice.ts'

const RETRY_AFTER_S = 1

export class QueryShares {
  readonly #by: 'key' | 'address'
  readonly #most: number
  readonly #running = new Map<number | string, number>()

  /** @param by what queries are counted by @param most long queries that one key or address may have under way */
  constructor(by: 'key' | 'address', most: number) {
    this.#by = by
    this.#most = most
  }

  /**
   * Checks the share before a query that may take long.
   * @param query as sent
   * @throws ApiError `rate_limited`, saying which change of the query would help
   */
  require(who: number | string, query: string): void {
    if ((this.#running.get(who) ?? 0) < this.#most) return
    const message = `${this.#most} long queries of this ${this.#by} are being worked on, its share of the service; try again in ${RETRY_AFTER_S} s. ${adviseCheaperQuery(query)}`
    throw new ApiError('rate_limited', message, undefined, RETRY_AFTER_S)
  }

  /** Counts a query that turned out to be long, until it has ended. Never fails. */
  async hold(who: number | string, query: Promise<unknown>): Promise<void> {
    this.#running.set(who, (this.#running.get(who) ?? 0) + 1)
    await query.catch(() => {})
    const left = this.#running.get(who)! - 1
    if (left === 0) this.#running.delete(who)
    else this.#running.set(who, left)
  }
}
