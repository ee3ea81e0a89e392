/**
 * Folders for work in progress. Each holds an SQLite file under an exclusive transaction for as long as its owner
 * lives: the operating system frees that lock however the process ends, so whoever can take the lock knows that the
 * owner is gone. A process id in a file would not tell: ids come back, and containers share none.
 */

import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { alphabet, generateRandomString } from 'oslo/crypto'
import { createPrivateFile } from '../db/open.ts'
import { CommandError } from '../errors.ts'
import { explainFailure } from '../text/system-failure.ts'

export interface WorkFolder {
  readonly path: string
  /** Removes the folder with all in it. Never throws; safe to call twice. */
  release(): void
}

const LOCK_FILE = 'lock.db'
/** Held while folders are made, released or swept, so that a sweep sees each either locked or left behind. */
const GATE_FILE = 'gate.db'
const GATE_TIMEOUT_MS = 30_000

/** @throws CommandError `failed` when no folder can be made there */
export function claimWorkFolder(tmpDir: string): WorkFolder {
  try {
    return behindGate(tmpDir, () => {
      const path = join(tmpDir, generateRandomString(16, alphabet('a-z', '0-9')))
      mkdirSync(path, { mode: 0o700 })
      const lock = new Database(join(path, LOCK_FILE))
      lock.exec('BEGIN EXCLUSIVE')
      return { path, release: () => release(tmpDir, path, lock) }
    })
  } catch (error) {
    throw new CommandError('failed', `cannot work in ${tmpDir}: ${explainFailure(error)}`)
  }
}

/**
 * Behind the gate, too, so that no sweep meets a folder that is half gone; what is in it goes first, as the gate itself
 * needs a disk that is not full. Never throws: a sweep takes what stays.
 */
function release(tmpDir: string, path: string, lock: Database.Database): void {
  try {
    for (const name of readdirSync(path))
      if (name !== LOCK_FILE) rmSync(join(path, name), { recursive: true, force: true })
    behindGate(tmpDir, () => {
      lock.close()
      rmSync(path, { recursive: true, force: true })
    })
  } catch {
    lock.close()
  }
}

/**
 * Removes the folders whose owner is gone.
 * @throws CommandError `failed` when that is not possible
 */
export function sweepWorkFolders(tmpDir: string): void {
  try {
    behindGate(tmpDir, () => {
      for (const path of unlocked(tmpDir)) rmSync(path, { recursive: true, force: true })
    })
  } catch (error) {
    throw new CommandError('failed', `cannot clean ${tmpDir}: ${explainFailure(error)}`)
  }
}

/** The folders whose owner is gone, which the next sweep removes. */
export function abandonedFolders(tmpDir: string): string[] {
  return behindGate(tmpDir, () => unlocked(tmpDir))
}

function unlocked(tmpDir: string): string[] {
  const folders = readdirSync(tmpDir, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.map(({ name }) => join(tmpDir, name)).filter((path) => !isLocked(path))
}

/** Something that one process at a time may hold. */
export interface Lock {
  release(): void
}

/**
 * @param path of the lock's file, made when it is not there
 * @returns null when another process holds it
 * @throws CommandError `failed` when the file cannot be used
 */
export function claimLock(path: string): Lock | null {
  createPrivateFile(path)
  const lock = new Database(path, { timeout: 0 })
  try {
    // Nothing is written, and a process that is killed leaves no journal beside it.
    lock.pragma('journal_mode = MEMORY')
    lock.exec('BEGIN EXCLUSIVE')
    return { release: () => void lock.close() }
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return null
    throw new CommandError('failed', `cannot lock ${path}: ${explainFailure(error)}`)
  }
}

function behindGate<T>(tmpDir: string, work: () => T): T {
  const path = join(tmpDir, GATE_FILE)
  createPrivateFile(path)
  const gate = new Database(path, { timeout: GATE_TIMEOUT_MS })
  try {
    gate.exec('BEGIN EXCLUSIVE')
    return work()
  } finally {
    gate.close()
  }
}

function isLocked(folder: string): boolean {
  const lock = new Database(join(folder, LOCK_FILE), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return false
  } catch (error) {
    return (error as { code?: string }).code === 'SQLITE_BUSY'
  } finally {
    lock.close()
  }
}
