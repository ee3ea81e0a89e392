/**
 * Whole datasets as files (contract 8): written once, at the first request, and served from disk. All who wait share one
 * build; a client that disconnects does not stop it.
 */

import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { closingLater } from '../../base/closing.ts'
import { Tally } from '../../base/tally.ts'
import { isDiskFull } from '../../read/report/disk.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { BulkFile, BulkName } from '../../store/files/bulk-folder.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { Lock } from '../../store/files/work-folder.ts'
import { wholeFileKey } from '../../store/objects/keys.ts'
import { ObjectStoreError } from '../../store/objects/s3-questions.ts'

class TooLargeError extends Error {}

class NoRoomError extends Error {}

/**
 * Files share this many locks between processes on a folder: two files with the same lock are not written at the same time.
 */
const LOCKS = 64
const WAIT_MS = 50
/** Time between two notes on disk, for other processes, that a file is in use. */
const NOTE_MS = 60_000

const CHECK_BYTES = 2 ** 25

export class BulkFiles {
  readonly #dataDir: DataDir
  readonly #limit: number
  readonly #diskFloor: number
  readonly #log: Logger
  readonly #building = new Map<string, Promise<BulkFile | null>>()
  /** Files above the limit: they are not tried again. */
  readonly #tooLarge = new Set<string>()
  readonly #users = new Tally<string>()
  readonly #usedAt = new Map<string, number>()
  readonly #notedAt = new Map<string, number>()
  /** Number of builds started, for tests and figures. */
  builds = 0

  /** @param limit bytes that all files together may take @param diskFloor bytes that must stay free on the disk */
  constructor(dataDir: DataDir, limit: number, diskFloor: number, log: Logger) {
    this.#dataDir = dataDir
    this.#limit = limit
    this.#diskFloor = diskFloor
    this.#log = log
  }

  /**
   * The file of a version, written first if necessary; null when there is no room for it.
   * @param write yields its bytes if it has to be written; a chunk may be valid only until the next is requested
   * @throws what `write` throws
   */
  async find(
    served: ServedDataset,
    format: string,
    write: () => AsyncGenerator<Uint8Array>,
  ): Promise<BulkFile | null> {
    const name = { id: served.id, version: served.version, versionSha256: served.sha256, format }
    const key = Object.values(name).join('/')
    const known = this.#dataDir.files.find(name)
    if (known !== undefined) return known
    if (this.#limit === 0 || this.#tooLarge.has(key)) return null
    let building = this.#building.get(key)
    if (building === undefined) {
      building = this.#build(name, key, write).finally(() => this.#building.delete(key))
      this.#building.set(key, building)
    }
    return building
  }

  get sending(): number {
    return this.#users.size
  }

  /** Protects a file from deletion. @returns a function that ends the protection */
  hold(file: BulkFile): () => void {
    const { path } = file
    const now = Date.now()
    this.#usedAt.set(path, now)
    if (now - (this.#notedAt.get(path) ?? file.usedAt) > NOTE_MS) {
      this.#notedAt.set(path, now)
      this.#dataDir.files.noteUse(file, now)
    }
    return this.#users.add(path)
  }

  async #build(
    name: BulkName,
    key: string,
    write: () => AsyncGenerator<Uint8Array>,
  ): Promise<BulkFile | null> {
    const lock = await this.#lock(name, key)
    if ('path' in lock) return lock
    const folder = this.#dataDir.claimWorkFolder()
    try {
      const path = join(folder.path, 'file')
      const known = await this.#bring(name, path)
      const sha256 = known ?? (await this.#write(path, write()))
      const file = this.#dataDir.files.place(path, name, sha256)
      this.#usedAt.set(file.path, Date.now())
      this.#evict(file)
      if (known === undefined) void this.#keep(name, file)
      return file
    } catch (error) {
      if (error instanceof TooLargeError) this.#tooLarge.add(key)
      else if (!(error instanceof NoRoomError) && !isDiskFull(error)) throw error
      this.#warn(name, error, 'a dataset is sent without being kept as a file')
      return null
    } finally {
      folder.release()
      lock.release()
    }
  }

  /** Waits for the lock to write the file, or for the file that another process on the folder writes. */
  async #lock(name: BulkName, key: string): Promise<Lock | BulkFile> {
    const place = createHash('sha256').update(key).digest()[0]! % LOCKS
    for (;;) {
      const lock = this.#dataDir.lock(`bulk_${place}`)
      const made = this.#dataDir.files.find(name)
      if (made !== undefined) lock?.release()
      const found = made ?? lock
      if (found !== null) return found
      await Bun.sleep(WAIT_MS)
    }
  }

  /** Fetches the file if another machine made it. @returns its digest; undefined: it has to be made here */
  async #bring(name: BulkName, path: string): Promise<string | undefined> {
    const { remote } = this.#dataDir
    if (remote === null || remote.problem !== null) return undefined
    const key = wholeFileKey(name)
    try {
      const found = await remote.find(key)
      if (found === undefined || found.sha256 === '') return undefined
      this.#requireRoom(found.bytes, found.bytes)
      return (await remote.bring(key, path)) ? found.sha256 : undefined
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error
      this.#warn(name, error, 'the file of a whole dataset is written again')
      return undefined
    }
  }

  /** Shares a file with other machines. Never throws: each can make it. */
  async #keep(name: BulkName, file: BulkFile): Promise<void> {
    const { remote } = this.#dataDir
    if (remote === null) return
    const release = this.hold(file)
    try {
      await remote.keep(wholeFileKey(name), file.path)
    } catch (error) {
      this.#warn(name, error, 'a whole dataset is kept here alone')
    } finally {
      release()
    }
  }

  async #write(path: string, chunks: AsyncGenerator<Uint8Array>): Promise<string> {
    this.builds++
    const hash = createHash('sha256')
    await using file = closingLater(await open(path, 'wx', 0o600))
    let bytes = 0
    let checked = Number.NEGATIVE_INFINITY
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > this.#limit || bytes - checked > CHECK_BYTES) {
        checked = bytes
        this.#requireRoom(bytes, CHECK_BYTES)
      }
      const writing = file.write(chunk)
      hash.update(chunk)
      for (let done = (await writing).bytesWritten; done < chunk.length; )
        done += (await file.write(chunk, done, chunk.length - done)).bytesWritten
    }
    await file.datasync()
    return hash.digest('hex')
  }

  /** @param bytes size of the file so far @param more bytes still to be written */
  #requireRoom(bytes: number, more: number): void {
    if (bytes > this.#limit) throw new TooLargeError(`more than ${this.#limit} bytes`)
    if (this.#dataDir.freeBytes() < this.#diskFloor + more) throw new NoRoomError('the disk is nearly full')
  }

  #warn({ id: dataset, format }: BulkName, err: unknown, what: string): void {
    this.#log.warn({ dataset, format, err }, what)
  }

  /** Deletes the least recently used files until the others fit. */
  #evict(kept: BulkFile): void {
    const files = this.#dataDir.files.files()
    const usedAt = (file: BulkFile) => Math.max(this.#usedAt.get(file.path) ?? 0, file.usedAt)
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    for (const file of files.sort((a, b) => usedAt(a) - usedAt(b))) {
      if (bytes <= this.#limit) return
      if (file.path === kept.path || this.#users.of(file.path) > 0) continue
      rmSync(file.path, { force: true })
      this.#usedAt.delete(file.path)
      this.#notedAt.delete(file.path)
      bytes -= file.bytes
    }
  }
}
