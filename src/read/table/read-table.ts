/** The second step of reading: turns decoded text into typed columns, by dialect, header, records and types. */

import { CommandError } from '../../base/errors.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import { encodeRecords } from '../cells/encode.ts'
import type { EncodedRecords } from '../cells/encoded-records.ts'
import { type ColumnPlan, describeFormerNames, planColumns, type ServedName } from '../definition/columns.ts'
import type { Definition } from '../definition/definition.ts'
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
import type { Unproven } from '../report/decisions.ts'
import { EMPTY_TEXT, showBroken } from '../report/marks.ts'
import type { IngestProgress } from '../report/progress.ts'
import { refuse } from '../report/reasons.ts'
import { countConverted } from '../source/conversion/conversion.ts'
import type { DecodedSource } from '../source/decode-source.ts'
import { findHeader, readHeaderAt, withoutHeader } from '../structure/find-header.ts'
import { type Header, NO_HEADER } from '../structure/header.ts'
import { replaceControls } from '../values/cell-text.ts'
import type { ValueRules } from '../values/inference.ts'
import { dropBlankColumns, loadColumns } from '../values/load-columns.ts'
import { stylesFor } from '../values/numbers.ts'
import {
  describeSubtotals,
  describeTotals,
  findSubtotals,
  NO_SUBTOTALS,
  warnOfSubtotals,
} from '../values/totals.ts'
import { judgeReading, type Layout, refuseGuess } from './judge-reading.ts'
import { RefusedTable, showRecords } from './refused-table.ts'
import { brokenNames, otherQuotes, warnOfExchange, warnOfFile } from './table-warnings.ts'

export interface TableRequest {
  readonly workFolder: string
  readonly definition: Definition | null
  /** Takes precedence over the definition; options of the decoding have no effect here. */
  readonly asked: ReadOptions
  /** The served columns, for names given by the rules of earlier releases. */
  readonly servedColumns?: readonly ServedName[] | undefined
  /** Types of the served columns, for columns without any value. */
  readonly servedTypes?: ReadonlyMap<string, ColumnType>
  /** A column that would get a narrower type than it is served with keeps the served type. */
  readonly adoptTypes?: boolean
  /** For a preview, reading stops after the block with this record. */
  readonly mostRecords?: number | undefined
  /** Records at the beginning to show; left out: as many as a report shows. */
  readonly shownRecords?: number | undefined
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined
}

/** The caller closes it with `records.close()`. */
export type ReadTable = ReturnType<typeof typeColumns>['table']

interface Beginning extends Layout {
  readonly request: TableRequest
  readonly confidence: readonly ConfidencePart[]
  /** Lines that an earlier reading of the same records identified as totals, and that are left out now. */
  readonly totalLines?: ReadonlySet<number> | undefined
}

const COMMA = 0x2c
const DOUBLE_QUOTE = 0x22
/** The converter's format. */
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
  const { asked, definition, shownRecords } = request
  const options = settleOptions(asked, definition?.read)
  const sample = takeSample(decoded.path, decoded.from)
  const given = {
    delimiter: options.delimiter === undefined ? undefined : parseDelimiter(options.delimiter),
    quote: options.quote === undefined ? undefined : parseQuote(options.quote),
  }
  const dialect = decoded.format === 'csv' ? detectDialect(sample, given) : CONVERTED
  let found: Header | null = null
  let refusal: RefusedTable['refusal'] = 'unreadable'
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
    const layout = { decoded, sample, dialect, header, options }
    const confidence = judgeReading(layout)
    const guess = refuseGuess(confidence)
    if (guess === null) return await readRows({ ...layout, request, confidence })
    refusal = 'unsure'
    throw guess
  } catch (error) {
    if (!(error instanceof CommandError) || error.kind !== 'refused') throw error
    throw new RefusedTable(error, refusal, showRecords(sample, dialect, found, new Map(), shownRecords))
  }
}

async function readRows(beginning: Beginning): Promise<ReadTable> {
  const { decoded, request, dialect, header, options, totalLines } = beginning
  const { definition, workFolder, mostRecords } = request
  const { hiddenRows, hiddenColumns } = options.hidden === true ? {} : decoded
  const plan = planColumns(header.cells, definition, request.servedColumns, hiddenColumns)
  // Converted records all have the same width, and JSON objects have no totals or footnotes around them.
  const hasMarks = decoded.header !== null
  const { totals = 'keep', footnotes = 'leave_out', ragged = 'repair' } = options
  const records = await encodeRecords({
    path: decoded.path,
    workFolder,
    separators: dialect,
    header,
    from: decoded.from,
    cells: plan.columns.flatMap(({ cell }) => (cell >= 0 ? [cell] : [])),
    hasMarks,
    ragged: decoded.format === 'csv' ? ragged : null,
    rules: {
      totals: totalLines === undefined ? 'keep' : totals,
      footnotes: hasMarks ? 'keep' : footnotes,
      areObjects: hasMarks,
      totalLines,
    },
    isHeaderAsked: options.header_row !== undefined,
    leaveOut: new Set([
      'repeated_header',
      ...(footnotes === 'leave_out' ? ['footnote'] : []),
      ...(totals === 'leave_out' ? ['total_row'] : []),
    ]),
    hasBroken: decoded.broken > 0,
    hiddenRows,
    mostRecords,
    ...(mostRecords !== undefined && { secondThreadFrom: Number.POSITIVE_INFINITY }),
    keepPlaces: definition?.columns !== undefined || definition?.primary_key !== undefined,
    onBlock: (bytes, rows) =>
      request.onProgress?.({ phase: 'reading', bytes, totalBytes: decoded.bytes, rows }),
  })
  await using held = new AsyncDisposableStack()
  held.use(records)
  const { table, subtotals } = typeColumns(beginning, plan, records)
  const areKept = totals === 'keep' || totalLines !== undefined
  if (areKept || subtotals.lines.length + records.totals.length === 0) {
    held.move()
    return table
  }
  // Totals are only known after all rows: the second pass leaves them out.
  await held.disposeAsync()
  return await readRows({ ...beginning, totalLines: new Set(subtotals.lines) })
}

/** The header from the format, or found among the records. */
function settleHeader(
  { path, from, header: cells, spans }: DecodedSource,
  sample: Sample,
  dialect: Dialect,
  asked: AskedHeader | null,
): Header {
  if (cells !== null) {
    if (asked === null) return { ...NO_HEADER, cells, blankBefore: 0, end: 0, nextLine: 1 }
    throw refuse('header_in_objects', {}, `${asked.by} names one`)
  }
  if (asked === null) return findHeader(sample, dialect, spans)
  if (asked.rows.length === 0) return withoutHeader(sample, dialect, asked.by)
  return readHeaderAt(path, from, dialect, asked, spans)
}

function howToRead({ decoded, dialect, options }: Beginning): ValueRules {
  const hasNames = decoded.header !== null
  const hasOwnNumbers = decoded.format !== 'csv'
  return {
    nullValues: new Set([...(options.null_values ?? []), ...(hasNames ? [EMPTY_TEXT] : [])]),
    hasEmptyTexts: hasNames,
    styles: stylesFor(dialect.delimiter, hasOwnNumbers),
    hasOwnNumbers,
    usualMark: hasOwnNumbers || dialect.delimiter !== COMMA ? ',' : '.',
    textNumbers: decoded.textNumbers,
    textStyles: stylesFor(dialect.delimiter),
    decimalMark: options.decimal_mark,
    dateOrder: options.date_order,
    is1904: decoded.is1904,
  }
}

/** The typed columns of all records, with the decisions, warnings and confidence of the reading. */
function typeColumns(beginning: Beginning, plan: ColumnPlan, records: EncodedRecords) {
  const { decoded, request, options, sample, dialect, header, totalLines } = beginning
  const { asked, servedTypes = new Map(), adoptTypes = false, shownRecords } = request
  records.converted = countConverted(decoded, header.nextLine)
  const loaded = loadColumns(plan, records, howToRead(beginning), { types: servedTypes, adopt: adoptTypes })
  const declared = request.definition?.columns?.map(({ name }) => name) ?? []
  const kept = new Set([...servedTypes.keys(), ...declared])
  const exchange = warnOfExchange(plan, records)
  const filled = dropBlankColumns({ plan, columns: loaded.columns }, kept)
  const isPrinted = decoded.header === null && totalLines === undefined
  const subtotals = isPrinted ? findSubtotals(records, filled.columns) : NO_SUBTOTALS
  const told = totalLines ?? new Set(subtotals.lines)
  const isUnproven = decoded.doubt !== null && options.encoding === undefined
  const encoding: Unproven = { kind: 'encoding', column: null, read_as: decoded.encoding }
  const table = {
    decoded,
    /** The requested options over the definition's. */
    options,
    dialect,
    header,
    plan: filled.plan,
    records,
    columns: filled.columns,
    rules: loaded.rules,
    /** How sure each part of the reading is. */
    confidence: [...beginning.confidence, ...records.confidence, ...exchange.confidence],
    /** The first records as they were read. */
    shown: showRecords(sample, dialect, header, records.roles, shownRecords),
    /** What nothing proves and nobody requested. */
    unproven: isUnproven ? [encoding, ...loaded.unproven] : loaded.unproven,
    decisions: [
      ...decoded.decisions,
      ...header.decisions,
      ...filled.decisions,
      ...describeFormerNames(plan.former),
      ...records.decisions,
      ...loaded.decisions,
      ...describeTotals(records, filled.columns, options.totals ?? 'keep', told),
      ...describeSubtotals(totalLines, options.totals ?? 'keep'),
    ],
    warnings: [
      ...warnOfFile(beginning, asked, plan, records),
      ...header.warnings,
      ...loaded.warnings,
      ...exchange.warnings,
      ...otherQuotes(beginning, plan, records),
      ...warnOfSubtotals(subtotals),
    ],
  }
  return { table, subtotals }
}
