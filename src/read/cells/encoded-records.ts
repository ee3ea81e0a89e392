/** The rows of a file as lanes of entry ids, and the distinct cells of its columns. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RawEntries } from '../../engine/columns/column.ts'
import { BROKEN, LAYOUT, OPEN, RaggedPlaces } from '../records/ragged-reader.ts'
import type { RecordSplitter } from '../records/record-splitter.ts'
import type { ConfidencePart } from '../report/confidence.ts'
import type { Decision, RecordRole } from '../report/decisions.ts'
import { isUnreadable } from '../report/marks.ts'
import { type Fault, Quarantine, type RowPlace } from '../report/quarantine.ts'
import type { countConverted } from '../source/conversion/conversion.ts'
import type { Block, Entry } from '../structure/block.ts'
import type { BodyWatch, TotalRow } from '../structure/body.ts'
import { BROKEN_QUOTE } from '../widths/row-faults.ts'
import type { WidthOutcome } from '../widths/width-outcome.ts'
import { CellTable, cellMemory, refuseTooMuchText } from './cell-table.ts'
import { lanesElsewhere, SECOND_THREAD_FROM_BYTES, SecondThread } from './second-thread.ts'
import { Spill } from './spill.ts'

export interface LaneRequest {
  readonly workFolder: string
  /** Cells, from 0, that become columns; each gets one lane of the spill, in this order. */
  readonly cells: readonly number[]
  /** Rows may still be refused, so three more lanes keep the place of each. */
  readonly keepPlaces: boolean
  /** The records come from JSON and may contain the marks of `marks.ts`. */
  readonly hasMarks?: boolean
  /** Reasons of records that are print layout: these are left out, and nothing is missing without them. */
  readonly leaveOut?: ReadonlySet<string>
  /** File size in bytes from which a second thread helps; `SECOND_THREAD_FROM_BYTES` when left out. */
  readonly secondThreadFrom?: number | undefined
}

const TOO_FEW: Fault = { reason: 'too_few_cells', column: null }
const TOO_MANY = { reason: 'too_many_cells', column: null }
const INVALID_JSON = { reason: 'invalid_json', column: null }

/** The lines of this many first rows are always kept. */
export const ROWS_WITH_LINES = 100_000

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export class EncodedRecords implements AsyncDisposable {
  /** Blank records. */
  blank = 0
  /** One for each requested cell. */
  readonly tables: readonly CellTable[]
  /** For each requested cell: how many were read despite stray quotes. */
  strayQuotes: readonly number[] = []
  /** For each requested cell, in records of another width: how many were missing, and how many were joined. */
  missingCells: readonly number[] = []
  joinedCells: readonly number[] = []
  /** Repairs made by the conversion into records. */
  converted: ReturnType<typeof countConverted> | null = null
  /** Decisions made along the way about rows, and totals that were found. */
  decisions: readonly Decision[] = []
  totals: readonly TotalRow[] = []
  /** What readings of the whole table leave in doubt. */
  readonly confidence: readonly ConfidencePart[]
  /** From `line` on, each lane has what the next one has before it, the last one what the first one has; null: none. */
  exchange: { readonly lanes: readonly number[]; readonly line: number } | null = null
  /** What the records at the beginning of the file are, by line; missing: data. */
  roles: ReadonlyMap<number, RecordRole> = new Map()
  /** The places of records of another width, except mended ones. */
  readonly ragged = new RaggedPlaces()
  /** Mended records; the reason is what was done. */
  readonly mended: Quarantine
  /** Records of another width or with a broken quote, and rows refused later. */
  readonly quarantine: Quarantine
  /** Titles, notes, repeated headers, totals. */
  readonly leftOut: Quarantine
  readonly #leaveOut: ReadonlySet<string>
  /** The lanes that this thread encodes, and those that the other one does. */
  readonly #own: readonly number[]
  readonly #elsewhere: readonly number[]
  /** Lanes: one for each own cell, then (`keepPlaces`) line, offset within the block, length. */
  readonly #spill: Spill
  /** One lane for each cell of the other thread; null until they arrive, or if there are none. */
  #spillElsewhere: Spill | null = null
  /** File offset of each block of the spill. */
  readonly #blockOffsets: number[] = []
  readonly #lines: Uint32Array[] = []

  readonly cells: readonly number[]
  readonly #hasMarks: boolean
  readonly #outcome: WidthOutcome | null
  readonly #memory = cellMemory()
  /** Files with the lanes of this thread, and of the other one. */
  readonly #workFiles: readonly string[]

  /** The other thread of a large file; between `seal` and `close` it only does what it is asked to. */
  readonly secondThread: SecondThread | null

  constructor(request: LaneRequest, fileBytes: number, outcome?: WidthOutcome) {
    const { cells, hasMarks = false, secondThreadFrom = SECOND_THREAD_FROM_BYTES } = request
    this.cells = cells
    this.#outcome = outcome ?? null
    // A reading of the whole table is never surer.
    this.confidence = outcome?.hasReading ? [{ of: 'reading', sure: 0.9 }] : []
    this.mended = outcome?.mended ?? new Quarantine()
    this.#hasMarks = hasMarks
    this.quarantine = new Quarantine(hasMarks)
    this.leftOut = new Quarantine(hasMarks)
    this.#leaveOut = request.leaveOut ?? new Set()
    const seed = crypto.getRandomValues(new Int32Array(1))[0] as number
    this.tables = cells.map(() => new CellTable(seed))
    this.#elsewhere = lanesElsewhere(cells.length, fileBytes, secondThreadFrom)
    this.#own = [...cells.keys()].filter((lane) => !this.#elsewhere.includes(lane))
    const ownPath = join(request.workFolder, `rows-${crypto.randomUUID()}`)
    this.#spill = new Spill(ownPath, this.#own.length + (request.keepPlaces ? 3 : 0))
    const spillPath = `${ownPath}-elsewhere`
    this.#workFiles = [ownPath, spillPath]
    const cellsElsewhere = this.#elsewhere.map((lane) => cells[lane] as number)
    this.secondThread =
      cellsElsewhere.length > 0 ? new SecondThread({ seed, cells: cellsElsewhere, spillPath }) : null
  }

  get rows(): number {
    return this.#spill.rows
  }

  /** The distinct cells of a lane; none for a column that the file lacks. */
  entriesOf(lane: number): RawEntries {
    return this.tables[lane]?.entries() ?? { heap: new Uint8Array(0), offsets: new Uint32Array(1) }
  }

  /** The text of a distinct cell of a lane; id 0 is the empty cell. */
  textOf(lane: number, id: number): string {
    const { heap, offsets } = this.entriesOf(lane)
    return id === 0 ? '' : decoder.decode(heap.subarray(offsets[id - 1], offsets[id]))
  }

  /**
   * Imported rows for each cell id of a lane, including 0, the empty cell.
   * @param refused not 0 for each row to leave out; null: none
   */
  countCells(lane: number, refused: Uint16Array | null): Uint32Array {
    const counts = new Uint32Array((this.tables[lane]?.count ?? 0) + 1)
    let row = 0
    for (const ids of this.idsOf(lane)) {
      if (refused === null) for (let i = 0; i < ids.length; i++) counts[ids[i] as number]!++
      else for (let i = 0; i < ids.length; i++) if (refused[row + i] === 0) counts[ids[i] as number]!++
      row += ids.length
    }
    return counts
  }

  /**
   * The cell ids of all rows in one lane, a block at a time; each array is overwritten by the next one.
   * @param lane -1: a column that the file lacks, empty in every row
   */
  *idsOf(lane: number): Generator<Uint32Array> {
    if (lane >= 0) return yield* this.#spillOf(lane).read(this.#placeOf(lane))
    const empty = new Uint32Array(Math.min(this.rows, 0x10000))
    for (let row = 0; row < this.rows; row += empty.length) yield empty.subarray(0, this.rows - row)
  }

  /** The lines of some of the first rows, in order. */
  linesOf(rows: readonly number[]): number[] {
    const lines: number[] = []
    let first = 0
    for (const block of this.#lines) {
      for (const row of rows)
        if (row >= first && row < first + block.length) lines.push(block[row - first] as number)
      first += block.length
    }
    return lines
  }

  /** The ids of a lane in some rows, ascending. */
  pickIds(lane: number, rows: readonly number[]): number[] {
    return this.#spillOf(lane).pick(this.#placeOf(lane), rows)
  }

  #spillOf(lane: number): Spill {
    return this.#elsewhere.includes(lane) ? (this.#spillElsewhere as Spill) : this.#spill
  }

  #placeOf(lane: number): number {
    return Math.max(this.#elsewhere.indexOf(lane), this.#own.indexOf(lane))
  }

  /**
   * The place of each row, a block at a time.
   * @param wanted not 0 for each requested row
   */
  *placesOf(wanted: Uint16Array): Generator<{ row: number; place: RowPlace }> {
    const first = this.#own.length
    const starts = this.#spill.read(first + 1)
    const lengths = this.#spill.read(first + 2)
    let row = 0
    let block = 0
    for (const lines of this.#spill.read(first)) {
      const start = starts.next().value as Uint32Array
      const length = lengths.next().value as Uint32Array
      const from = this.#blockOffsets[block++] as number
      for (let i = 0; i < lines.length; i++, row++) {
        if (wanted[row] === 0) continue
        const offset = from + (start[i] as number)
        yield { row, place: { line: lines[i] as number, offset, length: length[i] as number } }
      }
    }
  }

  /**
   * Adds the rows of a block that was just split.
   * @param offset the block's offset in the file
   * @throws CommandError when this thread or the other one fails
   */
  async addBlock(block: Block, view: DataView, offset: number): Promise<void> {
    const { bytes, splitter, out } = block
    this.#refuse(block, offset)
    splitter.removeRows(out.rows)
    this.#keepRagged(block, offset)
    const { width, rows, starts, ends, lines, rowStarts, rowEnds } = splitter
    if (rows === 0) return
    this.#blockOffsets.push(offset)
    if (this.#spill.rows < ROWS_WITH_LINES) this.#lines.push(lines.slice(0, rows))
    await this.secondThread?.ready()
    this.secondThread?.send(splitter, bytes)
    const cells = { view, starts, ends, width, rows }
    const { tables } = this
    const own = this.#own
    const ids = new Uint32Array(rows)
    this.#spill.writeBlock(rows, (place) => {
      const lane = own[place]
      if (lane !== undefined) {
        const table = tables[lane] as CellTable
        table.encode(cells, this.cells[lane] as number, ids)
        return { values: ids, largest: table.count }
      }
      if (place === own.length) return { values: lines, largest: splitter.line }
      if (place === own.length + 1) return { values: rowStarts, largest: rowStarts[rows - 1] as number }
      for (let row = 0; row < rows; row++) ids[row] = (rowEnds[row] as number) - (rowStarts[row] as number)
      return { values: ids, largest: rowEnds[rows - 1] as number }
    })
    refuseTooMuchText(tables, this.secondThread?.bytes ?? 0, this.#memory)
  }

  /** Sets aside what isn't a row: in quarantine, or left out where the request says so. */
  #refuse(block: Block, offset: number): void {
    const { bytes, splitter, out } = block
    const add = ({ line, start, end }: Pick<Entry, 'line' | 'start' | 'end'>, fault: Fault) => {
      const list = this.#leaveOut.has(fault.reason) ? this.leftOut : this.quarantine
      list.add({ line, offset: offset + start, length: end - start }, fault)
    }
    for (const record of splitter.ragged) {
      const { line, start, cells, broken } = record
      const isInvalid = this.#hasMarks && isUnreadable(bytes, start)
      const told = this.#outcome?.faults.get(line) ?? (cells < splitter.width ? TOO_FEW : TOO_MANY)
      add(record, isInvalid ? INVALID_JSON : (out.ragged.get(record) ?? (broken ? BROKEN_QUOTE : told)))
    }
    for (const [row, fault] of out.rows) add(block.rowEntry(row), fault)
  }

  /** Call it after the refused rows were removed from the block. */
  #keepRagged({ splitter: { ragged, rows, rowStarts }, out }: Block, offset: number): void {
    let row = 0
    for (const record of ragged) {
      const { line, start, end, cells, broken } = record
      while (row < rows && (rowStarts[row] as number) < start) row++
      const settled = broken ? BROKEN : out.ragged.has(record) ? LAYOUT : OPEN
      this.ragged.add(line, offset + start, end - start, cells, this.#spill.rows + row, settled)
    }
  }

  /** Call it once, after the last block. */
  async seal(splitter: RecordSplitter, watch: BodyWatch): Promise<void> {
    this.blank = splitter.blank
    const perCell = (counts: Float64Array | undefined) => this.cells.map((cell) => counts?.[cell] ?? 0)
    this.strayQuotes = perCell(splitter.strayQuotes)
    this.missingCells = perCell(this.#outcome?.missingCells)
    this.joinedCells = perCell(this.#outcome?.joinedCells)
    this.decisions = [...(this.#outcome?.decisions ?? []), ...watch.decisions()]
    this.totals = watch.totals
    this.roles = watch.roles
    for (const table of this.tables) table.seal()
    this.#spill.flush()
    if (this.secondThread === null) return
    const sealed = await this.secondThread.seal()
    this.#spillElsewhere = new Spill(sealed.spill.path, sealed.spill.lanes, sealed.spill)
    for (const [place, table] of sealed.tables.entries())
      this.tables[this.#elsewhere[place] as number]?.adopt(table)
  }

  /** Ends the other thread, if there is one, and removes the work files. */
  async close(): Promise<void> {
    await this.secondThread?.stop()
    this.#spill.close()
    this.#spillElsewhere?.close()
    for (const path of this.#workFiles) rmSync(path, { force: true })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
