/** Counts how many there are of each key now. A key whose count returns to 0 is forgotten. */
export class Tally<Key> {
  readonly #counts = new Map<Key, number>()
  total = 0

  of(key: Key): number {
    return this.#counts.get(key) ?? 0
  }

  /** How many keys have a count above 0. */
  get size(): number {
    return this.#counts.size
  }

  /** Counts one more. @returns a function that takes it back; calling it again does nothing */
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
