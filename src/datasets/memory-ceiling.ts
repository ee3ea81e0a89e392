/** Keeps the process below the memory it may have: work that needs more is refused while there is too little. */

import { ApiError } from '../errors.ts'
import { machineMemory } from '../process/memory.ts'
import type { OpenDatasets } from './open-datasets.ts'

/** Of what the machine has, where nothing was said. */
const SHARE = 0.85
/** Asking the system takes some microseconds, and memory does not grow far within this. In ms. */
const LOOK_MS = 20
/** Collecting everything takes long enough to be done seldom. In ms. */
const COLLECT_MS = 2000
const RETRY_AFTER_S = 2

export class MemoryCeiling {
  readonly #ceiling: number
  readonly #openDatasets: OpenDatasets
  #lookedAt = Number.NEGATIVE_INFINITY
  #collectedAt = Number.NEGATIVE_INFINITY
  #isOver = false

  /** @param ceiling bytes that the process may have resident; null: most of what there is */
  constructor(openDatasets: OpenDatasets, ceiling: number | null) {
    this.#openDatasets = openDatasets
    this.#ceiling = ceiling ?? Math.floor(machineMemory() * SHARE)
  }

  /**
   * Asks before work that takes memory.
   * @throws ApiError `service_unavailable` while the process has more than it may
   */
  requireRoom(): void {
    const now = performance.now()
    if (now - this.#lookedAt > LOOK_MS) this.#look(now)
    if (!this.#isOver) return
    throw new ApiError(
      'service_unavailable',
      `The service has no memory left for more queries at the moment; try again in ${RETRY_AFTER_S} s.`,
      undefined,
      RETRY_AFTER_S,
    )
  }

  /** Datasets that nobody is asking are closed before anybody is refused. */
  #look(now: number): void {
    this.#lookedAt = now
    this.#isOver = process.memoryUsage.rss() > this.#ceiling
    if (!this.#isOver || now - this.#collectedAt < COLLECT_MS) return
    this.#collectedAt = now
    this.#openDatasets.closeUnused()
    Bun.gc(true)
    this.#isOver = process.memoryUsage.rss() > this.#ceiling
  }
}
