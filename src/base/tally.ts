/** How many there are of each now. What comes down to none is forgotten. */
export class Tally<Key> {
  readonly #counts = new Map<Key, number>()
  total = 0

  of(key: Key): number {
    return this.#counts.get(key) ?? 0
  }

  /** How many keys there is one of at least. */
  get size(): number {
    return this.#counts.size
  }

  /** Counts one more. @returns takes it back; calling it again does nothing */
  add(key: Key): () => void {
    this.#change(key, 1)
    let isCounted = true
    return () => {
      if (isCounted) this.#change(key, -1)
      isCounted = false
    }
  }

  #change(key: Key, by: number): void {
    this.total += by
    const left = this.of(key) + by
    if (left === 0) this.#counts.delete(key)
    else this.#counts.set(key, left)
  }
}
