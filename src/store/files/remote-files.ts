/** The store behind a data directory that is a cache (`store/objects`); one that keeps its files itself has none. */

/** Size and hash that a file must have. */
export interface FileDigest {
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

/** A version, with the digest of its file from the catalog's record. */
export interface VersionName {
  readonly id: string
  readonly version: number
  readonly file: FileDigest
}

/** Digests of stored files other than versions, by key (`store/objects/open-objects.ts`). */
export interface KeptDigests {
  find(key: string): Promise<FileDigest | undefined>
  put(key: string, digest: FileDigest): Promise<void>
  drop(prefix: string, isMeant?: (key: string) => boolean): Promise<void>
}

export interface RemoteFiles {
  /** From the database; null without one, when the store's own metadata is trusted. */
  digests: KeptDigests | null
  /** Why the store cannot be used now, for people; null while it can, as far as is known. */
  readonly problem: string | null
  /**
   * Stores a finished version file for all nodes. Call it before the transaction that publishes it; if nothing is
   * published, the file is swept later.
   * @throws ObjectStoreError
   */
  uploadVersion(path: string, version: VersionName): Promise<void>
  /**
   * Fetches a version's file to `DataDir.versionFile` if it is not there, once for all callers that wait.
   * @throws ObjectStoreError; CommandError `failed` when the disk has no room
   */
  ensureLocal(version: VersionName): Promise<void>
  /**
   * For a version that is about to be served in place of another: fetches its file if the other's is here, which is
   * then in use. Otherwise the file is fetched at its first use.
   * @param before the version served now; null for none
   * @throws as `ensureLocal`
   */
  prepare(version: VersionName, before: number | null): Promise<void>
  /** Keeps the file at a path from being evicted while it is read. @returns a function that frees it */
  hold(path: string): () => void
  /** Notes that a file was found damaged: its next use verifies the whole file and fetches it again if it is wrong. */
  distrust(path: string): void
  /**
   * Reads a version's whole object.
   * @throws ObjectStoreError `missing`, `damaged`, or when the store cannot be reached; DamagedFileError
   */
  verify(version: VersionName): Promise<void>
  /** Where a version's object is, for people. */
  nameOf(version: VersionName): string
  /**
   * Size and SHA-256 of another stored file, by its key (`store/objects/keys.ts`); undefined when there is none.
   * @throws ObjectStoreError, as do all methods below
   */
  find(key: string): Promise<FileDigest | undefined>
  /** Stores a file that is not a version. */
  keep(key: string, path: string): Promise<void>
  /** Writes a stored file to a new path and checks its digest. @returns whether there was one */
  bring(key: string, path: string): Promise<boolean>
  /** Deletes stored files whose keys begin with a prefix. @param isMeant by default all of them */
  drop(prefix: string, isMeant?: (key: string) => boolean): Promise<void>
}
