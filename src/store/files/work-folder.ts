/**
 * Folders for work in progress. Each holds an SQLite file under an exclusive transaction for as long as its owner
 * lives. The operating system frees that lock however the process ends, so a free lock means that the owner is gone. A
 * process id in a file would not prove that: ids are reused, and containers do not share them.
 */

import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { alphabet, generateRandomString } from 'oslo/crypto'
import { closing } from '../../base/closing.ts'
import { systemFailure } from '../../base/text/system-failure.ts'
import { connect, createPrivateFile } from '../../db/open.ts'

/** Something that one process at a time may hold. */
export interface Lock {
  release(): void
}

export interface WorkFolder extends Lock {
  readonly path: string
  /** Removes the folder with its contents. Never throws; safe to call twice. */
  release(): void
}

export const LOCK_FILE = 'lock.db'

/** Names of the folders in a folder, which may be missing. */
export function foldersIn(path: string): string[] {
  if (!existsSync(path)) return []
  const entries = readdirSync(path, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** Removes all but the lock, which goes last: if the process ends now, the folder must not look unlocked. */
export function emptyFolder(path: string): void {
  for (const name of readdirSync(path))
    if (name !== LOCK_FILE) rmSync(join(path, name), { recursive: true, force: true })
}

/** @throws CommandError `failed` when no folder can be made there */
export function claimWorkFolder(tmpDir: string): WorkFolder {
  try {
    // A data directory that was assembled by hand has no `tmp`.
    mkdirSync(tmpDir, { recursive: true, mode: 0o700 })
    return behindGate(tmpDir, () => {
      const path = join(tmpDir, generateRandomString(16, alphabet('a-z', '0-9')))
      mkdirSync(path, { mode: 0o700 })
      try {
        const lock = takeAlone(join(path, LOCK_FILE), 0)
        return { path, release: () => release(tmpDir, path, lock) }
      } catch (error) {
        rmSync(path, { recursive: true, force: true })
        throw error
      }
    })
  } catch (error) {
    throw systemFailure(`cannot work in ${tmpDir}`, error)
  }
}

/** Empties the folder first, so that it holds the gate only briefly. Never throws: a later sweep removes the rest. */
function release(tmpDir: string, path: string, lock: Database.Database): void {
  try {
    emptyFolder(path)
    behindGate(tmpDir, () => {
      lock.close()
      rmSync(path, { recursive: true, force: true })
    })
  } catch {
    lock.close()
  }
}

/** Removes the folders whose owner is gone. @throws CommandError `failed` when that is not possible */
export function sweepWorkFolders(tmpDir: string): void {
  try {
    // A folder that is made meanwhile has an owner.
    if (foldersIn(tmpDir).length === 0) return
    behindGate(tmpDir, () => {
      for (const path of unlocked(tmpDir)) rmSync(path, { recursive: true, force: true })
    })
  } catch (error) {
    throw systemFailure(`cannot clean ${tmpDir}`, error)
  }
}

/** The folders whose owner is gone, which the next sweep removes. */
export function abandonedFolders(tmpDir: string): string[] {
  return behindGate(tmpDir, () => unlocked(tmpDir))
}

function unlocked(tmpDir: string): string[] {
  return foldersIn(tmpDir)
    .map((name) => join(tmpDir, name))
    .filter((path) => !isLocked(path))
}

/**
 * @param path of the lock's file, made when it does not exist
 * @param patienceMs how long it waits for another process
 * @returns null when another process holds it
 * @throws CommandError `failed` when the file cannot be used
 */
export function claimLock(path: string, patienceMs = 0): Lock | null {
  try {
    const lock = takeAlone(path, patienceMs)
    return { release: () => void lock.close() }
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return null
    throw systemFailure(`cannot lock ${path}`, error)
  }
}

/**
 * Opens a lock's file, made when it does not exist, and holds the lock until it is closed. Nothing is ever written to
 * it, so it works on a full disk, and a killed process leaves no journal beside it.
 * @throws Database.SqliteError `SQLITE_BUSY` when another process holds it for longer than `timeout` (ms)
 */
function takeAlone(path: string, timeout: number): Database.Database {
  createPrivateFile(path)
  const lock = connect(path, { timeout })
  try {
    lock.pragma('journal_mode = MEMORY')
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Folders are made, released and swept one at a time, so that a sweep sees each either locked or left behind. */
function behindGate<T>(tmpDir: string, work: () => T): T {
  using _ = closing(takeAlone(join(tmpDir, 'gate.db'), 30_000))
  return work()
}

function isLocked(folder: string): boolean {
  const path = join(folder, LOCK_FILE)
  if (!existsSync(path)) return false
  try {
    takeAlone(path, 0).close()
    return false
  } catch (error) {
    return (error as { code?: string }).code === 'SQLITE_BUSY'
  }
}
