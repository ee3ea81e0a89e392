/** The records of a block in file order, both rows and those of another width, and which of them are not rows. */

import type { RaggedRecord } from '../records/record-mender.ts'
import type { RecordSplitter } from '../records/record-splitter.ts'
import { readCells } from '../records/sample.ts'
import type { Fault } from '../report/quarantine.ts'

/** A record of a block: a row (`ragged` is null) or a record of another width (`row` is -1). */
export interface Entry extends Pick<RaggedRecord, 'line' | 'start' | 'end'> {
  readonly row: number
  readonly ragged: RaggedRecord | null
}

/** A block that was just split; its texts are trimmed. */
export class Block {
  readonly splitter: RecordSplitter
  readonly bytes: Uint8Array
  /** What is not a row: indexes of the splitter's rows, and records of another width with a more precise reason. */
  readonly out = { rows: new Map<number, Fault>(), ragged: new Map<RaggedRecord, Fault>() }
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })

  constructor(splitter: RecordSplitter, bytes: Uint8Array) {
    this.splitter = splitter
    this.bytes = bytes
  }

  mark({ row, ragged }: Entry, fault: Fault): void {
    if (ragged) this.out.ragged.set(ragged, fault)
    else this.out.rows.set(row, fault)
  }

  isMarked({ row, ragged }: Entry): boolean {
    return ragged ? this.out.ragged.has(ragged) : this.out.rows.has(row)
  }

  rowEntry(row: number): Entry {
    const { lines, rowStarts, rowEnds } = this.splitter
    const [line, start, end] = [lines[row], rowStarts[row], rowEnds[row]] as [number, number, number]
    return { row, ragged: null, line, start, end }
  }

  raggedEntry(record: RaggedRecord): Entry {
    return { row: -1, ragged: record, line: record.line, start: record.start, end: record.end }
  }

  /** Rows and records of another width that begin before an offset, the last one first. */
  *above(end: number): Generator<Entry> {
    const { rows, rowStarts, ragged } = this.splitter
    let row = countBelow(rows, (at) => rowStarts[at] as number, end) - 1
    let other = countBelow(ragged.length, (at) => (ragged[at] as RaggedRecord).start, end) - 1
    while (row >= 0 || other >= 0) {
      const record = ragged[other]
      if (record && (row < 0 || record.start > (rowStarts[row] as number))) {
        yield this.raggedEntry(record)
        other--
      } else yield this.rowEntry(row--)
    }
  }

  raw({ start, end }: Entry): string {
    return this.#decoder.decode(this.bytes.subarray(start, end)).trim()
  }

  /** The cells of a record; none if a quote broke it. */
  cells({ row, ragged }: Entry): readonly string[] {
    if (ragged === null) return this.row(row)
    // Very wide records are not read.
    if (ragged.broken || ragged.cells > 16_384) return []
    return readCells(this.bytes, this.splitter.separators, ragged).texts.map((text) => text.trim())
  }

  row(row: number): string[] {
    const { width, starts, ends } = this.splitter
    return Array.from({ length: width }, (_, column) => {
      const cell = row * width + column
      return this.#decoder.decode(this.bytes.subarray(starts[cell], ends[cell])).trim()
    })
  }

  /** The first rows that are not marked, up to `most`. */
  firstRows(most: number): string[][] {
    const rows: string[][] = []
    for (let row = 0; row < this.splitter.rows && rows.length < most; row++)
      if (!this.out.rows.has(row)) rows.push(this.row(row))
    return rows
  }

  /** Whether a cell equals a text, ignoring case and outer spaces; few do, and only these are decoded. */
  readsAs(row: number, column: number, text: Uint8Array): boolean {
    const { width, starts, ends } = this.splitter
    const cell = row * width + column
    let start = starts[cell] as number
    let end = ends[cell] as number
    if (end - start < text.length) return false
    const { bytes } = this
    while (start < end && bytes[start] === SPACE) start++
    while (end > start && bytes[end - 1] === SPACE) end--
    if (end - start !== text.length) return false
    for (let i = 0; i < text.length; i++)
      if (!isSameLetter(bytes[start + i] as number, text[i] as number)) return false
    return true
  }
}

/** The number of places with an offset below a bound. @param offsetOf ascends */
export function countBelow(count: number, offsetOf: (at: number) => number, bound: number): number {
  let low = 0
  for (let high = count; low < high; ) {
    const middle = (low + high) >> 1
    if (offsetOf(middle) < bound) low = middle + 1
    else high = middle
  }
  return low
}

export const LINE_FEED = 0x0a
export const CARRIAGE_RETURN = 0x0d

/** Whether a blank record is between the end of one record and the start of the next. */
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

export const SPACE = 0x20
/** The bit that is set in lower-case ASCII letters and not in capital ones. */
export const SMALL = 0x20
const NOT_ASCII = 0x80

/** Whether two bytes are the same letter, ignoring case; any two non-ASCII bytes count as equal. */
function isSameLetter(a: number, b: number): boolean {
  const small = a | SMALL
  if (a === b || (a >= NOT_ASCII && b >= NOT_ASCII)) return true
  return (a ^ b) === SMALL && small >= 0x61 && small <= 0x7a
}
