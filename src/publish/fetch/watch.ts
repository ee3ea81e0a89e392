/** The patience of a fetch: how long an answer, a pause between bytes and the whole may take. */

import type { CommandError } from '../../base/errors.ts'
import { refuse } from '../../read/report/reasons.ts'

export interface FetchLimits {
  /** Milliseconds until the head of an answer. Portals that make the file on request take their time. */
  readonly answerMs: number
  /** Milliseconds without a byte. */
  readonly idleMs: number
  /** In each such time, at least `slowBytes` must arrive: a server that trickles is as good as none. */
  readonly slowMs: number
  readonly slowBytes: number
  readonly totalMs: number
}

export const FETCH_LIMITS: FetchLimits = {
  answerMs: 30_000,
  idleMs: 20_000,
  slowMs: 30_000,
  slowBytes: 16_384,
  totalMs: 3_600_000,
}

/** Aborts a fetch when a limit is reached, and remembers which. Stop it when the fetch is over. */
export class Watch {
  /** Why the fetch was aborted; null while it was not. */
  failure: CommandError | null = null
  readonly #controller = new AbortController()
  readonly #limits: FetchLimits
  readonly #shown: string
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #total: ReturnType<typeof setTimeout>
  #windowStart = performance.now()
  #windowBytes = 0
  constructor(limits: FetchLimits, shown: string) {
    this.#limits = limits
    this.#shown = shown
    const reason = `takes longer than ${inWords(limits.totalMs)}`
    this.#total = setTimeout(() => this.#abort(reason), limits.totalMs)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** From now on the head of an answer is waited for. */
  expectAnswer(): void {
    const { answerMs } = this.#limits
    this.#arm(answerMs, `does not answer: nothing came for ${inWords(answerMs)}`)
  }

  /** From now on bytes are waited for. */
  expectBytes(): void {
    this.#windowStart = performance.now()
    this.#windowBytes = 0
    this.#expectMore()
  }

  /** This number of bytes arrived. */
  took(bytes: number): void {
    this.#expectMore()
    this.#windowBytes += bytes
    const { slowMs, slowBytes } = this.#limits
    const now = performance.now()
    if (now - this.#windowStart < slowMs) return
    if (this.#windowBytes < slowBytes) {
      this.#abort(`is too slow: less than ${slowBytes} bytes came in ${inWords(slowMs)}`)
    }
    this.#windowStart = now
    this.#windowBytes = 0
  }

  stop(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#total)
  }

  #expectMore(): void {
    const { idleMs } = this.#limits
    this.#arm(idleMs, `stopped sending: no byte came for ${inWords(idleMs)}`)
  }

  #arm(milliseconds: number, reason: string): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#abort(reason), milliseconds)
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
