/** Every path in the data directory, and how the directory is made and cleaned. */

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { atEnd } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import { BulkFolder } from './bulk-folder.ts'
import { DraftFolder } from './draft-folder.ts'
import type { RemoteFiles, VersionName } from './remote-files.ts'
import {
  claimLock,
  claimWorkFolder,
  foldersIn,
  type Lock,
  sweepWorkFolders,
  type WorkFolder,
} from './work-folder.ts'

const VERSION_FILE = /^([1-9]\d*)\.db$/

/**
 * `certificate`: private key and chain, PEM; `account`: the key of the account at the directory; `challenge`: the proof
 * that the directory asks for now, or empty; `state`: the latest attempt (`upkeep/certificates/renewal.ts`).
 */
export type AcmeRecord = 'certificate' | 'account' | 'challenge' | 'state'

/** A version file on disk, recorded or not. */
export interface StoredVersion {
  readonly id: string
  readonly version: number
  readonly path: string
}

class Rooted {
  /** Absolute. */
  readonly root: string

  constructor(root: string) {
    this.root = resolve(root)
  }
}

export class DataDir extends Rooted {
  /** The store that this directory is a cache of; null: files are kept only here. */
  remote: RemoteFiles | null = null
  readonly accountsDb = join(this.root, 'accounts.db')
  readonly usageDb = join(this.root, 'usage.db')
  readonly catalogDb = join(this.root, 'catalog.db')
  /** Counts that processes share (`db/counts`); it may be lost while none runs. */
  readonly limitsDb = join(this.root, 'limits.db')
  readonly datasetsDir = join(this.root, 'datasets')
  /** A folder for each draft. */
  readonly draftsDir = join(this.root, 'drafts')
  /** Whole datasets as files; missing ones are made again. */
  readonly files = new BulkFolder(join(this.root, 'files'))
  readonly tmpDir = join(this.root, 'tmp')
  /** The operator's own reference tables; may be missing. */
  readonly referenceDir = join(this.root, 'reference')
  /** Empty; every process that uses the directory holds a lock on it. */
  readonly inUseFile = join(this.root, 'in-use.db')
  /** Contents that a restore is putting into place. */
  readonly restoringDir = join(this.root, 'restoring')
  /** The outcome of the backups of this directory. */
  readonly backupsFile = join(this.root, 'backups.json')
  /** Where the service on this folder listens (`service-file.ts`). */
  readonly serviceFile = join(this.root, 'service.json')
  /** The certificate by ACME and its records; may be missing. */
  readonly acmeDir = join(this.root, 'acme')

  /** Path of a record; the certificate holds its private key too. */
  acmeFile(name: AcmeRecord): string {
    return join(this.acmeDir, name === 'challenge' || name === 'state' ? name : `${name}.pem`)
  }

  /** Path of a published version. */
  versionFile(id: string, version: number): string {
    return join(this.datasetsDir, id, `${version}.db`)
  }

  /** Whether there is a catalog. */
  exists(): boolean {
    return statSync(this.catalogDb, { throwIfNoEntry: false }) !== undefined
  }

  /**
   * Makes the folder and its parts where missing, readable only by their owner.
   * @throws CommandError `failed` when that is not possible or the folder cannot be written
   */
  create(): void {
    for (const path of [this.root, this.datasetsDir, this.draftsDir, this.tmpDir])
      try {
        mkdirSync(path, { recursive: true, mode: 0o700 })
        accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        const isFile = code === 'EEXIST' ? 'it is a file, not a folder' : undefined
        const parent = `a file stands where ${basename(dirname(path))} should be a folder`
        const reason = isFile ?? (code === 'ENOTDIR' ? parent : explainFailure(error))
        throw new CommandError('failed', `the data directory ${path} cannot be used: ${reason}`)
      }
  }

  /** For commands that need an existing data directory. @throws CommandError `failed` */
  requireExisting(): void {
    // With version files but no catalog, opening the catalog reports the loss (`catalog/version-files.ts`).
    if (this.exists() || this.versionFiles().length > 0) return
    throw new CommandError(
      'failed',
      `${this.root} is not an Izvor data directory; name the right one with --data, or ingest a file to make it one`,
    )
  }

  /** A folder for work in progress, on the same disk as the datasets, locked while its owner lives. */
  claimWorkFolder(): WorkFolder {
    return claimWorkFolder(this.tmpDir)
  }

  /**
   * Locks work that one process does at a time; null while another process holds it. `upkeep`: one of all services on a
   * folder; `desktop`: the service that `izvor open` started; `bulk_`: writing a whole dataset as a file, in one of
   * several places; `drafts_`: work on drafts, in one of several places, and for each owner.
   */
  lock(
    work:
      | 'refresh'
      | 'backup'
      | 'upkeep'
      | 'desktop'
      | `bulk_${number}`
      | `drafts_${'place' | 'account' | 'key'}_${number}`,
  ): Lock | null {
    return claimLock(join(this.tmpDir, `${work}.db`))
  }

  /** The files of a draft. @param id as the catalog gave it */
  draft(id: string): DraftFolder {
    return new DraftFolder(join(this.draftsDir, id))
  }

  /** Ids of the drafts that have a folder. */
  draftIds(): string[] {
    return foldersIn(this.draftsDir)
  }

  /** Removes what killed processes left in `tmp`. Safe while other processes work. */
  sweep(): void {
    sweepWorkFolders(this.tmpDir)
  }

  /**
   * Renames a finished version file to its place and makes the renaming durable. Call it inside the publishing
   * transaction; otherwise a sweep of another process may delete the file.
   */
  placeVersion(finished: string, id: string, version: number): void {
    const target = this.versionFile(id, version)
    const folder = dirname(target)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    renameSync(finished, target)
    syncFolder(folder)
    syncFolder(this.datasetsDir)
  }

  /** Whether the file of a version is here. */
  hasVersion(id: string, version: number): boolean {
    return existsSync(this.versionFile(id, version))
  }

  /**
   * Path of a version file, which is fetched first if this directory is a cache.
   * @throws ObjectStoreError; CommandError `failed` when the disk has no room
   */
  async localVersion(name: VersionName): Promise<string> {
    await this.remote?.ensureLocal(name)
    return this.versionFile(name.id, name.version)
  }

  /** All version files on disk, recorded or not; none without a `datasets` folder. */
  versionFiles(): StoredVersion[] {
    return foldersIn(this.datasetsDir).flatMap((id) =>
      readdirSync(join(this.datasetsDir, id)).flatMap((name) => {
        const version = VERSION_FILE.exec(name)?.[1]
        const path = join(this.datasetsDir, id, name)
        return version === undefined ? [] : { id, version: Number(version), path }
      }),
    )
  }

  /**
   * Deletes version files that nothing refers to any more, and the whole datasets made from them. A reader keeps a file
   * that it has open; if the system forbids deleting open files (Windows), a later sweep removes it.
   * @param cuts whether answers that are sending a whole dataset break off
   */
  discard(paths: readonly string[], { cuts = false } = {}): void {
    for (const path of paths) {
      const version = VERSION_FILE.exec(basename(path))?.[1]
      if (version !== undefined)
        this.files.discard(basename(dirname(path)), (kept) => kept === Number(version), cuts)
      try {
        rmSync(path, { force: true })
        if (this.remote !== null) rmSync(versionNote(path), { force: true })
      } catch {
        // Left for the next sweep.
      }
    }
  }

  /** Identifies the directory on this machine independently of its path, and distinguishes it from copies. */
  mark(): string {
    const { dev, ino } = statSync(this.root, { bigint: true })
    return `${dev}:${ino}`
  }

  /** Whether this user may write in the directory and the disk is not mounted read-only. */
  isWritable(): boolean {
    try {
      accessSync(this.root, constants.W_OK)
      return true
    } catch {
      return false
    }
  }

  /** Free bytes for this user on the disk of the directory. */
  freeBytes(): number {
    const disk = statfsSync(this.root)
    return disk.bavail * disk.bsize
  }
}

/** A cache's note about a version file: what was checked, and when it was last used. */
export function versionNote(path: string): string {
  return `${path}.checked.json`
}

/** Makes added and removed names in a folder durable. */
export function syncFolder(path: string): void {
  // Windows cannot open folders; NTFS journals their names itself.
  if (process.platform !== 'win32') syncPath(path, 'r')
}

export function syncPath(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags)
  using _ = atEnd(() => closeSync(file))
  fsyncSync(file)
}
