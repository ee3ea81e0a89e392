/**
 * Locks of a data directory. Every command that opens one holds a shared lock on `in-use.db` for as long as its process
 * lives; a restore takes an exclusive lock. The operating system frees the lock however a process ends.
 */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import type Database from 'better-sqlite3'
import { CommandError } from '../../base/errors.ts'
import { systemFailure } from '../../base/text/system-failure.ts'
import { connect, createPrivateFile } from '../../db/open.ts'
import { type DataDir, syncFolder } from './data-dir.ts'
import { claimLock, type Lock } from './work-folder.ts'

/** A restore holds the lock only while it replaces the contents. */
const PATIENCE_MS = 10_000
/** Connections by directory; if they were not kept, garbage collection would close them and free their locks. */
const held = new Map<string, Database.Database>()

/**
 * Takes the shared lock until this process ends. Finishes a restore that was killed first.
 * @throws CommandError `failed` while a restore holds the exclusive lock
 */
export function holdFolder(dataDir: DataDir): void {
  if (holdsFolder(dataDir)) return
  finishRestore(dataDir)
  let lock: Database.Database | undefined
  try {
    try {
      createPrivateFile(dataDir.inUseFile)
    } catch {
      // Opening the file reports the error, with SQLite's codes.
    }
    lock = connect(dataDir.inUseFile, { timeout: PATIENCE_MS })
    // Without a journal file, a killed process leaves none.
    lock.pragma('journal_mode = MEMORY')
    lock.exec('BEGIN')
    // SQLite takes the lock at the first read; the file stays empty.
    lock.prepare('SELECT 1 FROM sqlite_master').get()
    held.set(dataDir.root, lock)
  } catch (error) {
    lock?.close()
    const { code = '' } = error as { code?: string }
    // No lock is needed on a read-only disk, where no restore can run.
    if (/^SQLITE_(?:CANTOPEN|READONLY|PERM)/.test(code)) return
    if (code !== 'SQLITE_BUSY') throw systemFailure(`cannot lock ${dataDir.inUseFile}`, error)
    throw new CommandError(
      'failed',
      `a restore is replacing the contents of ${dataDir.root}: try again when it has ended`,
    )
  }
}

/** Whether this process holds the shared lock. */
export function holdsFolder({ root }: DataDir): boolean {
  return held.has(root)
}

/** Finishes a restore that was killed. @throws CommandError as `claimFolder` */
export function finishRestore(dataDir: DataDir): void {
  if (existsSync(dataDir.restoringDir)) claimFolder(dataDir, PATIENCE_MS)?.release()
}

/**
 * Takes the folder for this process alone, and finishes a restore that was killed.
 * @returns null when another process works in it
 * @throws CommandError `failed` when the lock's file cannot be used
 */
export function claimFolder(dataDir: DataDir, patienceMs = 0): Lock | null {
  const lock = claimLock(dataDir.inUseFile, patienceMs)
  try {
    if (lock !== null && existsSync(dataDir.restoringDir)) finishSwap(dataDir)
    return lock
  } catch (error) {
    lock?.release()
    throw systemFailure(`cannot finish the restore in ${dataDir.restoringDir}`, error)
  }
}

/** Names in the data directory: the folder for the old contents, and the old contents. */
type SwapPlan = { readonly aside: string; readonly old: readonly string[] }

const PLAN = 'plan.json'
/** Made before the rename, so that a full disk cannot stop the replacement after it. */
const ASIDE = 'aside'
/** Databases with SQLite's side files, and both folders. Everything else in the directory stays. */
const CONTENTS = /^(?:(?:accounts|catalog|usage)\.db(?:-wal|-shm|-journal)?|datasets|reference)$/

/**
 * Replaces the contents of a claimed data directory by prepared ones, so that a process killed at any moment leaves
 * either the old contents or the new ones. The directory itself is not renamed: it may be a mount point, or its parent
 * may belong to another user. Renaming the prepared contents to `restoring/` decides: from then on every process that
 * opens the directory first finishes the replacement, in steps that can be repeated.
 * @param prepared a folder on the same disk with the new contents, durable; it is moved
 * @param aside new name of the folder that keeps the old contents
 * @returns path of that folder, or null when there was nothing to keep
 */
export function swapContents(dataDir: DataDir, prepared: string, aside: string): string | null {
  const isEmpty = (name: string) => name === 'datasets' && readdirSync(join(dataDir.root, name)).length === 0
  const old = readdirSync(dataDir.root).filter((name) => CONTENTS.test(name) && !isEmpty(name))
  const plan: SwapPlan = { aside, old }
  mkdirSync(join(prepared, ASIDE), { mode: 0o700 })
  writeFileSync(join(prepared, PLAN), JSON.stringify(plan), { mode: 0o600, flush: true })
  syncFolder(prepared)
  renameSync(prepared, dataDir.restoringDir)
  syncFolder(dataDir.root)
  finishSwap(dataDir)
  const kept = join(dataDir.root, aside)
  return existsSync(kept) ? kept : null
}

/** Continues where the replacement stopped. The directory must be claimed. */
function finishSwap({ root, restoringDir }: DataDir): void {
  const planFile = join(restoringDir, PLAN)
  // The plan is removed last; without it only the empty folder is left.
  if (existsSync(planFile)) {
    const { aside, old } = JSON.parse(readFileSync(planFile, 'utf8')) as SwapPlan
    const kept = join(root, aside)
    if (old.length > 0) {
      if (!existsSync(kept)) renameSync(join(restoringDir, ASIDE), kept)
      for (const name of old) {
        // A name that is aside already was replaced, or will be.
        if (existsSync(join(kept, name)) || !existsSync(join(root, name))) continue
        renameSync(join(root, name), join(kept, name))
      }
      syncFolder(kept)
      syncFolder(root)
    }
    for (const name of readdirSync(restoringDir)) {
      if (name === PLAN || name === ASIDE) continue
      makeWay(join(root, name), kept)
      renameSync(join(restoringDir, name), join(root, name))
    }
    syncFolder(root)
    rmSync(planFile)
  }
  rmSync(restoringDir, { recursive: true })
  syncFolder(root)
}

/** Moves aside what the plan does not name, except an empty folder that a command made meanwhile. */
function makeWay(path: string, aside: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (found.isDirectory() && readdirSync(path).length === 0) {
    rmdirSync(path)
    return
  }
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  let target = join(aside, basename(path))
  for (let i = 2; existsSync(target); i++) target = join(aside, `${basename(path)}-${i}`)
  renameSync(path, target)
}
