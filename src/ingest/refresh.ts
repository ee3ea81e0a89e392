/** Fetching a dataset's source again: only if it changed, through every gate, and with a note of how it went. */

import type { DatasetSource } from '../catalog/sources.ts'
import { CommandError, DamagedFileError } from '../errors.ts'
import { refusalError } from './gates.ts'
import { attemptIngest, type IngestRequest, type IngestWorkplace } from './ingest.ts'
import { fetchSource } from './remote/fetch-source.ts'
import type { IngestReport } from './report.ts'
import { largestDownload } from './source-record.ts'

export interface RefreshOutcome {
  readonly dataset: string
  readonly address: string
  /** `refused`: by a gate. */
  readonly outcome: 'unchanged' | 'updated' | 'refused' | 'failed'
  /** The version being served now. */
  readonly version: number | null
  /** Its rows. */
  readonly rows: number | null
  /** What went wrong, for people; null when nothing did. */
  readonly error: string | null
  readonly next_run_at: string | null
}

export interface RefreshOptions {
  /** Ingest again also what has not changed. */
  readonly force: boolean
  readonly personalData: IngestRequest['personalData']
}

/**
 * Fetches a dataset's source again and ingests it as the last time when its bytes have changed. Never throws for a
 * source that fails: what is served stays, the failure is recorded and returned.
 */
export async function refreshDataset(
  workplace: IngestWorkplace,
  source: DatasetSource,
  options: RefreshOptions,
): Promise<RefreshOutcome> {
  const fail = (outcome: 'refused' | 'failed', reason: string, waits: boolean) => {
    workplace.catalog.sources.recordFailure(source.dataset, reason, waits, workplace.now())
    return describe(workplace, source, outcome, reason)
  }
  try {
    const report = await fetchAndIngest(workplace, source, options)
    if (report === null) return describe(workplace, source, 'unchanged', null)
    if (report.refusals.length === 0) return describe(workplace, source, 'updated', null)
    // The gates would refuse the same file again.
    return fail('refused', `${refusalError(report.refusals).message}${NO_OVERRIDE}`, true)
  } catch (error) {
    // A page of a server under maintenance is soon a file again; a bug of this program stays.
    if (isExpected(error)) return fail('failed', error.message, false)
    const reason = error instanceof Error ? error.message : String(error)
    return fail('failed', `unexpected failure: ${reason}`, true)
  }
}

const NO_OVERRIDE = '\nA refresh never overrides this: ingest the address by hand with that option'

/** @returns what the ingest reports; null when the source has not changed */
async function fetchAndIngest(
  workplace: IngestWorkplace,
  source: DatasetSource,
  { force, personalData }: RefreshOptions,
): Promise<IngestReport | null> {
  const { catalog, dataDir } = workplace
  const { dataset, address, sha256, file } = source
  const work = dataDir.claimWorkFolder()
  try {
    const maxBytes = largestDownload(dataDir)
    const known = force || file === null ? undefined : file
    const fetched = await fetchSource(address, { workFolder: work.path, maxBytes, known })
    if (fetched === null || (!force && fetched.sha256 === sha256)) {
      catalog.sources.recordUnchanged(dataset, fetched?.file ?? null, workplace.now())
      return null
    }
    return await attemptIngest(workplace, {
      // Written by the last ingest (`source-record.ts`).
      ...(source.options as unknown as IngestRequest),
      ...{ file: address, fetched, personalData, dryRun: false, acceptDrift: false },
    })
  } finally {
    work.release()
  }
}

function describe(
  { catalog }: IngestWorkplace,
  { dataset, address }: DatasetSource,
  outcome: RefreshOutcome['outcome'],
  error: string | null,
): RefreshOutcome {
  const served = catalog.find(dataset)
  const next_run_at = catalog.sources.find(dataset)?.next_run_at ?? null
  const { version = null, rows = null } = served ?? {}
  return { dataset, address, outcome, version, rows, error, next_run_at }
}

function isExpected(error: unknown): error is Error {
  return error instanceof CommandError || error instanceof DamagedFileError
}
