/** A place for objects, as nodes share one: whole files under keys, checked by size and SHA-256 in both directions. */

import { CommandError } from '../../base/errors.ts'
import type { FileDigest } from '../files/remote-files.ts'

export interface StoredObject {
  readonly key: string
  readonly bytes: number
  /** By the clock of the store. */
  readonly changedAt: Date
}

/** All calls end within a bounded time. All throw `ObjectStoreError`, or the system's error for a file of this machine. */
export interface ObjectStore {
  /** For people: `s3://bucket/prefix`. */
  readonly name: string
  /** Asks once, to find out whether the bucket is there and the credentials are right. */
  check(): Promise<void>
  /**
   * Keeps a file as an object; until the end, nothing or the former object is found under the key.
   * @throws ObjectStoreError `damaged` when the file is not what `expected` says
   */
  put(key: string, path: string, expected: FileDigest): Promise<void>
  /**
   * Writes an object to a new file, which is whole and on the disk then; no file is left when it fails.
   * @param expected left out: what the object says of itself
   * @throws ObjectStoreError `missing`; `damaged` when it is not what is expected
   */
  get(key: string, path: string, expected?: FileDigest): Promise<FileDigest>
  /** What an object says of itself; undefined when there is none. */
  head(key: string): Promise<FileDigest | undefined>
  /** In the order of the keys, read in pages. */
  list(prefix: string): AsyncGenerator<StoredObject>
  /** Nothing happens when there is none. */
  delete(key: string): Promise<void>
  /** Ends uploads that were begun earlier and left, which take room that no list shows. @returns how many */
  dropUnfinished(before: Date): Promise<number>
  close(): void
}

/** A command's refusal: exit code 6 for what is missing or damaged. */
export class ObjectStoreError extends CommandError {
  /**
   * `away`: it does not answer, or not in time; the same may succeed later. `refused`: the credentials or the bucket are
   * wrong. `missing`, `damaged`: the object is.
   */
  readonly trouble: 'away' | 'refused' | 'missing' | 'damaged'

  constructor(trouble: ObjectStoreError['trouble'], message: string) {
    super(trouble === 'missing' || trouble === 'damaged' ? 'damaged' : 'failed', message)
    this.name = 'ObjectStoreError'
    this.trouble = trouble
  }
}

/** Whether the same may succeed later without anybody's help. */
export function isAway(error: unknown): error is ObjectStoreError {
  return error instanceof ObjectStoreError && error.trouble === 'away'
}
