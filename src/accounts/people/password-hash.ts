/**
 * Passwords as the database keeps them: argon2id (RFC 9106) with 19 MiB, 2 passes and one lane, as OWASP recommends.
 *
 * Threat: a copy of the database, and a flood of sign-ins. Each hash takes some 30 ms of a core and 19 MiB: it runs in
 * the runtime's thread pool, two at once, and what waits is bounded, so that the main thread keeps serving. The
 * password itself lives only in the request.
 */

import { ApiError } from '../../base/errors.ts'

/** What a hash costs. Tests that are not about hashing pass less. */
export interface PasswordCost {
  /** KiB. */
  readonly memoryCost: number
  readonly timeCost: number
}

const OWASP_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 }
/** Longest password there can be (contract 5), in characters. */
export const LONGEST_PASSWORD = 256
const AT_ONCE = 2
const MOST_WAITING = 256
/** About how long a full queue takes. In seconds. */
const RETRY_AFTER_S = 5

/** Salt and digest of a random password that was thrown away. */
const UNKNOWN_PASSWORD =
  '$Rdulx2gsqHmxUFuvGuNVLOB1d6kKjFNDGakPv5PGOr4$5zyuRpkSug0LC9B0UD5X1EbNuCIoePDYuIY6Jk49L+s'

export class PasswordHasher {
  #running = 0
  readonly #waiting: (() => void)[] = []
  readonly #cost: PasswordCost
  /** Compared with where there is no account, so that it takes as long. */
  readonly #unknownHash: string

  constructor(cost = OWASP_COST) {
    this.#cost = cost
    this.#unknownHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1${UNKNOWN_PASSWORD}`
  }

  /** @throws ApiError `service_unavailable` when too many are waiting */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => Bun.password.hash(password, { algorithm: 'argon2id', ...this.#cost }))
  }

  /**
   * Whether a password is the one of a hash. Takes as long for no hash (null): the answer is then false.
   * @throws ApiError `service_unavailable` when too many are waiting
   */
  async matches(password: string, hash: string | null): Promise<boolean> {
    const possible = hash !== null && password !== '' && password.length <= 2 * LONGEST_PASSWORD
    const same = await this.#inTurn(() =>
      Bun.password.verify(possible ? password : 'x', possible ? hash : this.#unknownHash),
    )
    return possible && same
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < AT_ONCE) this.#running++
    else await this.#wait()
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= MOST_WAITING) {
      const message = 'Too many people are signing in at this moment. Try again in a few seconds.'
      throw new ApiError('service_unavailable', message, undefined, RETRY_AFTER_S)
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
