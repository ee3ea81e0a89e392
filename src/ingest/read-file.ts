/** From a file to typed columns: format, encoding, dialect, header, records, types. */

import type { ColumnType } from '../engine/column.ts'
import { CommandError } from '../errors.ts'
import { type ColumnPlan, planColumns } from './definition/columns.ts'
import type { Definition } from './definition/definition.ts'
import type { Dialect } from './delimited/dialect.ts'
import type { Survey } from './delimited/sniff.ts'
import type { IngestProgress } from './progress.ts'
import { type EncodedRecords, type EncodeRequest, encodeRecords } from './records/encode.ts'
import { EMPTY_TEXT } from './records/marks.ts'
import type { Decision } from './report.ts'
import { countConverted } from './source/converted-repairs.ts'
import type { Format } from './source/file-format.ts'
import type { SourceFile } from './source/source.ts'
import { readHeaderAt } from './structure/asked-header.ts'
import { dropBlankColumns } from './structure/blank-columns.ts'
import { findHeader, type Header, withoutHeader } from './structure/header.ts'
import { type AskedHeader, askedHeader } from './structure/header-rows.ts'
import { samplePattern } from './structure/row-pattern.ts'
import { describeTotals } from './structure/totals.ts'
import { openTable, type TableText } from './table-text.ts'
import type { RawColumn } from './values/inference.ts'
import { loadColumns } from './values/load-columns.ts'
import { mendControls } from './values/misread-controls.ts'
import { stylesFor } from './values/numbers.ts'
import type { LoadedColumn } from './values/validation.ts'

export interface ReadRequest {
  readonly source: SourceFile
  readonly workFolder: string
  readonly definition: Definition | null
  readonly encoding?: string | undefined
  readonly delimiter?: string | undefined
  /** A sheet's name or number. */
  readonly sheet?: string | undefined
  readonly headerRow?: number | readonly number[] | undefined
  readonly totals?: 'keep' | 'quarantine' | undefined
  readonly ragged?: 'repair' | 'quarantine' | undefined
  readonly secondThreadFrom?: number | undefined
  /** Types of the columns being served, for columns without any value. */
  readonly servedTypes: ReadonlyMap<string, ColumnType>
  readonly onProgress: (progress: IngestProgress) => void
}

export interface ReadFile {
  readonly format: Format
  readonly sheet: string | null
  readonly survey: Survey
  readonly dialect: Dialect
  readonly header: Header
  readonly plan: ColumnPlan
  readonly records: EncodedRecords
  readonly columns: readonly LoadedColumn[]
  /** The file in UTF-8: the source itself, or a work file. */
  readonly path: string
  readonly decisions: readonly Decision[]
  readonly warnings: readonly string[]
}

const DOUBLE_QUOTE = 0x22
const APOSTROPHE = 0x27

/** @throws CommandError as `openTable`, `findHeader`, `planColumns` and `encodeRecords` do */
export async function readFile(request: ReadRequest): Promise<ReadFile> {
  const { definition, workFolder } = request
  const text = await openTable(request)
  const { dialect } = text
  const asked = askedHeader(request.headerRow, definition?.read?.header_row)
  const found = settleHeader(text, asked)
  const header = { ...found, cells: found.cells.map(mendControls) }
  const plan = planColumns(header.cells, definition)
  const present = plan.columns.filter(({ cell }) => cell >= 0)
  const records = await encodeRecords({
    path: text.path,
    workFolder,
    separators: dialect,
    header,
    from: text.from,
    cells: present.map(({ cell }) => cell),
    ...rowRules(request, text, header),
    secondThreadFrom: request.secondThreadFrom,
    keepPlaces: definition?.columns !== undefined || definition?.primary_key !== undefined,
    onBlock: (bytes, rows) => request.onProgress({ phase: 'reading', bytes, totalBytes: text.bytes, rows }),
  })
  try {
    return typeColumns(request, text, { header, plan, records })
  } catch (error) {
    await records.close()
    throw error
  }
}

/** The columns of all records, typed, and what there is to say about the way to them. */
function typeColumns(
  request: ReadRequest,
  text: TableText,
  { header, plan, records }: Pick<ReadFile, 'header' | 'plan' | 'records'>,
): ReadFile {
  const read = request.definition?.read ?? {}
  const { survey, dialect, conversion } = text
  records.converted = countConverted(conversion, header.nextLine)
  const hasNames = conversion?.header != null
  const reading = {
    nullValues: new Set([...(read.null_values ?? []), ...(hasNames ? [EMPTY_TEXT] : [])]),
    hasEmptyTexts: hasNames,
    styles: stylesFor(dialect.delimiter, text.format !== 'csv'),
    hasOwnNumbers: text.format !== 'csv',
    decimalMark: read.decimal_mark,
    is1904: conversion?.is1904,
  }
  const loaded = loadColumns(plan, records, reading, request.servedTypes)
  const filled = dropBlankColumns({ plan, columns: loaded.columns }, request.servedTypes)
  const warnings = [...doubts(survey), ...text.warnings, ...header.warnings, ...loaded.warnings]
  if (read.quote === undefined) warnings.push(...otherQuotes(dialect, plan, records))
  return {
    format: text.format,
    sheet: conversion?.sheet ?? null,
    survey,
    dialect,
    header,
    plan: filled.plan,
    records,
    columns: filled.columns,
    path: text.path,
    decisions: [
      ...(conversion?.decisions ?? []),
      ...header.decisions,
      ...filled.decisions,
      ...records.decisions,
      ...loaded.decisions,
      ...describeTotals(records, filled.columns, request.totals ?? read.totals ?? 'keep'),
    ],
    warnings,
  }
}

/** Below it the encoding is worth a look. */
const SURE_ENOUGH = 0.6

function doubts({ encoding, confidence }: Survey): string[] {
  if (confidence >= SURE_ENOUGH) return []
  return [`the encoding was taken to be ${encoding}, but others fit nearly as well; --encoding settles it`]
}

/** Apostrophes were found to be the quotes, by the beginning of the file; what if double ones wrap cells further on? */
function otherQuotes({ quote }: Dialect, { columns }: ColumnPlan, records: EncodedRecords): string[] {
  if (quote !== APOSTROPHE) return []
  const present = columns.filter(({ cell }) => cell >= 0)
  return present.flatMap(({ name }, lane) => {
    const wrapped = countWrapped(records.tables[lane]?.entries(), DOUBLE_QUOTE)
    if (wrapped === 0) return []
    return [
      `'${name}' keeps the double quotes around ${wrapped} of its values, as apostrophes were taken for the quotes of the file; "quote" under "read" in a definition settles it`,
    ]
  })
}

/** Distinct cells that begin and end with a sign. */
function countWrapped(raw: RawColumn | undefined, sign: number): number {
  if (!raw) return 0
  const { heap, offsets } = raw
  let count = 0
  for (let entry = 0; entry + 1 < offsets.length; entry++) {
    const start = offsets[entry] as number
    const last = (offsets[entry + 1] as number) - 1
    if (last > start && heap[start] === sign && heap[last] === sign) count++
  }
  return count
}

/** The header as the format has it, or found among the records. */
function settleHeader(text: TableText, asked: AskedHeader | null): Header {
  const { path, from, sample, dialect, conversion, format } = text
  if (conversion?.header != null) {
    if (asked)
      throw new CommandError(
        'usage',
        `${asked.by} names a header, but the columns of ${format.toUpperCase()} have their names in every object`,
      )
    return namedColumns(conversion.header)
  }
  const spans = conversion?.spans ?? []
  if (asked === null) return findHeader(sample, dialect, spans)
  if (asked.rows.length === 0) return withoutHeader(sample, dialect, asked.by)
  return readHeaderAt(path, from, dialect, asked, spans)
}

function namedColumns(cells: readonly string[]): Header {
  const nothing = { records: [], printed: [], decisions: [], warnings: [] }
  return { ...nothing, cells, blankBefore: 0, end: 0, nextLine: 1 }
}

/** Converted records are all of one width, and objects have no totals or footnotes around them. */
function rowRules(
  request: ReadRequest,
  { sample, dialect, conversion, format }: TableText,
  header: Header,
): Pick<EncodeRequest, 'pattern' | 'rules' | 'hasMarks'> {
  const read = request.definition?.read ?? {}
  const hasMarks = conversion?.header != null
  const isMended = format === 'csv' && (request.ragged ?? read.ragged) !== 'quarantine'
  const totals = request.totals ?? read.totals ?? 'keep'
  return {
    hasMarks,
    pattern: isMended ? samplePattern(sample, dialect, header) : null,
    rules: { totals, footnotes: hasMarks ? 'keep' : (read.footnotes ?? 'quarantine') },
  }
}
