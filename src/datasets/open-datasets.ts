/** The datasets that are open for queries, bounded in bytes; the least recently used are closed first. */

import { LRUCache } from 'lru-cache'
import type { ServedDataset } from '../catalog/record.ts'
import { OpenDataset } from '../engine/memory.ts'
import type { TurnKeeper } from '../engine/turns.ts'
import { DamagedFileError } from '../errors.ts'
import { VersionFile } from '../storage/open-version.ts'
import type { MemoryCeiling } from './memory-ceiling.ts'

interface Opened {
  readonly dataset: OpenDataset
  readonly file: VersionFile
  /** Queries and exports under way; the file is closed when the last one ends. */
  users: number
  evicted: boolean
}

/** A damaged file is looked at again after this long, in case it was put right. */
const DAMAGE_REMEMBERED_MS = 30_000
/** Distinct damaged files remembered; each belongs to a served dataset, so there are few. */
const MOST_DAMAGED = 1000

export class OpenDatasets {
  readonly #budget: number
  readonly #turns: TurnKeeper
  readonly #ceiling: MemoryCeiling
  readonly #opened: LRUCache<string, Opened>
  readonly #damaged = new LRUCache<string, { id: string; error: DamagedFileError }>({
    max: MOST_DAMAGED,
    ttl: DAMAGE_REMEMBERED_MS,
  })

  /** @param budget bytes that open datasets may take together; one dataset is always let in */
  constructor(budget: number, turns: TurnKeeper, ceiling: MemoryCeiling) {
    this.#budget = budget
    this.#turns = turns
    this.#ceiling = ceiling
    ceiling.closeUnused = () => this.#closeUnused()
    this.#opened = new LRUCache({
      maxSize: budget,
      dispose: (opened) => {
        opened.evicted = true
        closeWhenUnused(opened)
      },
      noDisposeOnSet: true,
    })
  }

  /**
   * Runs a query on a dataset version, opening it where needed and keeping it open until the result is there.
   * @throws DamagedFileError when its file cannot be read, now or within the last half minute; ApiError
   * `service_unavailable` while the process has more memory than it may
   */
  use<T>(served: ServedDataset, query: (dataset: OpenDataset) => T | Promise<T>): T | Promise<T> {
    const opened = this.#acquire(served)
    let result: T | Promise<T>
    try {
      result = query(opened.dataset)
    } catch (error) {
      this.#release(served, opened)
      throw this.#noteDamage(served, error)
    }
    if (!(result instanceof Promise)) {
      this.#release(served, opened)
      return result
    }
    return this.#finish(served, opened, result)
  }

  /** As `use`, for a stream: the version stays open until the stream ends or is given up. */
  async *stream(
    served: ServedDataset,
    query: (dataset: OpenDataset) => AsyncGenerator<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    const opened = this.#acquire(served)
    try {
      yield* query(opened.dataset)
    } catch (error) {
      throw this.#noteDamage(served, error)
    } finally {
      this.#release(served, opened)
    }
  }

  /** Ids of datasets whose file was found damaged within the last half minute. */
  get damaged(): string[] {
    this.#damaged.purgeStale()
    return [...new Set([...this.#damaged.values()].map(({ id }) => id))].sort()
  }

  /** Bytes that open datasets take, as far as they fit the budget. */
  get bytes(): number {
    return this.#opened.calculatedSize
  }

  /** Queries under way that take more than a turn. */
  get longQueries(): number {
    return this.#turns.running
  }

  /** Closes everything that nobody uses, and the rest when it is done. */
  close(): void {
    this.#opened.clear()
  }

  async #finish<T>(served: ServedDataset, opened: Opened, result: Promise<T>): Promise<T> {
    try {
      return await result
    } catch (error) {
      throw this.#noteDamage(served, error)
    } finally {
      this.#release(served, opened)
    }
  }

  /** Closes everything that nobody uses at the moment; whether there was any. */
  #closeUnused(): boolean {
    const unused = [...this.#opened.entries()].filter(([, { users }]) => users === 0)
    for (const [file] of unused) this.#opened.delete(file)
    return unused.length > 0
  }

  #acquire(served: ServedDataset): Opened {
    this.#ceiling.requireRoom()
    const known = this.#opened.get(served.file)
    const opened = known ?? this.#open(served)
    opened.users++
    return opened
  }

  #open(served: ServedDataset): Opened {
    const damage = this.#damaged.get(served.file)
    if (damage) throw damage.error
    try {
      const file = VersionFile.open(served.file)
      const defaultSort = served.primaryKey.map((name) => ({
        column: served.columns.findIndex((column) => column.name === name),
        descending: false,
      }))
      const opened = {
        dataset: OpenDataset.open(file, { defaultSort, turns: this.#turns, mayGrow: this.#mayGrow }),
        file,
        users: 0,
        evicted: false,
      }
      this.#keep(served, opened)
      return opened
    } catch (error) {
      throw this.#noteDamage(served, error)
    }
  }

  readonly #mayGrow = (bytes: number) => this.#ceiling.mayGrow(bytes)

  /** Memory grows with what queries touch, so the size is noted again after each of them. */
  #keep(served: ServedDataset, opened: Opened): void {
    this.#opened.set(served.file, opened, { size: Math.min(opened.dataset.bytes, this.#budget) })
  }

  #release(served: ServedDataset, opened: Opened): void {
    opened.users--
    if (opened.evicted) closeWhenUnused(opened)
    else if (this.#opened.peek(served.file) === opened) this.#keep(served, opened)
  }

  #noteDamage(served: ServedDataset, error: unknown): unknown {
    if (error instanceof DamagedFileError) {
      this.#damaged.set(served.file, { id: served.id, error })
      this.#opened.delete(served.file)
    }
    return error
  }
}

function closeWhenUnused(opened: Opened): void {
  if (opened.users === 0) opened.file.close()
}
