/** Reads a backup from beginning to end and compares every file with the manifest. */

import { CommandError } from '../../base/errors.ts'
import { systemFailure } from '../../base/text/system-failure.ts'
import { MANIFEST, type Manifest, parseManifest, partOf, refuseNewerFormat, SUMS } from './manifest.ts'
import type { NewFile } from './streamed-file.ts'

/** One file of a backup. `body` must be read to its end before the next file is requested. */
export interface BackupEntry {
  readonly path: string
  readonly body: AsyncIterable<Uint8Array>
}

export interface CheckOptions {
  /** The backup's name in messages. */
  readonly label: string
  /** Receives the contents before they are checked. */
  readonly receive?: (name: string) => NewFile
  /** Hashes by name of files that were just read and need not be read again. */
  readonly known?: ReadonlyMap<string, string>
  readonly signal?: AbortSignal
}

type Found = ReadonlyMap<string, { readonly sha256: string; readonly bytes: number }>

/**
 * @returns the manifest of an undamaged backup
 * @throws CommandError `damaged` with the name of every file that differs, and when it is not a backup; `failed` when it
 * needs a newer version of the program
 */
export async function checkBackup(
  entries: AsyncIterable<BackupEntry>,
  options: CheckOptions,
): Promise<Manifest> {
  const { label } = options
  const found = new Map<string, Awaited<ReturnType<typeof readEntry>>>()
  const texts = new Map<string, string>()
  const problems: string[] = []
  let last: string | null = null
  try {
    for await (const entry of entries) {
      const name = partOf(entry.path)
      if (name !== null && found.has(name)) problems.push(`${name} is in it twice`)
      const wanted = name !== null && !found.has(name) ? name : null
      const read = await readEntry(entry, wanted, options, texts)
      if (wanted !== null) found.set(wanted, read)
      last = name ?? last
    }
  } catch (error) {
    if (error instanceof CommandError || options.signal?.aborted) throw error
    // Without rights to read it, a backup is not known to be damaged.
    if (['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw systemFailure(`${label} cannot be read`, error)
    const place = last === null ? 'from its beginning' : `on after ${last}`
    problems.push(`it cannot be read ${place}: ${(error as Error).message}`)
  }
  const manifest = parseManifest(texts.get(MANIFEST) ?? '')
  if (manifest === null) throw noManifest(label, found, problems)
  refuseNewerFormat(label, manifest)
  problems.push(...compare(manifest, found, texts.get(SUMS) ?? ''))
  if (problems.length > 0) throw damagedBackup(label, problems)
  return manifest
}

async function readEntry(
  { body }: BackupEntry,
  name: string | null,
  { receive, known, signal }: CheckOptions,
  texts: Map<string, string>,
) {
  const skipped = name === null ? undefined : known?.get(name)
  if (skipped !== undefined) return { sha256: skipped, bytes: -1 }
  const isText = name === MANIFEST || name === SUMS
  const receiver = name === null || isText ? undefined : receive?.(name)
  const hash = new Bun.CryptoHasher('sha256')
  const kept: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const piece of body) {
      signal?.throwIfAborted()
      bytes += piece.length
      hash.update(piece)
      receiver?.write(piece)
      // A manifest of fifty thousand files takes 7 MB.
      if (isText && bytes <= 64 * 2 ** 20) kept.push(piece)
    }
    receiver?.finish()
  } finally {
    receiver?.close()
  }
  if (isText) texts.set(name, Buffer.concat(kept).toString())
  return { sha256: hash.digest('hex'), bytes }
}

function compare(manifest: Manifest, found: Found, written: string): string[] {
  // Lines of another form are left out, so their files count as missing.
  const lines = written.matchAll(/^([0-9a-f]{64}) [ *](.+)$/gm)
  const sums = new Map(Array.from(lines, ([, sha256, name]) => [name as string, sha256]))
  const listed = new Set<string>([MANIFEST, SUMS])
  const problems: string[] = []
  const own = found.get(MANIFEST)?.sha256
  if (sums.get(MANIFEST) !== own) problems.push(`${MANIFEST} does not hash to what ${SUMS} holds`)
  for (const { name, bytes, sha256 } of manifest.files) {
    listed.add(name)
    const file = found.get(name)
    if (file === undefined) problems.push(`${name} is missing`)
    else if (file.bytes >= 0 && file.bytes !== bytes)
      problems.push(`${name} has ${file.bytes} bytes, the manifest says ${bytes}`)
    else if (file.sha256 !== sha256)
      problems.push(`${name}: its SHA-256 is ${file.sha256}, the manifest holds ${sha256}`)
    else if (sums.get(name) !== sha256) problems.push(`${name} is not in ${SUMS} as in the manifest`)
  }
  for (const name of found.keys()) if (!listed.has(name)) problems.push(`${name} is not in the manifest`)
  return problems
}

function noManifest(label: string, found: Found, problems: string[]): CommandError {
  if (found.size === 0) {
    const reason = problems[0] === undefined ? '' : ` (${problems[0]})`
    return new CommandError(
      'damaged',
      `${label} is not a backup of Izvor, or is damaged at its beginning${reason}. Unpack a compressed one first: zstd -dc FILE | izvor restore -`,
    )
  }
  const all = found.has(MANIFEST)
    ? [...problems, `${MANIFEST} cannot be read`]
    : [...problems, `${MANIFEST} is missing: the backup was cut short after ${found.size} files`]
  return damagedBackup(label, all)
}

function damagedBackup(label: string, problems: readonly string[]): CommandError {
  return new CommandError('damaged', [`${label} is damaged; use another backup`, ...problems].join('\n  '))
}
