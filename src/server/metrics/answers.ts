/**
 * Finished answers, for the log and the metrics. An answer is only added to a list; 20 ms later the listeners get all of
 * them at once.
 */

import type { CallRecord } from '../call-record.ts'

export interface Answer {
  readonly call: CallRecord
  readonly status: number
  /** Length of the body as sent. */
  readonly bytes: number
  /** From the request's arrival to the end of the answer. */
  readonly milliseconds: number
}

export type AnswersListener = (answers: readonly Answer[]) => void

const GATHER_MS = 20

export class Answers {
  readonly #listeners: AnswersListener[] = []
  #waiting: Answer[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Answers that have begun but not ended; between turns of the event loop these are exports and other streams. */
  sending = 0
  /** Whether the service is about to stop: it is no longer ready, and connections close with their next answer. */
  isDraining = false

  listen(listener: AnswersListener): void {
    this.#listeners.push(listener)
  }

  note(call: CallRecord, status: number, bytes: number): void {
    if (this.#listeners.length === 0) return
    const milliseconds = performance.now() - call.startMark
    this.#waiting.push({ call, status, bytes, milliseconds })
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS)
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const answers = this.#waiting
    this.#waiting = []
    if (answers.length === 0) return
    for (const listener of this.#listeners) listener(answers)
  }
}
