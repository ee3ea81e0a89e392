/**
 * Places for slow work on passwords: hashing and judging, off the main thread.
 *
 * Threat: a flood of sign-ins and sign-ups from many networks. Two pieces of work run at once, so that data requests keep
 * a core; what waits is bounded; and people who come from a network that signed in to their account before wait in a
 * queue of their own, which no stranger can fill.
 */

import { ApiError } from '../../base/errors.ts'

/** `known`: the client has proved before who it is: by an earlier sign-in from its network, a session, or a mailed link. */
export type Guest = 'known' | 'stranger'

const AT_ONCE = 2
/** Of each queue. */
const MOST_WAITING = 256
/** Strangers get every so manieth place while both queues wait. */
const STRANGERS_TURN = 4
/** About how long a full queue takes. In seconds. */
const RETRY_AFTER_S = 5

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
    if (this.#running < AT_ONCE) this.#running++
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
    if (queue.length >= MOST_WAITING) {
      const message = 'Too many people are signing in at this moment. Try again in a few seconds.'
      throw new ApiError('service_unavailable', message, undefined, RETRY_AFTER_S)
    }
    return new Promise((resolve) => queue.push(resolve))
  }
}
