/**
 * Records become rows of entry ids, columns become tables of distinct cells: one pass over the file, and another one when
 * records of another width, judged by what all rows of the right width prove, become rows or take rows along.
 */

import { setImmediate } from 'node:timers/promises'
import { BlockReader } from '../records/block-reader.ts'
import { addBrokenRecords } from '../records/broken-bytes.ts'
import { OPEN, RaggedPlaces } from '../records/ragged-places.ts'
import { RaggedReader } from '../records/ragged-reader.ts'
import { openQuoteError, RecordSplitter } from '../records/record-splitter.ts'
import type { Separators } from '../records/separators.ts'
import type { Fault, RowPlace } from '../report/quarantine.ts'
import type { HiddenRows } from '../source/spreadsheet/sheet-records.ts'
import type { Outcasts } from '../structure/block-entries.ts'
import { type BodyRules, BodyWatch } from '../structure/body.ts'
import type { Header } from '../structure/header.ts'
import { findPieces } from '../widths/cut-records.ts'
import { headerError, judgeWidths } from '../widths/judge.ts'
import { Judgement } from '../widths/judgement.ts'
import { findGaps, judgeGaps } from '../widths/neighbours.ts'
import { BROKEN_QUOTE, findShifted, findSwallowing, SHIFTED } from '../widths/row-faults.ts'
import { EncodedRecords, type LaneRequest } from './encoded-records.ts'
import { areNone, findSuspects, type SuspectRows } from './suspect-rows.ts'
import { learnTable, readRows, type TableEvidence } from './table-evidence.ts'

export interface EncodeRequest extends LaneRequest {
  /** UTF-8, readable from any offset. */
  readonly path: string
  readonly separators: Separators
  readonly header: Header
  /** Offset behind the byte order mark; the header's offsets count from here. */
  readonly from: number
  /** What is done about records of another width; null: there are none, the records were made by a converter. */
  readonly ragged: 'repair' | 'quarantine' | null
  /** Somebody named the header. */
  readonly isHeaderAsked: boolean
  readonly rules: BodyRules
  /** The decoding met bytes that the encoding does not have. */
  readonly hasBroken?: boolean
  /** Records that go into quarantine because their sheet hides them. */
  readonly hiddenRows?: readonly HiddenRows[] | undefined
  /** Nothing is read behind the block with this record; left out: all. */
  readonly mostRecords?: number | undefined
  readonly onBlock: (bytes: number, rows: number) => void
}

/** Rows that show what the texts of a table are like. */
const TYPICAL_ROWS = 200
const SPACE = 0x20
const HIDDEN: Fault = { reason: 'hidden', column: null, isLayout: true }

/** What a second pass does otherwise than the first. */
interface Judged {
  readonly judgement: Judgement
  /** Rows of the right width that go into quarantine, by line. */
  readonly refused: ReadonlyMap<number, Fault>
}

/**
 * Reads all records behind the header. Gives other work a turn between blocks.
 * @throws CommandError `refused` when a quote is never closed, a record is longer than 32 MB, the cells take too much
 * memory, or most rows have another number of cells than the header has names; `failed` on a full disk
 */
export async function encodeRecords(request: EncodeRequest): Promise<EncodedRecords> {
  const records = await encodeOnce(request, null)
  if (request.ragged === null || (records.ragged.size === 0 && records.rows === 0)) return records
  try {
    refuseUnnamed(request, records)
    const judged = await judgeRecords(request, records)
    if (judged === null) return records
    await records.close()
    if ('widerHeader' in judged) return await encodeRecords(widen(request, judged.widerHeader))
    return await encodeOnce(request, judged)
  } catch (error) {
    await records.close()
    throw error
  }
}

/** The same with blank names for the blank cells at the ends of the records. */
function widen(request: EncodeRequest, width: number): EncodeRequest {
  const { header } = request
  const more = Array.from({ length: width - header.cells.length }, () => '')
  return { ...request, header: { ...header, cells: [...header.cells, ...more] } }
}

/** Names that were added for delimiters at the ends of the rows are right as long as no row has a value there. */
function refuseUnnamed(
  { header, isHeaderAsked }: EncodeRequest,
  { cells, tables, rows, ragged }: EncodedRecords,
): void {
  const { length } = header.cells
  const named = length - header.added
  const hasText = (heap: Uint8Array) => heap.some((byte) => byte > SPACE)
  if (
    isHeaderAsked ||
    !tables.some((table, lane) => (cells[lane] as number) >= named && hasText(table.entries().heap))
  )
    return
  throw headerError(named, { rows, all: rows + ragged.size, cells: length })
}

/** @returns null when the first pass stands as it is */
async function judgeRecords(
  request: EncodeRequest,
  records: EncodedRecords,
): Promise<Judged | { widerHeader: number } | null> {
  const hasRagged = records.ragged.size > 0
  const { cells, header, separators } = request
  const suspects = findSuspects(records, header.cells.length, separators)
  if (!hasRagged && areNone(suspects)) return null
  const isWhole = header.cells.every((_, cell) => cells.includes(cell))
  const every = [...header.cells.keys()]
  const whole = isWhole ? records : await encodeOnce({ ...request, cells: every }, null)
  try {
    const evidence = learnTable(whole, header.cells.length, separators)
    const judged = hasRagged ? judgeRagged(request, records, evidence) : new Judgement(records.ragged, 0)
    if ('widerHeader' in judged) return judged
    await judgeSuspects(request, records, suspects, evidence, judged)
    if (judged.rows === 0 && judged.faults.size === 0 && judged.refused.size === 0) return null
    return { judgement: judged, refused: await findLines(request, records, judged) }
  } finally {
    if (!isWhole) await whole.close()
  }
}

/** Delimiter and quote as texts; an empty one means nothing. */
function signsOf({ delimiter, quote }: Separators): readonly [delimiter: string, quote: string] {
  return [String.fromCharCode(delimiter), quote < 0 ? '' : String.fromCharCode(quote)]
}

/** Puts rows of the right width that are not what they seem into quarantine. */
async function judgeSuspects(
  request: EncodeRequest,
  records: EncodedRecords,
  { shifted, swallowing, open }: SuspectRows,
  evidence: TableEvidence,
  { refused }: Judgement,
): Promise<void> {
  const { columns } = evidence
  const [delimiter] = signsOf(request.separators)
  const others = shifted.filter((row) => !refused.has(row))
  for (const row of findShifted(readRows(evidence, others), columns, delimiter)) refused.set(row, SHIFTED)
  for (const row of findSwallowing(readRows(evidence, swallowing), columns, delimiter))
    refused.set(row, BROKEN_QUOTE)
  for (const row of await keepStray(request, records, open)) refused.set(row, BROKEN_QUOTE)
}

/** Of some rows, those with a quote that stands neither at the beginning nor at the end of a cell, or is alone there. */
async function keepStray(
  request: EncodeRequest,
  records: EncodedRecords,
  rows: readonly number[],
): Promise<number[]> {
  if (rows.length === 0) return []
  const places = new RaggedPlaces()
  const { length } = request.header.cells
  await readPlaces(request, records, rows, (row, place) =>
    places.add(place.line, place.offset, place.length, length, row, OPEN),
  )
  const reader = new RaggedReader(request.path, request.separators, places)
  try {
    return [...places.rowsBefore.subarray(0, places.size)].filter((_, at) => reader.read(at)?.hasStray)
  } finally {
    reader.close()
  }
}

function judgeRagged(
  request: EncodeRequest,
  { ragged: places, rows }: EncodedRecords,
  evidence: TableEvidence,
): Judgement | { widerHeader: number } {
  const { header, isHeaderAsked } = request
  const { columns } = evidence
  const reader = new RaggedReader(request.path, request.separators, places)
  const [delimiter, quote] = signsOf(request.separators)
  try {
    const pieces = findPieces({ places, reader, columns })
    const judged =
      request.ragged === 'repair'
        ? judgeWidths({
            places,
            reader,
            names: header.cells,
            columns,
            delimiter,
            rows,
            pieces,
            isHeaderAsked,
          })
        : new Judgement(places, header.cells.length)
    if ('widerHeader' in judged) return judged
    const gaps = findGaps(places, judged, rows)
    const beside = new Set(gaps.flatMap(({ before, after }) => [before, after]))
    beside.delete(-1)
    const read = (some: Iterable<number>) =>
      readRows(
        evidence,
        [...some].sort((a, b) => a - b),
      )
    const typical = read(spread(rows, TYPICAL_ROWS).filter((row) => !beside.has(row)))
    judgeGaps(gaps, { places, reader, columns, pieces, quote, rowCells: read(beside), typical }, judged)
    return judged
  } finally {
    reader.close()
  }
}

/** Some rows of all, evenly spread. */
function spread(rows: number, count: number): number[] {
  const wanted = Math.min(rows, count)
  return Array.from({ length: wanted }, (_, at) => Math.floor((at * rows) / wanted))
}

/** The lines of refused rows. */
async function findLines(
  request: EncodeRequest,
  records: EncodedRecords,
  { refused }: Judgement,
): Promise<Map<number, Fault>> {
  const lines = new Map<number, Fault>()
  await readPlaces(request, records, refused.keys(), (row, { line }) =>
    lines.set(line, refused.get(row) as Fault),
  )
  return lines
}

/** Where some rows stand; the file is split once more where the first pass did not keep that. */
async function readPlaces(
  request: EncodeRequest,
  records: EncodedRecords,
  rows: Iterable<number>,
  onPlace: (row: number, place: RowPlace) => void,
): Promise<void> {
  const wanted = new Uint16Array(records.rows)
  let count = 0
  for (const row of rows) {
    wanted[row] = 1
    count++
  }
  if (count === 0) return
  const placed = request.keepPlaces
    ? records
    : await encodeOnce({ ...request, cells: [], keepPlaces: true }, null)
  try {
    for (const { row, place } of placed.placesOf(wanted)) onPlace(row, place)
  } finally {
    if (placed !== records) await placed.close()
  }
}

async function encodeOnce(request: EncodeRequest, judged: Judged | null): Promise<EncodedRecords> {
  const { header, separators } = request
  const mender = judged?.judgement.mender() ?? null
  const watch = new BodyWatch(header, request.rules)
  const splitter = new RecordSplitter(separators, header.cells.length, { line: header.nextLine, mender })
  const reader = new BlockReader(request.path, request.from + header.end)
  const records = new EncodedRecords(request, reader.fileBytes, judged?.judgement)
  try {
    while (reader.fill()) {
      const used = splitter.split(reader.bytes, reader.length, reader.final)
      if (splitter.openQuote) throw openQuoteError(splitter.openQuote)
      const found = watch.inspect(splitter, reader.bytes, reader.final)
      const kept = request.hasBroken ? addBrokenRecords(splitter, reader.bytes, used, found) : found
      const shown = withHidden(kept, splitter, request.hiddenRows)
      const out = judged === null || judged.refused.size === 0 ? shown : withRefused(shown, splitter, judged)
      await records.addBlock(splitter, reader.view, reader.offset, out)
      reader.advance(used, splitter.line)
      request.onBlock(reader.offset, records.rows)
      if (isEnough(request, records, reader.offset)) break
      await setImmediate()
    }
    await records.seal(splitter, watch)
    return records
  } catch (error) {
    await records.close()
    throw error
  } finally {
    reader.close()
  }
}

/** Of very wide records fewer are read. */
const LARGEST_PREVIEW = 1 << 23

function isEnough({ mostRecords, from }: EncodeRequest, { rows }: EncodedRecords, offset: number): boolean {
  return mostRecords !== undefined && (rows >= mostRecords || offset - from >= LARGEST_PREVIEW)
}

function withHidden(
  found: Outcasts,
  { rows: count, lines }: RecordSplitter,
  hidden: readonly HiddenRows[] = [],
): Outcasts {
  if (hidden.length === 0) return found
  const rows = new Map(found.rows)
  let at = 0
  for (let row = 0; row < count; row++) {
    const line = lines[row] as number
    while ((hidden[at]?.to ?? line) < line) at++
    if (line >= (hidden[at]?.from ?? Number.POSITIVE_INFINITY)) rows.set(row, HIDDEN)
  }
  return { ...found, rows }
}

function withRefused(found: Outcasts, { rows: count, lines }: RecordSplitter, { refused }: Judged): Outcasts {
  const rows = new Map(found.rows)
  for (let row = 0; row < count; row++) {
    const fault = refused.get(lines[row] as number)
    if (fault !== undefined && !rows.has(row)) rows.set(row, fault)
  }
  return { ...found, rows }
}
