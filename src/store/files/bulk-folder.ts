/** Whole datasets as files below `files/`. A name has the version, its digest, and the digest of the file. */

import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Identifies a file of a version. */
export interface BulkName {
  readonly id: string
  readonly version: number
  /** Digest of the version file: after a restore the same number may mean other data. */
  readonly versionSha256: string
  readonly format: string
}

export interface BulkFile {
  readonly path: string
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
  /** When it was last used, in milliseconds since 1970. */
  readonly usedAt: number
}

const NAME = /^(\d+)-([0-9a-f]{16})-([0-9a-f]{64})\.([a-z]+)$/
/** Hex digits of the version file's digest in a name. */
const SHORT = 16

export class BulkFolder {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** The file of that name, if it exists. */
  find({ id, version, versionSha256, format }: BulkName): BulkFile | undefined {
    const begin = `${version}-${versionSha256.slice(0, SHORT)}-`
    const name = list(join(this.#root, id)).find(
      (entry) => entry.startsWith(begin) && entry.endsWith(`.${format}`),
    )
    return name === undefined ? undefined : this.#look(id, name)
  }

  /** Moves a finished file to its place. */
  place(finished: string, { id, version, versionSha256, format }: BulkName, sha256: string): BulkFile {
    const name = `${version}-${versionSha256.slice(0, SHORT)}-${sha256}.${format}`
    const path = join(this.#root, id, name)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    renameSync(finished, path)
    return this.#look(id, name)!
  }

  /** Sets the access time of a file, which systems update only once a day. Never throws. */
  noteUse({ path }: BulkFile, at: number): void {
    try {
      utimesSync(path, at / 1000, statSync(path).mtimeMs / 1000)
    } catch {
      // Another process has deleted it.
    }
  }

  /** All files. */
  files(): BulkFile[] {
    return list(this.#root).flatMap((id) =>
      list(join(this.#root, id)).flatMap((name) => this.#look(id, name) ?? []),
    )
  }

  /**
   * Deletes the files of some versions. Never throws: files that stay are swept later.
   * @param cuts whether the files are emptied first, so that answers that read them break off
   */
  discard(id: string, isMeant: (version: number) => boolean, cuts = false): void {
    const folder = join(this.#root, id)
    try {
      for (const name of list(folder)) {
        if (!isMeant(Number(NAME.exec(name)?.[1]))) continue
        if (cuts) truncateSync(join(folder, name))
        rmSync(join(folder, name), { force: true })
      }
      if (list(folder).length === 0) rmdirSync(folder)
    } catch {
      // Left for the next sweep.
    }
  }

  /** Ids of the datasets that have a folder. */
  ids(): string[] {
    return list(this.#root)
  }

  #look(id: string, name: string): BulkFile | undefined {
    const sha256 = NAME.exec(name)?.[3]
    const path = join(this.#root, id, name)
    const found = statSync(path, { throwIfNoEntry: false })
    if (sha256 === undefined || found === undefined) return undefined
    return { path, bytes: found.size, sha256, usedAt: found.atimeMs }
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
