/** Fetches a dataset's source again: only if it changed, through every gate, recording the outcome. */

import { releasing } from '../../base/closing.ts'
import type { Config } from '../../base/config/config.ts'
import { CommandError, DamagedFileError, type Reason } from '../../base/errors.ts'
import { emptiedAtSignal } from '../../base/process/emptied-at-signal.ts'
import { READING_REVISION } from '../../read/report/reading-revision.ts'
import { reasonsOf, refuse } from '../../read/report/reasons.ts'
import type { DatasetSource } from '../../store/catalog/sources.ts'
import type { IngestReport } from '../edition/compose-report.ts'
import { settleEdition, type Workplace } from '../edition/edition.ts'
import { refusalError } from '../edition/gates.ts'
import { type IngestSettings, largestDownload, repeatRequest } from '../edition/source-record.ts'
import { fetchSource } from '../fetch/fetch-source.ts'
import { asBefore, FOR_PUBLISHERS } from '../fetch/place.ts'
import { ingestEdition } from '../ingest.ts'

/** `refused`: by a gate; `version` and `rows`: of the version served now; `error`: for people. */
export type RefreshOutcome = ReturnType<typeof describe>

export interface RefreshOptions {
  /** Ingest even what has not changed. */
  readonly force: boolean
  /** The source may be in another kind of network than before; the new one is remembered. */
  readonly allowPrivate?: boolean
  readonly settings: RefreshSettings
}

export type RefreshSettings = IngestSettings & Pick<Config, 'publish_private_addresses'>

/**
 * Fetches a dataset's source again and, if its bytes have changed, ingests it as the last time. A failing source never
 * throws: the served version stays, and the failure is recorded and returned.
 */
export async function refreshDataset(
  workplace: Workplace,
  source: DatasetSource,
  options: RefreshOptions,
): Promise<RefreshOutcome> {
  const fail = async (
    outcome: 'refused' | 'failed',
    error: string,
    reasons: readonly Reason[],
    waits: boolean,
  ) => {
    await workplace.catalog.sources.recordFailure(source.dataset, error, waits, workplace.now(), reasons)
    return describe(workplace, source, outcome, error)
  }
  try {
    const report = await fetchAndIngest(workplace, source, options)
    if (report === null) return describe(workplace, source, 'unchanged', null)
    if (report.refusals.length === 0) return describe(workplace, source, 'updated', null)
    // The gates would refuse the same file again.
    const { message } = refusalError(report.refusals)
    return await fail('refused', `${message}${NO_OVERRIDE}`, reasonsOf(report.refusals), true)
  } catch (error) {
    // A server's maintenance page is soon a file again; a bug in this program stays.
    if (error instanceof CommandError || error instanceof DamagedFileError)
      return await fail('failed', error.message, error instanceof CommandError ? error.reasons : [], false)
    // Publishers read the recorded message; the cause goes to the log.
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    const { message, reasons } = refuse('work_ended', {})
    return await fail('failed', message, reasons, true)
  }
}

const NO_OVERRIDE = '\nA refresh never overrides this: ingest the address yourself with that option'

/** @returns the ingest's report; null when the source has not changed */
async function fetchAndIngest(
  workplace: Workplace,
  source: DatasetSource,
  { force, allowPrivate = false, settings }: RefreshOptions,
): Promise<IngestReport | null> {
  const { catalog, dataDir } = workplace
  const { dataset, address, sha256, file } = source
  // The name may resolve elsewhere now.
  const { network, ...repeated } = repeatRequest(source.options)
  const isPublishers = source.byPublisher || repeated.byPublisher
  const before = allowPrivate ? undefined : network
  const only =
    isPublishers && !settings.publish_private_addresses ? FOR_PUBLISHERS : before && asBefore(dataset, before)
  using work = releasing(dataDir.claimWorkFolder())
  using _ = emptiedAtSignal(work.path)
  const maxBytes = largestDownload(dataDir, settings.disk_floor)
  // The served version of the same bytes may have been read by another revision of the program.
  const { provenance, reading } = catalog.record(dataset) ?? {}
  const isAlone = provenance?.source_sha256 === sha256 && provenance.sources.length === 1
  const isRead = !force && !(isAlone && reading?.revision !== READING_REVISION)
  const known = isRead && file !== null && !allowPrivate ? file : undefined
  const fetched = await fetchSource(address, { workFolder: work.path, maxBytes, known, only })
  const noted = fetched === null ? {} : { network: fetched.network }
  if (fetched === null || (isRead && fetched.sha256 === sha256)) {
    await catalog.sources.recordUnchanged(dataset, fetched?.file ?? null, workplace.now(), noted)
    await catalog.refusals.settle(dataset)
    return null
  }
  const found = { source: fetched.source, fetched, started: performance.now() }
  const domain = catalog.record(dataset)?.dataset.domain
  const asked = { ...repeated, id: dataset, domain, file: address, force }
  const report = await ingestEdition(workplace, await settleEdition(workplace, found, asked), {
    ...asked,
    workFolder: work.path,
    settings,
    isRefresh: true,
  })
  if (!report.unchanged) return report
  await catalog.sources.recordUnchanged(dataset, fetched.file, workplace.now(), noted)
  return null
}

function describe(
  { catalog }: Workplace,
  { dataset, address }: DatasetSource,
  outcome: 'unchanged' | 'updated' | 'refused' | 'failed',
  error: string | null,
) {
  const served = catalog.find(dataset)
  const next_run_at = catalog.sources.find(dataset)?.next_run_at ?? null
  const { version = null, rows = null } = served ?? {}
  return { dataset, address, outcome, version, rows, error, next_run_at }
}
