/**
 * Records of another width than the header's, mended where the good rows leave one way only: cells that a delimiter
 * within a number or a text cut apart are joined, cells that a shorter layout lacks are null, blank cells behind the
 * last column are dropped. All else goes into quarantine.
 */

import type { CutRecord, MendedRecord, RecordMender } from '../delimited/record-mender.ts'
import type { Decision } from '../report.ts'
import { type ColumnKind, fitsKind } from './cell-kinds.ts'
import { isTelling, type RowPattern } from './row-pattern.ts'

/** Cells beyond the header's that are looked into. */
const MOST_EXTRA = 16
/** Records that could not be joined, and none that could, after which no more are tried. */
const MOST_FAILURES = 2000

interface Tally {
  rows: number
  firstLine: number
}

export class Mender implements RecordMender {
  /** Per column, cells that were missing, and cells put together, so far. */
  readonly missingCells: Float64Array
  readonly joinedCells: Float64Array
  private readonly missing: Tally = { rows: 0, firstLine: 0 }
  private readonly joined: Tally = { rows: 0, firstLine: 0 }
  private readonly trailing: Tally = { rows: 0, firstLine: 0 }
  private failures = 0
  private readonly names: readonly string[]
  private readonly pattern: RowPattern
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  /** @param names of the columns */
  constructor(names: readonly string[], pattern: RowPattern) {
    this.names = names
    this.pattern = pattern
    this.missingCells = new Float64Array(names.length)
    this.joinedCells = new Float64Array(names.length)
  }

  get mostCells(): number {
    return this.names.length + MOST_EXTRA
  }

  /** The bounds of the header's cells in a record, or null when there is no way, or more than one. */
  mend(record: CutRecord): MendedRecord | null {
    const width = this.names.length
    if (record.starts.length < width) return this.fillUp(record)
    let cells = record.starts.length
    while (cells > width && this.textOf(record, cells - 1, cells - 1).trim() === '') cells--
    return cells === width ? this.cutOff(record) : this.join(record, cells)
  }

  /** What was mended, in sentences. */
  decisions(): Decision[] {
    const override = '--ragged quarantine'
    const told: Decision[] = []
    const tell = ({ rows, firstLine }: Tally, one: string, many: string) => {
      if (rows === 0) return
      const reason =
        rows === 1
          ? `1 row, on line ${firstLine}, ${one}`
          : `${rows} rows, the first on line ${firstLine}, ${many}`
      told.push({ kind: 'ragged', reason, override })
    }
    const lacking = 'the last columns: the cells that are there fit theirs, and the missing ones are null'
    tell(this.missing, `lacks ${lacking}`, `lack ${lacking}`)
    const cut =
      'cells that an unquoted delimiter had cut apart: only one way of joining them gives every column its kind of values'
    tell(this.joined, `has ${cut}`, `have ${cut}`)
    const blank = 'in more delimiters than the header has, with nothing between them'
    tell(this.trailing, `ends ${blank}`, `end ${blank}`)
    return told
  }

  /** Lacks columns without a name, or those that a whole layout lacks. */
  private fillUp(record: CutRecord): MendedRecord | null {
    const { kinds, shortWidth, trimsBlanks, filledWidth } = this.pattern
    const cells = record.starts.length
    if (cells < filledWidth) {
      const texts = record.starts.map((_, i) => this.textOf(record, i, i))
      if (kinds === null || !(trimsBlanks || cells === shortWidth) || !this.allFit(kinds, texts)) return null
      if (!texts.some((text, i) => text.trim() !== '' && isTelling(kinds[i]))) return null
      for (let column = cells; column < filledWidth; column++) this.missingCells[column]!++
      count(this.missing, record.line)
    }
    const fill = new Array<number>(this.names.length - cells).fill(0)
    return { starts: [...record.starts, ...fill], ends: [...record.ends, ...fill] }
  }

  private cutOff(record: CutRecord): MendedRecord | null {
    const width = this.names.length
    const { kinds } = this.pattern
    const texts = this.names.map((_, i) => this.textOf(record, i, i))
    if (kinds !== null && !this.allFit(kinds, texts)) return null
    count(this.trailing, record.line)
    return { starts: record.starts.slice(0, width), ends: record.ends.slice(0, width) }
  }

  private join(record: CutRecord, cells: number): MendedRecord | null {
    const { kinds } = this.pattern
    if (kinds === null || this.failures >= MOST_FAILURES) return null
    const cuts = this.onlyWay(record, cells, kinds)
    if (cuts === null) {
      if (this.joined.rows === 0) this.failures++
      return null
    }
    const width = this.names.length
    const starts: number[] = []
    const ends: number[] = []
    for (let column = 0; column < width; column++) {
      const first = cuts[column] as number
      const last = (cuts[column + 1] as number) - 1
      starts.push(record.starts[first] as number)
      ends.push(record.ends[last] as number)
      if (last > first) this.joinedCells[column]!++
    }
    count(this.joined, record.line)
    return { starts, ends }
  }

  /**
   * The first cell of each column, and the number of cells at the end, when there is exactly one way to give every
   * column a run of cells that fits it. Counts the ways from the last column to the first.
   */
  private onlyWay(record: CutRecord, cells: number, kinds: readonly ColumnKind[]): number[] | null {
    const width = kinds.length
    const extra = cells - width
    const isTail = Array.from({ length: cells }, (_, cell) => this.isTail(record, cell))
    // ways[o]: for the columns behind the current one, from cell (column + 1 + o) on: 0, 1, or 2 for more.
    let ways = new Uint8Array(extra + 1)
    ways[extra] = 1
    const lengths: Uint8Array[] = []
    for (let column = width - 1; column >= 0; column--) {
      const kind = kinds[column] as ColumnKind
      const now = new Uint8Array(extra + 1)
      const length = new Uint8Array(extra + 1)
      for (let offset = 0; offset <= extra; offset++) {
        const first = column + offset
        if (isTail[first] && !kind.beginsBlank) continue
        for (let more = 0; offset + more <= extra && (now[offset] as number) < 2; more++) {
          if (more > 0 && (record.quoted[first] || record.quoted[first + more])) break
          const rest = ways[offset + more] as number
          if (rest === 0 || !fitsKind(this.textOf(record, first, first + more), kind, more > 0)) continue
          now[offset] = Math.min(2, (now[offset] as number) + rest)
          length[offset] = more + 1
        }
      }
      if (now.every((count) => count === 0)) return null
      lengths[column] = length
      ways = now
    }
    if (ways[0] !== 1) return null
    const cuts = [0]
    for (let column = 0; column < width; column++) {
      const first = cuts[column] as number
      cuts.push(first + (lengths[column]?.[first - column] as number))
    }
    return cuts
  }

  /** A cell that begins with a space, where the column's do not, goes on with what stands before it. */
  private isTail(record: CutRecord, cell: number): boolean {
    if (cell === 0 || record.quoted[cell] || record.bytes[record.starts[cell] as number] !== 0x20)
      return false
    return this.textOf(record, cell, cell).trim() !== ''
  }

  private allFit(kinds: readonly ColumnKind[], texts: readonly string[]): boolean {
    return texts.every((text, i) => fitsKind(text, kinds[i] as ColumnKind, false))
  }

  private textOf({ bytes, starts, ends }: CutRecord, first: number, last: number): string {
    return this.decoder.decode(bytes.subarray(starts[first], ends[last]))
  }
}

function count(tally: Tally, line: number): void {
  if (tally.rows++ === 0) tally.firstLine = line
}
