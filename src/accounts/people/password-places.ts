/**
 * Places for slow work on passwords: hashing and judging, off the main thread.
 *
 * Threat: a flood of sign-ins and sign-ups from many networks. Data requests keep a core: with two pieces of work on two
 * cores, a list in such a flood took four times as long. What waits is bounded; and people who come from a network that
 * signed in to their account before wait in a queue of their own, which no stranger can fill.
 */

import { availableParallelism } from 'node:os'
import { LIMITS, refuseBy } from '../../base/limits.ts'

/** `known`: the client has proved before who it is: by an earlier sign-in from its network, a session, or a mailed link. */
export type Guest = 'known' | 'stranger'

/** Each takes 19 MiB and a core. */
const MOST_AT_ONCE = 4
/** Pieces of work that run at the same time. */
export const PLACES = Math.min(MOST_AT_ONCE, Math.max(1, availableParallelism() - 1))
/** Strangers get every so manieth place while both queues wait. */
const STRANGERS_TURN = 4
/** About how long a full queue takes. In seconds. */
const RETRY_AFTER_S = 8

export class PasswordPlaces {
  #running = 0
  #given = 0
  readonly #waiting: Readonly<Record<Guest, (() => void)[]>> = { known: [], stranger: [] }

  /** Pieces of work that wait. */
  get waiting(): number {
    return this.#waiting.known.length + this.#waiting.stranger.length
  }

  /**
   * Runs the work when it has a place.
   * @throws ApiError `service_unavailable` when too many are waiting
   */
  async run<T>(guest: Guest, work: () => Promise<T>): Promise<T> {
    if (this.#running < PLACES) this.#running++
    else await this.#wait(this.#waiting[guest])
    try {
      return await work()
    } finally {
      const next = this.#next()
      if (next) next()
      else this.#running--
    }
  }

  #next(): (() => void) | undefined {
    const { known, stranger } = this.#waiting
    const isStrangersTurn = ++this.#given % STRANGERS_TURN === 0
    return isStrangersTurn ? (stranger.shift() ?? known.shift()) : (known.shift() ?? stranger.shift())
  }

  #wait(queue: (() => void)[]): Promise<void> {
    if (queue.length >= LIMITS.password_work.most) {
      const message = 'Too many people are signing in at this moment. Try again in a few seconds.'
      throw refuseBy('password_work', message, RETRY_AFTER_S)
    }
    return new Promise((resolve) => queue.push(resolve))
  }
}
