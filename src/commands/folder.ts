/** The data folder as commands use it: theirs to touch, there when it must be, closed when they are done. */

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Catalog } from '../catalog/catalog.ts'
import type { Config } from '../config.ts'
import { type AccountsDb, openAccounts } from '../db/accounts.ts'
import { isDamage } from '../db/open.ts'
import { CommandError, DamagedFileError } from '../errors.ts'
import { DataDir } from '../storage/data-dir.ts'
import { swapIsUnfinished } from '../storage/folder-swap.ts'
import { upgradeFolder } from '../storage/folder-upgrade.ts'
import { claimFolder, finishRestore, holdFolder, holdsFolder } from '../storage/folder-use.ts'
import { UsageRecorder } from '../usage/usage.ts'

/** What data folders are called inside of another: in `data/ops`, and where nobody names one. */
const USUAL_NAMES = ['data', 'izvor-data']

/**
 * The data folder, made when it is not there: with a catalog, by which the other commands know it as one.
 * @param note told when the folder is made, by commands that are mostly meant for one that is there
 * @throws CommandError `failed` when it is another user's or cannot be used, or would be made around another one
 */
export function createFolder(config: Config, note?: (text: string) => void): DataDir {
  const folder = new DataDir(config.data)
  requireOwner(folder.root)
  refuseAroundAnother(folder)
  folder.create()
  enterFolder(folder)
  if (folder.exists()) return folder
  Catalog.open(folder).close()
  note?.(
    `There was no Izvor data in ${folder.root}: it is a new, empty data folder now. ` +
      'If you meant another one, name it with --data and delete this one.',
  )
  return folder
}

/**
 * The data folder, for commands that have nothing to say about one that does not exist.
 * @throws CommandError `failed` when there is none, it is another user's, or it cannot be used
 */
export function findFolder(config: Config): DataDir {
  const folder = locateFolder(config)
  enterFolder(folder)
  return folder
}

/** As `findFolder`, for commands that take the databases as they are, of whatever version. */
export function findFolderAsItIs(config: Config): DataDir {
  const folder = locateFolder(config)
  holdFolder(folder)
  return folder
}

/**
 * As `findFolder`, and not yet held by this process: for `upgradeFolder`, which takes it alone.
 * @throws CommandError as `findFolder`
 */
export function locateFolder(config: Config): DataDir {
  const folder = new DataDir(config.data)
  requireOwner(folder.root)
  // Whatever a restore left undone; without it the folder may look like none.
  finishRestore(folder)
  folder.requireExisting()
  return folder
}

/** Holds the folder, with its databases as this program knows them. */
function enterFolder(folder: DataDir): void {
  if (holdsFolder(folder)) return
  finishRestore(folder)
  upgradeFolder(folder)
  holdFolder(folder)
}

/**
 * The data folder, made when it is not there, for this process alone: for a restore, which does not ask what is in it.
 * @throws CommandError `failed` when it is another user's, cannot be used, would be made around another one, or another
 * process works in it
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
 * Runs `work` with the catalog of an existing folder, and closes it.
 * @throws DamagedFileError when the catalog turns out to be unreadable
 */
export function withCatalog<T>(config: Config, work: (catalog: Catalog, folder: DataDir) => T): T {
  const folder = findFolder(config)
  const catalog = Catalog.open(folder, { keepVersions: config.keep_versions })
  try {
    return work(catalog, folder)
  } catch (error) {
    throw isDamage(error) ? new DamagedFileError(folder.catalogDb, (error as Error).message) : error
  } finally {
    catalog.close()
  }
}

/** Runs `work` with the keys and their usage, and closes both. */
export function withAccounts<T>(folder: DataDir, work: (accounts: AccountsDb, usage: UsageRecorder) => T): T {
  const accounts = openAccounts(folder.accountsDb)
  try {
    const usage = UsageRecorder.open(folder.usageDb)
    try {
      return work(accounts, usage)
    } finally {
      usage.close()
    }
  } finally {
    accounts.$client.close()
  }
}

/** Whoever names `/var/lib/izvor` and has data in `/var/lib/izvor/data` would get keys that the service does not know. */
function refuseAroundAnother(folder: DataDir): void {
  // What cannot be looked at is refused by the making of the folder, with its reason.
  if (existsSync(folder.catalogDb) || swapIsUnfinished(folder)) return
  const candidates = USUAL_NAMES.map((name) => new DataDir(join(folder.root, name)))
  const inner = candidates.find(({ catalogDb }) => existsSync(catalogDb))
  if (inner === undefined) return
  throw new CommandError(
    'failed',
    `${folder.root} is not an Izvor data folder, but ${inner.root} is: name that one with --data. Nothing was made`,
  )
}

/**
 * Files made by another user than the folder's owner, root above all, are files that the service cannot open later;
 * so nobody but the owner works in it.
 */
function requireOwner(root: string): void {
  const user = process.getuid?.()
  if (user === undefined) return // Windows: rights are inherited from the folder, not bound to who wrote a file.
  const owner = statSync(root, { throwIfNoEntry: false })?.uid
  if (owner === undefined || owner === user) return
  throw new CommandError(
    'failed',
    `the data folder ${root} belongs to user ${owner}, and this is user ${user}; ` +
      `run the command as its owner, for example: sudo -u '#${owner}' izvor …`,
  )
}
