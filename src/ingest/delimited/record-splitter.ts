/**
 * Splits delimited text (RFC 4180 and what publishers make of it) into records and cells, on raw UTF-8 bytes.
 *
 * - CRLF, LF and CR each end a record, mixed or not; the last record needs no line end.
 * - A quote opens a quoted cell only at the cell's very start; elsewhere it is an ordinary character.
 * - Inside, a doubled quote is one quote, and delimiters and line ends are text.
 * - Text between a closing quote and the next delimiter or line end is kept: `"abc"def` reads `abcdef`, and
 *   `"Liceul "Ion Creangă""`, whose inner quotes nobody doubled, keeps them. Never does a cell reach over a
 *   delimiter or a line end because of it. Such cells are counted (`strayQuotes`).
 * - A quoted cell that reaches over a line end and whose closing quote is followed by text was opened by a stray quote:
 *   it would swallow whole rows. That quote is read as an ordinary character, its record is marked `broken`, and the
 *   next record begins behind the line's end. No byte is read more than twice for it: only an odd run of quotes closes
 *   a cell, and only an odd run opens the next one that reaches over a line end.
 * - A record without any text is blank: skipped and counted, not a row.
 *
 * Why it is fast: plain records are cut sixty-four bytes at a time (`plain-records.ts`), the others here, by a byte table.
 * Only cell bounds are left behind; columns are then encoded one at a time (`cell-table.ts`) while the block is still in
 * the processor's cache.
 */

import { CommandError } from '../../errors.ts'
import { READ_AHEAD } from '../records/cell-table.ts'
import { PlainRecordCutter } from './plain-records.ts'
import type { RecordMender } from './record-mender.ts'

const ORDINARY = 0
const DELIMITER = 1
const LF = 2
const CR = 3
const QUOTE = 4

/** Smaller blocks are not worth a cutter of their own. */
const CUT_FROM_BYTES = 1 << 15

/** Fewer plain records in a row cost more to take over than to split; records split between two looks, at most. */
const WORTH_CUTTING = 16
const LONGEST_REST = 255

/** Rows that room is made for at first, unless they are very wide. */
const FIRST_ROWS = 64
const WIDE = 4096

/** How a file separates cells: bytes, `quote` -1 when quotes mean nothing in it. */
export interface Separators {
  readonly delimiter: number
  readonly quote: number
  /** Lines are counted by records: line ends inside cells do not add to them. For converted files. */
  readonly recordsAreLines?: boolean
}

/** A record that is no row: its number of cells is not the header's, or a quote broke it. Offsets are within the block. */
export interface RaggedRecord {
  readonly line: number
  readonly start: number
  readonly end: number
  readonly cells: number
  /** A quote in it opened a cell that was not one. */
  readonly broken: boolean
  /** Place among the file's records, from 1, blank ones included; how many of those before it were blank. */
  readonly record: number
  readonly blankBefore: number
  /** Where the next record begins, and on which line. */
  readonly next: number
  readonly nextLine: number
}

/** A quoted cell still open at the end of the file. */
export interface OpenQuote {
  /** Line, from 1, on which the quote stands. */
  readonly line: number
  /** Cell, from 0, within its record. */
  readonly column: number
}

export interface SplitOptions {
  /** The line on which the first record starts. */
  readonly line?: number
  /** A quote that nothing closes is read as a broken one, to judge by the beginning of a file. */
  readonly openIsText?: boolean
  /** Asked about each record of another width. */
  readonly mender?: RecordMender | null
  /** Bytes of a block from which on plain records are cut apart from the others, see `plain-records.ts`. */
  readonly cutFrom?: number
}

export class RecordSplitter {
  /** Rows of the last block, and the bounds of their cells: cell (row, column) at row * width + column. */
  rows = 0
  starts = new Uint32Array(0)
  ends = new Uint32Array(0)
  /** Per row: the line it starts on (from 1) and its bounds in the block, line end not included. */
  lines = new Uint32Array(0)
  rowStarts = new Uint32Array(0)
  rowEnds = new Uint32Array(0)
  ragged: RaggedRecord[] = []
  /** Records met so far, and how many of them were blank. */
  records = 0
  blank = 0
  /** Per column, cells of rows read in spite of quotes that break the rule, so far. */
  readonly strayQuotes: Float64Array
  openQuote: OpenQuote | null = null
  /** Line, from 1, on which the next record starts. */
  line: number
  /** Cells of a good record. */
  readonly width: number
  private readonly delimiter: number
  private readonly quote: number
  private readonly openIsText: boolean
  private readonly separators: Separators
  private readonly mender: RecordMender | null
  private readonly cutFrom: number
  private cutter: PlainRecordCutter | null = null
  /** Records until plain ones are looked for again, now and after the next disappointment. */
  private pause = 0
  private rest = 0
  private readonly recordsAreLines: boolean
  private readonly plain = new Uint8Array(256)
  private readonly quoted = new Uint8Array(256)

  /** @param width as the field */
  constructor(separators: Separators, width: number, options: SplitOptions = {}) {
    const { line = 1, openIsText = false, mender = null, cutFrom = CUT_FROM_BYTES } = options
    this.separators = separators
    this.width = width
    this.line = line
    this.openIsText = openIsText
    this.mender = mender
    this.cutFrom = width > 0 && width <= WIDE ? cutFrom : Number.POSITIVE_INFINITY
    this.recordsAreLines = separators.recordsAreLines === true
    this.delimiter = separators.delimiter
    this.quote = separators.quote
    this.strayQuotes = new Float64Array(width)
    this.plain[separators.delimiter] = DELIMITER
    for (const table of [this.plain, this.quoted]) {
      table[10] = LF
      table[13] = CR
    }
    if (separators.quote >= 0) this.quoted[separators.quote] = QUOTE
  }

  /**
   * Splits `bytes[0 .. length)`, which starts at the start of a record. The array must hold `blockRoom(length)` bytes:
   * a line end at `length` stops every inner loop, and cells with doubled quotes are put together behind it.
   * @param final no bytes follow these
   * @returns the bytes used; the rest is the start of a record that goes on in the next block
   */
  split(bytes: Uint8Array, length: number, final: boolean): number {
    const { plain, width, quote } = this
    bytes[length] = 10
    this.scratch = length + READ_AHEAD
    this.rows = 0
    this.ragged = []
    this.reserve(1)
    let { starts, ends } = this
    let at = 0
    let line = this.line
    const strays: number[] = []
    if (length >= this.cutFrom) {
      this.cutter ??= new PlainRecordCutter(this.separators, width)
      this.cutter.load(bytes, length)
    }
    while (at < length) {
      if (length >= this.cutFrom && this.pause-- <= 0) {
        at = this.takePlain(at)
        line = this.line
        starts = this.starts
        ends = this.ends
        if (at >= length) break
      }
      const recordStart = at
      const recordLine = line
      const scratchStart = this.scratch
      let cells = 0
      let broken = false
      strays.length = 0
      let cell = this.rows * width
      let kind = DELIMITER
      while (kind === DELIMITER) {
        let start = at
        let end: number
        const closing = bytes[at] === quote ? this.readQuoted(bytes, at, length, final) : UNQUOTED
        if (closing >= 0) {
          start = this.contentStart
          end = this.contentEnd
          if (!this.recordsAreLines) line += this.innerLines
          at = closing
          if (this.wasStray) strays.push(cells)
        } else if (closing === UNQUOTED || closing === BROKEN || this.openIsText) {
          if (closing !== UNQUOTED) {
            broken = true
            this.scratch = this.scratchBefore
          }
          while (plain[bytes[at] as number] === ORDINARY) at++
          end = at
        } else {
          if (closing === CUT) this.openQuote = { line, column: cells }
          return recordStart
        }
        if (cells < width) {
          starts[cell] = start
          ends[cell] = end
          cell++
        }
        cells++
        kind = plain[bytes[at] as number] as number
        if (kind === DELIMITER) at++
      }
      const recordEnd = at
      if (at >= length) {
        if (!final) return recordStart
        at = length
      } else if (kind === CR) {
        if (at + 1 === length && !final) return recordStart
        at += bytes[at + 1] === 10 && at + 1 < length ? 2 : 1
      } else {
        at++
      }
      line++
      this.line = line
      this.records++
      if (!broken && this.isBlank(bytes, recordStart, recordEnd)) {
        this.blank++
      } else if (
        broken ||
        (cells !== width && !this.mendRecord(bytes, recordStart, recordEnd, scratchStart, cells, recordLine))
      ) {
        this.ragged.push({
          line: recordLine,
          start: recordStart,
          end: recordEnd,
          cells,
          broken,
          record: this.records,
          blankBefore: this.blank,
          next: at,
          nextLine: line,
        })
      } else {
        const row = this.rows++
        for (const column of strays) if (column < width) this.strayQuotes[column]!++
        this.lines[row] = recordLine
        this.rowStarts[row] = recordStart
        this.rowEnds[row] = recordEnd
        this.reserve(row + 2)
        starts = this.starts
        ends = this.ends
      }
    }
    return at
  }

  /** Takes the plain records from a place on; where the next record begins. Where they are few, it rests for a while. */
  private takePlain(from: number): number {
    const { width, cutter } = this
    const before = this.rows
    for (let at = from; ; ) {
      const cut = (cutter as PlainRecordCutter).cut(at)
      if (cut === null) {
        this.rest = this.rows - before >= WORTH_CUTTING ? 0 : Math.min(2 * this.rest + 1, LONGEST_REST)
        this.pause = this.rest
        return at
      }
      const { count, next, starts, ends, recordStarts, recordEnds } = cut
      this.reserve(this.rows + count + 1)
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

  /** Bytes in use of the block that was just split: its own and what was put together behind them. */
  get usedBytes(): number {
    return this.scratch
  }

  /** Takes rows out of the block that was just split, as if they had not been there. */
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

  /** Cuts a record again, all of its cells, and takes the bounds that the mender gives it. */
  private mendRecord(
    bytes: Uint8Array,
    start: number,
    end: number,
    scratchStart: number,
    cells: number,
    line: number,
  ): boolean {
    const { mender, width, plain, quote } = this
    if (mender === null || cells > mender.mostCells) return false
    const cut = { bytes, line, starts: [] as number[], ends: [] as number[], quoted: [] as boolean[] }
    // What was put together from this record so far is put together again, in the same place.
    this.scratch = scratchStart
    for (let at = start; cut.starts.length < cells; at++) {
      const from = at
      const closing = bytes[at] === quote && at < end ? this.readQuoted(bytes, at, end, true) : UNQUOTED
      if (closing >= 0) at = closing
      else while (at < end && plain[bytes[at] as number] === ORDINARY) at++
      cut.starts.push(closing >= 0 ? this.contentStart : from)
      cut.ends.push(closing >= 0 ? this.contentEnd : at)
      cut.quoted.push(closing >= 0)
    }
    const mended = mender.mend(cut)
    if (mended === null) return false
    this.starts.set(mended.starts, this.rows * width)
    this.ends.set(mended.ends, this.rows * width)
    return true
  }

  // What `readQuoted` found out: the bounds of the cell's content, line ends in it, whether quotes broke the rule.
  private contentStart = 0
  private contentEnd = 0
  private innerLines = 0
  private wasStray = false
  /** Where the next content that differs from its source is put together. */
  private scratch = 0
  private scratchBefore = 0

  /**
   * Reads a quoted cell whose opening quote stands at `open`.
   * @returns where the cell's delimiter or line end stands, or NEEDS_MORE, CUT or BROKEN
   */
  private readQuoted(bytes: Uint8Array, open: number, length: number, final: boolean): number {
    const { quoted, plain, quote } = this
    this.innerLines = 0
    this.wasStray = false
    this.contentStart = -1
    this.scratchBefore = this.scratch
    let at = open + 1
    let from = at
    for (;;) {
      while (quoted[bytes[at] as number] === ORDINARY) at++
      if (at >= length) return final ? CUT : NEEDS_MORE
      const byte = bytes[at] as number
      if (byte !== quote) {
        if (byte === 10 || bytes[at + 1] !== 10 || at + 1 === length) this.innerLines++
        at++
        continue
      }
      if (at + 1 === length && !final) return NEEDS_MORE
      if (at + 1 === length || bytes[at + 1] !== quote) break
      this.keep(bytes, from, at + 1)
      at += 2
      from = at
    }
    const tail = at + 1
    let end = tail
    while (plain[bytes[end] as number] === ORDINARY) end++
    if (end >= length && !final) return NEEDS_MORE
    if (this.innerLines > 0 && !isSpace(bytes, tail, end)) return BROKEN
    if (this.contentStart < 0 && end === tail) {
      this.contentStart = from
      this.contentEnd = at
      return end
    }
    this.keep(bytes, from, at)
    if (end > tail) this.keepTail(bytes, tail, end)
    this.contentEnd = this.scratch
    return end
  }

  /** Text after the closing quote: see the head of this file. */
  private keepTail(bytes: Uint8Array, tail: number, end: number): void {
    this.wasStray = true
    if (bytes[end - 1] === this.quote) this.keep(bytes, tail - 1, end - 1)
    else this.keep(bytes, tail, end)
  }

  /** Appends a piece of the block to the content being put together. */
  private keep(bytes: Uint8Array, from: number, to: number): void {
    if (this.contentStart < 0) this.contentStart = this.scratch
    bytes.copyWithin(this.scratch, from, to)
    this.scratch += to - from
  }

  /** Whether no cell has text. A first cell with text answers at once. */
  private isBlank(bytes: Uint8Array, start: number, end: number): boolean {
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number
      if (byte > 32 && byte !== this.delimiter && byte !== this.quote) return false
    }
    return !this.hasQuotedSigns(bytes, start, end)
  }

  /** Whether a record of nothing but white space, delimiters and quotes has these inside of quotes, where they are text. */
  private hasQuotedSigns(bytes: Uint8Array, start: number, end: number): boolean {
    const { delimiter, quote } = this
    let isCellStart = true
    for (let at = start; at < end; at++) {
      if (bytes[at] !== quote || !isCellStart) {
        isCellStart = bytes[at] === delimiter
        continue
      }
      for (at++; at < end && bytes[at] !== quote; at++)
        if (bytes[at] === delimiter && delimiter > 32) return true
      if (at + 1 < end && bytes[at + 1] === quote) return true
      isCellStart = false
    }
    return false
  }

  private reserve(rows: number): void {
    if (rows > this.lines.length) {
      const room = Math.max(this.width > WIDE ? 1 : FIRST_ROWS, rows, this.lines.length * 2)
      this.lines = grown(this.lines, room)
      this.rowStarts = grown(this.rowStarts, room)
      this.rowEnds = grown(this.rowEnds, room)
      this.starts = grown(this.starts, room * this.width)
      this.ends = grown(this.ends, room * this.width)
    }
  }
}

/** Bytes an array must hold for a block of `length` bytes to be split in it. */
export function blockRoom(length: number): number {
  return 2 * length + 2 * READ_AHEAD
}

/** The refusal of a file that ends inside a cell. */
export function openQuoteError({ line, column }: OpenQuote): CommandError {
  return new CommandError(
    'refused',
    `the quote that opens cell ${column + 1} on line ${line} is never closed: the file is cut off, or the quote is a stray one. Get the whole file, mend the line, or set "quote": "" under "read" in a definition`,
  )
}

/** The block ends inside the cell and the file does not. */
const NEEDS_MORE = -1
/** The file ends inside the cell. */
const CUT = -2
/** The cell reaches over a line end and text follows its closing quote: no quoted cell was meant. */
const BROKEN = -3
/** The cell begins with no quote. */
const UNQUOTED = -4

/** Nothing but spaces and tabs. */
function isSpace(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== 0x20 && bytes[at] !== 0x09) return false
  return true
}

function grown(old: Uint32Array<ArrayBuffer>, room: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(room)
  larger.set(old)
  return larger
}
