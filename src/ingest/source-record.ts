/** Where an ingest's data comes from, and what the catalog keeps of that so that it can be fetched again. */

import type { NewSource } from '../catalog/sources.ts'
import { CommandError } from '../errors.ts'
import type { DataDir } from '../storage/data-dir.ts'
import type { Identity } from './identity.ts'
import type { IngestRequest } from './ingest.ts'
import type { IngestProgress } from './progress.ts'
import { isAddress, showAddress } from './remote/address.ts'
import { type FetchedSource, fetchSource } from './remote/fetch-source.ts'
import { openSource, type SourceFile } from './source/source.ts'

export interface FoundSource {
  readonly source: SourceFile
  /** null: a file of this machine. */
  readonly fetched: FetchedSource | null
}

/** A source whose bytes may not have been hashed yet. */
export type Origin = Omit<NewSource, 'sha256'> & { readonly sha256: string | null }

/** Parts of a request that hold for one run; all others are how this dataset's file is to be read. */
const OF_ONE_RUN: readonly (keyof IngestRequest)[] = [
  'file',
  'definition',
  'knownDefinition',
  'fetched',
  'dryRun',
  'acceptDrift',
  'personalData',
  'writeDefinition',
  'onProgress',
]

/** Opens a path or standard input, fetches an address. @throws CommandError as `openSource` and `fetchSource` do */
export async function findSource(
  request: IngestRequest,
  dataDir: DataDir,
  workFolder: string,
): Promise<FoundSource> {
  const fetched = request.fetched ?? (await fetchFile(request, dataDir, workFolder))
  return { source: fetched?.source ?? (await openSource(request.file, workFolder)), fetched }
}

/** The largest file that may be fetched, in bytes: the version made of it needs room as well. */
export function largestDownload(dataDir: DataDir): number {
  return Math.floor(dataDir.freeBytes() / 2)
}

async function fetchFile(
  { file, onProgress }: IngestRequest,
  dataDir: DataDir,
  workFolder: string,
): Promise<FetchedSource | null> {
  if (!isAddress(file)) return null
  const report = (bytes: number, totalBytes: number | null) => {
    const progress: IngestProgress = { phase: 'fetching', bytes, totalBytes, rows: 0 }
    onProgress?.(progress)
  }
  return await fetchSource(file, { workFolder, maxBytes: largestDownload(dataDir), onProgress: report })
}

/**
 * What the catalog keeps: the address the data came from, else the one the definition names.
 * @throws CommandError `usage` when the definition wants a refresh and there is no address
 */
export function recordSource(
  request: IngestRequest,
  { definition, info }: Identity,
  fetched: FetchedSource | null,
): Origin | null {
  const schedule = definition?.refresh ?? null
  const named = definition?.source_url
  const address = fetched?.address ?? (named !== undefined && isAddress(named) ? showAddress(named) : null)
  if (address === null) {
    if (schedule === null) return null
    throw new CommandError(
      'usage',
      `the definition of '${info.id}' has "refresh": "${schedule}", but no source_url with an address to fetch from`,
    )
  }
  const kept = Object.entries(request).filter(([key]) => !OF_ONE_RUN.includes(key as keyof IngestRequest))
  return {
    address,
    options: { ...Object.fromEntries(kept), id: info.id, domain: info.domain, knownDefinition: definition },
    schedule,
    file: fetched?.file ?? null,
    sha256: fetched?.sha256 ?? null,
  }
}
