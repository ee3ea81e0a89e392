/** One pass over the file: records become rows of entry ids, columns become tables of distinct cells. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { BlockReader } from '../delimited/block-reader.ts'
import { openQuoteError, RecordSplitter, type Separators } from '../delimited/record-splitter.ts'
import type { Decision } from '../report.ts'
import type { ConvertedRepairs } from '../source/converted-repairs.ts'
import { type BodyRules, BodyWatch, type Outcasts, type TotalRow } from '../structure/body.ts'
import type { Header } from '../structure/header.ts'
import { Mender } from '../structure/ragged.ts'
import { learnPattern, type RowPattern } from '../structure/row-pattern.ts'
import { cellMemory, refuseTooMuchText } from './cell-memory.ts'
import { CellTable } from './cell-table.ts'
import { isUnreadable } from './marks.ts'
import { Quarantine, type RowPlace } from './quarantine.ts'
import { lanesElsewhere, SECOND_THREAD_FROM_BYTES, SecondThread } from './second-thread.ts'
import { Spill } from './spill.ts'

export interface EncodeRequest {
  /** UTF-8, readable from any offset. */
  readonly path: string
  readonly workFolder: string
  readonly separators: Separators
  readonly header: Header
  /** Offset behind the byte order mark; the header's offsets count from here. */
  readonly from: number
  /** Cells, from 0, that become columns; each gets one lane of the spill, in this order. */
  readonly cells: readonly number[]
  /** Rows may still be refused: keep where each one stands, in three more lanes. */
  readonly keepPlaces: boolean
  /** How records of another width are mended; null: they go into quarantine. */
  readonly pattern: RowPattern | null
  readonly rules: BodyRules
  /** The records were made of JSON and may hold `marks.ts`. */
  readonly hasMarks?: boolean
  /** Bytes of the file from which on a second thread helps; `SECOND_THREAD_FROM_BYTES` when left out. */
  readonly secondThreadFrom?: number | undefined
  readonly onBlock: (bytes: number, rows: number) => void
}

const TOO_FEW = { reason: 'too_few_cells', column: null }
const TOO_MANY = { reason: 'too_many_cells', column: null }
const INVALID_JSON = { reason: 'invalid_json', column: null }
const BROKEN_QUOTE = { reason: 'broken_quote', column: null }

/** Rows of a column that the file lacks come in blocks of this many. */
const EMPTY_ROWS = 0x10000
/** Work files: the lanes of this thread, and those of the other one. */
const OWN_SPILL = 'rows'
const SPILL_ELSEWHERE = 'rows-elsewhere'

export class EncodedRecords {
  /** Records that are not rows. */
  blank = 0
  /** One per asked cell. */
  readonly tables: readonly CellTable[]
  /** Per asked cell, how many were read in spite of stray quotes. */
  strayQuotes: readonly number[] = []
  /** Per asked cell, how many were missing, and how many put together, in records of another width. */
  missingCells: readonly number[] = []
  joinedCells: readonly number[] = []
  /** What the conversion into records mended. */
  converted: ConvertedRepairs | null = null
  /** What was decided on the way about rows, and totals that were met. */
  decisions: readonly Decision[] = []
  totals: readonly TotalRow[] = []
  /** Cells of the records that are no rows for having too few, one entry each. */
  readonly shortWidths: number[] = []
  /** Records that are no rows for having too many. */
  wideRecords = 0
  /** Records of another width or with a broken quote, and rows refused later. */
  readonly quarantine: Quarantine
  /** The asked cells that this thread encodes, and those that another one does, by their lane. */
  private readonly own: readonly number[]
  private readonly elsewhere: readonly number[]
  /** Lanes: one per own cell, then (`keepPlaces`) line, offset within the block, length. */
  private readonly spill: Spill
  /** One lane per cell elsewhere; null until they are here, or when there are none. */
  private spillElsewhere: Spill | null = null
  /** File offset of each block of the spill. */
  private readonly blockOffsets: number[] = []

  readonly cells: readonly number[]
  private readonly hasMarks: boolean
  private readonly memory = cellMemory()

  /** The other thread of a large file; it has nothing to do between `seal` and `close` but what it is asked. */
  readonly secondThread: SecondThread | null

  constructor(
    {
      cells,
      keepPlaces,
      workFolder,
      hasMarks = false,
      secondThreadFrom = SECOND_THREAD_FROM_BYTES,
    }: EncodeRequest,
    fileBytes: number,
  ) {
    this.cells = cells
    this.hasMarks = hasMarks
    this.quarantine = new Quarantine(hasMarks)
    const seed = crypto.getRandomValues(new Int32Array(1))[0] as number
    this.tables = cells.map(() => new CellTable(seed))
    this.elsewhere = lanesElsewhere(cells.length, fileBytes, secondThreadFrom)
    this.own = [...cells.keys()].filter((lane) => !this.elsewhere.includes(lane))
    this.spill = new Spill(join(workFolder, OWN_SPILL), this.own.length + (keepPlaces ? 3 : 0))
    const spillPath = join(workFolder, SPILL_ELSEWHERE)
    const cellsElsewhere = this.elsewhere.map((lane) => cells[lane] as number)
    this.secondThread =
      cellsElsewhere.length > 0 ? new SecondThread({ seed, cells: cellsElsewhere, spillPath }) : null
  }

  /** Records of the right width. */
  get rows(): number {
    return this.spill.rows
  }

  /**
   * The cell ids of all rows in one lane, a block at a time; each array is overwritten by the next one.
   * @param lane -1: of a column that the file lacks, empty in every row
   */
  *idsOf(lane: number): Generator<Uint32Array> {
    const elsewhere = this.elsewhere.indexOf(lane)
    if (elsewhere >= 0) return yield* (this.spillElsewhere as Spill).read(elsewhere)
    if (lane >= 0) return yield* this.spill.read(this.own.indexOf(lane))
    const empty = new Uint32Array(Math.min(this.rows, EMPTY_ROWS))
    for (let row = 0; row < this.rows; row += empty.length) yield empty.subarray(0, this.rows - row)
  }

  /**
   * Where each row stands, a block at a time.
   * @param wanted not 0 for each row asked for
   */
  *placesOf(wanted: Uint16Array): Generator<{ row: number; place: RowPlace }> {
    const first = this.own.length
    const starts = this.spill.read(first + 1)
    const lengths = this.spill.read(first + 2)
    let row = 0
    let block = 0
    for (const lines of this.spill.read(first)) {
      const start = starts.next().value as Uint32Array
      const length = lengths.next().value as Uint32Array
      const from = this.blockOffsets[block++] as number
      for (let i = 0; i < lines.length; i++, row++) {
        if (wanted[row] === 0) continue
        const place = {
          line: lines[i] as number,
          offset: from + (start[i] as number),
          length: length[i] as number,
        }
        yield { row, place }
      }
    }
  }

  /**
   * Takes over the rows of a block that was just split.
   * @param offset where it begins in the file
   * @throws CommandError what this thread or the other one failed with
   */
  async addBlock(splitter: RecordSplitter, view: DataView, offset: number, out: Outcasts): Promise<void> {
    const bytes = new Uint8Array(view.buffer)
    this.refuse(splitter, bytes, offset, out)
    splitter.removeRows(out.rows)
    const { width, rows, starts, ends, lines, rowStarts, rowEnds } = splitter
    if (rows === 0) return
    this.blockOffsets.push(offset)
    await this.secondThread?.ready()
    this.secondThread?.send(splitter, bytes)
    const block = { view, starts, ends, width, rows }
    const { tables, own } = this
    const ids = new Uint32Array(rows)
    this.spill.writeBlock(rows, (place) => {
      const lane = own[place]
      if (lane !== undefined) {
        const table = tables[lane] as CellTable
        table.encode(block, this.cells[lane] as number, ids)
        return { values: ids, largest: table.count }
      }
      if (place === own.length) return { values: lines, largest: splitter.line }
      if (place === own.length + 1) return { values: rowStarts, largest: rowStarts[rows - 1] as number }
      for (let row = 0; row < rows; row++) ids[row] = (rowEnds[row] as number) - (rowStarts[row] as number)
      return { values: ids, largest: rowEnds[rows - 1] as number }
    })
    refuseTooMuchText(tables, this.secondThread?.bytes ?? 0, this.memory)
  }

  /** Puts what is no row into quarantine: records of another width, and rows that the layout brought. */
  private refuse(
    { width, lines, rowStarts, rowEnds, ragged }: RecordSplitter,
    bytes: Uint8Array,
    offset: number,
    out: Outcasts,
  ): void {
    for (const record of ragged) {
      const { line, start, end, cells, broken } = record
      const isInvalid = this.hasMarks && isUnreadable(bytes, start)
      const truer = isInvalid ? INVALID_JSON : out.ragged.get(record)
      const fault = truer ?? (broken ? BROKEN_QUOTE : cells < width ? TOO_FEW : TOO_MANY)
      this.quarantine.add({ line, offset: offset + start, length: end - start }, fault)
      if (fault === TOO_FEW) this.shortWidths.push(cells)
      if (fault === TOO_MANY) this.wideRecords++
    }
    for (const [row, fault] of out.rows) {
      const start = rowStarts[row] as number
      const place = {
        line: lines[row] as number,
        offset: offset + start,
        length: (rowEnds[row] as number) - start,
      }
      this.quarantine.add(place, fault)
    }
  }

  /** To be called once, when the last block is in. */
  async seal(splitter: RecordSplitter, mender: Mender | null, watch: BodyWatch): Promise<void> {
    this.blank = splitter.blank
    const perCell = (counts: Float64Array | undefined) => this.cells.map((cell) => counts?.[cell] ?? 0)
    this.strayQuotes = perCell(splitter.strayQuotes)
    this.missingCells = perCell(mender?.missingCells)
    this.joinedCells = perCell(mender?.joinedCells)
    this.decisions = [...(mender?.decisions() ?? []), ...watch.decisions()]
    this.totals = watch.totals
    for (const table of this.tables) table.seal()
    this.spill.flush()
    if (this.secondThread === null) return
    const sealed = await this.secondThread.seal()
    this.spillElsewhere = Spill.open(sealed.spill)
    for (const [place, table] of sealed.tables.entries())
      this.tables[this.elsewhere[place] as number]?.adopt(table)
  }

  /** Ends the other thread, when there is one, and closes the work files. */
  async close(): Promise<void> {
    await this.secondThread?.stop()
    this.spill.close()
    this.spillElsewhere?.close()
  }
}

/**
 * Reads all records behind the header. Gives other work a turn between blocks. When records of another width were left
 * over and the rows of the whole file tell more about them than its beginning did, it reads once more.
 * @throws CommandError `refused` when a quote is never closed, a record is longer than 256 MB or the cells take too much memory; `failed` on a full disk
 */
export async function encodeRecords(request: EncodeRequest): Promise<EncodedRecords> {
  const records = await encodeOnce(request)
  let pattern: RowPattern | null
  try {
    pattern = learnMore(request, records)
  } catch (error) {
    await records.close()
    throw error
  }
  if (pattern === null) return records
  await records.close()
  for (const name of [OWN_SPILL, SPILL_ELSEWHERE]) rmSync(join(request.workFolder, name), { force: true })
  return encodeOnce({ ...request, pattern })
}

async function encodeOnce(request: EncodeRequest): Promise<EncodedRecords> {
  const { header, separators, pattern } = request
  const mender = pattern && new Mender(header.cells, pattern)
  const watch = new BodyWatch(header, request.rules)
  const splitter = new RecordSplitter(separators, header.cells.length, { line: header.nextLine, mender })
  const reader = new BlockReader(request.path, request.from + header.end)
  const records = new EncodedRecords(request, reader.fileBytes)
  try {
    while (reader.fill()) {
      const used = splitter.split(reader.bytes, reader.length, reader.final)
      if (splitter.openQuote) throw openQuoteError(splitter.openQuote)
      const out = watch.inspect(splitter, reader.bytes, reader.final)
      await records.addBlock(splitter, reader.view, reader.offset, out)
      reader.advance(used, splitter.line)
      request.onBlock(reader.offset, records.rows)
      await setImmediate()
    }
    await records.seal(splitter, mender, watch)
    return records
  } catch (error) {
    await records.close()
    throw error
  } finally {
    reader.close()
  }
}

/** Records left over from which on another pass is worth its time. */
const WORTH_LEARNING = 3

/** What all good rows tell that the beginning of the file did not; null when nothing new. */
function learnMore({ pattern, header, cells }: EncodeRequest, records: EncodedRecords): RowPattern | null {
  const { shortWidths, wideRecords, tables } = records
  if (pattern === null || shortWidths.length + wideRecords < WORTH_LEARNING) return null
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const columns = header.cells.map(function* (_, cell) {
    const entries = tables[cells.indexOf(cell)]?.entries()
    for (let i = 0; entries && i + 1 < entries.offsets.length; i++)
      yield decoder.decode(entries.heap.subarray(entries.offsets[i], entries.offsets[i + 1]))
  })
  const learnt = learnPattern(header.cells, columns, records.rows, shortWidths)
  const isNew =
    (learnt.kinds !== null && pattern.kinds === null) ||
    (learnt.kinds !== null && learnt.shortWidth !== null && learnt.shortWidth !== pattern.shortWidth)
  return isNew ? learnt : null
}
