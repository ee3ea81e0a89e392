/** Where a backup is read from: an archive, standard input, a folder, or the newest one in a folder of backups. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { CommandError } from '../../base/errors.ts'
import { systemFailure } from '../../base/text/system-failure.ts'
import { readArchive } from './archive.ts'
import type { BackupEntry } from './check.ts'
import { BACKUP_NAME, MANIFEST } from './manifest.ts'
import { readPieces } from './streamed-file.ts'

export interface BackupSource {
  /** Its name in messages: the path, or "standard input". */
  readonly label: string
  /** Can be read only once. */
  readonly entries: AsyncIterable<BackupEntry>
  /** Estimated unpacked size; null when unknown. */
  readonly bytes: number | null
}

/** @throws CommandError `failed` when there is nothing to read */
export function openSource(path: string): BackupSource {
  if (path === '-') {
    return { label: 'standard input', entries: readArchive(Bun.stdin.stream()), bytes: null }
  }
  try {
    const found = statSync(path)
    if (!found.isDirectory())
      return { label: path, entries: readArchive(Bun.file(path).stream()), bytes: found.size }
  } catch (error) {
    throw systemFailure(`the backup ${path} cannot be read`, error)
  }
  return openFolder(backupIn(path))
}

/** The backups in a folder of them, oldest first. */
export function listBackups(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && BACKUP_NAME.test(entry.name))
    .map((entry) => join(folder, entry.name))
    .toSorted()
}

function backupIn(folder: string): string {
  if (existsSync(join(folder, MANIFEST))) return folder
  const newest = listBackups(folder).at(-1)
  if (newest !== undefined) return newest
  throw new CommandError(
    'failed',
    `there is no backup in the folder ${folder}: name an archive, a folder with a ${MANIFEST}, or one of such folders`,
  )
}

export function openFolder(folder: string): BackupSource {
  // Files that begin with a dot come from the system and are not part of a backup.
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  return { label: folder, entries: readFolder(folder, files), bytes }
}

async function* readFolder(folder: string, files: readonly string[]): AsyncGenerator<BackupEntry> {
  for (const file of files) {
    yield { path: relative(folder, file).replaceAll('\\', '/'), body: readPieces(file) }
  }
}
