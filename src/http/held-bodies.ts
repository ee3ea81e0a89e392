/**
 * Bodies that are on their way and kept in memory until they are whole.
 *
 * Threat: thousands of bodies that never end. Together they may take a number of bytes; beyond it the one that came first
 * is given up. A body that is sent in one go is whole within milliseconds, so what gives way are those that are held on purpose.
 */

import { LIMITS } from '../base/limits.ts'

/** What a body takes beside its bytes: a connection, a request, a stream. As measured. */
const OVERHEAD = 16 * 1024
/** Bodies younger than this are not given up for lack of memory. In ms. */
const YOUNG_MS = 1000

interface Held {
  bytes: number
  readonly since: number
  readonly giveUp: () => void
}

export class HeldBodies {
  /** Bytes that all of them may take. */
  readonly most: number
  /** In the order in which they came. */
  readonly #held = new Set<Held>()
  #bytes = 0

  /** @param memory bytes that the process may take @param workers processes that share what bodies may take */
  constructor(memory = Number.POSITIVE_INFINITY, workers = 1) {
    this.most = Math.min((LIMITS.held_bodies.most * 2 ** 20) / workers, memory / 16)
  }

  get bytes(): number {
    return this.#bytes
  }

  /**
   * Counts a body from its beginning.
   * @param giveUp ends it; called at most once, and not after its release
   */
  hold(giveUp: () => void) {
    const body: Held = { bytes: OVERHEAD, since: performance.now(), giveUp }
    this.#held.add(body)
    this.#bytes += OVERHEAD
    this.#makeRoom()
    return {
      /** Notes that more of it came. */
      grow: (bytes: number) => {
        if (!this.#held.has(body)) return
        body.bytes += bytes
        this.#bytes += bytes
        this.#makeRoom()
      },
      /** Ends the count: it is whole, or nobody wants it any more. */
      release: () => this.#release(body),
    }
  }

  /** Gives up all that have been on their way for a while. */
  shed(): void {
    const before = performance.now() - YOUNG_MS
    for (const body of this.#held) {
      if (body.since > before) return
      this.#giveUp(body)
    }
  }

  #makeRoom(): void {
    for (const body of this.#held) {
      if (this.#bytes <= this.most) return
      this.#giveUp(body)
    }
  }

  #giveUp(body: Held): void {
    this.#release(body)
    body.giveUp()
  }

  #release(body: Held): void {
    if (this.#held.delete(body)) this.#bytes -= body.bytes
  }
}
