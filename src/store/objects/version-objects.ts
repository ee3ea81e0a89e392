/** Version files as objects: stored once for all nodes, and fetched into the data directory where they are used. */

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { atEnd, releasing } from '../../base/closing.ts'
import { sha256FileInTurns } from '../../base/crypto/sha256.ts'
import type { DataDir } from '../files/data-dir.ts'
import { verifyVersionFile } from '../files/open-version.ts'
import type { FileDigest, KeptDigests, RemoteFiles, VersionName } from '../files/remote-files.ts'
import { versionKey } from './keys.ts'
import { isAway, ObjectStoreError } from './s3-questions.ts'
import type { ObjectStore } from './s3-store.ts'
import { objectSweep } from './sweep.ts'
import { type CacheBounds, VersionCache } from './version-cache.ts'

/** A failed fetch is not repeated at once: at most a tenth of the time goes into failing fetches. */
const PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000
const PAUSE_FACTOR = 10

export class VersionObjects implements RemoteFiles {
  readonly store: ObjectStore
  digests: KeptDigests | null = null
  readonly #dataDir: DataDir
  readonly #cache: VersionCache
  /** Deletes objects that nothing names (`objectSweep`). */
  readonly sweep: ReturnType<typeof objectSweep>
  readonly #fetching = new Map<string, Promise<void>>()
  readonly #failed = new LRUCache<string, { error: Error }>({ max: 1000, ttl: PAUSE_MS })
  readonly #waiting: (() => void)[] = []
  #fetches = 0
  #watch: ReturnType<typeof setInterval> | undefined
  /** Why the store cannot be used now, for people; null while it can. */
  problem: string | null = null
  /** Set when waiting does not help: the credentials or the bucket are wrong. */
  refusal: ObjectStoreError | null = null

  constructor(store: ObjectStore, dataDir: DataDir, bounds: CacheBounds) {
    this.store = store
    this.sweep = objectSweep(store, async (key) => {
      await store.delete(key)
      await this.digests?.drop(key)
    })
    this.#dataDir = dataDir
    this.#cache = new VersionCache(dataDir, bounds)
  }

  async uploadVersion(path: string, version: VersionName): Promise<void> {
    try {
      await this.store.put(versionKey(version), path, version.file)
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error
      const message = `${error.message}; nothing was published, and what is served stays`
      throw new ObjectStoreError(error.trouble, message)
    }
  }

  async ensureLocal(version: VersionName): Promise<void> {
    const key = versionKey(version)
    let fetching = this.#fetching.get(key)
    if (fetching === undefined) {
      fetching = this.#ensure(key, version).finally(() => this.#fetching.delete(key))
      this.#fetching.set(key, fetching)
      // All callers may have stopped waiting.
      fetching.catch(() => {})
    }
    await fetching
  }

  async prepare(version: VersionName, before: number | null): Promise<void> {
    const isUsed = before !== null && this.#dataDir.hasVersion(version.id, before)
    if (isUsed) await this.ensureLocal(version)
  }

  hold(path: string): () => void {
    return this.#cache.hold(path)
  }

  distrust(path: string): void {
    this.#cache.distrust(path)
  }

  /** Checks regularly whether the store can be used, for `problem`. */
  watch(log: Logger, everyMs = 5000): void {
    let isLooking = false
    const look = async () => {
      if (isLooking) return
      isLooking = true
      const before = this.problem
      await this.look()
      if (before === null && this.problem !== null)
        log.warn({ reason: this.problem }, 'the object store cannot be used')
      if (before !== null && this.problem === null)
        log.info({ store: this.store.name }, 'the object store can be used again')
      isLooking = false
    }
    this.#watch ??= setInterval(() => void look(), everyMs).unref()
  }

  /** Checks once whether the store can be used. Never throws. */
  async look(): Promise<void> {
    try {
      await this.store.check()
      this.problem = null
      this.refusal = null
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error)
      this.refusal = error instanceof ObjectStoreError && error.trouble === 'refused' ? error : null
    }
  }

  find(key: string): Promise<FileDigest | undefined> {
    return (this.digests ?? { find: (named: string) => this.store.head(named) }).find(key)
  }

  /** If the node ends before the digest is stored, nothing counts as kept. */
  async keep(key: string, path: string): Promise<void> {
    const { size: bytes } = await stat(path)
    const digest = { bytes, sha256: await sha256FileInTurns(path) }
    await this.store.put(key, path, digest)
    await this.digests?.put(key, digest)
  }

  async bring(key: string, path: string): Promise<boolean> {
    try {
      const digest = await this.digests?.find(key)
      if (this.digests !== null && digest === undefined) return false
      await this.store.get(key, path, digest)
      return true
    } catch (error) {
      if (error instanceof ObjectStoreError && error.trouble === 'missing') return false
      throw error
    }
  }

  async drop(prefix: string, isMeant = (_key: string) => true): Promise<void> {
    for await (const { key } of this.store.list(prefix)) if (isMeant(key)) await this.store.delete(key)
    await this.digests?.drop(prefix, isMeant)
  }

  verify(version: VersionName): Promise<void> {
    return this.#withObject(version, (path) => verifyVersionFile(path))
  }

  nameOf(version: VersionName): string {
    return `${this.store.name}/${versionKey(version)}`
  }

  close(): void {
    clearInterval(this.#watch)
    this.store.close()
  }

  async #ensure(key: string, version: VersionName): Promise<void> {
    if (await this.#cache.find(version)) return
    const failed = this.#failed.get(key)
    if (failed !== undefined) throw failed.error
    let begun = performance.now()
    try {
      await this.#inTurn(() => {
        begun = performance.now()
        return this.#withObject(version, async (path) => {
          this.#dataDir.placeVersion(path, version.id, version.version)
          await this.#cache.add(version)
        })
      })
    } catch (error) {
      const pause = isAway(error) ? PAUSE_MS : Math.max(PAUSE_MS, PAUSE_FACTOR * (performance.now() - begun))
      if (error instanceof ObjectStoreError)
        this.#failed.set(key, { error }, { ttl: Math.min(LONGEST_PAUSE_MS, pause) })
      throw error
    }
  }

  /** Fetches a version's object into a work folder. */
  async #withObject(version: VersionName, work: (path: string) => unknown): Promise<void> {
    using _ = atEnd(this.#cache.reserve(version.file.bytes))
    using folder = releasing(this.#dataDir.claimWorkFolder())
    const path = join(folder.path, 'version.db')
    await this.store.get(versionKey(version), path, version.file)
    await work(path)
  }

  /** At most four at a time, in the order of the calls. */
  async #inTurn(work: () => Promise<void>): Promise<void> {
    // Each fetch takes its share of the bandwidth, and a quarter of a megabyte of memory.
    if (this.#fetches >= 4) await new Promise<void>((resolve) => void this.#waiting.push(resolve))
    else this.#fetches++
    try {
      await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#fetches--
      else next()
    }
  }
}
