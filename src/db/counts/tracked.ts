/** The counts that a process knows of a window, by whose they are. */

import { LRUCache } from 'lru-cache'

/** How many there are before those without events are looked for. */
const FIRST_SWEEP = 1000

export interface Tracked<Counts> {
  readonly size: number
  get(who: string | number): Counts | undefined
  /** @param isEmpty whether others have no events any more */
  set(who: string | number, counts: Counts, isEmpty: (counts: Counts) => boolean): void
  delete(who: string | number): void
}

/** A bounded number: beyond it the least recently counted one is forgotten. */
export class TrackedRecent<Counts extends object> implements Tracked<Counts> {
  readonly #counts: LRUCache<string | number, Counts>

  /** @param forget called with what was pushed out */
  constructor(most: number, forget: (counts: Counts) => void) {
    this.#counts = new LRUCache({
      max: most,
      dispose: (counts, _, reason) => {
        if (reason === 'evict') forget(counts)
      },
    })
  }

  get size(): number {
    return this.#counts.size
  }

  get(who: string | number): Counts | undefined {
    return this.#counts.get(who)
  }

  set(who: string | number, counts: Counts): void {
    if (this.#counts.peek(who) !== counts) this.#counts.set(who, counts)
  }

  delete(who: string | number): void {
    this.#counts.delete(who)
  }
}

/** Forgets nobody who has events. Whenever their number has doubled, those without any leave. */
export class TrackedAll<Counts> implements Tracked<Counts> {
  readonly #counts = new Map<string | number, Counts>()
  #sweepAt = FIRST_SWEEP

  get size(): number {
    return this.#counts.size
  }

  get(who: string | number): Counts | undefined {
    return this.#counts.get(who)
  }

  set(who: string | number, counts: Counts, isEmpty: (counts: Counts) => boolean): void {
    this.#counts.set(who, counts)
    if (this.#counts.size <= this.#sweepAt) return
    for (const [other, found] of this.#counts) if (isEmpty(found)) this.#counts.delete(other)
    this.#sweepAt = Math.max(FIRST_SWEEP, 2 * this.#counts.size)
  }

  delete(who: string | number): void {
    this.#counts.delete(who)
  }
}
