/**
 * Locks of a data directory. Every command that opens one holds a shared lock on `in-use.db` for as long as its process
 * lives; a restore takes an exclusive lock. The operating system frees the lock however a process ends.
 */

import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { CommandError } from '../../base/errors.ts'
import { systemFailure } from '../../base/text/system-failure.ts'
import { createPrivateFile } from '../../db/open.ts'
import type { DataDir } from './data-dir.ts'
import { finishSwap } from './folder-swap.ts'
import type { Lock } from './work-folder.ts'

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
    // No lock is needed on a read-only disk, where no restore can run.
    if (/^SQLITE_(?:CANTOPEN|READONLY|PERM)/.test(codeOf(error))) return
    if (codeOf(error) !== 'SQLITE_BUSY') throw refusal(dataDir, error)
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

/**
 * Finishes a restore that was killed.
 * @throws CommandError as `claimFolder`
 */
export function finishRestore(dataDir: DataDir): void {
  if (existsSync(dataDir.restoringDir)) claimFolder(dataDir, PATIENCE_MS)?.release()
}

/**
 * Takes the folder for this process alone, and brings a restore that was killed to its end.
 * @returns null when another process works in it
 * @throws CommandError `failed` when the lock's file cannot be used
 */
export function claimFolder(dataDir: DataDir, patienceMs = 0): Lock | null {
  let lock: Database.Database | undefined
  try {
    lock = openLock(dataDir, patienceMs)
    lock.pragma('journal_mode = MEMORY')
    lock.exec('BEGIN EXCLUSIVE')
    if (existsSync(dataDir.restoringDir)) finishSwap(dataDir)
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

function refusal({ inUseFile }: DataDir, error: unknown): Error {
  return error instanceof CommandError ? error : systemFailure(`cannot lock ${inUseFile}`, error)
}
