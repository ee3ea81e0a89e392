/**
 * Restores a backup: unpacks it into a work folder, checks it, migrates it to this program's schema, compares it with
 * its own catalog, and only then replaces the contents of the data directory.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import { giveUpRestored } from '../../accounts/mail/queue.ts'
import { LogUpkeep } from '../../accounts/usage/log-upkeep.ts'
import { closing, releasing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { isSystemFailure, systemFailure } from '../../base/text/system-failure.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { latest, migrate } from '../../db/migrate.ts'
import { SCHEMAS } from '../../db/migrations.ts'
import { isDamage, openDatabase } from '../../db/open.ts'
import type { Postgres } from '../../db/postgres/open.ts'
import { listReferences, putReference } from '../../db/postgres/reference-rows.ts'
import { isLive, nodeTable } from '../../db/postgres/shared-catalog.ts'
import { copyIn } from '../../db/postgres/transfer.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { swapContents } from '../../store/files/folder-use.ts'
import { type BackupOptions, requireRoom } from './backup.ts'
import { checkBackup } from './check.ts'
import { syncBelow } from './folder-target.ts'
import { DATABASES, type DatabaseName, type Manifest, requireKnownSchema } from './manifest.ts'
import type { SharedHome } from './shared-snapshot.ts'
import { readVersions } from './snapshot.ts'
import type { BackupSource } from './source.ts'
import { NewFile } from './streamed-file.ts'

const ASIDE_PREFIX = 'before-restore-'

export interface RestoreReport {
  readonly manifest: Manifest
  /** Folder with the former contents; null when there were none. */
  readonly aside: string | null
  /** Waiting mails that are given up instead of sent. */
  readonly mails: number
  /** Databases of an older program, with the numbers of their schema before and after. */
  readonly migrated: ReturnType<typeof prepareDatabases>
}

/**
 * Replaces the contents of a data directory, which must be claimed.
 * @param options `floor`: free space that stays on the data disk, in bytes; `shared`: on a node, what it shares with
 * others, whose contents are replaced instead
 * @throws CommandError `damaged` with what is wrong with the backup, `failed` when it is newer than the program or the
 * disk lacks room; nothing has changed then
 */
export async function restoreBackup(
  dataDir: DataDir,
  source: BackupSource,
  options: Pick<BackupOptions, 'floor' | 'now' | 'signal' | 'shared'>,
): Promise<RestoreReport> {
  dataDir.sweep()
  if (source.bytes !== null) requireRoom(dataDir.root, source.bytes + options.floor, 'the restored data')
  using work = releasing(dataDir.claimWorkFolder())
  try {
    const prepared = join(work.path, 'contents')
    makeFolder(join(prepared, 'datasets'))
    const receive = (name: string) => {
      const path = join(prepared, name)
      makeFolder(dirname(path))
      return new NewFile(path)
    }
    const { label, entries } = source
    const manifest = await checkBackup(entries, { label, receive, signal: options.signal })
    requireKnownSchema(label, manifest)
    const migrated = prepareDatabases(label, prepared, options.now())
    checkCatalog(label, prepared, manifest)
    syncBelow(prepared)
    options.signal.throwIfAborted()
    // If the original service still runs, the restored copy must not send the same mails.
    const hasAccounts = existsSync(join(prepared, 'accounts.db'))
    const mails = hasAccounts ? withDatabase(label, prepared, 'accounts', giveUpRestored) : 0
    const { shared } = options
    if (shared !== undefined) await replaceShared(shared, prepared, manifest)
    const aside = shared === undefined ? exchange(dataDir, prepared, options.now()) : null
    return { manifest, migrated, mails, aside }
  } catch (error) {
    if (options.signal.aborted)
      throw new CommandError('failed', 'the restore was stopped; nothing was changed')
    throw error
  }
}

/** Reports a failure as one of this machine, not of the backup. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw systemFailure(`the restore failed at ${path}`, error)
  }
}

function exchange(dataDir: DataDir, prepared: string, now: Date): string | null {
  const name = `${ASIDE_PREFIX}${formatTimestamp(now).replaceAll(/[-:]/g, '')}`
  let aside = name
  for (let i = 2; existsSync(join(dataDir.root, aside)); i++) aside = `${name}-${i}`
  try {
    return swapContents(dataDir, prepared, aside)
  } catch (error) {
    throw isSystemFailure(error) ? systemFailure(`the restore failed at ${dataDir.root}`, error) : error
  }
}

/** Paths of former contents that restores have kept, oldest first. */
export function keptAside({ root }: DataDir): string[] {
  const names = readdirSync(root).filter((name) => name.startsWith(ASIDE_PREFIX))
  return names.toSorted().map((name) => join(root, name))
}

/** Checks the databases and migrates older ones to this program's schema. */
function prepareDatabases(label: string, prepared: string, now: Date) {
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
  // The backup itself is the copy from before the migration.
  migrate(opened, SCHEMAS[database], { isCopy: true })
  // ETags of catalog answers hold this number, which must never repeat for other contents. Publications since the backup
  // raised it by an unknown amount, but by less than one a second.
  if (database === 'catalog') {
    const seconds = Math.floor(now.getTime() / 1000)
    opened.prepare('UPDATE revision SET value = max(value + 1, ?)').run(seconds)
  }
  return from
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
    throw isSystemFailure(error) ? systemFailure(`the restore failed at ${path}`, error) : error
  }
}

/** Checks that every version in the catalog exists as published, or was recorded as damaged by the backup. */
function checkCatalog(label: string, prepared: string, manifest: Manifest): void {
  const hashes = new Map(manifest.files.map(({ name, sha256 }) => [name, sha256]))
  const noted = new Set(manifest.damaged.map(({ name }) => name))
  const versions = withDatabase(label, prepared, 'catalog', readVersions)
  const wrong = versions
    .map(({ id, version, file }) => ({ name: `datasets/${id}/${version}.db`, sha256: file.sha256 }))
    .filter(({ name, sha256 }) => hashes.get(name) !== sha256 && !noted.has(name))
  if (wrong.length > 0) throw unusable(label, `its catalog names other files: ${wrong[0]?.name}`)
}

function unusable(label: string, problem: string): CommandError {
  return new CommandError('damaged', `${label} cannot be restored; use another backup\n  ${problem}`)
}

/**
 * Replaces what nodes share by the unpacked and checked contents of a backup: first the version files, under keys with
 * their digests, then all rows in one transaction. Until that commit nothing has changed.
 * @throws CommandError `failed` while a node is running; DatabaseAway, ObjectStoreError
 */
async function replaceShared(
  { postgres, remote }: SharedHome,
  prepared: string,
  manifest: Manifest,
): Promise<void> {
  await refuseLiveNodes(postgres)
  // Nodes have no inbox of the request log: records in a folder's inbox would never become rows, nor be deleted.
  if (existsSync(join(prepared, 'usage.db'))) {
    using upkeep = closing(new LogUpkeep(join(prepared, 'usage.db')))
    for (const _ of upkeep.unpack());
  }
  const damaged = new Set(manifest.damaged.map(({ name }) => name))
  const opened = new Map<DatabaseName, Database.Database>()
  try {
    for (const name of DATABASES) {
      const path = join(prepared, `${name}.db`)
      if (existsSync(path)) opened.set(name, openDatabase(path))
    }
    const catalog = opened.get('catalog')
    for (const version of catalog === undefined ? [] : readVersions(catalog)) {
      const name = `datasets/${version.id}/${version.version}.db`
      if (!damaged.has(name)) await remote.uploadVersion(join(prepared, name), version)
    }
    await postgres.writeOnce(async (asking) => {
      await copyIn(asking, Object.fromEntries(opened))
      for (const name of (await listReferences(asking)).keys()) await putReference(asking, name, null)
      const references = join(prepared, 'reference')
      for (const name of existsSync(references) ? readdirSync(references) : [])
        await putReference(asking, name, readFileSync(join(references, name), 'utf8'))
      // A node that started meanwhile would continue with replaced data.
      await refuseLiveNodes(postgres)
    })
  } finally {
    for (const database of opened.values()) database.close()
  }
}

async function refuseLiveNodes(postgres: Postgres): Promise<void> {
  const live = (await nodeTable(postgres).list()).filter(isLive)
  if (live.length === 0) return
  const names = [...new Set(live.map(({ name }) => name))].join(', ')
  throw new CommandError(
    'failed',
    `nodes are running: stop ${names} first, then restore. Nothing was changed`,
  )
}
