/**
 * How often something may be tried (contract 5). Kept in memory: a restart forgets, which gives an attacker one more
 * round at most, and several processes count each for itself.
 */

import { LRUCache } from 'lru-cache'
import { ApiError } from '../errors.ts'

/** A window keeps at most this many keys of clients' choosing; beyond it the least recently seen is forgotten. */
const TRACKED_KEYS = 20_000

/** At most `most` events of one key in any `seconds`: a sliding window over the times of the last events. */
export class SlidingWindow {
  readonly #most: number
  readonly #milliseconds: number
  readonly #times: LRUCache<string, number[]>

  constructor(most: number, seconds: number, trackedKeys = TRACKED_KEYS) {
    this.#most = most
    this.#milliseconds = seconds * 1000
    this.#times = new LRUCache({ max: trackedKeys })
  }

  /** Counts an event. @returns 0, or, when it is one too many and was not counted, the seconds until one is free */
  take(key: string, now: Date): number {
    const wait = this.wait(key, now)
    if (wait === 0) {
      const recent = this.#recent(key, now)
      recent.push(now.getTime())
      this.#times.set(key, recent)
    }
    return wait
  }

  /** Seconds until an event would be counted; 0: now. */
  wait(key: string, now: Date): number {
    const recent = this.#recent(key, now)
    if (recent.length < this.#most) return 0
    return Math.max(1, Math.ceil((Math.min(...recent) + this.#milliseconds - now.getTime()) / 1000))
  }

  /** Takes back one event counted at `at`, as if it had not been. */
  giveBack(key: string, at: Date): void {
    const times = this.#times.get(key)
    const index = times?.indexOf(at.getTime()) ?? -1
    if (index >= 0) times?.splice(index, 1)
  }

  /** Events of the future (the clock was set back) count as well, but no longer than a window from now. */
  #recent(key: string, now: Date): number[] {
    const time = now.getTime()
    const times = this.#times.get(key) ?? []
    return times.map((at) => Math.min(at, time)).filter((at) => at > time - this.#milliseconds)
  }
}

export interface AccountLimits {
  /** Sign-ups by network. */
  readonly signUp: SlidingWindow
  /** Judging a new password costs milliseconds of the main thread, also when it is refused. By network, or account. */
  readonly passwordChecks: SlidingWindow
  /** Sign-ins, whatever their outcome, by network. */
  readonly signIn: SlidingWindow
  /** Wrong passwords, by account; see `sign-in.ts` for the keys. */
  readonly failures: SlidingWindow
  /** What is put into the history of an account that is being blocked, by account. */
  readonly blockedNotes: SlidingWindow
  /** Wrong passwords of somebody signed in, by account. */
  readonly confirmations: SlidingWindow
  /** Asking for a reset, by network. */
  readonly forgotAsked: SlidingWindow
  /** Reset mails by account, verification mails by account: by its number, which nobody can make up. */
  readonly forgot: SlidingWindow
  readonly resend: SlidingWindow
}

const MINUTE = 60
const HOUR = 3600

export function createAccountLimits(): AccountLimits {
  return {
    signUp: new SlidingWindow(5, HOUR),
    passwordChecks: new SlidingWindow(30, MINUTE),
    signIn: new SlidingWindow(10, MINUTE),
    failures: new SlidingWindow(30, HOUR),
    blockedNotes: new SlidingWindow(1, MINUTE),
    confirmations: new SlidingWindow(30, HOUR),
    forgotAsked: new SlidingWindow(30, HOUR),
    forgot: new SlidingWindow(5, HOUR),
    resend: new SlidingWindow(5, HOUR),
  }
}

/** @throws ApiError `rate_limited` unless `wait` is 0 */
export function refuseWait(wait: number): void {
  if (wait === 0) return
  throw new ApiError('rate_limited', `Too many attempts. Try again in ${wait} seconds.`, undefined, wait)
}
