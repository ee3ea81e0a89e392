/**
 * Where the service on a data directory listens, for commands: a small file that the service writes when it accepts
 * requests and removes when it stops. After a crash it stays, so a reader checks the address before using it.
 */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { DataDir } from './data-dir.ts'

/**
 * The latest service on a directory is the one that is found. Never throws: without the file only links are worse.
 * @param address `http://127.0.0.1:3000`
 */
export function noteService({ serviceFile }: DataDir, address: string): void {
  const unfinished = `${serviceFile}.${process.pid}`
  try {
    writeFileSync(unfinished, `${JSON.stringify({ address, pid: process.pid })}\n`, { mode: 0o600 })
    renameSync(unfinished, serviceFile)
  } catch {
    rmSync(unfinished, { force: true })
  }
}

/** Leaves the note of another process alone. Never throws. */
export function forgetService(dataDir: DataDir): void {
  try {
    if (notedService(dataDir)?.pid === process.pid) rmSync(dataDir.serviceFile, { force: true })
  } catch {
    // Readers check the address anyway.
  }
}

/** The note of the last service, which may have ended; undefined without one. */
export function notedService({
  serviceFile,
}: DataDir): { readonly address: string; readonly pid: number } | undefined {
  try {
    return JSON.parse(readFileSync(serviceFile, 'utf8'))
  } catch {
    return undefined
  }
}
