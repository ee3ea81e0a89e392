/** Puts together what an ingest says about itself (contract 6), from what its steps gathered. */

import type { Drift } from './drift.ts'
import type { Identity } from './identity.ts'
import type { QualityCounts } from './quality.ts'
import type { ReadFile } from './read-file.ts'
import { EMPTY_TEXT } from './records/marks.ts'
import type { IngestReport, PersonalColumn, QuarantineExample, Refusal } from './report.ts'
import type { SourceFile } from './source/source.ts'
import { sampleTexts, shorten } from './values/distinct-texts.ts'
import { findEvidence } from './values/evidence.ts'
import { maskPersonal, maskValue } from './values/personal-data.ts'
import type { LoadedColumn, Verdict } from './values/validation.ts'

const QUARANTINE_EXAMPLES = 20
const RAW_CHARACTERS = 120
const EXAMPLES = 3

/** What was read, and as which dataset. */
interface Subject {
  readonly source: SourceFile
  readonly identity: Identity
  readonly read: ReadFile
}

/** What became of it. */
interface Outcome {
  /** Of the source. */
  readonly sha256: string
  readonly counts: QualityCounts
  readonly verdict: Verdict
  readonly drift: Drift | null
  readonly personal: readonly PersonalColumn[]
  readonly refusals: readonly Refusal[]
  /** null: not published. */
  readonly version: number | null
  readonly dryRun: boolean
  readonly warnings: readonly string[]
}

/** The report, but for the time that all of it took. */
export function composeReport(subject: Subject, outcome: Outcome): IngestReport {
  const { source, identity, read } = subject
  const { counts, version, personal } = outcome
  const { header, records } = read
  const { read: rowsRead, imported, quarantined } = counts.rows
  return {
    dataset: identity.info.id,
    domain: identity.info.domain,
    version,
    dry_run: outcome.dryRun,
    published: version !== null,
    source: { file: source.name, bytes: source.bytes, sha256: outcome.sha256 },
    dialect: composeDialect(read),
    columns: composeColumns(subject, outcome),
    rows: { read: rowsRead, blank: header.blankBefore + records.blank, imported, quarantined },
    repairs: counts.repairs,
    quarantine: counts.quarantine,
    quarantine_sample: sampleQuarantine(read, personal),
    drift: outcome.drift,
    decisions: read.decisions,
    personal_data: personal,
    refusals: outcome.refusals,
    warnings: outcome.warnings,
    duration_ms: 0,
  }
}

function composeDialect({ format, sheet, survey, dialect, header }: ReadFile): IngestReport['dialect'] {
  const isText = format === 'csv'
  return {
    format,
    encoding: survey.encoding,
    delimiter: isText ? String.fromCharCode(dialect.delimiter) : '',
    quote: !isText || dialect.quote < 0 ? '' : String.fromCharCode(dialect.quote),
    line_end: isText ? dialect.lineEnd : '',
    header_rows: header.records,
    sheet,
    confidence: Math.min(survey.confidence, dialect.confidence),
  }
}

/** Canonical columns have no cells of their own, so nothing but their figures is told of them. */
function composeColumns({ read, identity }: Subject, outcome: Outcome): IngestReport['columns'] {
  const nullValues = new Set([EMPTY_TEXT, ...(identity.definition?.read?.null_values ?? [])])
  const personal = new Set(outcome.personal.map(({ column }) => column))
  const loaded = new Map(read.columns.map((column) => [column.plan.name, column]))
  return outcome.counts.columns.map(({ name, type, source_name, null_count, distinct_count }) => {
    const figures = { name, type, source_name, null_count, distinct_count }
    const column = loaded.get(name)
    if (!column) return { ...figures, examples: [], nearly: null, text_because: null }
    const examples = exampleTexts(column, read)
    // Numbers about people are no quantities, and the values that are not like the others are theirs as well.
    if (personal.has(name))
      return { ...figures, examples: examples.map(maskValue), nearly: null, text_because: null }
    const { nearly, textBecause } = findEvidence(column, read.records, outcome.verdict, nullValues)
    const values = nearly?.values.map(({ value, count }) => ({ value: maskPersonal(value), count })) ?? []
    return {
      ...figures,
      examples: examples.map(maskPersonal),
      nearly: nearly && { ...nearly, values },
      text_because: textBecause,
    }
  })
}

function exampleTexts({ lane }: LoadedColumn, { records }: ReadFile): string[] {
  const raw = records.tables[lane]?.entries()
  if (!raw) return []
  const first = { heap: raw.heap, offsets: raw.offsets.subarray(0, EXAMPLES + 1) }
  return sampleTexts(first)
    .filter((text) => text !== EMPTY_TEXT)
    .map((text) => shorten(text))
}

/** Of data about people the examples show as little as the rest of the report. */
function sampleQuarantine(
  { records, path }: ReadFile,
  personal: readonly PersonalColumn[],
): QuarantineExample[] {
  const hasPhones = personal.some(({ kind }) => kind === 'phone')
  return records.quarantine.sample(path, QUARANTINE_EXAMPLES).map(({ line, column, reason, raw }) => {
    const masked = maskPersonal(raw)
    const text = hasPhones ? masked.replaceAll(/\d{8,}/g, maskValue) : masked
    return { line, column, reason, raw: shorten(text, RAW_CHARACTERS) }
  })
}
