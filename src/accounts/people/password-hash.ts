/**
 * Passwords as the database keeps them: argon2id (RFC 9106) with 19 MiB, 2 passes and one lane, as OWASP recommends.
 *
 * Threat: a copy of the database. Each hash takes some 30 ms of a core and 19 MiB: it runs in the runtime's thread pool,
 * where `password-places.ts` has a place. The password itself lives only in the request.
 */

import { PasswordJudge } from './password-judge.ts'
import { type Guest, PasswordPlaces } from './password-places.ts'

/** What a hash costs. Tests that are not about hashing pass less. */
export interface PasswordCost {
  /** KiB. */
  readonly memoryCost: number
  readonly timeCost: number
}

const OWASP_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 }
/** Longest password there can be (contract 5), in characters. */
export const LONGEST_PASSWORD = 256
/** Salt and digest of a random password that was thrown away. */
const UNKNOWN_PASSWORD =
  '$Rdulx2gsqHmxUFuvGuNVLOB1d6kKjFNDGakPv5PGOr4$5zyuRpkSug0LC9B0UD5X1EbNuCIoePDYuIY6Jk49L+s'

export class PasswordHasher {
  readonly #places = new PasswordPlaces()
  readonly #judge = new PasswordJudge()
  readonly #cost: PasswordCost
  /** Compared with where there is no account, so that it takes as long. */
  readonly #unknownHash: string

  constructor(cost = OWASP_COST) {
    this.#cost = cost
    this.#unknownHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1${UNKNOWN_PASSWORD}`
  }

  /** Hashes and judgements that wait for a place. */
  get waiting(): number {
    return this.#places.waiting
  }

  /** @throws ApiError `service_unavailable` when too many are waiting */
  hash(password: string, guest: Guest = 'stranger'): Promise<string> {
    return this.#places.run(guest, () =>
      Bun.password.hash(password, { algorithm: 'argon2id', ...this.#cost }),
    )
  }

  /**
   * Whether a password is the one of a hash. Takes as long for no hash (null): the answer is then false.
   * @throws ApiError `service_unavailable` when too many are waiting
   */
  async matches(password: string, hash: string | null, guest: Guest = 'stranger'): Promise<boolean> {
    const possible = hash !== null && password !== '' && password.length <= 2 * LONGEST_PASSWORD
    const same = await this.#places.run(guest, () =>
      Bun.password.verify(possible ? password : 'x', possible ? hash : this.#unknownHash),
    )
    return possible && same
  }

  /**
   * How hard a password is to guess.
   * @param words that an attacker would try with it
   * @returns zxcvbn's score, 0 to 4
   * @throws ApiError `service_unavailable` when too many are waiting
   */
  score(password: string, words: readonly string[]): Promise<number> {
    return this.#places.run('stranger', () => this.#judge.score(password, words))
  }

  /** Starts the thread that judges. */
  start(): void {
    this.#judge.start()
  }

  /** Ends the thread that judges; the next judgement starts another. */
  close(): void {
    this.#judge.close()
  }
}
