/**
 * Splits delimited text (RFC 4180 and what publishers make of it) into records and cells, on raw UTF-8 bytes.
 *
 * - CRLF, LF and CR each end a record, mixed or not; the last record needs no line end.
 * - A quote opens a quoted cell only at the cell's very start; elsewhere it is an ordinary character.
 * - Inside a quoted cell, a doubled quote is one quote, and delimiters and line ends are text.
 * - Text between a closing quote and the next delimiter or line end is kept: `"abc"def` reads `abcdef`, and
 *   `"Liceul "Ion Creangă""`, whose inner quotes are not doubled, keeps them. Such cells are counted (`strayQuotes`).
 * - A quoted cell that contains a delimiter or a line end and whose closing quote is followed by text was opened by a stray
 *   quote: it would swallow other cells, or whole rows. That quote is read as an ordinary character, its record is marked
 *   `broken`, and the next record begins after the line's end. This reads no byte more than twice: only an odd run of
 *   quotes closes a cell, and only an odd run opens the next one that contains a line end. If the quote that seemed to
 *   close it is alone in a cell, that cell's record is `broken` too: it may contain the end of the text.
 * - A record without any text is blank: skipped and counted, not a row.
 *
 * Why it is fast: plain records are cut sixty-four bytes at a time (`plain-records.ts`), the others here, with a byte
 * table. It only leaves cell bounds; columns are then encoded one at a time (`cell-table.ts`) while the block is still in
 * the processor's cache.
 */

import { enlarge } from '../../engine/columns/byte-sink.ts'
import { refuse } from '../report/reasons.ts'
import { BlockReader, READ_AHEAD } from '../source/block-reader.ts'
import { PlainRecordCutter } from './plain-records.ts'
import { BROKEN, CUT, DELIMITER, type OpenQuote, ORDINARY, QuotedCells, UNQUOTED } from './quoted-cells.ts'
import { cutCells, type RaggedRecord, type RecordMender } from './record-mender.ts'
import { isBlankRecord, type Separators } from './separators.ts'

/** Smaller blocks do not justify a cutter. */
const CUT_FROM_BYTES = 1 << 15

/** Taking over fewer plain records in a row costs more than splitting them; the most records split between two attempts. */
const WORTH_CUTTING = 16
const LONGEST_REST = 255

/** The record continues in the next block, or its last cell is open at the end of the file. */
const INCOMPLETE = -1

/** Initial room in rows, except for very wide records. */
const FIRST_ROWS = 64
const WIDE = 4096

/** A longer record means that a quote is never closed; while a block grows, the smaller ones before it take memory too. */
const LONGEST_RECORD = 1 << 25

interface SplitOptions {
  /** The line on which the first record starts. */
  readonly line?: number
  /** Reads a quote that nothing closes as a broken one, to judge by the beginning of a file. */
  readonly openIsText?: boolean
  /** Called for each record of another width. */
  readonly mender?: RecordMender | null
  /** Block size in bytes from which plain records are cut separately, see `plain-records.ts`. */
  readonly cutFrom?: number
}

export class RecordSplitter {
  /** Rows of the last block, and the bounds of their cells: cell (row, column) at row * width + column. */
  rows = 0
  starts = new Uint32Array(0)
  ends = new Uint32Array(0)
  /** For each row: the line it starts on (from 1) and its bounds in the block, without the line end. */
  lines = new Uint32Array(0)
  rowStarts = new Uint32Array(0)
  rowEnds = new Uint32Array(0)
  ragged: RaggedRecord[] = []
  /** Records so far, and how many of them were blank. */
  records = 0
  blank = 0
  /** For each column: cells of rows so far that were read despite quotes that break the rule. */
  readonly strayQuotes: Float64Array
  openQuote: OpenQuote | null = null
  /** Line, from 1, on which the next record starts. */
  line: number
  /** Cells of a record with the right width. */
  readonly width: number
  readonly #openIsText: boolean
  readonly separators: Separators
  readonly #mender: RecordMender | null
  readonly #cutFrom: number
  #cutter: PlainRecordCutter | null = null
  /** Records until the next attempt to find plain ones, now and after the next failure. */
  #pause = 0
  #rest = 0
  readonly #quoted: QuotedCells
  // Results of `cutCells` for a record: its cells, line ends in them, columns with stray quotes, whether a quote broke it.
  #cells = 0
  #innerLines = 0
  readonly #strays: number[] = []
  #broken = false
  /** The position in the block up to which a broken cell may extend; -1: there is none. */
  #doubtfulTo = -1

  /** @param width as the field */
  constructor(separators: Separators, width: number, options: SplitOptions = {}) {
    const { line = 1, openIsText = false, mender = null, cutFrom = CUT_FROM_BYTES } = options
    this.separators = separators
    this.width = width
    this.line = line
    this.#openIsText = openIsText
    this.#mender = mender
    this.#cutFrom = width > 0 && width <= WIDE ? cutFrom : Number.POSITIVE_INFINITY
    this.strayQuotes = new Float64Array(width)
    this.#quoted = new QuotedCells(separators)
  }

  /**
   * Splits `bytes[0 .. length)`, which begins with the start of a record. The array must have `blockRoom(length)` bytes: a
   * line end at `length` stops every inner loop, and cells with doubled quotes are assembled after it.
   * @param final no bytes follow these
   * @returns the bytes used; the rest is the start of a record that continues in the next block
   */
  split(bytes: Uint8Array, length: number, final: boolean): number {
    bytes[length] = 10
    this.#quoted.scratch = length + READ_AHEAD
    this.rows = 0
    this.ragged = []
    this.#reserve(1)
    const cutsPlain = length >= this.#cutFrom
    if (cutsPlain) {
      this.#cutter ??= new PlainRecordCutter(this.separators, this.width)
      this.#cutter.load(bytes, length)
    }
    let at = 0
    while (at < length) {
      if (cutsPlain && at > this.#doubtfulTo && this.#pause-- <= 0) {
        at = this.#takePlain(at)
        if (at >= length) break
      }
      const next = this.#splitRecord(bytes, at, length, final)
      if (next === INCOMPLETE) break
      at = next
    }
    this.#doubtfulTo = Math.max(-1, this.#doubtfulTo - at)
    return at
  }

  /** Splits the record that begins at `start`. @returns the start of the next one, or INCOMPLETE */
  #splitRecord(bytes: Uint8Array, start: number, length: number, final: boolean): number {
    const { width, line } = this
    const scratchStart = this.#quoted.scratch
    const end = this.#cutCells(bytes, start, length, final)
    if (end === INCOMPLETE || (end >= length && !final)) return INCOMPLETE
    let next = Math.min(end + 1, length)
    if (next < length && bytes[end] === 13 && bytes[next] === 10) next++
    else if (next === length && bytes[end] === 13 && !final) return INCOMPLETE
    const cells = this.#cells
    const broken = this.#broken || (start <= this.#doubtfulTo && this.#doubtfulTo < end)
    this.line += this.#innerLines + 1
    this.records++
    if (!broken && isBlankRecord(bytes, start, end, this.separators)) this.blank++
    else if (!broken && (cells === width || this.#mendRecord(bytes, start, end, scratchStart, cells, line))) {
      const row = this.rows++
      for (const column of this.#strays) if (column < width) this.strayQuotes[column]!++
      this.lines[row] = line
      this.rowStarts[row] = start
      this.rowEnds[row] = end
      this.#reserve(row + 2)
    } else {
      const { records: record, blank: blankBefore, line: nextLine } = this
      this.ragged.push({ line, start, end, cells, broken, record, blankBefore, next, nextLine })
    }
    return next
  }

  /** Stores the bounds of a record's cells. @returns the end of the record, or INCOMPLETE */
  #cutCells(bytes: Uint8Array, start: number, length: number, final: boolean): number {
    const { width, starts, ends } = this,
      quoted = this.#quoted,
      strays = this.#strays
    const { plain } = quoted
    const first = this.rows * width
    let at = start
    this.#innerLines = 0
    this.#broken = false
    strays.length = 0
    for (let cell = 0; ; cell++, at++) {
      let from = at
      let to: number
      const closing = quoted.read(bytes, at, length, final)
      if (closing >= 0) {
        from = quoted.start
        to = quoted.end
        at = closing
        if (!this.separators.recordsAreLines) this.#innerLines += quoted.innerLines
        if (quoted.wasStray) strays.push(cell)
      } else if (closing === UNQUOTED || closing === BROKEN || this.#openIsText) {
        if (closing !== UNQUOTED) {
          this.#broken = true
          if (closing === BROKEN) this.#doubtfulTo = Math.max(this.#doubtfulTo, quoted.strayAt)
          quoted.undo()
        }
        while (plain[bytes[at] as number] === ORDINARY) at++
        to = at
      } else {
        if (closing === CUT) this.openQuote = { line: this.line + this.#innerLines, column: cell }
        return INCOMPLETE
      }
      if (cell < width) {
        starts[first + cell] = from
        ends[first + cell] = to
      }
      if (plain[bytes[at] as number] !== DELIMITER) {
        this.#cells = cell + 1
        return at
      }
    }
  }

  /**
   * Takes the plain records from a position on; pauses for a while where few are plain. @returns the next record's start
   */
  #takePlain(from: number): number {
    const { width, rows: before } = this
    for (let at = from; ; ) {
      const cut = (this.#cutter as PlainRecordCutter).cut(at)
      if (cut === null) {
        this.#rest = this.rows - before >= WORTH_CUTTING ? 0 : Math.min(2 * this.#rest + 1, LONGEST_REST)
        this.#pause = this.#rest
        return at
      }
      const { count, next, starts, ends, recordStarts, recordEnds } = cut
      this.#reserve(this.rows + count + 1)
      this.starts.set(starts, this.rows * width)
      this.ends.set(ends, this.rows * width)
      this.rowStarts.set(recordStarts, this.rows)
      this.rowEnds.set(recordEnds, this.rows)
      for (let row = 0; row < count; row++) this.lines[this.rows + row] = this.line + row
      this.rows += count
      this.records += count
      this.line += count
      at = next
    }
  }

  /** Bytes in use of the block that was just split: its own and those assembled after them. */
  get usedBytes(): number {
    return this.#quoted.scratch
  }

  /** Removes rows from the block that was just split. */
  removeRows(places: ReadonlyMap<number, unknown>): void {
    const { width, starts, ends, lines, rowStarts, rowEnds } = this
    let kept = 0
    for (let row = 0; row < this.rows; row++) {
      if (places.has(row)) continue
      if (kept < row) {
        starts.copyWithin(kept * width, row * width, (row + 1) * width)
        ends.copyWithin(kept * width, row * width, (row + 1) * width)
        lines[kept] = lines[row] as number
        rowStarts[kept] = rowStarts[row] as number
        rowEnds[kept] = rowEnds[row] as number
      }
      kept++
    }
    this.rows = kept
  }

  /** Cuts a record again into all of its cells, and takes the bounds that the mender returns. */
  #mendRecord(
    bytes: Uint8Array,
    start: number,
    end: number,
    scratchStart: number,
    cells: number,
    line: number,
  ): boolean {
    if (this.#mender === null) return false
    // What was assembled from this record so far is assembled again, in the same place.
    this.#quoted.scratch = scratchStart
    const mended = this.#mender(line, cutCells(this.#quoted, bytes, { start, end, cells }))
    if (mended === null) return false
    this.starts.set(mended.starts, this.rows * this.width)
    this.ends.set(mended.ends, this.rows * this.width)
    return true
  }

  #reserve(rows: number): void {
    if (rows <= this.lines.length) return
    const room = Math.max(this.width > WIDE ? 1 : FIRST_ROWS, rows, this.lines.length * 2)
    this.lines = enlarge(this.lines, room)
    this.rowStarts = enlarge(this.rowStarts, room)
    this.rowEnds = enlarge(this.rowEnds, room)
    this.starts = enlarge(this.starts, room * this.width)
    this.ends = enlarge(this.ends, room * this.width)
  }
}

/** The blocks of a file for a splitter, from an offset on. */
export function openBlocks(path: string, offset: number, splitter: RecordSplitter): BlockReader {
  return new BlockReader(path, offset, LONGEST_RECORD, () =>
    refuse('endless_record', { line: splitter.line }, `longer than ${LONGEST_RECORD >> 20} MB`),
  )
}
