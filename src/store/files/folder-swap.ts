/**
 * Replaces the contents of a data directory by prepared ones, so that a process killed at any moment leaves the old
 * contents or the new ones. The directory itself is not renamed: it may be a mount point, or its parent may belong to
 * another user.
 *
 * One rename decides: that of the prepared contents to `restoring/`. From then on every process that opens the directory
 * finishes the replacement first (`folder-use.ts`), in steps that can be repeated.
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
import { type DataDir, syncFolder } from './data-dir.ts'

/** Names in the data directory: of the folder that takes the old contents, and of these. */
type SwapPlan = { readonly aside: string; readonly old: readonly string[] }

const PLAN = 'plan.json'
/** Made before the rename, so that a full disk cannot stop the replacement after it. */
const ASIDE = 'aside'
/** Databases with SQLite's side files, and both folders. Everything else in the directory stays. */
const CONTENTS = /^(?:(?:accounts|catalog|usage)\.db(?:-wal|-shm|-journal)?|datasets|reference)$/

/**
 * Replaces the contents by prepared ones. The directory must be claimed.
 * @param prepared a folder on the same disk, with what takes the place of the old contents, durable; it is moved
 * @param aside new name for the folder that keeps the old contents
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
export function finishSwap({ root, restoringDir }: DataDir): void {
  const planFile = join(restoringDir, PLAN)
  // The plan is removed last; without it only the empty folder is left.
  if (existsSync(planFile)) {
    const { aside, old } = JSON.parse(readFileSync(planFile, 'utf8')) as SwapPlan
    const kept = join(root, aside)
    if (old.length > 0) {
      const ready = join(restoringDir, ASIDE)
      if (!existsSync(kept)) {
        if (existsSync(ready)) renameSync(ready, kept)
        // An older version of the program began this replacement.
        else mkdirSync(kept, { mode: 0o700 })
      }
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

/** What the plan does not name goes aside too, but for a folder that a command made meanwhile and left empty. */
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
