/**
 * Who works in a data folder. Every command that opens one holds a shared lock on `in-use.db` for as long as its
 * process lives; a restore takes it alone. The operating system frees the lock however a process ends.
 */

import Database from 'better-sqlite3'
import { createPrivateFile } from '../db/open.ts'
import { CommandError } from '../errors.ts'
import { explainFailure } from '../text/system-failure.ts'
import type { DataDir } from './data-dir.ts'
import { finishSwap, swapIsUnfinished } from './folder-swap.ts'

/** On a disk that is mounted read-only nobody can restore, either. */
const UNWRITABLE = /^SQLITE_(?:CANTOPEN|READONLY|PERM)/
/** A restore holds the folder for the moment of exchanging it. */
const PATIENCE_MS = 10_000
/** By folder; kept here, or the collector would close them and free their locks. */
const held = new Map<string, Database.Database>()

/**
 * Says that this process works in the folder, until it ends. A restore that was killed while it exchanged the folder
 * is brought to its end first.
 * @throws CommandError `failed` while a restore has the folder
 */
export function holdFolder(dataDir: DataDir): void {
  if (holdsFolder(dataDir)) return
  finishRestore(dataDir)
  let lock: Database.Database | undefined
  try {
    lock = openLock(dataDir, PATIENCE_MS)
    // Nothing is written, and a process that is killed leaves no journal beside it.
    lock.pragma('journal_mode = MEMORY')
    lock.exec('BEGIN')
    // The lock comes with the first reading; nothing is ever in the file.
    lock.prepare('SELECT 1 FROM sqlite_master').get()
    held.set(dataDir.root, lock)
  } catch (error) {
    lock?.close()
    if (!UNWRITABLE.test(codeOf(error))) throw refusal(dataDir, error)
  }
}

/** Whether this process said so before. */
export function holdsFolder({ root }: DataDir): boolean {
  return held.has(root)
}

/**
 * Brings a restore that was killed to its end.
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
      ? `a restore is exchanging the data folder ${root}: try again when it has ended`
      : `cannot lock ${inUseFile}: ${explainFailure(error)}`,
  )
}
