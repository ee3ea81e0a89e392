/**
 * The contents of a backup and their names, in an archive or a folder:
 *
 *     izvor-20250131T080000Z/
 *       accounts.db  catalog.db  usage.db     as far as they exist
 *       datasets/<id>/<version>.db            those that the catalog names
 *       reference/<name>.csv                  the operator's own tables
 *       manifest.json  SHA256SUMS             last, so that a backup cut short has none
 */

import { nameBuild } from '../../base/build.ts'
import { sha256 } from '../../base/crypto/sha256.ts'
import { CommandError } from '../../base/errors.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { latest, requireKnown } from '../../db/migrate.ts'
import { SCHEMAS } from '../../db/migrations.ts'
import { FORMAT as VERSION_FILE } from '../../store/files/version-format.ts'

export type DatabaseName = keyof typeof SCHEMAS
export const DATABASES = Object.keys(SCHEMAS) as readonly DatabaseName[]

export const MANIFEST = 'manifest.json'
export const SUMS = 'SHA256SUMS'
export const BACKUP_NAME = /^izvor-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

/** `izvor-20250131T080000Z`: names sort by time. */
export function backupName(at: Date): string {
  return `izvor-${formatTimestamp(at).replaceAll(/[-:]/g, '')}`
}

/** At the top or below one folder of any name: a backup may have been unpacked and packed again. */
const PART =
  /^(?:\.\/)?(?:(?!datasets\/|reference\/|\.\.\/)[^/]+\/)?((?:accounts|catalog|usage)\.db|datasets\/[a-z0-9_]{1,64}\/[1-9]\d{0,14}\.db|reference\/[^/\\]+\.csv|manifest\.json|SHA256SUMS)$/

/** The name within the backup of a file found at a path, or null when it is not part of one. */
export function partOf(path: string): string | null {
  return PART.exec(path)?.[1] ?? null
}

/** Raised when current programs could no longer read a backup. */
const FORMAT = 1

export interface Manifest {
  readonly about: string
  readonly format: number
  /** RFC 3339 UTC: the moment that all files show. */
  readonly created_at: string
  /** The build of the program that made it. */
  readonly program: string
  /** Identifies the data directory; backups of others in the same place are left alone. */
  readonly origin: string
  /** The number of each database's schema, and the format of version files. */
  readonly schema: Snapshot['schema'] & { readonly version_file: number }
  /** `sha256`: lower-case hex. */
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[]
  /** Version files that were damaged or missing at that moment: they are included as they were, or not at all. */
  readonly damaged: readonly { readonly name: string; readonly problem: string }[]
}

/** The files that a backup is made from. */
export interface Snapshot {
  readonly taken: Date
  /** Databases first. */
  readonly files: readonly SnapshotFile[]
  /** The number of each database's schema. */
  readonly schema: Readonly<Partial<Record<DatabaseName, number>>>
  /** Version files that the catalog names but that are missing. */
  readonly missing: Manifest['damaged']
}

export interface SnapshotFile {
  /** Within the backup. */
  readonly name: string
  /** Path of the contents, until the work folder is removed. */
  readonly path: string
  readonly bytes: number
  /** SHA-256 from the catalog; null when it has none. */
  readonly expected: string | null
}

/** The target of a backup, an archive or a folder. */
export interface Container {
  /** @returns SHA-256 of the written bytes, lower-case hex */
  addFile(file: SnapshotFile): Promise<string>
  addText(name: string, text: string): Promise<void>
  /** Resolves when everything is written, and durable where that is possible. */
  finish(): Promise<void>
}

/**
 * Writes a snapshot with its manifest.
 * @param signal stops the backup between two files
 */
export async function writeBackup(
  snapshot: Snapshot,
  origin: string,
  container: Container,
  signal: AbortSignal,
): Promise<Manifest> {
  const files: Manifest['files'][number][] = []
  const damaged = [...snapshot.missing]
  for (const file of snapshot.files) {
    signal.throwIfAborted()
    const { name, bytes, expected } = file
    const hash = await container.addFile(file)
    files.push({ name, bytes, sha256: hash })
    if (expected === null || expected === hash) continue
    damaged.push({ name, problem: `its SHA-256 is ${hash}, the catalog holds ${expected}` })
  }
  const manifest = {
    about:
      'A backup of an Izvor data directory. "izvor backup verify" checks it, "izvor restore" puts it back; without the ' +
      'program, "sha256sum -c SHA256SUMS" checks it, and the files beside this one are a whole data directory.',
    format: FORMAT,
    created_at: formatTimestamp(snapshot.taken),
    program: nameBuild(),
    origin,
    schema: { ...snapshot.schema, version_file: VERSION_FILE },
    files,
    damaged,
  }
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await container.addText(MANIFEST, text)
  const own = { name: MANIFEST, sha256: Buffer.from(sha256(text)).toString('hex') }
  // The form that `sha256sum -c` reads.
  const sums = [...files, own].map((file) => `${file.sha256}  ${file.name}\n`)
  await container.addText(SUMS, sums.join(''))
  await container.finish()
  return manifest
}

/** @returns null for a text that is not a manifest */
export function parseManifest(text: string): Manifest | null {
  try {
    const manifest = JSON.parse(text) as Manifest
    const isWhole = Number.isInteger(manifest.format) && Array.isArray(manifest.files)
    return isWhole ? { ...manifest, damaged: manifest.damaged ?? [] } : null
  } catch {
    return null
  }
}

/**
 * @param label the backup's name in the message
 * @throws CommandError `failed` when only a newer program can read it
 */
export function refuseNewerFormat(label: string, manifest: Manifest): void {
  refuseNewer(label, manifest, 'backup format', manifest.format, FORMAT)
}

/** @throws CommandError `failed` when only another version of the program can use its contents */
export function requireKnownSchema(label: string, manifest: Manifest): void {
  const { schema } = manifest
  refuseNewer(label, manifest, 'format of version files', schema.version_file, VERSION_FILE)
  for (const name of DATABASES)
    refuseNewer(label, manifest, `schema of ${name}.db`, schema[name] ?? 0, latest(SCHEMAS[name]))
  for (const name of DATABASES) requireKnown(`${name}.db of ${label}`, schema[name] ?? 0, SCHEMAS[name])
}

function refuseNewer(label: string, { program }: Manifest, what: string, found: number, known: number): void {
  if (found <= known) return
  throw new CommandError(
    'failed',
    `${label} was made by a newer version of Izvor (${program}): ${what} ${found}, and this program knows ${known}. ` +
      'Nothing was changed; restore it with that version or a later one',
  )
}
