/** The second step of reading: from decoded text to typed columns, by dialect, header, records and types. */

import { CommandError } from '../../base/errors.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import { encodeRecords } from '../cells/encode.ts'
import type { EncodeRequest } from '../cells/encode-once.ts'
import type { EncodedRecords } from '../cells/encoded-records.ts'
import { type ColumnPlan, planColumns } from '../definition/columns.ts'
import type { Definition } from '../definition/definition.ts'
import { describeFormerNames, type ServedName } from '../definition/former-names.ts'
import {
  type AskedHeader,
  flagOf,
  parseDelimiter,
  parseQuote,
  type ReadOptions,
  settleOptions,
} from '../definition/read-options.ts'
import { type Dialect, detectDialect } from '../records/dialect.ts'
import { type Sample, takeSample } from '../records/sample.ts'
import type { ConfidencePart } from '../report/confidence.ts'
import { type Decision, REPORTED_RECORDS, type ShownRecord, type Unproven } from '../report/decisions.ts'
import { EMPTY_TEXT, showBroken } from '../report/marks.ts'
import type { IngestProgress } from '../report/progress.ts'
import type { Warning } from '../report/reasons.ts'
import { refuse } from '../report/reasons.ts'
import { countConverted } from '../source/conversion/converted-repairs.ts'
import type { DecodedSource } from '../source/decode-source.ts'
import { findHeader, readHeaderAt, withoutHeader } from '../structure/find-header.ts'
import { type Header, NO_HEADER } from '../structure/header.ts'
import { replaceControls } from '../values/cell-text.ts'
import { dropBlankColumns, loadColumns } from '../values/load-columns.ts'
import { stylesFor } from '../values/numbers.ts'
import {
  describeSubtotals,
  describeTotals,
  findSubtotals,
  NO_SUBTOTALS,
  type Subtotals,
  warnOfSubtotals,
} from '../values/totals.ts'
import type { LoadedColumn } from '../values/validation.ts'
import { judgeReading, refuseGuess } from './judge-reading.ts'
import { RefusedTable } from './refused-table.ts'
import { showRecords } from './shown-records.ts'
import {
  brokenNames,
  doubtEncoding,
  ignoredOptions,
  leftHidden,
  otherQuotes,
  unprovenEncoding,
  warnOfExchange,
} from './table-warnings.ts'

export interface TableRequest {
  readonly workFolder: string
  readonly definition: Definition | null
  /** Stands before what the definition says; the decoding's options mean nothing here. */
  readonly asked: ReadOptions
  /** The columns being served, for names that were given by the rules of earlier releases. */
  readonly servedColumns?: readonly ServedName[] | undefined
  /** Types of the columns being served, for columns without any value. */
  readonly servedTypes?: ReadonlyMap<string, ColumnType>
  /** A column that would be read as a narrower type than it is served as takes the served one. */
  readonly adoptTypes?: boolean
  /** Ends behind the block with this record: a preview. */
  readonly mostRecords?: number | undefined
  /** Records of the beginning that are shown; as many as a report shows when left out. */
  readonly shownRecords?: number | undefined
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined
}

/** To be closed by `records.close()`. */
export interface ReadTable {
  readonly decoded: DecodedSource
  /** As asked for and as defined. */
  readonly options: ReadOptions
  readonly dialect: Dialect
  readonly header: Header
  /** How sure each part of the reading is. */
  readonly confidence: readonly ConfidencePart[]
  /** The first records as they were read. */
  readonly shown: readonly ShownRecord[]
  readonly plan: ColumnPlan
  readonly records: EncodedRecords
  readonly columns: readonly LoadedColumn[]
  readonly decisions: readonly Decision[]
  readonly warnings: readonly Warning[]
  /** What of the reading nothing proves and nobody asked for. */
  readonly unproven: readonly Unproven[]
}

/** What is known before the records are read. */
interface Beginning {
  readonly options: ReadOptions
  readonly sample: Sample
  readonly dialect: Dialect
  readonly header: Header
  readonly confidence: readonly ConfidencePart[]
  /** Lines that an earlier reading of the same records found to be totals, and that are left out now. */
  readonly totalLines?: ReadonlySet<number> | undefined
}

const COMMA = 0x2c
const DOUBLE_QUOTE = 0x22
/** How the converter writes its records. */
const CONVERTED: Dialect = {
  delimiter: COMMA,
  quote: DOUBLE_QUOTE,
  lineEnd: 'lf',
  confidence: 1,
  lead: 1,
  recordsAreLines: true,
}

/**
 * @throws CommandError as `detectDialect`, `findHeader`, `planColumns` and `encodeRecords` do; a `RefusedTable` once the
 * records can be read
 */
export async function readTable(decoded: DecodedSource, request: TableRequest): Promise<ReadTable> {
  const { asked, definition, shownRecords = REPORTED_RECORDS } = request
  const options = settleOptions(asked, definition?.read)
  const sample = takeSample(decoded.path, decoded.from)
  const dialect = settleDialect(decoded, sample, options)
  let found: Header | null = null
  try {
    const by = asked.header_row === undefined ? 'header_row in the definition' : `${flagOf('header_row')}`
    const rows = options.header_row === undefined ? null : [options.header_row].flat()
    const wanted = rows && { rows: rows.length === 1 && rows[0] === 0 ? [] : rows, by }
    found = settleHeader(decoded, sample, dialect, wanted)
    const header = {
      ...found,
      cells: found.cells.map((cell) => showBroken(replaceControls(cell))),
      warnings: [...found.warnings, ...brokenNames(found.cells, decoded.encoding)],
    }
    const confidence = judgeReading({ decoded, sample, dialect, header, options })
    const guess = refuseGuess(confidence)
    if (guess === null)
      return await readRows(decoded, request, { options, sample, dialect, header, confidence })
    const records = showRecords(sample, dialect, found, new Map(), shownRecords)
    throw new RefusedTable(guess.message, { ...guess, refusal: 'unsure', records })
  } catch (error) {
    const isPlain =
      error instanceof CommandError && error.kind === 'refused' && !(error instanceof RefusedTable)
    if (!isPlain) throw error
    const records = showRecords(sample, dialect, found, new Map(), shownRecords)
    throw new RefusedTable(error.message, {
      refusal: 'unreadable',
      override: error.override,
      records,
      reasons: error.reasons,
    })
  }
}

async function readRows(
  decoded: DecodedSource,
  request: TableRequest,
  beginning: Beginning,
): Promise<ReadTable> {
  const { definition, workFolder } = request
  const { dialect, header } = beginning
  const { hiddenRows, hiddenColumns } = beginning.options.hidden === true ? {} : decoded
  const plan = planColumns(header.cells, definition, request.servedColumns, hiddenColumns)
  const records = await encodeRecords({
    path: decoded.path,
    workFolder,
    separators: dialect,
    header,
    from: decoded.from,
    cells: plan.columns.flatMap(({ cell }) => (cell >= 0 ? [cell] : [])),
    ...rowRules(decoded, beginning),
    isHeaderAsked: beginning.options.header_row !== undefined,
    hasBroken: decoded.broken > 0,
    hiddenRows,
    mostRecords: request.mostRecords,
    ...(request.mostRecords === undefined ? {} : { secondThreadFrom: Number.POSITIVE_INFINITY }),
    keepPlaces: definition?.columns !== undefined || definition?.primary_key !== undefined,
    onBlock: (bytes, rows) =>
      request.onProgress?.({ phase: 'reading', bytes, totalBytes: decoded.bytes, rows }),
  })
  try {
    const { table, subtotals } = typeColumns(decoded, request, beginning, plan, records)
    const areKept = beginning.options.totals !== 'quarantine' || beginning.totalLines !== undefined
    if (areKept || subtotals.lines.length + records.totals.length === 0) return table
    // What is a total is known when all rows are: the second pass leaves them out.
    await records.close()
    return await readRows(decoded, request, { ...beginning, totalLines: new Set(subtotals.lines) })
  } catch (error) {
    await records.close()
    throw error
  }
}

function settleDialect(decoded: DecodedSource, sample: Sample, { delimiter, quote }: ReadOptions): Dialect {
  if (decoded.format !== 'csv') return CONVERTED
  return detectDialect(sample, {
    delimiter: delimiter === undefined ? undefined : parseDelimiter(delimiter),
    quote: quote === undefined ? undefined : parseQuote(quote),
  })
}

/** The header as the format has it, or found among the records. */
function settleHeader(
  { path, from, header, spans }: DecodedSource,
  sample: Sample,
  dialect: Dialect,
  asked: AskedHeader | null,
): Header {
  if (header !== null) {
    if (asked === null) return namedColumns(header)
    throw refuse('header_in_objects', {}, `${asked.by} names one`)
  }
  if (asked === null) return findHeader(sample, dialect, spans)
  if (asked.rows.length === 0) return withoutHeader(sample, dialect, asked.by)
  return readHeaderAt(path, from, dialect, asked, spans)
}

function namedColumns(cells: readonly string[]): Header {
  return { ...NO_HEADER, cells, blankBefore: 0, end: 0, nextLine: 1 }
}

/** Converted records are all of one width, and objects have no totals or footnotes around them. */
function rowRules(
  decoded: DecodedSource,
  { options, totalLines }: Beginning,
): Pick<EncodeRequest, 'ragged' | 'rules' | 'hasMarks'> {
  const hasMarks = decoded.header !== null
  const { totals = 'keep', footnotes = 'quarantine' } = options
  return {
    hasMarks,
    ragged: decoded.format === 'csv' ? (options.ragged ?? 'repair') : null,
    rules: {
      totals: totalLines === undefined ? 'keep' : totals,
      ...{ footnotes: hasMarks ? 'keep' : footnotes, areObjects: hasMarks },
      totalLines,
    },
  }
}

/** The columns of all records, typed, and what there is to say about the way to them. */
function typeColumns(
  decoded: DecodedSource,
  request: TableRequest,
  { options, sample, dialect, header, confidence, totalLines }: Beginning,
  plan: ColumnPlan,
  records: EncodedRecords,
): { table: ReadTable; subtotals: Subtotals } {
  const { asked, servedTypes = new Map(), adoptTypes = false, shownRecords = REPORTED_RECORDS } = request
  records.converted = countConverted(decoded, header.nextLine)
  const hasNames = decoded.header !== null
  const hasOwnNumbers = decoded.format !== 'csv'
  const reading = {
    nullValues: new Set([...(options.null_values ?? []), ...(hasNames ? [EMPTY_TEXT] : [])]),
    hasEmptyTexts: hasNames,
    styles: stylesFor(dialect.delimiter, hasOwnNumbers),
    hasOwnNumbers,
    usualMark: hasOwnNumbers || dialect.delimiter !== COMMA ? (',' as const) : ('.' as const),
    textNumbers: decoded.textNumbers,
    textStyles: stylesFor(dialect.delimiter),
    decimalMark: options.decimal_mark,
    dateOrder: options.date_order,
    is1904: decoded.is1904,
  }
  const loaded = loadColumns(plan, records, reading, { types: servedTypes, adopt: adoptTypes })
  const declared = request.definition?.columns?.map(({ name }) => name) ?? []
  const kept = new Set([...servedTypes.keys(), ...declared])
  const exchange = warnOfExchange(plan, records)
  const filled = dropBlankColumns({ plan, columns: loaded.columns }, kept)
  const isPrinted = !hasNames && totalLines === undefined
  const subtotals = isPrinted ? findSubtotals(records, filled.columns) : NO_SUBTOTALS
  const told = totalLines ?? new Set(subtotals.lines)
  const table = {
    ...{ decoded, options, dialect, header, plan: filled.plan, records, columns: filled.columns },
    confidence: [...confidence, ...records.confidence, ...exchange.confidence],
    shown: showRecords(sample, dialect, header, records.roles, shownRecords),
    unproven: [...unprovenEncoding(decoded, options), ...loaded.unproven],
    decisions: [
      ...decoded.decisions,
      ...header.decisions,
      ...filled.decisions,
      ...describeFormerNames(plan.former),
      ...records.decisions,
      ...loaded.decisions,
      ...describeTotals(records, filled.columns, options.totals ?? 'keep', told),
      ...describeSubtotals(totalLines),
    ],
    warnings: [
      ...doubtEncoding(decoded, options),
      ...decoded.warnings,
      ...ignoredOptions(decoded, asked),
      ...leftHidden(plan, records, options),
      ...header.warnings,
      ...loaded.warnings,
      ...exchange.warnings,
      ...(options.quote === undefined ? otherQuotes(dialect, plan, records) : []),
      ...warnOfSubtotals(subtotals),
    ],
  }
  return { table, subtotals }
}
