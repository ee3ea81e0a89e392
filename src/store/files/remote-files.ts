/**
 * What a data directory asks where it is a cache of files that are kept elsewhere (`store/objects`). A directory that keeps
 * its files by itself has none of it.
 */

/** What a file must be. */
export interface FileDigest {
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

/** A version, and what its file must be, as the catalog's record has it. */
export interface VersionName {
  readonly id: string
  readonly version: number
  readonly file: FileDigest
}

/** What kept files must be that are not versions, by their keys (`store/objects/open-objects.ts`). */
export interface KeptDigests {
  find(key: string): Promise<FileDigest | undefined>
  put(key: string, digest: FileDigest): Promise<void>
  drop(prefix: string, isMeant?: (key: string) => boolean): Promise<void>
}

export interface RemoteFiles {
  /** Of the database that is kept beside them; null without one: files are what they say of themselves. */
  digests: KeptDigests | null
  /** Why nothing can be had or kept now, for people; null while it can, as far as is known. */
  readonly problem: string | null
  /**
   * Keeps a finished version file where all nodes find it. To be called before the transaction that publishes it, and
   * outside of it; a file that is then not published is swept later.
   * @throws ObjectStoreError
   */
  uploadVersion(path: string, version: VersionName): Promise<void>
  /**
   * Brings a version's file to `DataDir.versionFile`, once for all who wait, where it is not there already.
   * @throws ObjectStoreError; CommandError `failed` when the disk has no room
   */
  ensureLocal(version: VersionName): Promise<void>
  /**
   * For a version that is about to be served in place of another: brings its file where the other's is here, since it is
   * in use. Where it is not, the file is fetched at its first use.
   * @param before the version served now; null for none
   * @throws as `ensureLocal`
   */
  prepare(version: VersionName, before: number | null): Promise<void>
  /** Keeps the file at a path from being evicted while it is read. @returns gives it free again */
  hold(path: string): () => void
  /** A file that was found damaged is read in whole at its next use, and fetched again where it is not what it must be. */
  distrust(path: string): void
  /**
   * Reads a version's object in whole.
   * @throws ObjectStoreError `missing`, `damaged` or that it cannot be asked; DamagedFileError
   */
  verify(version: VersionName): Promise<void>
  /** Where a version's object is, for people. */
  nameOf(version: VersionName): string
  /**
   * Size and SHA-256 of another file that is kept, by its key (`store/objects/keys.ts`); undefined when there is none.
   * @throws ObjectStoreError, as all below
   */
  find(key: string): Promise<FileDigest | undefined>
  /** Keeps a file that is not a version. */
  keep(key: string, path: string): Promise<void>
  /** Writes it to a new file, where it is what was kept. @returns whether there was one */
  bring(key: string, path: string): Promise<boolean>
  /** Deletes those whose keys begin so. @param isMeant all of them by default */
  drop(prefix: string, isMeant?: (key: string) => boolean): Promise<void>
}
