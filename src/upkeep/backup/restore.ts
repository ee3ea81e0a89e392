/**
 * Restores a backup: unpacks it into a work folder, checks it, migrates it to this program's schema, compares it with its
 * own catalog, and only then replaces the contents of the data directory.
 */

import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import { giveUpRestored } from '../../accounts/mail/queue.ts'
import { closing, releasing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { explainFailure, isSystemFailure } from '../../base/text/system-failure.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { latest, migrate } from '../../db/migrate.ts'
import { SCHEMAS } from '../../db/migrations.ts'
import { isDamage, openDatabase } from '../../db/open.ts'
import { type DataDir, syncFolder } from '../../store/files/data-dir.ts'
import { swapContents } from '../../store/files/folder-swap.ts'
import { requireRoom } from './backup.ts'
import { checkBackup, type Receiver } from './check.ts'
import { DATABASES, type DatabaseName } from './layout.ts'
import { type Manifest, requireKnownSchema } from './manifest.ts'
import { replaceShared } from './shared-restore.ts'
import type { SharedHome } from './shared-snapshot.ts'
import { readVersions } from './snapshot.ts'
import type { BackupSource } from './source.ts'
import { NewFile } from './streamed-file.ts'

const ASIDE_PREFIX = 'before-restore-'

export interface RestoreOptions {
  /** Free space that stays on the data disk, in bytes. */
  readonly floor: number
  readonly now: () => Date
  readonly signal: AbortSignal
  /** Where the folder is a node's: what it shares with others, whose contents are replaced instead. */
  readonly shared?: SharedHome | undefined
}

export interface RestoreReport {
  readonly manifest: Manifest
  /** Folder with the former contents; null when there were none. */
  readonly aside: string | null
  /** Mails that were waiting, and are given up instead of sent. */
  readonly mails: number
  /** Databases that an older program had made, with the number of their schema before. */
  readonly migrated: readonly {
    readonly database: DatabaseName
    readonly from: number
    readonly to: number
  }[]
}

/**
 * Replaces the contents of a data directory, which must be claimed.
 * @throws CommandError `damaged` naming what is wrong with the backup, `failed` when it is newer than the program or
 * the disk lacks room; nothing has changed then
 */
export async function restoreBackup(
  dataDir: DataDir,
  source: BackupSource,
  options: RestoreOptions,
): Promise<RestoreReport> {
  dataDir.sweep()
  if (source.bytes !== null) requireRoom(dataDir.root, source.bytes + options.floor, 'the restored data')
  using work = releasing(dataDir.claimWorkFolder())
  try {
    const prepared = join(work.path, 'contents')
    makeFolder(join(prepared, 'datasets'))
    const manifest = await unpack(source, prepared, options.signal)
    requireKnownSchema(source.label, manifest)
    const migrated = prepareDatabases(source.label, prepared, options.now())
    checkCatalog(source.label, prepared, manifest)
    syncBelow(prepared)
    options.signal.throwIfAborted()
    const mails = giveUpMail(source.label, prepared)
    const { shared } = options
    if (shared !== undefined)
      await replaceShared(shared, prepared, new Set(manifest.damaged.map(({ name }) => name)))
    const aside = shared === undefined ? exchange(dataDir, prepared, options.now()) : null
    return { manifest, migrated, mails, aside }
  } catch (error) {
    if (options.signal.aborted)
      throw new CommandError('failed', 'the restore was stopped; nothing was changed')
    throw error
  }
}

function unpack(source: BackupSource, prepared: string, signal: AbortSignal): Promise<Manifest> {
  const receive = (name: string): Receiver => {
    const path = join(prepared, name)
    makeFolder(dirname(path))
    return new NewFile(path)
  }
  return checkBackup(source.entries, { label: source.label, receive, signal })
}

/** A failure on this machine, not of the backup. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw refused(path, error)
  }
}

function refused(path: string, error: unknown): CommandError {
  return new CommandError('failed', `the restore failed at ${path}: ${explainFailure(error)}`)
}

function exchange(dataDir: DataDir, prepared: string, now: Date): string | null {
  try {
    return swapContents(dataDir, prepared, asideName(dataDir, now))
  } catch (error) {
    throw isSystemFailure(error) ? refused(dataDir.root, error) : error
  }
}

/** Paths of former contents that restores have kept, oldest first. */
export function keptAside({ root }: DataDir): string[] {
  const names = readdirSync(root).filter((name) => name.startsWith(ASIDE_PREFIX))
  return names.toSorted().map((name) => join(root, name))
}

function asideName({ root }: DataDir, now: Date): string {
  const name = `${ASIDE_PREFIX}${formatTimestamp(now).replaceAll(/[-:]/g, '')}`
  for (let i = 1; ; i++) {
    const candidate = i === 1 ? name : `${name}-${i}`
    if (!existsSync(join(root, candidate))) return candidate
  }
}

/** Checks the databases and migrates older ones to this program's schema. */
function prepareDatabases(label: string, prepared: string, now: Date): RestoreReport['migrated'] {
  const present = DATABASES.filter((database) => existsSync(join(prepared, `${database}.db`)))
  if (!present.includes('catalog')) throw unusable(label, 'catalog.db is not in it')
  return present.flatMap((database) => {
    const to = latest(SCHEMAS[database])
    const from = withDatabase(label, prepared, database, (opened) => prepareDatabase(opened, database, now))
    return from === to ? [] : [{ database, from, to }]
  })
}

/** @returns the number of its schema before */
function prepareDatabase(opened: Database.Database, database: DatabaseName, now: Date): number {
  const answer = opened.pragma('integrity_check(1)', { simple: true })
  if (answer !== 'ok') throw new CommandError('damaged', String(answer))
  const from = opened.pragma('user_version', { simple: true }) as number
  // The backup itself is what was before.
  migrate(opened, SCHEMAS[database], { isCopy: true })
  // ETags of catalog answers hold this number, which must never repeat for other contents. Publishes since the backup
  // raised it by an unknown amount, though by less than one a second.
  if (database === 'catalog') {
    const seconds = Math.floor(now.getTime() / 1000)
    opened.prepare('UPDATE revision SET value = max(value + 1, ?)').run(seconds)
  }
  return from
}

/** A copy of a folder beside the service that it was made of must not send what that one sends. @returns how many mails */
function giveUpMail(label: string, prepared: string): number {
  if (!existsSync(join(prepared, 'accounts.db'))) return 0
  return withDatabase(label, prepared, 'accounts', giveUpRestored)
}

function withDatabase<T>(
  label: string,
  prepared: string,
  database: DatabaseName,
  work: (opened: Database.Database) => T,
): T {
  const path = join(prepared, `${database}.db`)
  try {
    using opened = closing(openDatabase(path))
    return work(opened)
  } catch (error) {
    const isBroken = isDamage(error) || (error instanceof CommandError && error.kind === 'damaged')
    if (isBroken) throw unusable(label, `${database}.db: ${(error as Error).message}`)
    throw isSystemFailure(error) ? refused(path, error) : error
  }
}

/** Checks that every version in the catalog exists as published, or was recorded as damaged at backup time. */
function checkCatalog(label: string, prepared: string, manifest: Manifest): void {
  const hashes = new Map(manifest.files.map(({ name, sha256 }) => [name, sha256]))
  const noted = new Set(manifest.damaged.map(({ name }) => name))
  const versions = withDatabase(label, prepared, 'catalog', readVersions)
  const wrong = versions
    .map(({ id, version, sha256 }) => ({ name: `datasets/${id}/${version}.db`, sha256 }))
    .filter(({ name, sha256 }) => hashes.get(name) !== sha256 && !noted.has(name))
  if (wrong.length > 0) throw unusable(label, `its catalog names other files: ${wrong[0]?.name}`)
}

function unusable(label: string, problem: string): CommandError {
  return new CommandError('damaged', `${label} cannot be restored; use another backup\n  ${problem}`)
}

function syncBelow(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) syncFolder(join(entry.parentPath, entry.name))
  syncFolder(folder)
}
