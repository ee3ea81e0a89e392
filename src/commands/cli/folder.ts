/** Opens the data directory for commands, checks its owner, and closes its databases. */

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { noteAccounts, refuseLostAccounts } from '../../accounts/usage/lost-accounts.ts'
import { UsageRecorder } from '../../accounts/usage/usage.ts'
import { atEnd, closing, closingLater } from '../../base/closing.ts'
import type { Config } from '../../base/config/config.ts'
import { CommandError, DamagedFileError } from '../../base/errors.ts'
import { type AccountsDb, accountsIn, openAccounts } from '../../db/accounts.ts'
import { isDamage } from '../../db/open.ts'
import { Postgres } from '../../db/postgres/open.ts'
import { usageOver } from '../../db/postgres/usage.ts'
import { Catalog, openCatalog as openCatalogOf } from '../../store/catalog/catalog.ts'
import { DataDir } from '../../store/files/data-dir.ts'
import { upgradeFolder } from '../../store/files/folder-upgrade.ts'
import { claimFolder, finishRestore, holdFolder, holdsFolder } from '../../store/files/folder-use.ts'
import { checkObjects, openObjects } from '../../store/objects/open-objects.ts'
import type { SharedHome } from '../../upkeep/backup/shared-snapshot.ts'

/** All datasets: lists on a terminal have no pages. */
export const EVERY_DATASET = { limit: 1_000_000, offset: 0 } as const

/** Usual names of data directories inside another folder: those of the unit file and of the default setting. */
const USUAL_NAMES = ['data', 'izvor-data']

/**
 * The data directory, made when it does not exist, with a catalog that marks it as one.
 * @param note called when the directory is made; for commands that usually need an existing one
 * @throws CommandError `failed` when it is another user's, cannot be used, or would contain another data directory
 */
export function createFolder(config: Config, note?: (text: string) => void): DataDir {
  const folder = nameFolder(config)
  requireOwner(folder.root)
  refuseAroundAnother(folder)
  folder.create()
  enterFolder(folder)
  // A node's catalog is made when it is opened.
  if (folder.exists() || config.database_url !== null) return folder
  Catalog.open(folder).close()
  note?.(
    `There was no Izvor data in ${folder.root}: a new, empty data directory was created. ` +
      'If you meant another one, name it with --data and delete this one.',
  )
  return folder
}

/**
 * The data directory, for commands that need an existing one.
 * @throws CommandError `failed` when there is none, it is another user's, or it cannot be used
 */
export function findFolder(config: Config): DataDir {
  const folder = locateFolder(config)
  enterFolder(folder)
  return folder
}

/** As `findFolder`, for commands that accept databases of an older schema. */
export function findFolderAsItIs(config: Config): DataDir {
  const folder = locateFolder(config)
  holdFolder(folder)
  return folder
}

/**
 * As `findFolder`, but without this process's lock: for `upgradeFolder`, which locks the directory exclusively.
 * @throws CommandError as `findFolder`
 */
export function locateFolder(config: Config): DataDir {
  const folder = nameFolder(config)
  requireOwner(folder.root)
  // An unfinished restore may have moved the catalog away.
  finishRestore(folder)
  if (config.database_url === null) folder.requireExisting()
  else folder.create()
  return folder
}

/** The directory in the settings; with an object store it is a cache. @throws CommandError `usage` */
function nameFolder(config: Config): DataDir {
  const folder = new DataDir(config.data)
  openObjects(folder, config)
  return folder
}

/** Locks the directory (shared) and upgrades its databases to this program's schema. */
function enterFolder(folder: DataDir): void {
  if (holdsFolder(folder)) return
  finishRestore(folder)
  upgradeFolder(folder)
  holdFolder(folder)
}

/**
 * The data directory, made when it does not exist, locked exclusively: for a restore, which replaces any contents.
 * @throws CommandError `failed` when it is another user's, cannot be used, would contain another data directory, or
 * another process works in it
 */
export function claimWholeFolder(config: Config): { folder: DataDir; release: () => void } {
  const folder = new DataDir(config.data)
  requireOwner(folder.root)
  refuseAroundAnother(folder)
  folder.create()
  const claimed = claimFolder(folder)
  if (claimed !== null) return { folder, release: claimed.release }
  throw new CommandError(
    'failed',
    `a server or another command works in ${folder.root}: stop it first, then restore. Nothing was changed`,
  )
}

/**
 * Opens the catalog of a folder with everything published so far. The caller closes it.
 * @throws CommandError, DamagedFileError as `Catalog.open`; DatabaseAway
 */
export async function openCatalog(config: Config, folder: DataDir): Promise<Catalog> {
  const catalog = await openCatalogOf(folder, config)
  try {
    await catalog.catchUp()
    return catalog
  } catch (error) {
    catalog.close()
    throw error
  }
}

/**
 * Runs `work` with the catalog of an existing folder, and closes it.
 * @throws DamagedFileError when the catalog turns out to be unreadable
 */
export async function withCatalog<T>(
  config: Config,
  work: (catalog: Catalog, folder: DataDir) => T | Promise<T>,
): Promise<T> {
  const folder = findFolder(config)
  using catalog = closing(await openCatalog(config, folder))
  try {
    return await work(catalog, folder)
  } catch (error) {
    throw isDamage(error) ? new DamagedFileError(folder.catalogDb, (error as Error).message) : error
  }
}

/** Runs `work` with the keys and their usage, and closes both. @throws DatabaseAway */
export async function withAccounts<T>(
  { database_url: url }: Config,
  folder: DataDir,
  work: (accounts: AccountsDb, usage: UsageRecorder) => Promise<T>,
): Promise<T> {
  if (url !== null) {
    using database = closing(await Postgres.open(url))
    await using usage = closingLater(UsageRecorder.over(usageOver(database)))
    return await work(accountsIn(database), usage)
  }
  refuseLostAccounts(folder)
  using accounts = closing(openAccounts(folder.accountsDb))
  await using usage = closingLater(UsageRecorder.open(folder.usageDb))
  using _ = atEnd(() => noteAccounts(folder))
  return await work(accounts, usage)
}

/** Refuses `/var/lib/izvor` when the data is in `/var/lib/izvor/data`: the service would not know keys made there. */
function refuseAroundAnother(folder: DataDir): void {
  // A folder without read rights is refused later, when it is created, with the reason.
  if (existsSync(folder.catalogDb) || existsSync(folder.restoringDir)) return
  const candidates = USUAL_NAMES.map((name) => new DataDir(join(folder.root, name)))
  const inner = candidates.find(({ catalogDb }) => existsSync(catalogDb))
  if (inner === undefined) return
  throw new CommandError(
    'failed',
    `${folder.root} is not an Izvor data directory, but ${inner.root} is: name that one with --data. Nothing was created`,
  )
}

/** The service could not open files that another user, above all root, makes in the directory. */
function requireOwner(root: string): void {
  const user = process.getuid?.()
  if (user === undefined) return // Windows: rights are inherited from the folder, not bound to who wrote a file.
  const owner = statSync(root, { throwIfNoEntry: false })?.uid
  if (owner === undefined || owner === user) return
  throw new CommandError(
    'failed',
    `the data directory ${root} belongs to user ${owner}, and this is user ${user}; ` +
      `run the command as its owner, for example: sudo -u '#${owner}' izvor …`,
  )
}

/**
 * Runs `work` with the database and the object store in the settings, and closes them.
 * @param work gets undefined on a single machine
 * @throws DatabaseAway; CommandError, ObjectStoreError when they refuse
 */
export async function withSharedHome<T>(
  config: Config,
  folder: DataDir,
  work: (shared: SharedHome | undefined) => Promise<T>,
): Promise<T> {
  const remote = openObjects(folder, config)
  if (config.database_url === null || remote === null) return await work(undefined)
  using _ = closing(remote)
  await checkObjects(remote)
  using postgres = closing(await Postgres.open(config.database_url))
  return await work({ postgres, remote })
}
