/** Regions that belong to one piece of work and go back together. */

import type { OpenDataset } from '../memory/open-dataset.ts'
import { costSince, type Work } from '../turns.ts'

/** Some milliseconds where memory is new. */
const FILLED_AT_ONCE = 2 ** 22

export class Scratch {
  readonly #dataset: OpenDataset
  readonly #regions = new Set<number>()

  constructor(dataset: OpenDataset) {
    this.#dataset = dataset
  }

  /**
   * The address of a region with any content.
   * @throws MemoryFullError, MemoryRefusedError
   */
  allocate(bytes: number): number {
    const at = this.#dataset.regions.allocate(bytes)
    this.#regions.add(at)
    return at
  }

  /** The same, filled with one byte. */
  *filled(bytes: number, byte = 0): Work<number> {
    const at = this.allocate(bytes)
    for (let from = 0; from < bytes; from += FILLED_AT_ONCE) {
      const started = performance.now()
      this.#dataset.regions.bytes.fill(byte, at + from, at + Math.min(from + FILLED_AT_ONCE, bytes))
      yield costSince(started)
    }
    return at
  }

  release(at: number): void {
    this.#regions.delete(at)
    this.#dataset.regions.release(at)
  }

  releaseAll(): void {
    for (const at of this.#regions) this.#dataset.regions.release(at)
    this.#regions.clear()
  }
}
