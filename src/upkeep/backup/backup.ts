/** Makes a backup: writes a snapshot under a temporary name, reads it again, compares it, and then renames it. */

import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { atEnd, closing, releasing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { explainFailure, isSystemFailure, systemFailure } from '../../base/text/system-failure.ts'
import { refuseMissingCatalog } from '../../store/catalog/version-files.ts'
import { type DataDir, syncFolder } from '../../store/files/data-dir.ts'
import { archiveBytes, openArchive } from './archive.ts'
import { checkBackup } from './check.ts'
import {
  bytesToCopy,
  openFolderContainer,
  partialName,
  placeBackup,
  surplusBackups,
} from './folder-target.ts'
import { backupName, type Container, type Manifest, partOf, type Snapshot, writeBackup } from './manifest.ts'
import { claimLeftover, readOrigin, recordBackup, removeLeftovers } from './record.ts'
import { type SharedHome, sharedBytes, takeSharedSnapshot } from './shared-snapshot.ts'
import { databaseBytes, takeSnapshot } from './snapshot.ts'
import { openFolder, openSource } from './source.ts'
import { NewFile } from './streamed-file.ts'

export interface BackupOptions {
  /** `-`, a file, or a folder: an existing one, or a path that ends in a slash. */
  readonly target: string
  /** Whether a file that is an earlier backup may be replaced. */
  readonly replace: boolean
  /** Takes the archive when the target is `-`. */
  readonly stream: (bytes: Uint8Array) => Promise<void>
  /** How many backups of this data directory are kept in the target folder; null: all. */
  readonly keep: number | null
  readonly bySchedule: boolean
  /** Free space that stays on the data disk, in bytes. */
  readonly floor: number
  readonly now: () => Date
  readonly signal: AbortSignal
  /** On a node: what it shares with others, which is backed up instead of the folder. */
  readonly shared?: SharedHome | undefined
}

export interface BackupReport {
  /** `-`, or the path of the file or folder. */
  readonly target: string
  readonly manifest: Manifest
  /** Size of all files. */
  readonly bytes: number
  /** Files shared with an earlier backup in the folder. */
  readonly linked: number
  /** Whether it was read again and compared; false for a stream. */
  readonly verified: boolean
  /** Older backups that were removed. */
  readonly removed: readonly string[]
}

/** Writes a backup to a stream, a file, or a folder of backups. */
type Write = (
  dataDir: DataDir,
  snapshot: Snapshot,
  target: string,
  options: BackupOptions,
) => Promise<Omit<BackupReport, 'bytes'>>

/**
 * @throws CommandError `failed` when another backup runs, the disk lacks room or something cannot be read or written,
 * `usage` when the file exists, `damaged` when a database is damaged; nothing is left behind
 */
export async function backUp(dataDir: DataDir, options: BackupOptions): Promise<BackupReport> {
  const lock = dataDir.lock('backup')
  if (lock === null)
    throw new CommandError(
      'failed',
      `another backup of ${dataDir.root} is running; try again when it has ended`,
    )
  try {
    if (options.shared === undefined) refuseMissingCatalog(dataDir)
    dataDir.sweep()
    removeLeftovers(dataDir)
    return await backUpAlone(dataDir, options)
  } catch (error) {
    if (options.signal.aborted)
      throw new CommandError('failed', 'the backup was stopped; its files were removed')
    throw error
  } finally {
    removeLeftovers(dataDir)
    lock.release()
  }
}

async function backUpAlone(dataDir: DataDir, options: BackupOptions): Promise<BackupReport> {
  const { write, path } = resolveTarget(options)
  const { shared } = options
  requireRoom(
    dataDir.root,
    (shared === undefined ? databaseBytes(dataDir) : await sharedBytes(shared)) + options.floor,
    'copies of its databases, and the disk_floor',
  )
  using work = releasing(dataDir.claimWorkFolder())
  const snapshot = await explained(() =>
    shared === undefined
      ? takeSnapshot(dataDir, work.path, options.now)
      : takeSharedSnapshot(shared, dataDir, work.path, options.now),
  )
  const written = await write(dataDir, snapshot, path, options)
  const bytes = written.manifest.files.reduce((sum, file) => sum + file.bytes, 0)
  const damaged = written.manifest.damaged.map(({ name }) => name)
  const done = { at: written.manifest.created_at, target: written.target, bytes, damaged }
  try {
    recordBackup(dataDir, done, options.bySchedule)
  } catch (error) {
    // The backup exists anyway.
    const what = done.target === '-' ? 'the backup was sent' : `${done.target} is written and verified`
    throw systemFailure(`${what}, but the data directory could not record it`, error)
  }
  return { ...written, bytes }
}

function resolveTarget({ target: text, replace }: BackupOptions) {
  if (text === '-') return { write: writeStream, path: '-' }
  const path = resolve(text)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory() || /[/\\]$/.test(text)) return { write: writeFolder, path }
  if (found !== undefined) refuseOtherFile(path, replace)
  else if (!existsSync(dirname(path)))
    throw new CommandError(
      'failed',
      `the folder ${dirname(path)} does not exist: create it, or name another file`,
    )
  return { write: writeFile, path }
}

/** Only an earlier backup may be replaced, and only with `--replace`. */
function refuseOtherFile(path: string, replace: boolean): void {
  const start = new Uint8Array(100)
  const file = openSync(path, 'r')
  using _ = atEnd(() => closeSync(file))
  const read = readSync(file, start)
  const name = Buffer.from(start.subarray(0, read)).toString().split('\0')[0] as string
  if (partOf(name) === null)
    throw new CommandError(
      'failed',
      `${path} exists and is not a backup of Izvor: name another file, or remove it`,
    )
  if (replace) return
  throw new CommandError(
    'usage',
    `${path} is already a backup and is not overwritten: name another file, or add --replace to put the new one in its place`,
  )
}

const writeStream: Write = async (dataDir, snapshot, target, options) => {
  const container = openArchive(snapshot.taken, options.stream)
  const manifest = await fill(dataDir, snapshot, container, options)
  return { target, manifest, linked: 0, verified: false, removed: [] }
}

const writeFile: Write = async (dataDir, snapshot, path, options) => {
  requireRoom(dirname(path), archiveBytes(snapshot.files.map(({ bytes }) => bytes)), 'the backup')
  const partial = claimLeftover(dataDir, (random) => `${path}.partial-${random}`)
  using file = closing(new NewFile(partial))
  const write = (bytes: Uint8Array) => {
    options.signal.throwIfAborted()
    file.write(bytes)
  }
  const container = openArchive(snapshot.taken, write)
  await fill(dataDir, snapshot, container, options)
  file.finish()
  const manifest = await checkBackup(openSource(partial).entries, { label: partial, signal: options.signal })
  renameSync(partial, path)
  syncFolder(dirname(path))
  return { target: path, manifest, linked: 0, verified: true, removed: [] }
}

const writeFolder: Write = async (dataDir, snapshot, folder, options) => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw systemFailure(`the folder ${folder} for backups cannot be created`, error)
  }
  requireRoom(folder, bytesToCopy(folder, snapshot), 'the backup')
  const final = join(folder, backupName(snapshot.taken))
  if (existsSync(final))
    throw new CommandError('failed', `${final} already exists: it was made within this second`)
  const partial = claimLeftover(dataDir, (random) => partialName(final, random))
  const container = openFolderContainer(partial, folder)
  await fill(dataDir, snapshot, container, options)
  const { linked } = container
  const checked = { label: partial, known: linked, signal: options.signal }
  const manifest = await checkBackup(openFolder(partial).entries, checked)
  placeBackup(partial, final)
  // Nothing is removed while a version file is damaged: an older backup may hold its last good copy.
  const isSurplusRemoved = options.keep !== null && manifest.damaged.length === 0
  const removed = isSurplusRemoved ? surplusBackups(folder, readOrigin(dataDir), options.keep) : []
  for (const path of removed) {
    const aside = claimLeftover(dataDir, (random) => partialName(path, random))
    placeBackup(path, aside)
  }
  return { target: final, manifest, linked: linked.size, verified: true, removed }
}

function fill(
  dataDir: DataDir,
  snapshot: Snapshot,
  container: Container,
  { signal }: BackupOptions,
): Promise<Manifest> {
  return explained(() => writeBackup(snapshot, readOrigin(dataDir), container, signal))
}

/** @throws CommandError `failed` with the path when the system refuses an operation */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isSystemFailure(error)) throw error
    // For links and copies, `dest` is the file that could not be made.
    const { dest, path = 'a file' } = error as NodeJS.ErrnoException & { dest?: string }
    throw new CommandError('failed', `the backup failed at ${dest ?? path}: ${explainFailure(error)}`)
  }
}

/** @param purpose what needs the space, for the message */
export function requireRoom(folder: string, bytes: number, purpose: string): void {
  const disk = statfsSync(folder)
  const free = disk.bavail * disk.bsize
  if (free >= bytes) return
  const megabytes = (amount: number) => `${Math.ceil(amount / 1e6)} MB`
  throw new CommandError(
    'failed',
    `the disk of ${folder} has ${megabytes(free)} free, and ${megabytes(bytes)} are needed for ${purpose}: ` +
      'make room, or use another disk',
  )
}
