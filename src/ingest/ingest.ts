/**
 * The story of an ingest: bytes -> records -> codes -> typed columns -> checked rows -> version file -> published.
 * Everything is written aside, in a work folder that vanishes with the process; the catalog changes last, in one
 * transaction. Whatever goes wrong on the way, the served version stays.
 */

import { join } from 'node:path'
import type { Catalog } from '../catalog/catalog.ts'
import { CommandError } from '../errors.ts'
import type { DataDir } from '../storage/data-dir.ts'
import { VersionWriter } from '../storage/write-version.ts'
import { buildVersion } from './build-version.ts'
import { composeReport } from './compose-report.ts'
import type { Definition } from './definition/definition.ts'
import { createDefinitionFile, refuseExistingFile } from './definition/written-definition.ts'
import { isDiskFull } from './disk.ts'
import { judge } from './findings.ts'
import { refusalError } from './gates.ts'
import { type Identity, type IdentityRequest, identifyDataset } from './identity.ts'
import type { IngestProgress } from './progress.ts'
import { publishVersion } from './publish.ts'
import type { QualityCounts } from './quality.ts'
import { type ReadFile, readFile } from './read-file.ts'
import type { FetchedSource } from './remote/fetch-source.ts'
import type { IngestReport } from './report.ts'
import type { SourceFile } from './source/source.ts'
import { refuseChanged } from './source/source.ts'
import { findSource, type Origin, recordSource } from './source-record.ts'
import { ThreadSharing } from './thread-sharing.ts'
import { withReport } from './unread-file.ts'
import { loadReference, type Standardize } from './values/reference.ts'
import { matchReferences } from './values/reference-match.ts'

export interface IngestWorkplace {
  readonly dataDir: DataDir
  readonly catalog: Catalog
  now(): Date
}

export interface IngestRequest extends IdentityRequest {
  /** A path, `-` for standard input, or an address (`remote/`). */
  readonly file: string
  /** Taken from the file, the definition or a shipped definition when left out. */
  readonly id?: string | undefined
  readonly domain?: string | undefined
  readonly title?: string | undefined
  /** Path of a definition file. */
  readonly definition?: string | undefined
  /** Found out when left out. */
  readonly encoding?: string | undefined
  readonly delimiter?: string | undefined
  /** A sheet's name or number; the one with the most rows of a table when left out. */
  readonly sheet?: string | undefined
  /** Places of the header among the records, from 1, blank ones included; 0: there is none. */
  readonly headerRow?: number | readonly number[] | undefined
  /** What becomes of a row of totals, and of records of another width than the header's. */
  readonly totals?: 'keep' | 'quarantine' | undefined
  readonly ragged?: 'repair' | 'quarantine' | undefined
  /** Largest share of rows that may be left out, 0..1. */
  readonly maxQuarantine: number
  /** Everything but publishing. */
  readonly dryRun: boolean
  readonly acceptDrift: boolean
  /** What becomes of a file that seems to hold data about people: a warning (the default), or a refusal. */
  readonly personalData?: 'warn' | 'strict' | undefined
  /** It is known and meant. */
  readonly allowPersonalData?: boolean | undefined
  /** Path of a definition file to make, holding what was decided about this file. */
  readonly writeDefinition?: string | undefined
  /** The file of the address, when it was fetched already. */
  readonly fetched?: FetchedSource | undefined
  /** As in `EncodeRequest`. */
  readonly secondThreadFrom?: number | undefined
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined
}

/**
 * As `attemptIngest`, for callers that have nothing to say about a refused file.
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
 * or the disk is full, `usage` when options or definition are wrong. What was served stays served.
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
    return { ...report, duration_ms: Math.round(performance.now() - started) }
  } catch (error) {
    if (!isDiskFull(error)) throw error
    const { root } = workplace.dataDir
    throw new CommandError('failed', `the disk that holds ${root} is full; what was served stays served`)
  } finally {
    work.release()
  }
}

async function ingestAside(
  workplace: IngestWorkplace,
  request: IngestRequest,
  workFolder: string,
): Promise<IngestReport> {
  const { catalog, dataDir } = workplace
  const started = performance.now()
  const { source, fetched } = await findSource(request, dataDir, workFolder)
  const identity = identifyDataset(request, source.name, catalog, fetched?.about)
  try {
    return await ingestTable(workplace, request, workFolder, { source, identity, fetched })
  } catch (error) {
    throw withReport(error, { source, identity, isDryRun: request.dryRun, started })
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
  const origin = recordSource(request, identity, fetched)
  const references = loadReferences(identity.definition, dataDir.referenceDir)
  const served = catalog.find(identity.info.id)
  const read = await readFile({
    source,
    workFolder,
    definition: identity.definition,
    encoding: request.encoding,
    delimiter: request.delimiter,
    sheet: request.sheet,
    headerRow: request.headerRow,
    totals: request.totals,
    ragged: request.ragged,
    secondThreadFrom: request.secondThreadFrom,
    servedTypes: new Map(served?.columns.map(({ name, type }) => [name, type])),
    onProgress: (at) => request.onProgress?.(at),
  })
  let writer: VersionWriter | null = null
  try {
    refuseChanged(source)
    if (!request.dryRun) writer = new VersionWriter(join(workFolder, 'version.db'))
    return await finishIngest(workplace, request, {
      ...{ source, identity, origin, references, writer },
      read: withFindings(read, fetched),
    })
  } finally {
    writer?.abort()
    await read.records.close()
  }
}

/** What was decided and doubted on the way to the file comes first. */
function withFindings(read: ReadFile, fetched: FetchedSource | null): ReadFile {
  if (fetched === null) return read
  const decisions = [...fetched.decisions, ...read.decisions]
  return { ...read, decisions, warnings: [...fetched.warnings, ...read.warnings] }
}

interface Gathered {
  readonly source: SourceFile
  readonly identity: Identity
  readonly origin: Origin | null
  readonly read: ReadFile
  readonly references: ReadonlyMap<string, Standardize>
  readonly writer: VersionWriter | null
}

async function finishIngest(
  workplace: IngestWorkplace,
  request: IngestRequest,
  gathered: Gathered,
): Promise<IngestReport> {
  const { dataDir, catalog } = workplace
  const { source, identity, read, references } = gathered
  const { records, columns } = read
  const { info, definition } = identity
  const served = catalog.find(info.id)
  const primaryKey = definition?.primary_key ?? []
  const findings = judge(request, identity, read, served)
  const { rows, verdict } = findings

  const sharing = new ThreadSharing(records, columns, source)
  const writer = findings.refusals.length > 0 ? null : gathered.writer
  writer?.writeQuarantine(records.quarantine.rows(read.path))
  const onColumn = (done: number) =>
    request.onProgress?.({ phase: 'writing', bytes: done, totalBytes: columns.length, rows: rows.imported })
  const orderOf = (column: number) => sharing.orderOf(column)
  const built = await buildVersion({
    columns,
    records,
    verdict,
    primaryKey,
    references,
    writer,
    orderOf,
    onColumn,
  })
  const sha256 = await sharing.sha256().finally(() => refuseChanged(source))
  const counts: QualityCounts = {
    rows,
    columns: built.columns,
    repairs: built.repairs,
    validation: [...verdict.validation, ...built.validation],
    quarantine: records.quarantine.counts(),
  }
  const publishing = {
    ...{ info, definition, built, counts, primaryKey, origin: gathered.origin },
    source: { file: source.name, sha256 },
    importedAt: workplace.now(),
  }
  const version = writer && publishVersion(dataDir, catalog, writer, publishing)
  const report = composeReport(
    { source, identity, read },
    { ...findings, counts, version, sha256, dryRun: request.dryRun },
  )
  saveDefinition(request, report, gathered, served !== undefined || version !== null, dataDir.referenceDir)
  return report
}

/** Canonical columns are suggested while nothing is published that they would differ from. */
function saveDefinition(
  request: IngestRequest,
  report: IngestReport,
  { identity, read }: Gathered,
  isPublished: boolean,
  referenceFolder: string,
): void {
  const { writeDefinition: path, totals, ragged } = request
  if (path === undefined) return
  const suggestions = isPublished
    ? new Map<string, string>()
    : matchReferences(read.columns, read.records, referenceFolder)
  const asked = { ...(totals === undefined ? {} : { totals }), ...(ragged === undefined ? {} : { ragged }) }
  createDefinitionFile(path, report, identity, asked, suggestions)
}

function loadReferences(definition: Definition | null, folder: string): Map<string, Standardize> {
  const names = definition?.columns?.flatMap(({ canonical }) => canonical ?? []) ?? []
  return new Map([...new Set(names)].map((name) => [name, loadReference(name, folder)]))
}
