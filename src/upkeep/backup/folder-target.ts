/**
 * Backups in a folder, each a complete folder of its own. A version file that an earlier backup holds becomes a hard
 * link instead of a copy, after its hash was compared with the catalog's; on a disk without hard links it is copied.
 */

import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { closing } from '../../base/closing.ts'
import { sha256FileInTurns } from '../../base/crypto/sha256.ts'
import { systemFailure } from '../../base/text/system-failure.ts'
import { syncFolder } from '../../store/files/data-dir.ts'
import {
  type Container,
  MANIFEST,
  type Manifest,
  parseManifest,
  type Snapshot,
  type SnapshotFile,
} from './manifest.ts'
import { listBackups } from './source.ts'
import { NewFile } from './streamed-file.ts'

/**
 * @param partial a new folder to write to
 * @param folder that holds the backups, this one included
 * @returns the container, with the hashes by name of files that were linked, not copied
 */
export function openFolderContainer(
  partial: string,
  folder: string,
): Container & { readonly linked: ReadonlyMap<string, string> } {
  const earlier = earlierFiles(folder)
  const linked = new Map<string, string>()
  mkdirSync(partial, { mode: 0o700 })
  const place = (name: string) => {
    const path = join(partial, name)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return path
  }
  return {
    linked,
    async addFile(file) {
      const target = place(file.name)
      const known = earlier.get(keyOf(file))
      if (known !== undefined && (await linkEarlier(known, target, file))) {
        linked.set(file.name, file.expected as string)
        return file.expected as string
      }
      using copy = closing(new NewFile(target))
      const sha256 = await sha256FileInTurns(file.path, (piece) => copy.write(piece))
      copy.finish()
      return sha256
    },
    async addText(name, text) {
      const file = new NewFile(place(name))
      file.write(new TextEncoder().encode(text))
      file.finish()
    },
    async finish() {
      syncBelow(partial)
    },
  }
}

/** Bytes that have to be written. */
export function bytesToCopy(folder: string, { files }: Pick<Snapshot, 'files'>): number {
  const earlier = earlierFiles(folder)
  return files.filter((file) => !earlier.has(keyOf(file))).reduce((sum, { bytes }) => sum + bytes, 0)
}

/** @throws CommandError `failed` */
export function placeBackup(partial: string, final: string): void {
  try {
    renameSync(partial, final)
    syncFolder(dirname(final))
  } catch (error) {
    throw systemFailure(`cannot rename ${partial} to ${final}`, error)
  }
}

/** The oldest backups of a data directory beyond a number; backups of other data directories do not count. */
export function surplusBackups(folder: string, origin: string, keep: number): string[] {
  const own = listBackups(folder).filter((path) => readManifest(path)?.origin === origin)
  return own.slice(0, Math.max(0, own.length - keep))
}

/** The manifest of a backup; null for a folder that is not one. */
export function readManifest(path: string): Manifest | null {
  const file = join(path, MANIFEST)
  return existsSync(file) ? parseManifest(readFileSync(file, 'utf8')) : null
}

function keyOf({ name, bytes, expected }: SnapshotFile): string {
  return `${name} ${bytes} ${expected}`
}

/** Version files of earlier backups, by name, length and hash; the newest of several. */
function earlierFiles(folder: string): Map<string, string> {
  const files = new Map<string, string>()
  if (!existsSync(folder)) return files
  for (const path of listBackups(folder)) {
    for (const { name, bytes, sha256 } of readManifest(path)?.files ?? []) {
      const file = join(path, name)
      if (name.startsWith('datasets/') && statSync(file, { throwIfNoEntry: false })?.size === bytes)
        files.set(`${name} ${bytes} ${sha256}`, file)
    }
  }
  return files
}

/** @returns false when the earlier copy is damaged, or the disk has no hard links */
async function linkEarlier(earlier: string, target: string, { expected }: SnapshotFile): Promise<boolean> {
  try {
    if ((await sha256FileInTurns(earlier)) !== expected) return false
    linkSync(earlier, target)
    return true
  } catch {
    return false
  }
}

/** Makes the names in a folder and in those below it durable. */
export function syncBelow(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) syncFolder(join(entry.parentPath, entry.name))
  syncFolder(folder)
}

/** `.izvor-….partial-…` beside the final name; it does not look like a backup. */
export function partialName(final: string, random: string): string {
  return join(dirname(final), `.${basename(final)}.partial-${random}`)
}
