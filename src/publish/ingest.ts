/**
 * The steps of an ingest: bytes -> records -> codes -> typed columns -> checked rows -> version file -> published.
 * Everything is written into a work folder that is removed with the process; the catalog changes last, in one
 * transaction. If any step fails, the served version stays.
 */

import { join } from 'node:path'
import { CommandError, saysDamage } from '../base/errors.ts'
import type { Definition } from '../read/definition/definition.ts'
import { settleOptions } from '../read/definition/read-options.ts'
import { isDiskFull } from '../read/report/disk.ts'
import type { MendedRow, QuarantinedRow } from '../read/report/quarantine.ts'
import { because, reasonsOf } from '../read/report/reasons.ts'
import { warn } from '../read/report/warnings.ts'
import { type DecodedSource, type DecodeOptions, decodeSource } from '../read/source/decode-source.ts'
import { refuseChanged, type SourceFile } from '../read/source/source.ts'
import { type ReadTable, readTable } from '../read/table/read-table.ts'
import { ThreadSharing } from '../read/table/thread-sharing.ts'
import { loadReference, matchReferences, type Standardize } from '../read/values/reference.ts'
import type { Verdict } from '../read/values/validation.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import type { PublicationTerms } from '../store/catalog/publish.ts'
import type { SampleRow, ServedDataset } from '../store/catalog/record.ts'
import type { DataDir } from '../store/files/data-dir.ts'
import { VersionWriter } from '../store/files/write-version.ts'
import { type AppendBase, inServedOrder, openBase, servedTypes } from './edition/append.ts'
import { type BuiltVersion, buildVersion } from './edition/build-version.ts'
import { composeReport } from './edition/compose-report.ts'
import { type Edition, namedReferences, settleEdition } from './edition/edition.ts'
import { type Findings, type IngestSettings, judge } from './edition/findings.ts'
import { refusalError } from './edition/gates.ts'
import { type Identity, type IdentityRequest, identifyDataset, refuseDefinition } from './edition/identity.ts'
import { answeredBefore, type PersonalBefore } from './edition/personal-answers.ts'
import { publishVersion } from './edition/publish.ts'
import type { QualityCounts } from './edition/quality.ts'
import type { IngestReport, UnreadReport } from './edition/report.ts'
import {
  findSource,
  type Origin,
  type RepeatedRequest,
  recordSource,
  type SourceRequest,
} from './edition/source-record.ts'
import { UnreadFileError, withReport } from './edition/unread-file.ts'
import { rowsOfBoth, rowsOfFile } from './edition/version-rows.ts'
import { composeDefinition, createDefinitionFile, refuseExistingFile } from './edition/written-definition.ts'
import type { FetchedSource } from './fetch/fetch-source.ts'

export interface IngestWorkplace {
  readonly dataDir: DataDir
  readonly catalog: Catalog
  now(): Date
}

export interface IngestRequest extends SourceRequest, IdentityRequest, RepeatedRequest {
  /** The settings that hold where the request says nothing. */
  readonly settings: IngestSettings
  /** Everything but publishing. */
  readonly dryRun: boolean
  readonly acceptDrift: boolean
  /** Fewer rows than half of the served ones are meant. */
  readonly acceptShrink?: boolean | undefined
  /** Columns that may hold data about people; true: all of them. */
  readonly allowPersonalData?: true | readonly string[] | undefined
  /** The source is read again by itself: nobody can be asked. */
  readonly isRefresh?: boolean | undefined
  /** Publishes also what is served already. */
  readonly force?: boolean | undefined
  /** Path of a definition file to make, holding what was decided about this file. */
  readonly writeDefinition?: string | undefined
  /** It says everything, also what is found out from the file. */
  readonly fullDefinition?: boolean | undefined
  /** Takes the place of decoding the file: its text may be there already. */
  readonly decode?: ((options: DecodeOptions) => Promise<DecodedSource>) | undefined
  /** What is looked at beside the report. */
  readonly look?: Look | undefined
  /** What has to hold, and is done, inside the transaction that publishes. */
  readonly publication?: PublicationTerms | undefined
}

/** A look at how a file is read. */
export interface Look {
  /** Of a preview: about so many records are read, of a dry run; left out: all. */
  readonly mostRecords?: number | undefined
  /** Records of the beginning as they are read, and rows as they would be served. */
  readonly shownRecords: number
  readonly shownRows: number
  /** Runs while the records can still be read. */
  readonly onRead: (seen: Seen) => void
}

export interface Seen {
  readonly identity: Identity
  readonly read: ReadTable
  readonly verdict: Verdict
  readonly rows: readonly SampleRow[]
  readonly report: IngestReport
}

/**
 * As `attemptIngest`, for callers that do not print the report of a refused file.
 * @throws CommandError `refused` as well, when the report has refusals and this was no dry run
 */
export async function ingestFile(workplace: IngestWorkplace, request: IngestRequest): Promise<IngestReport> {
  const report = await attemptIngest(workplace, request)
  if (report.refusals.length > 0 && !report.dry_run) throw refusalError(report.refusals)
  return report
}

/**
 * Ingests one file and publishes it as the next version of its dataset, unless the report names refusals.
 * @throws CommandError `refused` (an `UnreadFileError`) when no table can be made of the file, `failed` when it cannot be read at all
 * or the disk is full, `usage` when options or definition are wrong. The served version stays.
 */
export async function attemptIngest(
  workplace: IngestWorkplace,
  request: IngestRequest,
): Promise<IngestReport> {
  refuseExistingFile(request.writeDefinition)
  const started = performance.now()
  const work = workplace.dataDir.claimWorkFolder()
  try {
    const report = await ingestAside(workplace, request, work.path)
    if (!request.dryRun) await noteOutcome(workplace, report)
    return { ...report, duration_ms: Math.round(performance.now() - started) }
  } catch (error) {
    if (error instanceof UnreadFileError && !request.dryRun) await noteOutcome(workplace, error.report)
    if (!isDiskFull(error)) throw error
    const { root } = workplace.dataDir
    throw new CommandError(
      'failed',
      `the disk that holds ${root} is full; what was served is still served`,
      null,
      because('disk_full', {}),
    )
  } finally {
    work.release()
  }
}

/** For the operator and the dataset's publishers, until something is published after it. */
export async function noteOutcome(
  { catalog, now }: Pick<IngestWorkplace, 'catalog' | 'now'>,
  { dataset, domain, refusals, unchanged }: IngestReport | UnreadReport,
): Promise<void> {
  if (unchanged) return await catalog.refusals.settle(dataset)
  if (refusals.length === 0) return
  const reason = refusals.map(({ message }) => message).join('\n')
  await catalog.refusals.record({ dataset, domain, reason, reasons: reasonsOf(refusals) }, now())
}

async function ingestAside(
  workplace: IngestWorkplace,
  request: IngestRequest,
  workFolder: string,
): Promise<IngestReport> {
  const { catalog, dataDir } = workplace
  const started = performance.now()
  const { source, fetched } = await findSource(request, dataDir, workFolder)
  refuseDefinition(source)
  await catalog.catchUp()
  const identity = identifyDataset(request, source.name, catalog, fetched?.about)
  try {
    return await ingestTable(workplace, request, workFolder, { source, identity, fetched })
  } catch (error) {
    const failure = withReport(error, { source, identity, isDryRun: request.dryRun, started })
    const { writeDefinition: path } = request
    if (path !== undefined && failure instanceof UnreadFileError)
      createDefinitionFile(path, null, identity, request)
    throw failure
  }
}

interface Found {
  readonly source: SourceFile
  readonly identity: Identity
  /** Where the source came from, when it was fetched. */
  readonly fetched: FetchedSource | null
}

async function ingestTable(
  workplace: IngestWorkplace,
  request: IngestRequest,
  workFolder: string,
  { source, identity, fetched }: Found,
): Promise<IngestReport> {
  const { catalog, dataDir } = workplace
  const { definition, appends } = identity
  const origin = recordSource(request, identity, fetched)
  const references = loadReferences(definition, dataDir.referenceDir)
  const served = catalog.find(identity.info.id)
  if (served !== undefined) await bringServed(dataDir, served)
  const edition = settleEdition(workplace, request, { source, identity, origin })
  const { read: asked = {}, onProgress } = request
  const options = settleOptions(asked, definition?.read)
  const decode = request.decode ?? (() => decodeSource({ source, workFolder, options, onProgress }))
  const decoded = await decode(options)
  const read = await readTable(decoded, {
    ...{ workFolder, definition, asked, onProgress },
    servedColumns: served?.columns,
    ...{ mostRecords: request.look?.mostRecords, shownRecords: request.look?.shownRecords },
    servedTypes: servedTypes(served, appends),
    adoptTypes: appends,
  })
  let writer: VersionWriter | null = null
  let base: AppendBase | null = null
  try {
    refuseChanged(source)
    if (!request.dryRun && edition.unchangedSince === null)
      writer = new VersionWriter(join(workFolder, 'version.db'))
    const record = catalog.record(identity.info.id)
    if (appends && served && record) base = openBase(served, record)
    return await finishIngest(workplace, request, {
      ...{ source, identity, origin, references, writer, edition, base },
      read: inServedOrder(withFindings(read, fetched), base),
    })
  } finally {
    writer?.abort()
    base?.file.close()
    await read.records.close()
  }
}

/** A served version that is lost or damaged is found so where it is read: the ingest replaces it. */
async function bringServed(dataDir: DataDir, { id, version, sha256, bytes }: ServedDataset): Promise<void> {
  try {
    await dataDir.localVersion({ id, version, file: { sha256, bytes } })
  } catch (error) {
    if (!saysDamage(error)) throw error
  }
}

/** Decisions and warnings of the fetch come first. */
function withFindings(read: ReadTable, fetched: FetchedSource | null): ReadTable {
  if (fetched === null) return read
  const decisions = [...fetched.decisions, ...read.decisions]
  return { ...read, decisions, warnings: [...fetched.warnings, ...read.warnings] }
}

interface Gathered {
  readonly source: SourceFile
  readonly identity: Identity
  readonly origin: Origin
  readonly read: ReadTable
  readonly references: ReadonlyMap<string, Standardize>
  readonly writer: VersionWriter | null
  readonly edition: Edition
  /** The version that the rows are added to; null: none. */
  readonly base: AppendBase | null
}

async function finishIngest(
  workplace: IngestWorkplace,
  request: IngestRequest,
  gathered: Gathered,
): Promise<IngestReport> {
  const { dataDir, catalog } = workplace
  const { source, identity, read, edition, base } = gathered
  const { info } = identity
  // The gates judge by what is served now; a version that cannot be read is mended with `force`.
  await catalog.catchUp(request.force === true ? undefined : info.id)
  const served = catalog.find(info.id)
  const before = answeredBefore(catalog, info.id)
  const judged = judge(request, identity, read, served, base, before)
  const findings = edition.unchangedSince === null ? judged : withoutRefusals(judged)
  const { rows, primaryKey, appended, verdict } = findings
  const writer = findings.refusals.length > 0 ? null : gathered.writer
  const { built, sha256 } = await writeContent(request, gathered, findings, writer)
  const counts = countQuality(read, findings, built)
  const publishing = {
    ...{ info, built, counts, primaryKey },
    ...keepAnswers(gathered, findings, before, request.isRefresh === true || base !== null),
    source: { file: source.name, sha256, rows },
    ...{ reading: edition.reading, appended },
    importedAt: workplace.now(),
  }
  const version = writer && (await publishVersion(dataDir, catalog, writer, publishing, request.publication))
  const report = composeReport(
    { source, identity, read },
    { ...findings, ...edition, counts, version, sha256, dryRun: request.dryRun },
  )
  saveDefinition(request, report, gathered, served !== undefined || version !== null, dataDir.referenceDir)
  request.look?.onRead({ identity, read, verdict, rows: built.shownRows, report })
  return report
}

/** What was acknowledged goes into the definition, which is made for it where there was none. */
function keepAnswers(
  { identity, origin, read }: Gathered,
  { personal, warnings }: Findings,
  { acknowledged, told }: PersonalBefore,
  isContinued: boolean,
) {
  const { definition } = identity
  const found = personal.filter((one) => one.acknowledged).map(({ column }) => column)
  const names = [...new Set([...(definition?.personal_data ?? []), ...acknowledged, ...found])]
  if (names.length === 0) return { definition, origin }
  const isTold = warnings.some(({ code }) => code === 'personal_data_served')
  const noted = isTold ? found : told
  const served = isContinued && noted.length > 0 ? { personal_data_served: noted } : {}
  return {
    definition: {
      ...(definition ?? composeDefinition(null, identity, { read: read.options })),
      personal_data: names,
    },
    origin: { ...origin, options: { ...origin.options, ...served } },
  }
}

/** Writes the records that were quarantined or repaired, those of the version that is appended to first. */
function writeKeptRecords(
  writer: VersionWriter,
  { records, decoded }: ReadTable,
  appended: Findings['appended'],
): void {
  if (appended) writer.writeQuarantine(appended.file.quarantine())
  writer.writeQuarantine(records.quarantine.rows(decoded.path))
  if (appended) writer.writeMended(appended.file.mended())
  writer.writeMended(asMended(records.mended.rows(decoded.path)))
}

/** Writes all that the version holds while the second thread, where there is one, hashes the source. */
async function writeContent(
  request: IngestRequest,
  { source, read, references, edition }: Gathered,
  { rows, verdict, appended, primaryKey }: Findings,
  writer: VersionWriter | null,
): Promise<{ readonly built: BuiltVersion; readonly sha256: string }> {
  const { records, columns } = read
  const sharing = new ThreadSharing(records, columns, source)
  if (writer) writeKeptRecords(writer, read, appended)
  const isOfFile = appended === null || edition.unchangedSince !== null
  const built = await buildVersion({
    ...{ columns, records, primaryKey, references, writer },
    rows: isOfFile ? rowsOfFile(records, verdict) : rowsOfBoth(records, verdict, appended),
    orderOf: (column) => sharing.orderOf(column),
    shownRows: request.look?.shownRows,
    onColumn: (done) =>
      request.onProgress?.({
        phase: 'writing',
        bytes: done,
        totalBytes: columns.length,
        rows: rows.imported,
      }),
  }).catch((error) => {
    // The other thread hashes the source meanwhile, and fails when it is gone.
    refuseChanged(source)
    throw error
  })
  return { built, sha256: await sharing.sha256().finally(() => refuseChanged(source)) }
}

function countQuality(
  { records, unproven }: ReadTable,
  { rows, verdict }: Findings,
  { columns, repairs, validation }: BuiltVersion,
): QualityCounts {
  return {
    ...{ rows, columns, repairs },
    validation: [...verdict.validation, ...validation],
    quarantine: records.quarantine.counts(),
    mended: records.mended.counts(),
    unproven,
  }
}

/** What is served already is not refused, but what would refuse it is said. */
function withoutRefusals(findings: Findings): Findings {
  // Rows that were added before have the keys of what is served: their own.
  const others = findings.refusals.filter(({ kind }) => kind !== 'duplicate_key')
  const warnings = others.map(({ kind, message }) =>
    warn('would_be_refused', { kind }, `it would be refused by now: ${message}`),
  )
  return { ...findings, refusals: [], warnings: [...findings.warnings, ...warnings] }
}

/** Mended records as they are kept. */
export function* asMended(rows: Iterable<QuarantinedRow>): Generator<MendedRow> {
  for (const { line, reason: kind, raw } of rows) yield { line, kind, raw }
}

/** Canonical columns are suggested while nothing is published that they would differ from. */
function saveDefinition(
  request: IngestRequest,
  report: IngestReport,
  { identity, read }: Gathered,
  isPublished: boolean,
  referenceFolder: string,
): void {
  const { writeDefinition: path } = request
  if (path === undefined) return
  const suggestions = isPublished
    ? new Map<string, string>()
    : matchReferences(read.columns, read.records, referenceFolder)
  createDefinitionFile(path, report, identity, request, suggestions)
}

function loadReferences(definition: Definition | null, folder: string): Map<string, Standardize> {
  return new Map(namedReferences(definition).map((name) => [name, loadReference(name, folder)]))
}
