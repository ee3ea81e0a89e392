/**
 * Passwords as the database keeps them: argon2id (RFC 9106) with 19 MiB, 2 passes and one lane, as OWASP recommends.
 *
 * Threat: a copy of the database, and a flood of sign-ins. Each hash takes some 30 ms of a core and 19 MiB: it runs in
 * the runtime's thread pool, two at once, and what waits is bounded, so that the main thread goes on serving. The
 * password itself lives only in the request.
 */

import { ApiError } from '../errors.ts'

const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
/** Longest password there can be (contract 5), in characters. */
export const LONGEST_PASSWORD = 256
const AT_ONCE = 2
const MOST_WAITING = 256
/** About how long a full queue takes. In seconds. */
const RETRY_AFTER_S = 5

/** The hash of a random password nobody knows: compared with where there is no account, so that it takes as long. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$Rdulx2gsqHmxUFuvGuNVLOB1d6kKjFNDGakPv5PGOr4$5zyuRpkSug0LC9B0UD5X1EbNuCIoePDYuIY6Jk49L+s'

export class PasswordHasher {
  #running = 0
  readonly #waiting: (() => void)[] = []

  /** @throws ApiError `service_unavailable` when too many are waiting */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => Bun.password.hash(password, ARGON2ID))
  }

  /**
   * Whether a password is the one of a hash. Takes as long for no hash (null): the answer is then false.
   * @throws ApiError `service_unavailable` when too many are waiting
   */
  async matches(password: string, hash: string | null): Promise<boolean> {
    const possible = hash !== null && password !== '' && password.length <= 2 * LONGEST_PASSWORD
    const same = await this.#inTurn(() =>
      Bun.password.verify(possible ? password : 'x', possible ? hash : NOBODYS_HASH),
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
