/** Copies that upgrades and restores keep of the earlier contents: useful for a while, then they take space. */

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { COPIES_FOLDER } from '../../db/migrate.ts'
import { keptAside } from '../../upkeep/backup/restore.ts'
import { formatAmount, formatBytes } from '../cli/print.ts'
import { type Finding, finding, fine, type Site } from './finding.ts'
import { sizeOf } from './size.ts'

const DAY_MS = 86_400_000
const OLD_DAYS = 30
/** Share of the free space; an ingest or a backup may need more than the rest. */
const MUCH_ROOM = 0.1

interface Kept {
  readonly path: string
  readonly bytes: number
  /** Since the last change of the folder. */
  readonly days: number
}

/** Reports copies of databases before a migration, and what a restore put aside, when they are old or large. */
export function checkOldCopies(site: Site): Finding[] {
  const { folder } = site
  const copies = join(folder.root, COPIES_FOLDER)
  const upgrades = existsSync(copies) ? [measure(copies, site)] : []
  const restores = keptAside(folder).map((path) => measure(path, site))
  const burdens = [...upgrades, ...restores].filter((kept) => isBurden(kept, folder.freeBytes()))
  if (burdens.length === 0)
    return fine('old copies', 'No copy from before an upgrade or a restore is old or large.')
  return burdens.flatMap((kept) => {
    const { path, bytes, days } = kept
    const source = upgrades.includes(kept)
      ? 'Databases as they were before an upgrade'
      : 'The contents from before a restore'
    return finding('old copies', 'note', {
      what: `${source} are in ${path}: ${formatBytes(bytes)}, ${formatAmount(days, 'day')} old.`,
      why: 'They hold accounts and addresses that people may have deleted since, are in no backup, and take space.',
      remedy: `rm -r ${path}   (when you are sure that you do not need it)`,
    })
  })
}

function isBurden({ bytes, days }: Kept, free: number): boolean {
  return days > OLD_DAYS || bytes > free * MUCH_ROOM
}

function measure(path: string, { now }: Site): Kept {
  // The time of the folder: files that were put aside keep their own.
  const days = Math.floor((now().getTime() - statSync(path).mtimeMs) / DAY_MS)
  return { path, bytes: sizeOf(path), days: Math.max(0, days) }
}
