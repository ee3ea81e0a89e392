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
import type { Definition } from './definition/definition.ts'
import { isDiskFull } from './disk.ts'
import { compareColumns, type Drift } from './drift.ts'
import { compareRowCounts, refuseDrift, refuseEmptying, refuseQuarantine } from './gates.ts'
import { type Identity, type IdentityRequest, identifyDataset } from './identity.ts'
import { publishVersion } from './publish.ts'
import type { QualityCounts } from './quality.ts'
import { type ReadFile, readFile } from './read-file.ts'
import type { IngestReport } from './report.ts'
import { openSource, type SourceFile } from './source/source.ts'
import { loadReference, type Standardize } from './values/reference.ts'
import { type Verdict, validateRows } from './values/validation.ts'

export interface IngestWorkplace {
  readonly dataDir: DataDir
  readonly catalog: Catalog
  now(): Date
}

export interface IngestProgress {
  readonly bytes: number
  readonly totalBytes: number | null
  readonly rows: number
}

export interface IngestRequest extends IdentityRequest {
  /** A path, or `-` for standard input. */
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
  /** Place of the header among the records, from 1, blank ones included. */
  readonly headerRow?: number | undefined
  /** Largest share of rows that may be left out, 0..1. */
  readonly maxQuarantine: number
  /** Everything but publishing. */
  readonly dryRun: boolean
  readonly acceptDrift: boolean
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined
}

/**
 * Ingests one file of delimited text and publishes it as the next version of its dataset.
 * @throws CommandError `refused` when the file or its rows may not be published, `failed` when a file cannot be read
 * or the disk is full, `usage` when options or definition are wrong. What was served stays served.
 */
export async function ingestFile(workplace: IngestWorkplace, request: IngestRequest): Promise<IngestReport> {
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
  const source = await openSource(request.file, workFolder)
  const identity = identifyDataset(request, source.name, catalog)
  const references = loadReferences(identity.definition, dataDir.referenceDir)
  const served = catalog.find(identity.info.id)
  const read = await readFile({
    source,
    workFolder,
    definition: identity.definition,
    encoding: request.encoding,
    delimiter: request.delimiter,
    headerRow: request.headerRow,
    servedTypes: new Map(served?.columns.map(({ name, type }) => [name, type])),
    onProgress: (bytes, totalBytes, rows) => request.onProgress?.({ bytes, totalBytes, rows }),
  })
  const writer = request.dryRun ? null : new VersionWriter(join(workFolder, 'version.db'))
  try {
    return await finishIngest(workplace, request, { source, identity, read, references, writer })
  } finally {
    writer?.abort()
    read.records.close()
  }
}

interface Gathered {
  readonly source: SourceFile
  readonly identity: Identity
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
  const { source, identity, read, references, writer } = gathered
  const { records, survey } = read
  const { info, definition } = identity
  const served = catalog.find(info.id)
  const primaryKey = definition?.primary_key ?? []
  refuseUnknownKey(primaryKey, read)

  const drift = findDrift(served?.columns ?? null, read, definition)
  refuseDrift(info.id, drift, request.acceptDrift)
  const verdict = validateRows(read.columns, primaryKey, records)
  const rows = countRows(verdict, read)
  refuseQuarantine(rows, records.quarantine, request.maxQuarantine)
  refuseEmptying(info.id, rows, served?.rows ?? 0, request.acceptDrift)

  writer?.writeQuarantine(records.quarantine.rows(read.path))
  const built = await buildVersion({
    columns: read.columns,
    records,
    verdict,
    primaryKey,
    references,
    writer,
  })
  const counts: QualityCounts = {
    rows,
    columns: built.columns,
    repairs: built.repairs,
    validation: [...verdict.validation, ...built.validation],
    quarantine: records.quarantine.counts(),
  }
  const origin = { file: source.name, sha256: survey.sha256 }
  const importedAt = workplace.now()
  const version =
    writer &&
    publishVersion(dataDir, catalog, writer, {
      info,
      definition,
      built,
      counts,
      primaryKey,
      source: origin,
      importedAt,
    })
  const warning = compareRowCounts(rows, served?.rows ?? 0)
  const warnings = warning === null ? read.warnings : [...read.warnings, warning]
  return composeReport(gathered, counts, drift, version, warnings)
}

function loadReferences(definition: Definition | null, folder: string): Map<string, Standardize> {
  const names = definition?.columns?.flatMap(({ canonical }) => canonical ?? []) ?? []
  return new Map([...new Set(names)].map((name) => [name, loadReference(name, folder)]))
}

/** @throws CommandError `usage` when the primary key names a column that there is not */
function refuseUnknownKey(primaryKey: readonly string[], { columns }: ReadFile): void {
  const unknown = primaryKey.find((name) => !columns.some(({ plan }) => plan.name === name))
  if (unknown === undefined) return
  const names = columns.map(({ plan }) => plan.name).join(', ')
  throw new CommandError('usage', `primary_key names '${unknown}', but the columns are ${names}`)
}

function findDrift(
  served: Parameters<typeof compareColumns>[0],
  { columns, plan }: ReadFile,
  definition: Definition | null,
): Drift | null {
  const now = columns.flatMap(({ plan: { name, canonical }, typed: { type } }) => {
    const column = { name, type }
    return canonical === null ? [column] : [column, { name: `${name}_canonical`, type: 'string' as const }]
  })
  return compareColumns(
    served,
    now,
    plan.missing,
    definition?.other_columns === 'refuse' ? plan.undeclared : [],
  )
}

function countRows(verdict: Verdict, { records }: ReadFile): QualityCounts['rows'] {
  const quarantined = records.quarantine.size
  return { read: verdict.accepted + quarantined, imported: verdict.accepted, quarantined }
}

function composeReport(
  { source, identity, read, writer }: Gathered,
  counts: QualityCounts,
  drift: Drift | null,
  version: number | null,
  warnings: readonly string[],
): IngestReport {
  const { dialect, survey, header, records } = read
  const { read: rowsRead, imported, quarantined } = counts.rows
  return {
    dataset: identity.info.id,
    domain: identity.info.domain,
    version,
    dry_run: writer === null,
    published: version !== null,
    source: { file: source.name, bytes: source.bytes, sha256: survey.sha256 },
    dialect: {
      format: 'csv',
      encoding: survey.encoding,
      delimiter: String.fromCharCode(dialect.delimiter),
      quote: dialect.quote < 0 ? '' : String.fromCharCode(dialect.quote),
      line_end: dialect.lineEnd,
      header_rows: [header.record],
      sheet: null,
      confidence: Math.min(survey.confidence, dialect.confidence),
    },
    columns: counts.columns.map(({ name, type, source_name, null_count, distinct_count }) => {
      return { name, type, source_name, null_count, distinct_count }
    }),
    rows: { read: rowsRead, blank: header.blankBefore + records.blank, imported, quarantined },
    repairs: counts.repairs,
    quarantine: counts.quarantine,
    drift,
    decisions: read.decisions,
    warnings,
    duration_ms: 0,
  }
}
