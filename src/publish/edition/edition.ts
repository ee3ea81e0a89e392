/** A file as an edition of a dataset: which one, how to read it, and whether it is served already (contract 6). */

import { sha256 } from '../../base/crypto/sha256.ts'
import { DamagedFileError, saysDamage } from '../../base/errors.ts'
import { titleAbove } from '../../base/text/undated-name.ts'
import { type Reading, type ReadRequest, read } from '../../read/read.ts'
import { READING_REVISION } from '../../read/report/reading-revision.ts'
import { digestOf, type SourceFile } from '../../read/source/source.ts'
import { loadReference, openReference, type Standardize } from '../../read/values/reference.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { ReadingStamp, VersionRecord } from '../../store/catalog/record.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { verifyVersionFile } from '../../store/files/open-version.ts'
import { inServedOrder, servedTypes } from './append.ts'
import {
  type Identity,
  type IdentityRequest,
  identifyDataset,
  refuseDefinition,
  titledBy,
} from './identity.ts'
import {
  type FoundSource,
  type Origin,
  type RepeatedRequest,
  recordSource,
  repeatedOptions,
} from './source-record.ts'

export interface Workplace {
  readonly dataDir: DataDir
  readonly catalog: Catalog
  now(): Date
}

export interface EditionRequest extends IdentityRequest, RepeatedRequest {
  /** Makes an edition even of what is served already. */
  readonly force?: boolean | undefined
  /** Publishes nothing. */
  readonly dryRun?: boolean | undefined
}

export interface Edition extends FoundSource {
  readonly identity: Identity
  readonly origin: Origin
  /** Reference tables by name, for the columns that ask for one. */
  readonly references: ReadonlyMap<string, Standardize>
  /** A digest of everything that decides how the bytes are read. */
  readonly stamp: ReadingStamp
  /** The served version, if publishing the file would only repeat it; else null. */
  readonly unchangedSince: number | null
  readonly isDryRun: boolean
}

/**
 * Determines which edition of which dataset a file is.
 * @throws CommandError `usage` as `identifyDataset`, `recordSource` and `openReference` do, or when the file is a
 * definition
 */
export async function settleEdition(
  { catalog, dataDir }: Workplace,
  found: FoundSource,
  request: EditionRequest,
): Promise<Edition> {
  const { source, fetched } = found
  refuseDefinition(source)
  await catalog.catchUp()
  const identity = identifyDataset(request, source.name, catalog, fetched?.about)
  const { definition, info, appends } = identity
  const origin = recordSource(request, identity, fetched)
  const names = [...new Set(definition?.columns?.flatMap(({ canonical }) => canonical ?? []))]
  const references = new Map(names.map((name) => [name, loadReference(name, dataDir.referenceDir)]))
  const served = catalog.find(info.id)
  try {
    // A lost or damaged served version is reported where it is read: the ingest replaces it.
    if (served) await dataDir.localVersion({ id: served.id, version: served.version, file: served })
  } catch (error) {
    if (!saysDamage(error)) throw error
  }
  // Everything that decides how the bytes are read; the order of fields makes no difference.
  const parts = {
    options: repeatedOptions(request),
    // Acknowledged personal data changes nothing in how the file is read.
    definition: definition && { ...definition, personal_data: undefined },
    address: origin.address,
    references: names.map((name) => [...openReference(name, dataDir.referenceDir).spellings]),
  }
  const sorted = (_: string, value: unknown) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  const digest = Buffer.from(sha256(JSON.stringify(parts, sorted))).toString('hex')
  const stamp = { revision: READING_REVISION, digest }
  const record = catalog.record(info.id)
  const isSame =
    request.force !== true &&
    isUnchanged(record, source, stamp, appends) &&
    isSound(dataDir.versionFile(info.id, record?.version ?? 0))
  return {
    ...found,
    identity,
    origin,
    references,
    stamp,
    unchangedSince: isSame && record ? record.version : null,
    isDryRun: request.dryRun === true,
  }
}

/** The edition, with the title found above its table if no other title is given. */
export function titledEdition(edition: Edition, { header }: Reading): Edition {
  return { ...edition, identity: titledBy(edition.identity, titleAbove(header.titleTexts)) }
}

/** Reads the file by the served columns and types; findings of its fetch come first. @throws CommandError as `read` does */
export async function readEdition(
  { catalog }: Pick<Workplace, 'catalog'>,
  { source, fetched, identity }: Edition,
  request: ReadRequest,
): Promise<Reading> {
  const { definition, asked, appends, info } = identity
  const served = catalog.find(info.id)
  const reading = await read(source, {
    ...request,
    definition,
    asked,
    servedColumns: served?.columns,
    servedTypes: servedTypes(served, appends),
    adoptTypes: appends,
  })
  return {
    ...reading,
    columns: appends && served ? inServedOrder(reading.columns, served.columns) : reading.columns,
    decisions: [...(fetched?.decisions ?? []), ...reading.decisions],
    warnings: [...(fetched?.warnings ?? []), ...reading.warnings],
  }
}

/**
 * @param served undefined: nothing is served
 * @param appends the file's rows would be added: it is unchanged if they were added before
 */
function isUnchanged(
  served: VersionRecord | undefined,
  source: SourceFile,
  stamp: ReadingStamp,
  appends: boolean,
): boolean {
  if (served === undefined) return false
  const { sources } = served.provenance
  if (appends) {
    const digest = digestOf(source)
    return sources.some(({ sha256 }) => sha256 === digest)
  }
  const { revision, digest } = served.reading ?? {}
  if (sources.length !== 1 || revision !== stamp.revision || digest !== stamp.digest) return false
  return sources[0]?.sha256 === digestOf(source)
}

/** Whether a version's file is intact: publishing the version again replaces a damaged one. */
function isSound(path: string): boolean {
  try {
    verifyVersionFile(path)
    return true
  } catch (error) {
    if (error instanceof DamagedFileError) return false
    throw error
  }
}
