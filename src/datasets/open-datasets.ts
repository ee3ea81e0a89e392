/** The datasets that are open for queries, bounded in bytes; the least recently used are closed first. */

import { LRUCache } from 'lru-cache'
import type { ServedDataset } from '../catalog/record.ts'
import { OpenDataset } from '../engine/memory.ts'
import type { TurnKeeper } from '../engine/turns.ts'
import { DamagedFileError } from '../errors.ts'
import { VersionFile } from '../storage/open-version.ts'
import type { MemoryCeiling } from './memory-ceiling.ts'

interface Opened {
  readonly id: string
  readonly dataset: OpenDataset
  readonly file: VersionFile
  /** Queries and exports under way; the file is closed when the last one ends. */
  users: number
  /** When the last one ended, by the clock that only goes forward. */
  leftAt: number
  evicted: boolean
}

/** What nobody has asked for so long is closed; whoever asks next waits for some columns to be read. */
const IDLE_MS = 600_000
const IDLE_LOOK_MS = 60_000

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

  readonly #idleLook = setInterval(() => this.closeIdle(), IDLE_LOOK_MS).unref()

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

  /** Closes what nobody has asked for so many milliseconds, and gives its memory back. */
  closeIdle(idleMs = IDLE_MS): void {
    const latest = performance.now() - idleMs
    if (this.#closeUnused(({ leftAt }) => leftAt <= latest)) Bun.gc(true)
  }

  /** Closes everything that nobody uses, and the rest when it is done. */
  close(): void {
    clearInterval(this.#idleLook)
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

  /** Closes everything that nobody uses at the moment, or some of it; whether there was any. */
  #closeUnused(isMeant: (opened: Opened) => boolean = () => true): boolean {
    const unused = [...this.#opened.entries()].filter(([, opened]) => opened.users === 0 && isMeant(opened))
    for (const [file] of unused) this.#opened.delete(file)
    return unused.length > 0
  }

  /** A version that another one took the place of is not asked for any more; who uses it still may. */
  #closeOthersOf(id: string): void {
    for (const [file, opened] of [...this.#opened.entries()]) if (opened.id === id) this.#opened.delete(file)
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
        id: served.id,
        dataset: OpenDataset.open(file, { defaultSort, turns: this.#turns, mayGrow: this.#mayGrow }),
        file,
        users: 0,
        leftAt: 0,
        evicted: false,
      }
      this.#closeOthersOf(served.id)
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
    opened.leftAt = performance.now()
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
