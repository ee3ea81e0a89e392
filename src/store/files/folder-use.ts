/**
 * Locks of a data directory. Every command that opens one holds a shared lock on `in-use.db` for as long as its process
 * lives; a restore takes an exclusive lock. The operating system frees the lock however a process ends.
 */

import Database from 'better-sqlite3'
import { CommandError } from '../../base/errors.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import { createPrivateFile } from '../../db/open.ts'
import type { DataDir } from './data-dir.ts'
import { finishSwap, swapIsUnfinished } from './folder-swap.ts'

/** No lock is needed on a read-only disk, where no restore can run. */
const UNWRITABLE = /^SQLITE_(?:CANTOPEN|READONLY|PERM)/
/** A restore holds the lock only while it replaces the contents. */
const PATIENCE_MS = 10_000
/** By directory; kept here because garbage collection would close them and free their locks. */
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
    lock = openLock(dataDir, PATIENCE_MS)
    // A killed process leaves no journal file then.
    lock.pragma('journal_mode = MEMORY')
    lock.exec('BEGIN')
    // SQLite takes the lock at the first read; the file stays empty.
    lock.prepare('SELECT 1 FROM sqlite_master').get()
    held.set(dataDir.root, lock)
  } catch (error) {
    lock?.close()
    if (!UNWRITABLE.test(codeOf(error))) throw refusal(dataDir, error)
  }
}

/** Whether this process holds the shared lock. */
export function holdsFolder({ root }: DataDir): boolean {
  return held.has(root)
}

/**
 * Finishes a restore that was killed.
 * @throws CommandError as `claimFolder`
 */
export function finishRestore(dataDir: DataDir): void {
  if (swapIsUnfinished(dataDir)) claimFolder(dataDir, PATIENCE_MS)?.release()
}

export interface ClaimedFolder {
  release(): void
}

/**
 * Takes the folder for this process alone, and brings a restore that was killed to its end.
 * @returns null when another process works in it
 * @throws CommandError `failed` when the lock's file cannot be used
 */
export function claimFolder(dataDir: DataDir, patienceMs = 0): ClaimedFolder | null {
  let lock: Database.Database | undefined
  try {
    lock = openLock(dataDir, patienceMs)
    lock.pragma('journal_mode = MEMORY')
    lock.exec('BEGIN EXCLUSIVE')
    if (swapIsUnfinished(dataDir)) finishSwap(dataDir)
    const claimed = lock
    return { release: () => void claimed.close() }
  } catch (error) {
    lock?.close()
    if (codeOf(error) === 'SQLITE_BUSY') return null
    throw refusal(dataDir, error)
  }
}

function openLock({ inUseFile }: DataDir, timeout: number): Database.Database {
  try {
    createPrivateFile(inUseFile)
  } catch {
    // Said by the opening, in SQLite's codes.
  }
  return new Database(inUseFile, { timeout })
}

function codeOf(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? ''
}

function refusal({ root, inUseFile }: DataDir, error: unknown): Error {
  if (error instanceof CommandError) return error
  const busy = codeOf(error) === 'SQLITE_BUSY'
  return new CommandError(
    'failed',
    busy
      ? `a restore is replacing the contents of ${root}: try again when it has ended`
      : `cannot lock ${inUseFile}: ${explainFailure(error)}`,
  )
}
