/**
 * Records that are not imported, each with its line, the column at fault and the reason. A row takes about twenty bytes
 * here; its text is read from the file again when it is needed.
 */

import { closeSync, openSync } from 'node:fs'
import { atEnd } from '../../base/closing.ts'
import { enlarge } from '../../engine/columns/byte-sink.ts'
import { readFully } from './disk.ts'
import { showBroken, withoutMarks } from './marks.ts'

/** A row of the source that was not imported. */
export interface QuarantinedRow {
  /** Physical line where the record starts, from 1. */
  readonly line: number
  /** The column at fault; null if the whole record is. */
  readonly column: string | null
  readonly reason: string
  readonly raw: string
}

/** A record of another width that became a row. */
export interface MendedRow {
  /** Physical line where the record starts, from 1. */
  readonly line: number
  /** `surplus_blanks`, `joined` or `left_off`. */
  readonly kind: string
  readonly raw: string
}

export interface QuarantineCount {
  readonly reason: string
  readonly count: number
  readonly first_line: number
}

/** The place of a row in the UTF-8 file, in bytes. */
export interface RowPlace {
  readonly line: number
  readonly offset: number
  readonly length: number
}

/** Why a row is refused; `column` is null if the whole record is at fault. */
export interface Fault {
  readonly reason: string
  readonly column: string | null
  /** The row is print layout, not data: nothing is missing without it. */
  readonly isLayout?: true
}

const FIRST_ROOM = 64
/** Bytes read of a row that is only an example. */
const SAMPLED_BYTES = 4096

export class Quarantine {
  /** Rows so far. */
  size = 0
  readonly #hasMarks: boolean
  readonly #faults: Fault[] = []
  #faultOf = new Uint16Array(FIRST_ROOM)
  #lines = new Uint32Array(FIRST_ROOM)
  #lengths = new Uint32Array(FIRST_ROOM)
  #offsets = new Float64Array(FIRST_ROOM)

  /** @param hasMarks the rows come from JSON and may contain the marks of `marks.ts` */
  constructor(hasMarks = false) {
    this.#hasMarks = hasMarks
  }

  add(place: RowPlace, fault: Fault): void {
    const row = this.size++
    if (row === this.#lines.length) this.#grow()
    const { reason, column } = fault
    const known = this.#faults.findIndex((other) => other.reason === reason && other.column === column)
    this.#faultOf[row] = known < 0 ? this.#faults.push(fault) - 1 : known
    this.#lines[row] = place.line
    this.#lengths[row] = place.length
    this.#offsets[row] = place.offset
  }

  /** Rows that gates do not count: of a second table, hidden ones, and notes and totals if they are to be quarantined. */
  get layoutRows(): number {
    let rows = 0
    for (let row = 0; row < this.size; row++) if (this.#faultAt(row).isLayout) rows++
    return rows
  }

  /** Most frequent reason first. */
  counts(): QuarantineCount[] {
    const byReason = Map.groupBy(this.#order(), (row) => this.#faultAt(row).reason)
    const counts = [...byReason].map(([reason, rows]) => {
      return { reason, count: rows.length, first_line: this.#lines[rows[0] as number] as number }
    })
    return counts.sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
  }

  /** Up to `most` rows in file order, alternating between the kinds of fault; long rows are cut after `SAMPLED_BYTES`. */
  sample(path: string, most: number): QuarantinedRow[] {
    const byFault = Map.groupBy(this.#order(), (row) => this.#faultOf[row] as number)
    const chosen: number[] = []
    for (let turn = 0; turn < most; turn++)
      for (const rows of byFault.values())
        if (turn < rows.length && chosen.length < most) chosen.push(rows[turn] as number)
    const offsets = this.#offsets
    chosen.sort((a, b) => (offsets[a] as number) - (offsets[b] as number))
    return [...this.#read(path, chosen, SAMPLED_BYTES)]
  }

  /** The rows in file order, with their text from `path`. */
  *rows(path: string): Generator<QuarantinedRow> {
    yield* this.#read(path, this.#order(), Number.POSITIVE_INFINITY)
  }

  /** Rows by their place in the file. */
  #order(): Uint32Array {
    const offsets = this.#offsets
    const order = Uint32Array.from({ length: this.size }, (_, row) => row)
    return order.sort((a, b) => (offsets[a] as number) - (offsets[b] as number))
  }

  /** @param longest the most bytes read of a row */
  *#read(path: string, rows: Iterable<number>, longest: number): Generator<QuarantinedRow> {
    const offsets = this.#offsets,
      lengths = this.#lengths,
      lines = this.#lines
    const file = openSync(path, 'r')
    using _ = atEnd(() => closeSync(file))
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    for (const row of rows) {
      const bytes = new Uint8Array(Math.min(lengths[row] as number, longest))
      readFully(file, bytes, offsets[row] as number)
      const { column, reason } = this.#faultAt(row)
      const text = showBroken(decoder.decode(bytes))
      const raw = this.#hasMarks ? withoutMarks(text) : text
      yield { line: lines[row] as number, column, reason, raw }
    }
  }

  #faultAt(row: number): Fault {
    return this.#faults[this.#faultOf[row] as number] as Fault
  }

  #grow(): void {
    const room = 2 * this.#lines.length
    this.#faultOf = enlarge(this.#faultOf, room)
    this.#lines = enlarge(this.#lines, room)
    this.#lengths = enlarge(this.#lengths, room)
    this.#offsets = enlarge(this.#offsets, room)
  }
}
