/** Work that an answer must not wait for, so that its duration tells nothing of what the work finds. */

import type { Logger } from 'pino'

/** Beyond it new work is dropped; what is done here can be asked for again. */
const MOST_WAITING = 1000

export class AfterAnswer {
  readonly #log: Logger
  readonly #waiting = new Set<Promise<void>>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** Runs the work in a later turn of the event loop. A failure is logged. */
  add(work: () => void | Promise<void>): void {
    if (this.#waiting.size >= MOST_WAITING) {
      this.#log.warn('too much work is waiting; some was dropped')
      return
    }
    const turn = new Promise<void>((resolve) => setImmediate(resolve))
    const done = turn
      .then(work)
      .catch((error: unknown) => this.#log.error({ err: error }, 'work on accounts failed'))
      .finally(() => this.#waiting.delete(done))
    this.#waiting.add(done)
  }

  /** Until all that was added has run. */
  async settled(): Promise<void> {
    while (this.#waiting.size > 0) await Promise.all(this.#waiting)
  }
}
