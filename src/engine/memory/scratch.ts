/** Memory that one piece of work takes and releases. */

import type { Work } from '../turns.ts'
import type { Kept, Regions } from './regions.ts'

/** Bytes filled between two yields: a few milliseconds where memory is new. */
const FILLED_AT_ONCE = 2 ** 22

/** Regions that belong to one piece of work and are released together. Methods that allocate throw as `Regions.allocate`. */
export class Scratch implements Disposable {
  readonly #regions: Regions
  readonly #held = new Set<number>()
  readonly #kept = new DisposableStack()

  constructor({ regions }: { readonly regions: Regions }) {
    this.#regions = regions
  }

  /** The address of a region with any content. */
  allocate(bytes: number): number {
    const at = this.#regions.allocate(bytes)
    this.#held.add(at)
    return at
  }

  /** The address of a region of zeros. */
  cleared(bytes: number): number {
    const at = this.allocate(bytes)
    this.#regions.bytes.fill(0, at, at + bytes)
    return at
  }

  /** The address of a region filled with one byte, in turns. */
  *filled(bytes: number, byte = 0): Work<number> {
    const at = this.allocate(bytes)
    for (let from = 0; from < bytes; from += FILLED_AT_ONCE) {
      this.#regions.bytes.fill(byte, at + from, at + Math.min(from + FILLED_AT_ONCE, bytes))
      yield
    }
    return at
  }

  release(at: number): void {
    this.#held.delete(at)
    this.#regions.release(at)
  }

  /** Passes a region to the caller, who releases it. */
  keep(at: number): number {
    this.#held.delete(at)
    return at
  }

  /** Keeps a result in use until the work is over. */
  hold(kept: Kept): void {
    this.#kept.use(kept)
  }

  [Symbol.dispose](): void {
    this.#kept.dispose()
    for (const at of this.#held) this.#regions.release(at)
    this.#held.clear()
  }
}
