/** How many files this process may open, connections included, and whether any are left. */

import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'

/** Linux: proc(5). Undefined where the system has no such file; infinite without a limit. */
export function openFileLimit(): number | undefined {
  try {
    const soft = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}

/**
 * The lowest free file number, which the next file gets (POSIX, open); at least that many files are open. Infinite when
 * no file can be opened.
 */
export function lowestFreeFile(): number {
  try {
    const file = openSync(devNull, 'r')
    closeSync(file)
    return file
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

const THREAD_FILES = 16

/** Whether a thread can be started now: without files for it the runtime ends the process. */
export function canStartThread(): boolean {
  const opened: number[] = []
  try {
    while (opened.length < THREAD_FILES) opened.push(openSync(devNull, 'r'))
    return true
  } catch {
    return false
  } finally {
    for (const file of opened) closeSync(file)
  }
}

/** Whether an error, or what caused it, says that no more files can be opened. */
export function saysFilesShort(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  if (code === 'EMFILE' || code === 'ENFILE') return true
  // SQLite hides the system's own code.
  if (String(code).startsWith('SQLITE_CANTOPEN')) return lowestFreeFile() === Number.POSITIVE_INFINITY
  return cause !== undefined && saysFilesShort(cause)
}
