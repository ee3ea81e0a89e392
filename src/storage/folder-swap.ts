/**
 * Exchanges the contents of a data folder for others that lie ready, so that a process killed at any moment leaves the
 * old contents or the new ones. Inside the folder and not by renaming it: it may be the mount point of a disk, and its
 * parent another user's.
 *
 * One renaming decides: that of the prepared contents to `restoring/`. From then on everybody who opens the folder
 * finishes the exchange first (`folder-use.ts`), step by step, each of which may be repeated.
 */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type DataDir, syncFolder } from './data-dir.ts'

interface SwapPlan {
  /** Name of the folder, in the data folder, that takes the old contents. */
  readonly aside: string
  /** Old contents, by name in the data folder. */
  readonly old: readonly string[]
}

const PLAN = 'plan.json'
/** Made beforehand, so that nothing has to be made once it is decided: a disk that is full then stops nothing. */
const ASIDE = 'aside'
/** With what SQLite keeps beside a database. What else is in the folder stays where it is. */
const CONTENTS = /^(?:(?:accounts|catalog|usage)\.db(?:-wal|-shm|-journal)?|datasets|reference)$/

export function swapIsUnfinished({ restoringDir }: DataDir): boolean {
  return existsSync(restoringDir)
}

/**
 * Puts prepared contents in the place of the present ones. The folder must be claimed.
 * @param prepared a folder on the same disk, with databases, `datasets` and `reference` alone, durable; gone afterwards
 * @param aside name for the folder that keeps the old contents; there must be none of it
 * @returns path of that folder, or null when there was nothing to keep
 */
export function swapContents(dataDir: DataDir, prepared: string, aside: string): string | null {
  const old = readdirSync(dataDir.root).filter((name) => CONTENTS.test(name) && !isEmptyFolder(dataDir, name))
  const plan: SwapPlan = { aside, old }
  mkdirSync(join(prepared, ASIDE), { mode: 0o700 })
  writeFileSync(join(prepared, PLAN), JSON.stringify(plan), { mode: 0o600, flush: true })
  syncFolder(prepared)
  renameSync(prepared, dataDir.restoringDir)
  syncFolder(dataDir.root)
  finishSwap(dataDir)
  return old.length === 0 ? null : join(dataDir.root, aside)
}

/** Goes on where the exchange stopped. The folder must be claimed. */
export function finishSwap({ root, restoringDir }: DataDir): void {
  const planFile = join(restoringDir, PLAN)
  // Without its plan, which goes last, only the empty folder is left.
  if (existsSync(planFile)) {
    const { aside, old } = JSON.parse(readFileSync(planFile, 'utf8')) as SwapPlan
    if (old.length > 0) {
      placeAside(join(restoringDir, ASIDE), join(root, aside))
      putAside(root, join(root, aside), old)
    }
    for (const name of readdirSync(restoringDir)) {
      if (name === PLAN || name === ASIDE) continue
      // A folder that was empty, and so not worth keeping, stands in the way; anything else must not be there.
      if (existsSync(join(root, name))) rmdirSync(join(root, name))
      renameSync(join(restoringDir, name), join(root, name))
    }
    syncFolder(root)
    rmSync(planFile)
  }
  rmSync(restoringDir, { recursive: true })
  syncFolder(root)
}

function placeAside(ready: string, aside: string): void {
  if (existsSync(aside)) return
  if (existsSync(ready)) renameSync(ready, aside)
  // An exchange that a program of before began.
  else mkdirSync(aside, { mode: 0o700 })
}

function putAside(root: string, aside: string, old: readonly string[]): void {
  for (const name of old) {
    // What is aside already has been replaced, or is about to be.
    if (existsSync(join(aside, name)) || !existsSync(join(root, name))) continue
    renameSync(join(root, name), join(aside, name))
  }
  syncFolder(aside)
  syncFolder(root)
}

function isEmptyFolder({ root }: DataDir, name: string): boolean {
  return name === 'datasets' && readdirSync(join(root, name)).length === 0
}
