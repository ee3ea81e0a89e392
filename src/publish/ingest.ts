/**
 * An ingest: the file is found or fetched, assigned to an edition, read, examined and published. Everything is written into
 * a work folder that is removed with the process; the catalog changes last, in one transaction. If any step fails, the
 * served version stays.
 */

import { releasing } from '../base/closing.ts'
import type { ReadRequest } from '../read/read.ts'
import { isDiskFull } from '../read/report/disk.ts'
import { reasonsOf, refuse } from '../read/report/reasons.ts'
import { matchReferences } from '../read/values/reference.ts'
import type { IngestReport, UnreadReport } from './edition/compose-report.ts'
import { composeReport, UnreadFileError, withReport } from './edition/compose-report.ts'
import {
  type Edition,
  type EditionRequest,
  readEdition,
  settleEdition,
  titledEdition,
  type Workplace,
} from './edition/edition.ts'
import { examine, type GateAnswers } from './edition/findings.ts'
import { refusalError } from './edition/gates.ts'
import { publish, survey, type Terms } from './edition/publish.ts'
import { findSource, type SourceRequest } from './edition/source-record.ts'
import {
  createDefinitionFile,
  refuseExistingFile,
  type WrittenRequest,
} from './edition/written-definition.ts'

/** What a command asks for; each step uses its part. */
export interface IngestRequest extends SourceRequest, EditionRequest, GateAnswers, WrittenRequest {}

/** The request to ingest a file that is already here. */
type FoundRequest = GateAnswers &
  WrittenRequest &
  Pick<Terms, 'publication' | 'onProgress' | 'workFolder'> &
  Pick<ReadRequest, 'decoded'>

/**
 * Like `attemptIngest`, for callers that do not print the report of a refused file.
 * @throws CommandError also `refused`, when the report has refusals and this was not a dry run
 */
export async function ingestFile(workplace: Workplace, request: IngestRequest): Promise<IngestReport> {
  const report = await attemptIngest(workplace, request)
  if (report.refusals.length > 0 && !report.dry_run) throw refusalError(report.refusals)
  return report
}

/**
 * Ingests one file and publishes it as the next version of its dataset, unless the report names refusals.
 * @throws CommandError `refused` (an `UnreadFileError`) when the file has no table, `failed` when it cannot be read at all
 * or the disk is full, `usage` when options or definition are wrong. The served version stays.
 */
export async function attemptIngest(workplace: Workplace, request: IngestRequest): Promise<IngestReport> {
  refuseExistingFile(request.writeDefinition)
  using work = releasing(workplace.dataDir.claimWorkFolder())
  try {
    const found = await findSource(request, workplace.dataDir, work.path)
    const edition = await settleEdition(workplace, found, request)
    return await ingestEdition(workplace, edition, { ...request, workFolder: work.path })
  } catch (error) {
    throw explainDiskFull(error, workplace)
  }
}

/** The same for a file that is already here, with its edition. @throws CommandError as `attemptIngest` does */
export async function ingestEdition(
  workplace: Workplace,
  settled: Edition,
  request: FoundRequest,
): Promise<IngestReport> {
  const { writeDefinition: path, workFolder, decoded, onProgress, publication } = request
  try {
    await using reading = await readEdition(workplace, settled, { workFolder, decoded, onProgress })
    const edition = titledEdition(settled, reading)
    using findings = await examine(workplace, edition, reading, request)
    const terms = { edition, findings, workFolder, publication, onProgress }
    const isPublishable =
      !edition.isDryRun && edition.unchangedSince === null && findings.refusals.length === 0
    const outcome = isPublishable ? await publish(workplace, reading, terms) : await survey(reading, terms)
    const report = composeReport(reading, terms, outcome)
    if (path !== undefined) {
      // Canonical columns are suggested only until something is published, as later they would change it.
      const isNew = !findings.isServed && outcome.version === null
      const suggestions = isNew
        ? matchReferences(reading.columns, reading.records, workplace.dataDir.referenceDir)
        : undefined
      createDefinitionFile(path, report, edition.identity, request, suggestions)
    }
    if (!edition.isDryRun) await noteOutcome(workplace, report)
    return report
  } catch (error) {
    const failure = withReport(error, settled)
    if (!(failure instanceof UnreadFileError)) throw explainDiskFull(failure, workplace)
    if (path !== undefined) createDefinitionFile(path, null, settled.identity, request)
    if (!settled.isDryRun) await noteOutcome(workplace, failure.report)
    throw failure
  }
}

/** @returns the error to throw: a full disk in words, or the error itself */
export function explainDiskFull(error: unknown, { dataDir: { root } }: Pick<Workplace, 'dataDir'>): unknown {
  return isDiskFull(error) ? refuse('disk_full', {}, root) : error
}

/** Records refusals for the operator and the dataset's publishers, until something is published. */
export async function noteOutcome(
  { catalog, now }: Pick<Workplace, 'catalog' | 'now'>,
  { dataset, domain, refusals, unchanged }: IngestReport | UnreadReport,
): Promise<void> {
  if (unchanged) return await catalog.refusals.settle(dataset)
  if (refusals.length === 0) return
  const reason = refusals.map(({ message }) => message).join('\n')
  await catalog.refusals.record({ dataset, domain, reason, reasons: reasonsOf(refusals) }, now())
}
