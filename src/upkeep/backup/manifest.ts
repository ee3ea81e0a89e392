/** The manifest of a backup: when it was made, of what, and the hash of each file. */

import { nameBuild } from '../../base/build.ts'
import { CommandError } from '../../base/errors.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { latest, requireKnown } from '../../db/migrate.ts'
import { SCHEMAS } from '../../db/migrations.ts'
import { FORMAT as VERSION_FILE } from '../../store/files/version-format.ts'
import { DATABASES, type DatabaseName } from './layout.ts'

/** Raised when a program of today could not read a backup any more. */
const FORMAT = 1

export interface BackupFile {
  readonly name: string
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

/** A version file that was damaged or missing when the backup was made: it is in there as it was, or not at all. */
export interface DamagedPart {
  readonly name: string
  readonly problem: string
}

export interface Manifest {
  readonly about: string
  readonly format: number
  /** RFC 3339 UTC: the moment that all files show. */
  readonly created_at: string
  /** The build of the program that made it. */
  readonly program: string
  /** Which data directory it is of; backups of others in the same place are left alone. */
  readonly origin: string
  /** The number of each database's schema, and the format of version files. */
  readonly schema: Readonly<Partial<Record<DatabaseName, number>>> & { readonly version_file: number }
  readonly files: readonly BackupFile[]
  readonly damaged: readonly DamagedPart[]
}

const ABOUT =
  'A backup of an Izvor data directory. "izvor backup verify" checks it, "izvor restore" puts it back; without the ' +
  'program, "sha256sum -c SHA256SUMS" checks it, and the files beside this one are a whole data directory.'

/** @param taken the moment that the files show */
export function createManifest(
  parts: Pick<Manifest, 'origin' | 'files' | 'damaged'> & {
    readonly schema: Readonly<Partial<Record<DatabaseName, number>>>
  },
  taken: Date,
): Manifest {
  return {
    about: ABOUT,
    format: FORMAT,
    created_at: formatTimestamp(taken),
    program: nameBuild(),
    origin: parts.origin,
    schema: { ...parts.schema, version_file: VERSION_FILE },
    files: parts.files,
    damaged: parts.damaged,
  }
}

export function writeManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`
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

/** The form that `sha256sum -c` reads. */
export function writeSums(files: readonly Pick<BackupFile, 'name' | 'sha256'>[]): string {
  return files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('')
}

/** Hashes by name. Lines of another form are left out, so their files count as missing. */
export function parseSums(text: string): Map<string, string> {
  const lines = text.matchAll(/^([0-9a-f]{64}) [ *](.+)$/gm)
  return new Map([...lines].map(([, sha256, name]) => [name as string, sha256 as string]))
}

/**
 * @param label how the backup is called in the message
 * @throws CommandError `failed` when only a newer program knows what is in it
 */
export function refuseNewerFormat(label: string, manifest: Manifest): void {
  refuseNewer(label, manifest, [['backup format', manifest.format, FORMAT]])
}

/** @throws CommandError `failed` when only another version of the program can work with what is in it */
export function requireKnownSchema(label: string, manifest: Manifest): void {
  refuseNewer(label, manifest, [
    ['format of version files', manifest.schema.version_file, VERSION_FILE],
    ...DATABASES.map(
      (name) => [`schema of ${name}.db`, manifest.schema[name] ?? 0, latest(SCHEMAS[name])] as const,
    ),
  ])
  for (const name of DATABASES)
    requireKnown(`${name}.db of ${label}`, manifest.schema[name] ?? 0, SCHEMAS[name])
}

function refuseNewer(
  label: string,
  manifest: Manifest,
  numbers: readonly (readonly [what: string, found: number, known: number])[],
): void {
  const newer = numbers.find(([, found, known]) => found > known)
  if (newer === undefined) return
  throw new CommandError(
    'failed',
    `${label} was made by a newer version of Izvor (${manifest.program}): ${newer[0]} ${newer[1]}, and this program ` +
      `knows ${newer[2]}. Nothing was changed; restore it with that version or a later one`,
  )
}
