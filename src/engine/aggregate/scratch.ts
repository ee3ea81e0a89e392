/** Regions that belong to one piece of work and go back together. */

import type { OpenDataset } from '../memory/open-dataset.ts'

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
  filled(bytes: number, byte = 0): number {
    const at = this.allocate(bytes)
    this.#dataset.regions.bytes.fill(byte, at, at + bytes)
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
