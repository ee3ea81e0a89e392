/** The records of one block in file order, rows and those of another width together, and what of them is no row. */

import type { RaggedRecord, RecordSplitter } from '../records/record-splitter.ts'
import { readCells } from '../records/sample.ts'
import type { Fault } from '../report/quarantine.ts'

/** What of a block is no row: places among the splitter's rows, and records of another width with a more precise reason. */
export interface Outcasts {
  readonly rows: ReadonlyMap<number, Fault>
  readonly ragged: ReadonlyMap<RaggedRecord, Fault>
}

export interface MutableOutcasts extends Outcasts {
  readonly rows: Map<number, Fault>
  readonly ragged: Map<RaggedRecord, Fault>
}

/** A record of a block: a row (`ragged` is null) or one of another width (`row` is -1). */
export interface Entry {
  readonly row: number
  readonly ragged: RaggedRecord | null
  readonly line: number
  readonly start: number
  readonly end: number
}

/** Rows and records of another width together that begin above an offset, the last one first. */
export function* entriesAbove(splitter: RecordSplitter, end: number): Generator<Entry> {
  const { rowStarts, ragged } = splitter
  let row = countBelow(splitter.rows, (at) => rowStarts[at] as number, end) - 1
  let other = countBelow(ragged.length, (at) => (ragged[at] as RaggedRecord).start, end) - 1
  while (row >= 0 || other >= 0) {
    const record = ragged[other]
    if (record && (row < 0 || record.start > (rowStarts[row] as number))) {
      yield raggedEntry(record)
      other--
    } else yield rowEntry(splitter, row--)
  }
}

/** How many of some offsets, which rise, are below a bound. */
function countBelow(count: number, offsetOf: (at: number) => number, bound: number): number {
  let low = 0
  for (let high = count; low < high; ) {
    const middle = (low + high) >> 1
    if (offsetOf(middle) < bound) low = middle + 1
    else high = middle
  }
  return low
}

/** The entry of a row. */
export function rowEntry({ lines, rowStarts, rowEnds }: RecordSplitter, row: number): Entry {
  const place = { start: rowStarts[row] as number, end: rowEnds[row] as number }
  return { row, ragged: null, line: lines[row] as number, ...place }
}

/** The entry of a record of another width. */
export function raggedEntry(record: RaggedRecord): Entry {
  return { row: -1, ragged: record, line: record.line, start: record.start, end: record.end }
}

export function markEntry(found: MutableOutcasts, { row, ragged }: Entry, fault: Fault): void {
  if (ragged) found.ragged.set(ragged, fault)
  else found.rows.set(row, fault)
}

export function isMarked(found: Outcasts, { row, ragged }: Entry): boolean {
  return ragged ? found.ragged.has(ragged) : found.rows.has(row)
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Whether a blank record stands between the end of one record and the start of the next. */
export function isGap(bytes: Uint8Array, end: number, start: number): boolean {
  if (start - end < 2) return false
  let feeds = 0
  let returns = 0
  for (let at = end; at < start; at++) {
    if (bytes[at] === LINE_FEED) feeds++
    else if (bytes[at] === CARRIAGE_RETURN) returns++
  }
  return Math.max(feeds, returns) > 1
}

/** Texts of a block's records, trimmed. */
export class EntryTexts {
  private readonly splitter: RecordSplitter
  private readonly bytes: Uint8Array
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true })

  constructor(splitter: RecordSplitter, bytes: Uint8Array) {
    this.splitter = splitter
    this.bytes = bytes
  }

  /** The record as it stands, without outer white space. */
  raw({ start, end }: Entry): string {
    return this.decoder.decode(this.bytes.subarray(start, end)).trim()
  }

  /** The cells of a record; none of one that a quote broke. */
  cells({ row, ragged }: Entry): readonly string[] {
    if (ragged === null) return this.row(row)
    if (ragged.broken || ragged.cells > MOST_CELLS) return []
    return readCells(this.bytes, this.splitter.separators, ragged).map(({ text }) => text.trim())
  }

  row(row: number): string[] {
    const { width, starts, ends } = this.splitter
    return Array.from({ length: width }, (_, column) => {
      const cell = row * width + column
      return this.decoder.decode(this.bytes.subarray(starts[cell], ends[cell])).trim()
    })
  }
}

/** Records of more cells are not looked into. */
const MOST_CELLS = 16_384

const SPACE = 0x20
const CAPITAL = 0x20
const NOT_ASCII = 0x80

/** Whether the bytes between two offsets are a text, in any case and without the spaces around it. */
export function readsAs(bytes: Uint8Array, from: number, to: number, text: Uint8Array): boolean {
  let start = from
  let end = to
  while (start < end && bytes[start] === SPACE) start++
  while (end > start && bytes[end - 1] === SPACE) end--
  if (end - start !== text.length) return false
  for (let i = 0; i < text.length; i++)
    if (!isSameLetter(bytes[start + i] as number, text[i] as number)) return false
  return true
}

/** Whether two bytes are a letter in any case; of letters beyond ASCII either may be any. */
function isSameLetter(a: number, b: number): boolean {
  return a === b || (a >= NOT_ASCII && b >= NOT_ASCII) || ((a ^ b) === CAPITAL && isLetter(a))
}

function isLetter(byte: number): boolean {
  const small = byte | CAPITAL
  return small >= 0x61 && small <= 0x7a
}
