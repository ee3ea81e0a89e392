/** Reads and writes work files, and reports a full disk as such. */

import { readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { refuse } from './reasons.ts'

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'])

/** Whether an error from the file system or SQLite means that nothing more can be written. */
export function isDiskFull(error: unknown): boolean {
  return FULL.has((error as { code?: string } | null)?.code ?? '')
}

/** @throws CommandError `failed` naming the folder when the disk is full; other errors unchanged */
export function writeFully(file: number, bytes: Uint8Array, path: string): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    throw refuse('disk_full', {}, dirname(path))
  }
}

/** Fills `target` with the bytes of a file from an offset on. @returns the number of bytes, fewer at the file's end */
export function readFully(file: number, target: Uint8Array, offset: number): number {
  let filled = 0
  while (filled < target.length) {
    const read = readSync(file, target, filled, target.length - filled, offset + filled)
    if (read === 0) break
    filled += read
  }
  return filled
}
