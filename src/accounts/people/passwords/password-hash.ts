/**
 * Passwords as the database stores them: argon2id (RFC 9106) with 19 MiB, 2 passes and one lane, as OWASP recommends.
 *
 * Threat: a copy of the database. Each hash takes some 30 ms of a core and 19 MiB, and runs in the runtime's thread
 * pool. The password itself exists only in the request.
 */

import { availableParallelism } from 'node:os'
import { LIMITS, refuseBy } from '../../../base/limits.ts'
import { canStartThread } from '../../../base/process/open-files.ts'
import { TaskThread } from '../../../base/process/task-thread.ts'
import type { Judging } from './password-judge-worker.ts'

/** What a hash costs. Tests that are not about hashing pass less. */
export interface PasswordCost {
  /** KiB. */
  readonly memoryCost: number
  readonly timeCost: number
}

const OWASP_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 }
/** The longest password (contract 5), in characters. */
export const LONGEST_PASSWORD = 256
/** Salt and digest of a random password that was thrown away. */
const UNKNOWN_PASSWORD =
  '$Rdulx2gsqHmxUFuvGuNVLOB1d6kKjFNDGakPv5PGOr4$5zyuRpkSug0LC9B0UD5X1EbNuCIoePDYuIY6Jk49L+s'

/** `known`: the client has proved who it is, by an earlier sign-in from its network, a session, or a mailed link. */
export type Guest = 'known' | 'stranger'

/** Each takes 19 MiB and a core. */
const MOST_AT_ONCE = 4
/** Hashes and judgements that run at the same time. */
export const PLACES = Math.min(MOST_AT_ONCE, Math.max(1, availableParallelism() - 1))
/** Strangers get every fourth place while both queues wait. */
const STRANGERS_TURN = 4
/** Roughly how long a full queue takes. */
const RETRY_AFTER_S = 8
const IDLE_MS = 30_000

/**
 * Hashes and judges passwords off the main thread, in a bounded number of places.
 *
 * Threat: a flood of sign-ins and sign-ups from many networks. Data requests keep a core: with two hashes on two cores,
 * a list in such a flood took four times as long. The queues are bounded, and people on a network that signed in to
 * their account before have a queue of their own, which no stranger can fill.
 */
export class PasswordHasher {
  #running = 0
  #given = 0
  readonly #waiting: Readonly<Record<Guest, (() => void)[]>> = { known: [], stranger: [] }
  readonly #judge = new TaskThread<Judging>('accounts/people/passwords/password-judge-worker.ts')
  #idle: ReturnType<typeof setTimeout> | undefined
  readonly #cost: PasswordCost
  /** Compared with when there is no account, so that the answer takes as long. */
  readonly #unknownHash: string

  constructor(cost = OWASP_COST) {
    this.#cost = cost
    this.#unknownHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1${UNKNOWN_PASSWORD}`
  }

  /** Hashes and judgements that wait for a place. */
  get waiting(): number {
    return this.#waiting.known.length + this.#waiting.stranger.length
  }

  /** @throws ApiError `service_unavailable` when too many are waiting */
  hash(password: string, guest: Guest = 'stranger'): Promise<string> {
    return this.#run(guest, () => Bun.password.hash(password, { algorithm: 'argon2id', ...this.#cost }))
  }

  /**
   * Whether a password has this hash. For no hash (null) it takes as long and returns false.
   * @throws ApiError `service_unavailable` when too many are waiting
   */
  async matches(password: string, hash: string | null, guest: Guest = 'stranger'): Promise<boolean> {
    const possible = hash !== null && password !== '' && password.length <= 2 * LONGEST_PASSWORD
    const same = await this.#run(guest, () =>
      Bun.password.verify(possible ? password : 'x', possible ? hash : this.#unknownHash),
    )
    return possible && same
  }

  /**
   * How hard a password is to guess, judged in a thread of its own: some estimates take tens of milliseconds.
   * @param words that an attacker would try with it
   * @returns zxcvbn's score, 0 to 4
   * @throws ApiError `service_unavailable` when too many are waiting
   */
  score(password: string, words: readonly string[]): Promise<number> {
    return this.#run('stranger', async () => {
      clearTimeout(this.#idle)
      const score = await this.#judge.ask('score', password, words)
      if (this.#judge.isIdle) this.#replaceJudge()
      return score
    })
  }

  /** Starts the judging thread early: the runtime would end the process if no file could be opened for it later. */
  start(): void {
    this.#judge.start()
  }

  /** Ends the judging thread; the next judgement starts another. */
  close(): void {
    clearTimeout(this.#idle)
    this.#judge.end(new Error('the service is stopping'))
  }

  /** After a while without judgements: the dictionaries take tens of megabytes. */
  #replaceJudge(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      if (!canStartThread()) return this.#replaceJudge()
      this.close()
      this.start()
    }, IDLE_MS)
    this.#idle.unref()
  }

  async #run<T>(guest: Guest, work: () => Promise<T>): Promise<T> {
    if (this.#running < PLACES) this.#running++
    else if (this.#waiting[guest].length < LIMITS.password_work.most)
      await new Promise<void>((resolve) => this.#waiting[guest].push(resolve))
    else {
      const message = 'Too many people are signing in at this moment. Try again in a few seconds.'
      throw refuseBy('password_work', message, RETRY_AFTER_S)
    }
    try {
      return await work()
    } finally {
      const { known, stranger } = this.#waiting
      const isStrangersTurn = ++this.#given % STRANGERS_TURN === 0
      const next = isStrangersTurn ? (stranger.shift() ?? known.shift()) : (known.shift() ?? stranger.shift())
      if (next) next()
      else this.#running--
    }
  }
}
