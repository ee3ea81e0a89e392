/** Time limits of a fetch: for the answer, for the whole, and for the rate of bytes. */

import type { CommandError } from '../../base/errors.ts'
import { refuse } from '../../read/report/reasons.ts'

export interface FetchLimits {
  /** Milliseconds until the head of an answer. Portals that generate the file on request need time. */
  readonly answerMs: number
  /** At least `slowBytes` must arrive in each such period: a server that only trickles is no use. */
  readonly slowMs: number
  readonly slowBytes: number
  readonly totalMs: number
}

export const FETCH_LIMITS: FetchLimits = {
  answerMs: 30_000,
  slowMs: 30_000,
  slowBytes: 16_384,
  totalMs: 3_600_000,
}

/** Aborts a fetch when a limit is reached, and remembers which. Stop it when the fetch is over. */
export class Watch {
  /** Why the fetch was aborted; null if it was not. */
  failure: CommandError | null = null
  readonly #controller = new AbortController()
  readonly #limits: FetchLimits
  readonly #shown: string
  readonly #total: ReturnType<typeof setTimeout>
  #timer: ReturnType<typeof setInterval> | undefined
  #bytes = 0

  constructor(limits: FetchLimits, shown: string) {
    this.#limits = limits
    this.#shown = shown
    const reason = `takes longer than ${inWords(limits.totalMs)}`
    this.#total = setTimeout(() => this.#abort(reason), limits.totalMs)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Starts waiting for the head of an answer. */
  expectAnswer(): void {
    const { answerMs } = this.#limits
    clearInterval(this.#timer)
    const reason = `does not answer: nothing came for ${inWords(answerMs)}`
    this.#timer = setInterval(() => this.#abort(reason), answerMs)
  }

  /** Starts waiting for bytes. */
  expectBytes(): void {
    const { slowMs, slowBytes } = this.#limits
    clearInterval(this.#timer)
    const reason = `is too slow: less than ${slowBytes} bytes came in ${inWords(slowMs)}`
    this.#timer = setInterval(() => {
      if (this.#bytes < slowBytes) this.#abort(reason)
      this.#bytes = 0
    }, slowMs)
  }

  /** Counts arrived bytes. */
  took(bytes: number): void {
    this.#bytes += bytes
  }

  stop(): void {
    clearInterval(this.#timer)
    clearTimeout(this.#total)
  }

  #abort(reason: string): void {
    this.failure ??= refuse('too_slow', { host: new URL(this.#shown).host }, `${this.#shown} ${reason}`)
    this.#controller.abort(this.failure)
  }
}

function inWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 100) / 10
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`
}
