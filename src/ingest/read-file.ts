/** From a file to typed columns: encoding, dialect, header, records, types. */

import { join } from 'node:path'
import type { ColumnType } from '../engine/column.ts'
import { CommandError } from '../errors.ts'
import { type ColumnPlan, planColumns } from './definition/columns.ts'
import type { Definition } from './definition/definition.ts'
import { decodeToUtf8 } from './delimited/decode.ts'
import { type Dialect, detectDialect, holdsRecords, parseDelimiter } from './delimited/dialect.ts'
import type { Sample } from './delimited/sample.ts'
import { type Survey, surveyFile } from './delimited/sniff.ts'
import { type EncodedRecords, encodeRecords } from './records/encode.ts'
import type { Decision } from './report.ts'
import { readHead, type SourceFile } from './source/source.ts'
import { type AskedHeader, findHeader, type Header, readHeaderAt } from './structure/header.ts'
import { convertColumn } from './values/conversion.ts'
import { declaredTarget, inferTarget, type RawColumn, type Reading, type Target } from './values/inference.ts'
import { parseNumber, stylesFor } from './values/numbers.ts'
import type { LoadedColumn } from './values/validation.ts'

export interface ReadRequest {
  readonly source: SourceFile
  readonly workFolder: string
  readonly definition: Definition | null
  readonly encoding?: string | undefined
  readonly delimiter?: string | undefined
  readonly headerRow?: number | undefined
  /** Types of the columns being served, for columns without any value. */
  readonly servedTypes: ReadonlyMap<string, ColumnType>
  readonly onProgress: (bytes: number, totalBytes: number, rows: number) => void
}

export interface ReadFile {
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
const SAMPLE_BYTES = 1 << 18
const LARGEST_SAMPLE = 1 << 24

/** @throws CommandError as `surveyFile`, `decodeToUtf8`, `findHeader`, `planColumns` and `encodeRecords` do */
export async function readFile(request: ReadRequest): Promise<ReadFile> {
  const { source, definition, workFolder } = request
  const read = definition?.read ?? {}
  refuseOtherFormat(read)
  const survey = surveyFile(source, request.encoding ?? read.encoding)
  const text = openText(source, survey, workFolder)
  const sample = takeSample(text.path, text.from)
  const delimiter = request.delimiter ?? read.delimiter
  const dialect = detectDialect(sample, {
    delimiter: delimiter === undefined ? undefined : parseDelimiter(delimiter),
    quote: read.quote === undefined ? undefined : read.quote === '' ? -1 : read.quote.charCodeAt(0),
  })
  const asked = askedHeader(request.headerRow, read.header_row)
  const header = asked ? readHeaderAt(text.path, text.from, dialect, asked) : findHeader(sample, dialect)
  const plan = planColumns(header.cells, definition)
  const present = plan.columns.filter(({ cell }) => cell >= 0)
  const records = await encodeRecords({
    path: text.path,
    workFolder,
    separators: dialect,
    header,
    from: text.from,
    cells: present.map(({ cell }) => cell),
    keepPlaces: definition?.columns !== undefined || definition?.primary_key !== undefined,
    onBlock: (bytes, rows) => request.onProgress(bytes, text.bytes, rows),
  })
  const reading = { nullValues: new Set(read.null_values ?? []), styles: stylesFor(dialect.delimiter) }
  const loaded = loadColumns(plan, records, reading, request.servedTypes)
  const warnings = [...doubts(survey), ...text.warnings, ...header.warnings, ...loaded.warnings]
  if (read.quote === undefined) warnings.push(...otherQuotes(dialect, plan, records))
  return {
    survey,
    dialect,
    header,
    plan,
    records,
    columns: loaded.columns,
    path: text.path,
    decisions: header.decisions,
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

/** @throws CommandError `usage` when a definition asks for what is not delimited text */
function refuseOtherFormat({ format, sheet }: NonNullable<Definition['read']>): void {
  if (format !== undefined && format !== 'csv')
    throw new CommandError('usage', `the definition says "format": "${format}", but only csv can be read`)
  if (sheet !== undefined)
    throw new CommandError('usage', `the definition names the sheet '${sheet}', but delimited text has none`)
}

function askedHeader(option: number | undefined, defined: number | undefined): AskedHeader | null {
  if (option !== undefined) return { row: option, by: '--header-row' }
  return defined === undefined ? null : { row: defined, by: 'header_row in the definition' }
}

interface OpenedText {
  readonly path: string
  /** Offset behind the byte order mark. */
  readonly from: number
  readonly bytes: number
  readonly warnings: readonly string[]
}

function openText(source: SourceFile, survey: Survey, workFolder: string): OpenedText {
  if (survey.isUtf8) return { path: source.path, from: survey.markBytes, bytes: source.bytes, warnings: [] }
  const path = join(workFolder, 'text')
  const replaced = decodeToUtf8(source.path, survey.markBytes, survey.encoding, path)
  const warnings =
    replaced === 0 ? [] : [`${replaced} places were not valid ${survey.encoding} and read \ufffd`]
  return { path, from: 0, bytes: Bun.file(path).size, warnings }
}

/**
 * The beginning of the file, longer when its first records are very long. When they seem to have no end, a stray quote
 * is all that joins them, and the beginning tells as much.
 */
function takeSample(path: string, from: number): Sample {
  for (let length = SAMPLE_BYTES; length <= LARGEST_SAMPLE; length *= 4) {
    const sample = readSample(path, from, length)
    if (holdsRecords(sample)) return sample
  }
  return readSample(path, from, SAMPLE_BYTES)
}

function readSample(path: string, from: number, length: number): Sample {
  const bytes = readHead(path, from, length)
  return { bytes, whole: bytes.length < length }
}

function loadColumns(
  plan: ColumnPlan,
  records: EncodedRecords,
  reading: Reading,
  servedTypes: ReadonlyMap<string, ColumnType>,
): { columns: LoadedColumn[]; warnings: string[] } {
  const warnings: string[] = []
  let lanes = 0
  const columns = plan.columns.map((column) => {
    const lane = column.cell < 0 ? -1 : lanes++
    const raw: RawColumn = records.tables[lane]?.entries() ?? {
      heap: new Uint8Array(0),
      offsets: new Uint32Array(1),
    }
    const target =
      column.type === null ? inferTarget(raw, reading) : declaredTarget(column.type, raw, reading)
    if (target.ambiguous !== null) warnings.push(ambiguityWarning(column.name, target.ambiguous, target))
    // Nothing speaks for any type: what clients know of the column stays true.
    const type = (target.empty ? servedTypes.get(column.name) : undefined) ?? target.type
    return { plan: column, typed: convertColumn(raw, { ...target, type }, reading), lane }
  })
  return { columns, warnings }
}

function ambiguityWarning(name: string, text: string, target: Target): string {
  const value = parseNumber(text, target.styles)?.value
  return `'${name}' has numbers like ${text}, read as ${value}; if that is wrong, mend the file or declare the column as string`
}
