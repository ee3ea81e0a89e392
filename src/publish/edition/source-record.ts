/** Where an ingest's data comes from, and what the catalog keeps of a request so that it can be repeated. */

import type { Config } from '../../base/config/config.ts'
import { CommandError } from '../../base/errors.ts'
import { emptiedAtSignal } from '../../base/process/emptied-at-signal.ts'
import type { Definition } from '../../read/definition/definition.ts'
import type { ReadOptions } from '../../read/definition/read-options.ts'
import type { IngestProgress } from '../../read/report/progress.ts'
import { openSource, type SourceFile } from '../../read/source/source.ts'
import type { NewSource } from '../../store/catalog/sources.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { isAddress, showAddress } from '../fetch/address.ts'
import { type FetchedSource, fetchSource } from '../fetch/fetch-source.ts'
import type { NetworkKind } from '../fetch/place.ts'
import type { Identity } from './identity.ts'

/** The settings that affect an ingest. */
export type IngestSettings = Pick<Config, 'max_quarantine' | 'max_mended' | 'personal_data'> &
  Partial<Pick<Config, 'disk_floor'>>

export interface SourceRequest {
  /** A path, `-` for standard input, or an address. */
  readonly file: string
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined
  readonly settings: IngestSettings
}

export interface FoundSource {
  readonly source: SourceFile
  /** null: a local file. */
  readonly fetched: FetchedSource | null
  /** `performance.now()` when its ingest began. */
  readonly started: number
}

/** A source whose bytes may not have been hashed yet. */
export type Origin = Omit<NewSource, 'sha256'> & { readonly sha256: string | null }

/** The parts of a request that concern the dataset rather than one run: a refresh repeats them. */
export interface RepeatedRequest {
  readonly title?: string | undefined
  /** Largest share of rows that may be left out, 0..1; the setting when left out. */
  readonly maxQuarantine?: number | undefined
  readonly maxMended?: number | undefined
  /** The file's rows are added to those served; left out: as the definition says. */
  readonly append?: boolean | undefined
  /** A publisher, who may not read from private networks, gave the address. */
  readonly byPublisher?: boolean | undefined
}

/** Opens a path or standard input, fetches an address. @throws CommandError as `openSource` and `fetchSource` do */
export async function findSource(
  request: SourceRequest,
  dataDir: DataDir,
  workFolder: string,
): Promise<FoundSource> {
  using _ = emptiedAtSignal(workFolder)
  const started = performance.now()
  const { file, settings, onProgress } = request
  const maxBytes = largestDownload(dataDir, settings.disk_floor)
  if (!isAddress(file))
    return { source: await openSource(file, workFolder, maxBytes), fetched: null, started }
  const fetched = await fetchSource(file, { workFolder, maxBytes, onProgress })
  if (fetched === null) throw new Error('a server says that a file is unchanged, but none was known')
  return { source: fetched.source, fetched, started }
}

/** The largest file that may be copied or fetched, in bytes: the version made of it needs room as well. */
export function largestDownload(dataDir: DataDir, floor = 0): number {
  return Math.max(0, Math.floor((dataDir.freeBytes() - floor) / 2))
}

/**
 * What the catalog keeps of a source: the address the data came from, else the one in the definition.
 * @throws CommandError `usage` when the definition wants a refresh and there is no address
 */
export function recordSource(
  request: RepeatedRequest,
  { definition, info }: Identity,
  fetched: FetchedSource | null,
): Origin {
  const schedule = definition?.refresh ?? null
  const { source_url, source_package_id } = definition ?? {}
  // Definitions may give the page of a CKAN package, for people; a refresh would read its HTML.
  const isPage = source_package_id !== undefined && source_url?.endsWith(`/dataset/${source_package_id}`)
  const named = isPage === true ? undefined : source_url
  const address = fetched?.address ?? (named !== undefined && isAddress(named) ? showAddress(named) : null)
  if (address === null && schedule !== null) {
    throw new CommandError(
      'usage',
      `the definition of '${info.id}' has "refresh": "${schedule}", but no source_url with an address to fetch from`,
    )
  }
  return {
    address,
    options: {
      definition,
      ...repeatedOptions(request),
      ...(request.byPublisher === true && { by_publisher: true }),
      ...(fetched?.network !== undefined && { network: fetched.network }),
    },
    schedule,
    file: fetched?.file ?? null,
    sha256: fetched?.sha256 ?? null,
  }
}

/** The options of a request that a refresh repeats, as they are stored. */
export function repeatedOptions(request: RepeatedRequest): Readonly<Record<string, unknown>> {
  const { title, maxQuarantine, maxMended, append } = request
  return {
    ...(title === undefined ? {} : { title }),
    ...(maxQuarantine === undefined ? {} : { max_quarantine: maxQuarantine }),
    ...(maxMended === undefined ? {} : { max_mended: maxMended }),
    ...(append === true ? { append: true } : {}),
  }
}

/** What `recordSource` keeps of a request. */
interface StoredOptions {
  readonly definition?: Definition | null
  /** Only in those that an earlier program stored: the definition has them. */
  readonly read?: ReadOptions
  readonly title?: string
  readonly max_quarantine?: number
  readonly max_mended?: number
  readonly append?: true
  readonly by_publisher?: true
  /** The kind of network it was fetched from. */
  readonly network?: NetworkKind
}

/** The request of a dataset's last ingest, to be repeated. */
export function repeatRequest(options: NewSource['options']) {
  const { definition = null, by_publisher, ...stored } = options as StoredOptions
  return {
    title: stored.title,
    knownDefinition: definition,
    read: stored.read,
    maxQuarantine: stored.max_quarantine,
    maxMended: stored.max_mended,
    append: stored.append,
    byPublisher: by_publisher === true,
    network: stored.network,
  }
}
