/** Work that begins after the answer, so that the answer's time does not depend on the work's result. */

import type { Logger } from 'pino'

/** Beyond it new work is dropped; the client can ask again. */
const MOST_WAITING = 10_000
/** The same for the requests of one network, so that a flood from one does not displace all others. */
const MOST_OF_ONE = 100

export interface WorkOptions {
  /** How long the work waits at least; 0: until a later turn of the event loop. */
  readonly delayMs?: number
  /** The network that requested it. */
  readonly source?: string | undefined
}

export class AfterAnswer {
  readonly #log: Logger
  readonly #waiting = new Set<Promise<void>>()
  readonly #bySource = new Map<string, number>()
  /** Begin delayed work now. */
  readonly #delayed = new Set<() => void>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** Runs the work in a later turn of the event loop. A failure is logged. */
  add(work: () => void | Promise<void>, { delayMs = 0, source }: WorkOptions = {}): void {
    const ofSource = source === undefined ? 0 : (this.#bySource.get(source) ?? 0)
    if (this.#waiting.size >= MOST_WAITING || ofSource >= MOST_OF_ONE) {
      this.#log.warn('too much work is waiting; some was dropped')
      return
    }
    if (source !== undefined) this.#bySource.set(source, ofSource + 1)
    const done = this.#turn(delayMs)
      .then(work)
      .catch((error: unknown) => this.#log.error({ err: error }, 'work on accounts failed'))
      .finally(() => {
        this.#waiting.delete(done)
        if (source !== undefined) this.#release(source)
      })
    this.#waiting.add(done)
  }

  /** Until all that was added has run; what is delayed begins at once. */
  async settled(): Promise<void> {
    while (this.#waiting.size > 0) {
      for (const begin of this.#delayed) begin()
      await Promise.all(this.#waiting)
    }
  }

  #turn(delayMs: number): Promise<void> {
    if (delayMs === 0) return new Promise((resolve) => setImmediate(resolve))
    return new Promise((resolve) => {
      const begin = () => {
        clearTimeout(timer)
        this.#delayed.delete(begin)
        resolve()
      }
      const timer = setTimeout(begin, delayMs)
      this.#delayed.add(begin)
    })
  }

  #release(source: string): void {
    const left = (this.#bySource.get(source) ?? 0) - 1
    if (left > 0) this.#bySource.set(source, left)
    else this.#bySource.delete(source)
  }
}
