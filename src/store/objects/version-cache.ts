/**
 * Version files of a node, at their places in the data directory. A file that was checked has a note beside it, whose
 * time is that of its last use. The least recently used files are deleted when a limit or the disk requires it.
 */

import { rmSync, statSync } from 'node:fs'
import { readFile, rename, utimes, writeFile } from 'node:fs/promises'
import { sha256FileInTurns } from '../../base/crypto/sha256.ts'
import { CommandError } from '../../base/errors.ts'
import { Tally } from '../../base/tally.ts'
import { type DataDir, versionNote } from '../files/data-dir.ts'
import type { VersionName } from '../files/remote-files.ts'

export interface CacheBounds {
  /** Bytes that version files may take on this machine; one file is always admitted. 0: as much as the disk has. */
  readonly bytes: number
  /** Bytes that stay free on the disk. */
  readonly diskFloor: number
}

/** Without a note, or if the file's time differs from `changed_ms`, the file is read again. */
type Note = { readonly sha256: string; readonly changed_ms: number }

type Cached = { readonly bytes: number; readonly usedAt: number }

export class VersionCache {
  readonly #dataDir: DataDir
  readonly #bounds: CacheBounds
  readonly #held = new Tally<string>()
  #files = new Map<string, Cached>()
  #lookedAt = Number.NEGATIVE_INFINITY
  /** Bytes of files that are being fetched. */
  #coming = 0

  constructor(dataDir: DataDir, bounds: CacheBounds) {
    this.#dataDir = dataDir
    this.#bounds = bounds
  }

  /** Whether the right file of a version is here; a wrong one is deleted. */
  async find(name: VersionName): Promise<boolean> {
    const { id, version, file } = name
    const path = this.#dataDir.versionFile(id, version)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return false
    if (found.size !== file.bytes || !(await this.#isChecked(name, path, found.mtimeMs))) {
      this.#remove(path)
      return false
    }
    const now = Date.now()
    const before = this.#files.get(path)?.usedAt ?? 0
    this.#files.set(path, { bytes: file.bytes, usedAt: now })
    // A note's time need not be more exact than a minute.
    if (now - before > 60_000) await utimes(versionNote(path), now / 1000, now / 1000).catch(() => {})
    return true
  }

  /** Notes a checked file that was put into place. */
  async add({ id, version, file }: VersionName): Promise<void> {
    const path = this.#dataDir.versionFile(id, version)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return
    const note: Note = { sha256: file.sha256, changed_ms: found.mtimeMs }
    const unfinished = `${versionNote(path)}.${process.pid}`
    await writeFile(unfinished, JSON.stringify(note), { mode: 0o600 })
    await rename(unfinished, versionNote(path))
    this.#files.set(path, { bytes: file.bytes, usedAt: Date.now() })
  }

  hold(path: string): () => void {
    return this.#held.add(path)
  }

  /** Forgets that a file was checked. */
  distrust(path: string): void {
    rmSync(versionNote(path), { force: true })
  }

  /**
   * Deletes the least recently used files until this number of bytes fits, and reserves the space.
   * @returns a function that ends the reservation
   * @throws CommandError `failed` when the disk still has no room
   */
  reserve(bytes: number): () => void {
    this.#look()
    const { bytes: limit, diskFloor } = this.#bounds
    const held = [...this.#files.values()].reduce((sum, file) => sum + file.bytes, 0)
    const over = limit === 0 ? 0 : held + this.#coming + bytes - limit
    const short = diskFloor + this.#coming + bytes - this.#dataDir.freeBytes()
    this.#evict(Math.max(over, short))
    if (this.#dataDir.freeBytes() < diskFloor + this.#coming + bytes)
      throw new CommandError(
        'failed',
        `the disk of ${this.#dataDir.root} has no room for a version of ${bytes} bytes`,
      )
    this.#coming += bytes
    return () => {
      this.#coming -= bytes
    }
  }

  #evict(needed: number): void {
    let left = needed
    const oldest = [...this.#files].sort(([, one], [, other]) => one.usedAt - other.usedAt)
    for (const [path, { bytes }] of oldest) {
      if (left <= 0) return
      if (this.#held.of(path) > 0) continue
      this.#remove(path)
      left -= bytes
    }
  }

  /** A reader in another process that has the file open keeps it until it closes it. */
  #remove(path: string): void {
    this.#files.delete(path)
    for (const name of [path, versionNote(path)]) rmSync(name, { force: true })
  }

  async #isChecked(name: VersionName, path: string, changed: number): Promise<boolean> {
    const { sha256 } = name.file
    const reading = readFile(versionNote(path), 'utf8').then((text): Note => JSON.parse(text))
    const note = await reading.catch(() => undefined)
    if (note?.changed_ms === changed) return note.sha256 === sha256
    if ((await sha256FileInTurns(path)) !== sha256) return false
    await this.add(name)
    return true
  }

  /** Looks every ten minutes which files are here, to notice those of other and earlier processes. */
  #look(): void {
    if (performance.now() - this.#lookedAt < 600_000) return
    this.#lookedAt = performance.now()
    const files = new Map<string, Cached>()
    for (const { path } of this.#dataDir.versionFiles()) {
      const file = statSync(path, { throwIfNoEntry: false })
      const note = statSync(versionNote(path), { throwIfNoEntry: false })
      if (file === undefined) continue
      const usedAt = this.#files.get(path)?.usedAt ?? note?.mtimeMs ?? file.mtimeMs
      files.set(path, { bytes: file.size, usedAt })
    }
    this.#files = files
  }
}
