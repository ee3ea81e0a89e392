/**
 * Lookups cached for the rest of one turn of the event loop. All requests of one turn reached this process before the
 * turn began, so one lookup holds for all of them: a change that another process commits meanwhile is concurrent with
 * them, and the next turn sees it.
 */
export class TurnCache<V extends object> {
  readonly #known = new Map<string, V>()

  /** The value of a key, looked up at most once per turn; what is not found is looked up again. */
  get(key: string, find: () => V | undefined): V | undefined {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const found = find()
    if (found === undefined) return undefined
    if (this.#known.size === 0) setImmediate(this.#forget)
    this.#known.set(key, found)
    return found
  }

  readonly #forget = () => this.#known.clear()
}
