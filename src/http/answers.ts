/**
 * What was answered, for those who keep books of it: the log and the metrics. An answer is noted in a list and nothing
 * else happens on its way out; some milliseconds later all that gathered is told at once.
 */

import type { Exchange } from './exchange.ts'

export interface Answer {
  readonly exchange: Exchange
  readonly status: number
  /** Of the body, as sent. */
  readonly bytes: number
  /** From the request's arrival to the answer's end, as far as this process made it. */
  readonly milliseconds: number
}

export type AnswersListener = (answers: readonly Answer[]) => void

const GATHER_MS = 20

export class Answers {
  readonly #listeners: AnswersListener[] = []
  #waiting: Answer[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Exports and other streams that are being sent. */
  streams = 0
  /** Whether the service was asked to stop: it is not ready any more, and connections end with their next answer. */
  isDraining = false

  /** Tells `listener` of every answer from now on. */
  listen(listener: AnswersListener): void {
    this.#listeners.push(listener)
  }

  note(exchange: Exchange, status: number, bytes: number): void {
    if (this.#listeners.length === 0) return
    const milliseconds = performance.now() - exchange.startMark
    this.#waiting.push({ exchange, status, bytes, milliseconds })
    this.#timer ??= setTimeout(() => this.tell(), GATHER_MS)
  }

  /** Tells what has gathered, now. */
  tell(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const answers = this.#waiting
    this.#waiting = []
    if (answers.length === 0) return
    for (const listener of this.#listeners) listener(answers)
  }
}
