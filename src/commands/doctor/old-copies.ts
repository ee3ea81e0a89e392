/** What upgrades and restores kept of the folder as it was before: needed for a while, then a burden. */

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { keptAside } from '../../backup/restore.ts'
import { COPIES_FOLDER } from '../../db/copy-before.ts'
import { formatAmount, formatBytes } from '../print.ts'
import { type Finding, finding, fine, type Site } from './finding.ts'
import { sizeOf } from './size.ts'

const DAY_MS = 86_400_000
/** Whoever wanted to go back has done so. */
const OLD_DAYS = 30
/** Of the free space: more is room that an ingest or a backup may need tomorrow. */
const MUCH_ROOM = 0.1

interface Kept {
  readonly path: string
  readonly bytes: number
  /** Since the last of it was put there. */
  readonly days: number
}

/** Copies of databases before a migration, and what a restore put aside: named when they are old, or large. */
export function checkOldCopies(site: Site): Finding[] {
  const { folder } = site
  const copies = join(folder.root, COPIES_FOLDER)
  const upgrades = existsSync(copies) ? [measure(copies, site)] : []
  const restores = keptAside(folder).map((path) => measure(path, site))
  const burdens = [...upgrades, ...restores].filter((kept) => isBurden(kept, folder.freeBytes()))
  if (burdens.length === 0)
    return [fine('old copies', 'Nothing of before is kept for longer than it is needed.')]
  return burdens.map((kept) => {
    const { path, bytes, days } = kept
    const source = upgrades.includes(kept)
      ? 'Databases as they were before an upgrade'
      : 'The contents from before a restore'
    return finding('old copies', 'note', {
      what: `${source} are in ${path}: ${formatBytes(bytes)}, ${formatAmount(days, 'day')} old.`,
      why: 'They hold accounts and addresses that people may have deleted since, are in no backup, and take room.',
      remedy: `rm -r ${path}   (once you are sure that you will not go back)`,
    })
  })
}

function isBurden({ bytes, days }: Kept, free: number): boolean {
  return days > OLD_DAYS || bytes > free * MUCH_ROOM
}

function measure(path: string, { now }: Site): Kept {
  // Of the folder: files that were put aside are as old as they were.
  const days = Math.floor((now().getTime() - statSync(path).mtimeMs) / DAY_MS)
  return { path, bytes: sizeOf(path), days: Math.max(0, days) }
}
