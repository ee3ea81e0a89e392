/** Whether a file that comes again would give the version that is served already (contract 6). */

import { sha256 } from '../../base/crypto/sha256.ts'
import { DamagedFileError } from '../../base/errors.ts'
import type { Definition } from '../../read/definition/definition.ts'
import { READING_REVISION } from '../../read/report/reading-revision.ts'
import { digestOf, type SourceFile } from '../../read/source/source.ts'
import { openReference } from '../../read/values/reference.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Reading, VersionRecord } from '../../store/catalog/record.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { verifyVersionFile } from '../../store/files/verify-version.ts'
import type { Identity } from './identity.ts'
import { type Origin, type RepeatedRequest, repeatedOptions } from './source-record.ts'

/** What a run asks for beside what a refresh repeats. */
interface EditionRequest extends RepeatedRequest {
  readonly force?: boolean | undefined
}

export interface Edition {
  readonly reading: Reading
  /** The served version, when the file would only give it again; else null. */
  readonly unchangedSince: number | null
}

/** Whether the file is a new edition. @throws CommandError as `openReference` does */
export function settleEdition(
  { catalog, dataDir }: { readonly catalog: Catalog; readonly dataDir: DataDir },
  request: EditionRequest,
  {
    source,
    identity,
    origin,
  }: { readonly source: SourceFile; readonly identity: Identity; readonly origin: Origin },
): Edition {
  const { definition, info, appends } = identity
  const reading = describeReading({
    options: repeatedOptions(request),
    // What was acknowledged changes nothing in how the file is read.
    definition: definition && { ...definition, personal_data: undefined },
    address: origin.address,
    references: namedReferences(definition).map((name) => [
      ...openReference(name, dataDir.referenceDir).spellings,
    ]),
  })
  const served = catalog.record(info.id)
  const isSame =
    request.force !== true &&
    isUnchanged(served, source, reading, appends) &&
    isSound(dataDir.versionFile(info.id, served?.version ?? 0))
  return { reading, unchangedSince: isSame && served ? served.version : null }
}

export function namedReferences(definition: Definition | null): string[] {
  return [...new Set(definition?.columns?.flatMap(({ canonical }) => canonical ?? []))]
}

/** @param parts everything that decides what becomes of the bytes; the order of fields is no difference */
function describeReading(parts: object): Reading {
  const digest = Buffer.from(sha256(JSON.stringify(parts, sortFields))).toString('hex')
  return { revision: READING_REVISION, digest }
}

function sortFields(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * @param served undefined: nothing is served
 * @param appends the file's rows would be added: then it is enough that they were before
 */
function isUnchanged(
  served: VersionRecord | undefined,
  source: SourceFile,
  reading: Reading,
  appends: boolean,
): boolean {
  if (served === undefined) return false
  const { sources } = served.provenance
  if (appends) {
    const digest = digestOf(source)
    return sources.some(({ sha256 }) => sha256 === digest)
  }
  const { revision, digest } = served.reading ?? {}
  if (sources.length !== 1 || revision !== reading.revision || digest !== reading.digest) return false
  return sources[0]?.sha256 === digestOf(source)
}

/** Whether the file of a version can be read in whole: one that cannot is mended by publishing it again. */
function isSound(path: string): boolean {
  try {
    verifyVersionFile(path)
    return true
  } catch (error) {
    if (error instanceof DamagedFileError) return false
    throw error
  }
}
