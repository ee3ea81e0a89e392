/**
 * Turns records into rows of entry ids, and columns into tables of distinct cells: one pass over the file, and another one
 * if records of another width, judged by what all rows of the right width prove, become rows or affect rows.
 */

import { OPEN, RaggedPlaces, RaggedReader } from '../records/ragged-reader.ts'
import type { RecordCells } from '../records/record-mender.ts'
import type { Separators } from '../records/separators.ts'
import type { Fault, RowPlace } from '../report/quarantine.ts'
import { refuse } from '../report/reasons.ts'
import { SPACE } from '../structure/block.ts'
import { type CountedCell, learnColumn } from '../widths/column-evidence.ts'
import { decideWidths } from '../widths/decide-widths.ts'
import { findGaps, findPieces, markLineBreaks, type RowCells } from '../widths/line-breaks.ts'
import { lonelyQuote } from '../widths/lost-quotes.ts'
import { BROKEN_QUOTE, findShifted, findSwallowing, SHIFTED } from '../widths/row-faults.ts'
import { WidthOutcome } from '../widths/width-outcome.ts'
import { type EncodeRequest, encodeOnce, type Judged } from './encode-once.ts'
import type { EncodedRecords } from './encoded-records.ts'
import { findExchange } from './exchanged-columns.ts'
import { findSuspects, type SuspectRows } from './suspect-rows.ts'

/**
 * Reads all records after the header. Other work gets a turn between blocks.
 * @throws CommandError `refused` when a quote is never closed, a record is longer than 32 MB, the cells take too much
 * memory, or most rows have another number of cells than the header has names; `failed` on a full disk
 */
export async function encodeRecords(request: EncodeRequest): Promise<EncodedRecords> {
  await using held = new AsyncDisposableStack()
  const records = held.use(await encodeOnce(request, null))
  records.exchange = await locateExchange(request, records)
  const judged = await judgeRecords(request, records)
  if (judged === null) {
    held.move()
    return records
  }
  await held.disposeAsync()
  const { header } = request
  if ('widerHeader' in judged) {
    // Reads again with blank names for the blank cells at the ends of the records.
    const more = Array.from({ length: judged.widerHeader - header.cells.length }, () => '')
    return await encodeRecords({ ...request, header: { ...header, cells: [...header.cells, ...more] } })
  }
  const again = await encodeOnce(request, judged)
  again.exchange = records.exchange
  return again
}

/** Columns whose values change places. JSON objects carry names with their values, so theirs cannot. */
async function locateExchange(
  request: EncodeRequest,
  records: EncodedRecords,
): Promise<EncodedRecords['exchange']> {
  const exchange = request.hasMarks ? null : findExchange(records)
  if (exchange === null) return null
  const [found] = await readPlaces(request, records, [exchange.row])
  return { lanes: exchange.lanes, line: found?.place.line ?? 0 }
}

/** @returns null if the first pass stands */
async function judgeRecords(
  request: EncodeRequest,
  records: EncodedRecords,
): Promise<Judged | { widerHeader: number } | null> {
  const { cells, header, separators } = request
  const { ragged, rows } = records
  if (request.ragged === null || (ragged.size === 0 && rows === 0)) return null
  // Names that were added for trailing delimiters are right as long as no row has a value there.
  const named = header.cells.length - header.added
  const hasText = (cell: number, lane: number) =>
    cell >= named && records.entriesOf(lane).heap.some((byte) => byte > SPACE)
  if (!request.isHeaderAsked && records.cells.some(hasText))
    throw refuse('header_width', { named, cells: header.cells.length, rows, all: rows + ragged.size })
  const suspects = findSuspects(records, header.cells.length, separators)
  if (ragged.size === 0 && Object.values(suspects).every(({ length }) => length === 0)) return null
  const every = [...header.cells.keys()]
  const isWhole = every.every((cell) => cells.includes(cell))
  await using whole = isWhole ? null : await encodeOnce({ ...request, cells: every }, null)
  const evidence = learnTable(whole ?? records, header.cells.length, separators)
  const judged = ragged.size > 0 ? decideRagged(request, records, evidence) : new WidthOutcome(ragged, 0)
  if ('widerHeader' in judged) return judged
  await refuseSuspects(request, records, suspects, evidence, judged)
  const { refused } = judged
  if (judged.rows === 0 && judged.faults.size === 0 && refused.size === 0) return null
  const places = await readPlaces(request, records, refused.keys())
  const lines = places.map(({ row, place }) => [place.line, refused.get(row) as Fault] as const)
  return { outcome: judged, refused: new Map(lines) }
}

/** Quarantines rows of the right width that are not what they seem. */
async function refuseSuspects(
  request: EncodeRequest,
  records: EncodedRecords,
  { shifted, swallowing, open, torn }: SuspectRows,
  evidence: TableEvidence,
  { refused }: WidthOutcome,
): Promise<void> {
  const { columns } = evidence
  const delimiter = String.fromCharCode(request.separators.delimiter)
  // Empty: there is no quote.
  const quote = request.separators.quote < 0 ? '' : String.fromCharCode(request.separators.quote)
  const others = shifted.filter((row) => !refused.has(row))
  for (const row of findShifted(readRows(evidence, others), columns, [delimiter, quote]))
    refused.set(row, SHIFTED)
  for (const row of findSwallowing(readRows(evidence, swallowing), columns, delimiter))
    refused.set(row, BROKEN_QUOTE)
  // A quote opens within one cell and closes in a later one: the delimiter before it is missing.
  const isTorn = ({ texts, quoted }: RecordCells) => {
    const sides = texts.map((text, cell) => (quoted[cell] ? null : lonelyQuote(text, quote)))
    const opened = sides.indexOf('opens')
    return opened >= 0 && sides.includes('closes', opened)
  }
  const broken = [
    ...(await keepRows(request, records, open, ({ hasStray }) => hasStray)),
    ...(await keepRows(request, records, torn, isTorn)),
  ]
  for (const row of broken) refused.set(row, BROKEN_QUOTE)
}

/** The rows, among these, whose cells pass a test when they are read again. */
async function keepRows(
  request: EncodeRequest,
  records: EncodedRecords,
  rows: readonly number[],
  isKept: (record: RecordCells) => boolean,
): Promise<number[]> {
  if (rows.length === 0) return []
  const places = new RaggedPlaces()
  const { length } = request.header.cells
  for (const { row, place } of await readPlaces(request, records, rows))
    places.add(place.line, place.offset, place.length, length, row, OPEN)
  using reader = new RaggedReader(request.path, request.separators, places)
  return [...places.rowsBefore.subarray(0, places.size)].filter((_, at) => {
    const record = reader.read(at)
    return record !== null && isKept(record)
  })
}

function decideRagged(
  request: EncodeRequest,
  { ragged: places, rows }: EncodedRecords,
  evidence: TableEvidence,
): WidthOutcome | { widerHeader: number } {
  const { header, isHeaderAsked } = request
  const { columns } = evidence
  using reader = new RaggedReader(request.path, request.separators, places)
  const delimiter = String.fromCharCode(request.separators.delimiter)
  const table = { places, reader, names: header.cells, columns, delimiter, rows }
  const pieces = findPieces(table)
  const judged =
    request.ragged === 'repair'
      ? decideWidths({ ...table, pieces, isHeaderAsked })
      : new WidthOutcome(places, header.cells.length)
  if ('widerHeader' in judged) return judged
  const gaps = findGaps(places, judged, rows)
  const beside = new Set(gaps.flatMap(({ before, after }) => [before, after]))
  beside.delete(-1)
  const rowCells = readRows(
    evidence,
    [...beside].toSorted((a, b) => a - b),
  )
  // 200 rows, evenly spread, show what the table's texts look like.
  const count = Math.min(rows, 200)
  const spread = Array.from({ length: count }, (_, at) => Math.floor((at * rows) / count))
  const typical = readRows(
    evidence,
    spread.filter((row) => !beside.has(row)),
  )
  markLineBreaks(gaps, { ...table, pieces, rowCells, typical }, judged)
  return judged
}

/** The places of some rows; if the first pass did not keep them, the file is split once more. */
async function readPlaces(
  request: EncodeRequest,
  records: EncodedRecords,
  rows: Iterable<number>,
): Promise<{ row: number; place: RowPlace }[]> {
  const wanted = new Uint16Array(records.rows)
  for (const row of rows) wanted[row] = 1
  if (!wanted.includes(1)) return []
  const isKept = request.keepPlaces
  await using placed = isKept ? null : await encodeOnce({ ...request, cells: [], keepPlaces: true }, null)
  return [...(placed ?? records).placesOf(wanted)]
}

type TableEvidence = ReturnType<typeof learnTable>

/**
 * What all rows of the right width prove, derived from the tables of distinct cells.
 * @param records with a lane for each of the `width` columns
 */
function learnTable(records: EncodedRecords, width: number, { delimiter }: Separators) {
  const sign = String.fromCharCode(delimiter)
  const lanes = Array.from({ length: width }, (_, cell) => records.cells.indexOf(cell))
  const counts = lanes.map((lane) => records.countCells(lane, null))
  // Takes evenly spread cells of a longer list.
  function* countedCells(lane: number, counts: Uint32Array): Generator<CountedCell> {
    const step = Math.ceil(counts.length / 200_000)
    for (let id = 1; id < counts.length; id += step)
      yield { text: records.textOf(lane, id), count: counts[id] as number }
  }
  const columns = lanes.map((lane, column) =>
    learnColumn(countedCells(lane, counts[column] as Uint32Array), records.rows, sign),
  )
  return { columns, records, counts }
}

/** @param wanted ascending */
function readRows({ columns, records, counts }: TableEvidence, wanted: readonly number[]): RowCells {
  const rows = new Map<number, CountedCell[]>(wanted.map((row) => [row, []]))
  if (wanted.length === 0) return rows
  for (const column of columns.keys()) {
    const lane = records.cells.indexOf(column)
    let first = 0
    let next = 0
    for (const ids of records.idsOf(lane)) {
      for (; next < wanted.length && (wanted[next] as number) < first + ids.length; next++) {
        const row = wanted[next] as number
        const id = ids[row - first] as number
        rows.get(row)?.push({ text: records.textOf(lane, id), count: counts[column]?.[id] ?? 0 })
      }
      first += ids.length
    }
  }
  return rows
}
