/** Composes the report of an ingest (contract 6) from what its steps gathered, or of a file without a table. */

import { CommandError, type Reason } from '../../base/errors.ts'
import type { Reading } from '../../read/read.ts'
import { composeConfidence } from '../../read/report/confidence.ts'
import { type PersonalColumn, REPORTED_RECORDS, type ShownRecord } from '../../read/report/decisions.ts'
import { EMPTY_TEXT } from '../../read/report/marks.ts'
import type { Quarantine } from '../../read/report/quarantine.ts'
import { sayInShell } from '../../read/report/texts/row.ts'
import { WARNINGS } from '../../read/report/texts/warnings.ts'
import { digestOf } from '../../read/source/source.ts'
import { RefusedTable } from '../../read/table/refused-table.ts'
import { sampleTexts, shorten } from '../../read/values/cell-text.ts'
import { findEvidence, NO_EVIDENCE } from '../../read/values/evidence.ts'
import { maskObstacles, maskPersonal, maskValue } from '../../read/values/personal-data.ts'
import type { LoadedColumn } from '../../read/values/validation.ts'
import type { Outcome, Subject } from './build-version.ts'
import type { Edition } from './edition.ts'
import type { Findings } from './findings.ts'
import type { QualityCounts } from './report.ts'

const ROW_EXAMPLES = 20
const RAW_CHARACTERS = 120
/** Characters of a cell that are searched for personal data. */
const LOOKED_AT = 1000
const EXAMPLES = 3

/** What `ingest --json` prints (contract 6): field names are public. */
export type IngestReport = ReturnType<typeof composeReport>

/** The report on a file without a table: the same fields, with nothing about dialect, columns and rows. */
export interface UnreadReport extends Omit<IngestReport, 'dialect' | 'refusals'> {
  readonly dialect: null
  /** `unsure`: the file can be read in several ways, and none of them is proven. */
  readonly refusals: readonly (Pick<CommandError, 'message' | 'override' | 'reasons'> & {
    readonly kind: 'unreadable' | 'unsure'
  })[]
}

/** What an ingest says about a reading, published or not. */
export function composeReport(
  reading: Reading,
  { edition, findings }: Subject,
  { counts, version, sha256 }: Outcome,
) {
  const { source, identity, unchangedSince, isDryRun, started } = edition
  const { personal, warnings, appended } = findings
  const { header, records } = reading
  const people = new Set(personal.map(({ column }) => column))
  const personalCells = reading.columns.flatMap(({ plan }) => (people.has(plan.name) ? [plan.cell] : []))
  const { read: rowsRead, ...otherRows } = counts.rows
  return {
    dataset: identity.info.id,
    domain: identity.info.domain,
    title: identity.info.title,
    // Only published versions get a number; for an unchanged file it is the served one.
    version: version ?? (isDryRun ? null : unchangedSince),
    dry_run: isDryRun,
    published: version !== null,
    unchanged: unchangedSince !== null,
    // The served version that the rows are added to, its row count, and how many of its rows are replaced.
    append: appended && {
      version: appended.record.version,
      rows: appended.record.rows,
      replaced: appended.replacedRows,
    },
    source: { file: source.name, bytes: source.bytes, sha256 },
    // The options in effect, given with the file or in the definition.
    read: reading.options,
    dialect: composeDialect(reading),
    columns: composeColumns(reading, findings, counts),
    rows: { read: rowsRead, blank: header.blankBefore + records.blank, ...otherRows },
    repairs: counts.repairs,
    repaired_sample: sampleRows(reading, personal, records.mended).map(nameKind),
    quarantine: counts.quarantine,
    quarantine_sample: sampleRows(reading, personal, records.quarantine),
    left_out: counts.leftOut.map(({ reason: kind, count, first_line }) => ({ kind, count, first_line })),
    left_out_sample: sampleRows(reading, personal, records.leftOut).map(nameKind),
    drift: findings.drift,
    decisions: reading.decisions,
    personal_data: personal,
    refusals: findings.refusals,
    warnings: warnings.map((warning) => sayInShell(WARNINGS, warning)),
    warning_codes: warnings,
    records: reportRecords(reading.shown, personalCells),
    duration_ms: Math.round(performance.now() - started),
  }
}

function composeDialect({ decoded, dialect, header, confidence }: Reading) {
  const { format, encoding, sheet } = decoded
  const isText = format === 'csv'
  return {
    format,
    encoding,
    delimiter: isText ? String.fromCharCode(dialect.delimiter) : '',
    quote: !isText || dialect.quote < 0 ? '' : String.fromCharCode(dialect.quote),
    line_end: isText ? dialect.lineEnd : '',
    header_rows: header.records,
    sheet,
    confidence: composeConfidence(confidence),
  }
}

/** Canonical columns have no cells, so the report has only their figures. */
function composeColumns(read: Reading, findings: Findings, counts: QualityCounts) {
  const personal = new Set(findings.personal.map(({ column }) => column))
  const loaded = new Map(read.columns.map((column) => [column.plan.name, column]))
  return counts.columns.map(({ name, type, source_name, null_count, distinct_count }) => {
    const figures = { name, type, source_name, null_count, distinct_count }
    const column = loaded.get(name)
    const examples = column ? exampleTexts(column, read) : []
    // Numbers about people aren't quantities, and their outliers are personal too.
    const isMasked = !column || personal.has(name)
    const { nearly, notation, textBecause } = isMasked
      ? NO_EVIDENCE
      : findEvidence(column, read, findings.verdict)
    return {
      ...figures,
      examples: examples.map(isMasked ? maskValue : maskPersonal),
      nearly: nearly && { ...nearly, ...maskObstacles(nearly) },
      notation,
      text_because: textBecause,
    }
  })
}

function exampleTexts({ lane }: LoadedColumn, { records }: Reading): string[] {
  const raw = records.tables[lane]?.entries()
  if (!raw) return []
  const first = { heap: raw.heap, offsets: raw.offsets.subarray(0, EXAMPLES + 1) }
  return sampleTexts(first)
    .filter((text) => text !== EMPTY_TEXT)
    .map((text) => shorten(text))
}

/** The examples mask data about people, as does the rest of the report. */
function sampleRows({ decoded }: Reading, personal: readonly PersonalColumn[], rows: Quarantine) {
  const hasPhones = personal.some(({ kind }) => kind === 'phone')
  return rows.sample(decoded.path, ROW_EXAMPLES).map(({ line, column, reason, raw }) => {
    const masked = maskPersonal(raw)
    const text = hasPhones ? masked.replaceAll(/\d{8,}/g, maskValue) : masked
    return { line, column, reason, raw: shorten(text, RAW_CHARACTERS) }
  })
}

function nameKind({ line, reason: kind, raw }: { line: number; reason: string; raw: string }) {
  return { line, kind, raw }
}

/** The first records, with everything masked that looks personal. */
function reportRecords(records: readonly ShownRecord[], personal: readonly number[] = []): ShownRecord[] {
  return cutRecords(records.slice(0, REPORTED_RECORDS), (text, cell, role) =>
    role === 'data' && personal.includes(cell) ? maskValue(text) : maskPersonal(text),
  )
}

/** Records with their cells cut to a readable length. @param show turns the beginning of a cell into what is shown */
export function cutRecords(
  records: readonly ShownRecord[],
  show: (text: string, cell: number, role: ShownRecord['role']) => string = (text) => text,
): ShownRecord[] {
  return records.map(({ number, role, cells }) => ({
    number,
    role,
    cells: cells.map((text, cell) => shorten(show(text.slice(0, LOOKED_AT), cell, role), RAW_CHARACTERS)),
  }))
}

/** A `refused` error with a report, for programs that need the file and dataset. */
export class UnreadFileError extends CommandError {
  readonly report: UnreadReport
  /** The first records as they were read, neither cut nor masked. */
  readonly records: readonly ShownRecord[]

  constructor(
    message: string,
    report: UnreadReport,
    records: readonly ShownRecord[],
    reasons: readonly Reason[],
  ) {
    super('refused', message, null, reasons)
    this.report = report
    this.records = records
  }
}

/** @returns the error itself; if the file was refused, one with a report */
export function withReport(error: unknown, { source, identity, isDryRun, started }: Edition): unknown {
  if (!(error instanceof CommandError) || error.kind !== 'refused') return error
  const { message } = error
  const table = error instanceof RefusedTable ? error : null
  const records = table?.records ?? []
  const report: UnreadReport = {
    dataset: identity.info.id,
    domain: identity.info.domain,
    title: identity.info.title,
    version: null,
    dry_run: isDryRun,
    published: false,
    unchanged: false,
    append: null,
    source: { file: source.name, bytes: source.bytes, sha256: digestOf(source) },
    read: identity.definition?.read ?? {},
    dialect: null,
    columns: [],
    rows: { read: 0, blank: 0, imported: 0, quarantined: 0, left_out: 0 },
    repairs: [],
    repaired_sample: [],
    quarantine: [],
    quarantine_sample: [],
    left_out: [],
    left_out_sample: [],
    drift: null,
    decisions: [],
    personal_data: [],
    refusals: [
      { kind: table?.refusal ?? 'unreadable', message, override: error.override, reasons: error.reasons },
    ],
    warnings: [],
    warning_codes: [],
    records: reportRecords(records),
    duration_ms: Math.round(performance.now() - started),
  }
  return new UnreadFileError(message, report, records, error.reasons)
}
