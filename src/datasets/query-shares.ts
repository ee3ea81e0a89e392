/** How many long queries one key may have under way, so that a key with hundreds of them leaves room for others. */

import { ApiError } from '../errors.ts'
import { adviseCheaperQuery } from './advice.ts'

const RETRY_AFTER_S = 1

export class QueryShares {
  readonly #most: number
  readonly #running = new Map<number, number>()

  /** @param most long queries that one key may have under way */
  constructor(most: number) {
    this.#most = most
  }

  /**
   * Asks before a query that may be a long one.
   * @param query as sent
   * @throws ApiError `rate_limited`, saying which change of the query would help
   */
  require(keyId: number, query: string): void {
    if ((this.#running.get(keyId) ?? 0) < this.#most) return
    const message = `${this.#most} long queries of this key are being worked on, its share of the service; try again in ${RETRY_AFTER_S} s. ${adviseCheaperQuery(query)}`
    throw new ApiError('rate_limited', message, undefined, RETRY_AFTER_S)
  }

  /** Counts a query that turned out to be long, until it has ended. Never fails. */
  async hold(keyId: number, query: Promise<unknown>): Promise<void> {
    this.#running.set(keyId, (this.#running.get(keyId) ?? 0) + 1)
    await query.catch(() => {})
    const left = this.#running.get(keyId)! - 1
    if (left === 0) this.#running.delete(keyId)
    else this.#running.set(keyId, left)
  }
}
