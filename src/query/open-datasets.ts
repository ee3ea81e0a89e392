/** The datasets that are open for queries, limited in bytes; the least recently used are closed first. */

import { LRUCache } from 'lru-cache'
import { DamagedFileError } from '../base/errors.ts'
import { ownRound } from '../base/own-round.ts'
import { KernelThreads } from '../engine/kernel/kernel-threads.ts'
import type { MemoryCeiling } from '../engine/memory/memory-ceiling.ts'
import { OpenDataset } from '../engine/memory/open-dataset.ts'
import type { TurnKeeper } from '../engine/turns.ts'
import { primed } from '../http/stream.ts'
import type { ServedDataset } from '../store/catalog/record.ts'
import { VersionFile } from '../store/files/open-version.ts'
import type { RemoteFiles } from '../store/files/remote-files.ts'
import { awaitLocalVersion } from './local-version.ts'
import { type Query, type QueryShare, runQuery } from './query-shares.ts'

interface Opened {
  readonly id: string
  readonly dataset: OpenDataset
  readonly file: VersionFile
  users: number
  leftAt: number
  evicted: boolean
  /** Releases the file, where a cache holds it. */
  readonly release: (() => void) | undefined
}

/** A dataset without a query for this time is closed; its next query waits until its columns are read. */
const IDLE_MS = 600_000
const IDLE_CHECK_MS = 60_000

/** A damaged file is tried again after this time, in case it was repaired; until then it counts as damaged. */
const DAMAGE_REMEMBERED_MS = 30_000
/** The same where files are fetched: the object store has its own pauses (`store/objects/version-objects.ts`). */
const FETCH_AGAIN_MS = 1000
/** The most damaged files remembered; each belongs to a served dataset, so there are few. */
const MOST_DAMAGED = 1000
/** The most versions that streams read at the same time; there are fewer exports. */
const MOST_STREAMED = 1000

export class OpenDatasets {
  readonly #budget: number
  readonly #turns: TurnKeeper
  readonly #threads: KernelThreads
  readonly #ceiling: MemoryCeiling
  readonly #remote: RemoteFiles | null
  readonly #opened: LRUCache<string, Opened>
  readonly #damaged = new LRUCache<string, { id: string; error: DamagedFileError; againAt: number }>({
    max: MOST_DAMAGED,
    ttl: DAMAGE_REMEMBERED_MS,
  })

  /** By file, aborts the streams of a version when it is taken down. */
  readonly #ends = new LRUCache<string, AbortController>({ max: MOST_STREAMED })

  readonly #idleCheck = setInterval(() => this.closeIdle(), IDLE_CHECK_MS).unref()

  /**
   * @param budget bytes that open datasets may take together; one dataset is always allowed
   * @param remote the source of version files that are not here; null: all files are here
   * @param threads for long work
   */
  constructor(
    budget: number,
    turns: TurnKeeper,
    ceiling: MemoryCeiling,
    remote: RemoteFiles | null = null,
    threads = new KernelThreads(),
  ) {
    this.#remote = remote
    this.#threads = threads
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
   * Runs a query on a dataset version, which is opened if necessary and stays open until the result exists.
   * @param share checked in the turn in which the query begins, and held if it takes longer than that turn; not held while
   * its file is fetched or its columns are loaded
   * @throws DamagedFileError when its file cannot be read, now or within the last half minute; ApiError
   * `service_unavailable` while the process is above its memory ceiling, or the file cannot be fetched; what the share
   * throws
   */
  use<T>(served: ServedDataset, query: Query<T>, share?: QueryShare): T | Promise<T> {
    const begin = () => this.#use(served, query, share)
    return this.#isHere(served) ? begin() : this.#fetched(served, begin)
  }

  #use<T>(served: ServedDataset, query: Query<T>, share?: QueryShare): T | Promise<T> {
    const opened = this.#acquire(served)
    try {
      const result = runQuery(opened.dataset, query, share)
      if (result instanceof Promise) return this.#finish(served, opened, result)
      this.#release(served, opened)
      return result
    } catch (error) {
      this.#release(served, opened)
      throw this.#noteDamage(served, error)
    }
  }

  /**
   * Like `use`, for a stream: the version stays open until the stream ends or is cancelled.
   * @param share held while the stream's first chunk is made
   */
  async *stream(
    served: ServedDataset,
    query: (dataset: OpenDataset) => AsyncGenerator<Uint8Array>,
    share?: QueryShare,
  ): AsyncGenerator<Uint8Array> {
    const opened = this.#isHere(served)
      ? this.#acquire(served)
      : await this.#fetched(served, () => this.#acquire(served))
    try {
      yield* await runQuery(opened.dataset, (dataset) => primed(query(dataset)), share)
    } catch (error) {
      throw this.#noteDamage(served, error)
    } finally {
      this.#release(served, opened)
    }
  }

  /** Fires when a version is taken down: an interrupted answer must not look complete. */
  endOf({ file }: ServedDataset): AbortSignal {
    const known = this.#ends.get(file) ?? new AbortController()
    this.#ends.set(file, known)
    return known.signal
  }

  /** Closes a version that was taken down, and aborts its streams. */
  end(file: string): void {
    this.#ends.get(file)?.abort()
    this.#ends.delete(file)
    this.#opened.delete(file)
  }

  get damaged(): string[] {
    this.#damaged.purgeStale()
    return [...new Set([...this.#damaged.values()].map(({ id }) => id))].sort()
  }

  get bytes(): number {
    return this.#opened.calculatedSize
  }

  get files(): number {
    return this.#opened.size
  }

  /** Closes datasets that had no query for this many milliseconds, and frees their memory. */
  closeIdle(idleMs = IDLE_MS): void {
    const latest = performance.now() - idleMs
    if (this.#closeUnused(({ leftAt }) => leftAt <= latest)) Bun.gc(true)
  }

  close(): void {
    clearInterval(this.#idleCheck)
    this.#opened.clear()
    this.#threads.end()
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

  #closeUnused(isMeant: (opened: Opened) => boolean = () => true): boolean {
    const unused = [...this.#opened.entries()].filter(([, opened]) => opened.users === 0 && isMeant(opened))
    for (const [file] of unused) this.#opened.delete(file)
    return unused.length > 0
  }

  #isHere({ file }: ServedDataset): boolean {
    return this.#remote === null || this.#opened.has(file) || this.#refused(file) !== undefined
  }

  /** Fetches the file; nothing evicts it before it is opened. */
  async #fetched<T>(served: ServedDataset, open: () => T | Promise<T>): Promise<T> {
    const release = this.#remote?.hold(served.file)
    try {
      if (this.#remote !== null) await awaitLocalVersion(this.#remote, served)
      // Rows are valid only until the next query, so queries that waited for one file run in separate rounds.
      await ownRound()
      return await open()
    } catch (error) {
      throw this.#noteDamage(served, error)
    } finally {
      release?.()
    }
  }

  #acquire(served: ServedDataset): Opened {
    this.#ceiling.requireRoom()
    const known = this.#opened.get(served.file)
    const opened = known ?? this.#open(served)
    opened.users++
    return opened
  }

  #open(served: ServedDataset): Opened {
    const damage = this.#refused(served.file)
    if (damage) throw damage
    try {
      const file = VersionFile.open(served.file)
      const defaultSort = served.primaryKey.map((name) => ({
        column: served.columns.findIndex((column) => column.name === name),
        descending: false,
      }))
      const opened = {
        id: served.id,
        dataset: new OpenDataset(file, {
          defaultSort,
          turns: this.#turns,
          threads: this.#threads,
          mayGrow: (more) => this.#ceiling.mayGrow(more),
        }),
        file,
        users: 0,
        leftAt: 0,
        evicted: false,
        release: this.#remote?.hold(served.file),
      }
      this.#damaged.delete(served.file)
      // Other versions of the dataset get no new queries; running ones continue.
      for (const [file, { id }] of [...this.#opened.entries()])
        if (id === served.id) this.#opened.delete(file)
      this.#keep(served, opened)
      return opened
    } catch (error) {
      throw this.#noteDamage(served, error)
    }
  }

  /** Memory grows with the columns that queries use, so the size is updated after each query. */
  #keep(served: ServedDataset, opened: Opened): void {
    this.#opened.set(served.file, opened, { size: Math.min(opened.dataset.bytes, this.#budget) })
  }

  #release(served: ServedDataset, opened: Opened): void {
    opened.users--
    opened.leftAt = performance.now()
    if (opened.evicted) closeWhenUnused(opened)
    else if (this.#opened.peek(served.file) === opened) this.#keep(served, opened)
  }

  /** The error with which a file is refused without another try. */
  #refused(file: string): DamagedFileError | undefined {
    const damage = this.#damaged.get(file)
    return damage !== undefined && performance.now() < damage.againAt ? damage.error : undefined
  }

  #noteDamage(served: ServedDataset, error: unknown): unknown {
    if (error instanceof DamagedFileError) {
      const againAt = performance.now() + (this.#remote === null ? DAMAGE_REMEMBERED_MS : FETCH_AGAIN_MS)
      this.#damaged.set(served.file, { id: served.id, error, againAt })
      this.#opened.delete(served.file)
      this.#remote?.distrust(served.file)
    }
    return error
  }
}

function closeWhenUnused(opened: Opened): void {
  if (opened.users > 0) return
  opened.dataset.close()
  opened.file.close()
  opened.release?.()
}
