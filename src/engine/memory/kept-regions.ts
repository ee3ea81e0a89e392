/** Results worth keeping (orders, masks with their totals), least recently used ones evicted first. */

import type { Regions } from './regions.ts'

/** A kept region. While `users` is not zero it stays in memory even after its eviction. */
export interface Kept {
  /** Address of the region; 0 when the result needs none. */
  readonly at: number
  /** Rows in an order, matches in a mask. */
  readonly count: number
  readonly key: string
  readonly bytes: number
  users: number
  givenUp: boolean
}

/** What a kept result costs besides its region: the key (two bytes a character at worst) and the objects. */
const ENTRY_OVERHEAD = 200

export class KeptRegions {
  readonly #regions: Regions
  readonly #mostBytes: number
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  constructor(regions: Regions, mostBytes: number) {
    this.#regions = regions
    this.#mostBytes = mostBytes
  }

  has(key: string): boolean {
    return this.#kept.has(key)
  }

  /** The result, in use from now on: each `use` and `keep` needs one `leave`. */
  use(key: string): Kept | undefined {
    const kept = this.#kept.get(key)
    if (!kept) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    kept.users++
    return kept
  }

  /** Takes over the region at `at`; the result is in use. */
  keep(key: string, at: number, bytes: number, count: number): Kept {
    const kept: Kept = {
      at,
      count,
      key,
      bytes: bytes + key.length * 2 + ENTRY_OVERHEAD,
      users: 1,
      givenUp: false,
    }
    this.#kept.set(key, kept)
    this.#bytes += kept.bytes
    while (this.#bytes > this.#mostBytes && this.#kept.size > 1) this.giveUpOldest()
    return kept
  }

  leave(kept: Kept): void {
    kept.users--
    if (kept.givenUp && kept.users === 0 && kept.at !== 0) this.#regions.release(kept.at)
  }

  /** Evicts the least recently used result; false when there is none. */
  giveUpOldest(): boolean {
    const oldest = this.#kept.values().next().value
    if (!oldest) return false
    this.#kept.delete(oldest.key)
    this.#bytes -= oldest.bytes
    oldest.givenUp = true
    if (oldest.users === 0 && oldest.at !== 0) this.#regions.release(oldest.at)
    return true
  }
}
