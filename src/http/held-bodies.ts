/**
 * Request bodies that are still arriving and stay in memory until they are complete.
 *
 * Threat: thousands of bodies that never end. Their total size is limited; beyond it the oldest is given up. A body sent
 * in one go is complete within milliseconds, so the ones given up are those held back on purpose.
 */

import { LIMITS } from '../base/limits.ts'

/** Bytes that a body takes beside its content, as measured: a connection, a request, a stream. */
const OVERHEAD = 16 * 1024
/** `shed` keeps bodies younger than this. In ms. */
const YOUNG_MS = 1000

interface Held {
  bytes: number
  readonly since: number
  readonly giveUp: () => void
}

export class HeldBodies {
  /** Bytes that all bodies together may take. */
  readonly most: number
  /** Oldest first. */
  readonly #held = new Set<Held>()
  #bytes = 0

  /** @param memory bytes that the process may take @param workers processes that share the limit */
  constructor(memory = Number.POSITIVE_INFINITY, workers = 1) {
    this.most = Math.min((LIMITS.held_bodies.most * 2 ** 20) / workers, memory / 16)
  }

  get bytes(): number {
    return this.#bytes
  }

  /**
   * Counts a body from its start.
   * @param giveUp aborts the body; called at most once, and never after its release
   */
  hold(giveUp: () => void) {
    const body: Held = { bytes: OVERHEAD, since: performance.now(), giveUp }
    this.#held.add(body)
    this.#bytes += OVERHEAD
    this.#makeRoom()
    return {
      /** Adds bytes that arrived. */
      grow: (bytes: number) => {
        if (!this.#held.has(body)) return
        body.bytes += bytes
        this.#bytes += bytes
        this.#makeRoom()
      },
      /** Stops counting: the body is complete, or no longer wanted. */
      release: () => this.#release(body),
    }
  }

  /** Gives up every body that is not young, for lack of memory. */
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
