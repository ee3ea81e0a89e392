/**
 * Rows that are not imported, each with its line, the column at fault and the reason. A row takes some twenty bytes
 * here; its text is read from the file again when it is written down.
 */

import { closeSync, openSync, readSync } from 'node:fs'
import type { QuarantinedRow } from '../../storage/version-format.ts'

export interface QuarantineCount {
  readonly reason: string
  readonly count: number
  readonly first_line: number
}

/** Where a row stands in the UTF-8 file: bytes. */
export interface RowPlace {
  readonly line: number
  readonly offset: number
  readonly length: number
}

/** Why a row is refused; `column` is null when the record as a whole is at fault. */
export interface Fault {
  readonly reason: string
  readonly column: string | null
}

const FIRST_ROOM = 64

export class Quarantine {
  /** Rows so far. */
  size = 0
  private readonly faults: Fault[] = []
  private faultOf = new Uint16Array(FIRST_ROOM)
  private lines = new Uint32Array(FIRST_ROOM)
  private lengths = new Uint32Array(FIRST_ROOM)
  private offsets = new Float64Array(FIRST_ROOM)

  /** @param fault one object per kind of fault, not per row */
  add(place: RowPlace, fault: Fault): void {
    const row = this.size++
    if (row === this.lines.length) this.grow()
    const known = this.faults.indexOf(fault)
    this.faultOf[row] = known < 0 ? this.faults.push(fault) - 1 : known
    this.lines[row] = place.line
    this.lengths[row] = place.length
    this.offsets[row] = place.offset
  }

  /** Most frequent reason first. */
  counts(): QuarantineCount[] {
    const counts = new Map<string, { reason: string; count: number; first_line: number }>()
    for (let row = 0; row < this.size; row++) {
      const { reason } = this.faults[this.faultOf[row] as number] as Fault
      const line = this.lines[row] as number
      const known = counts.get(reason)
      if (!known) counts.set(reason, { reason, count: 1, first_line: line })
      else {
        known.count++
        known.first_line = Math.min(known.first_line, line)
      }
    }
    return [...counts.values()].sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
  }

  /** The rows in file order, with their text read from `path`. */
  *rows(path: string): Generator<QuarantinedRow> {
    const { offsets, lengths, lines } = this
    const order = Uint32Array.from({ length: this.size }, (_, row) => row)
    order.sort((a, b) => (offsets[a] as number) - (offsets[b] as number))
    const file = openSync(path, 'r')
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    try {
      for (const row of order) {
        const bytes = new Uint8Array(lengths[row] as number)
        readSync(file, bytes, 0, bytes.length, offsets[row] as number)
        const { column, reason } = this.faults[this.faultOf[row] as number] as Fault
        yield { line: lines[row] as number, column, reason, raw: decoder.decode(bytes) }
      }
    } finally {
      closeSync(file)
    }
  }

  private grow(): void {
    const room = this.size * 2
    const { faultOf, lines, lengths, offsets } = this
    this.faultOf = new Uint16Array(room)
    this.faultOf.set(faultOf)
    this.lines = new Uint32Array(room)
    this.lines.set(lines)
    this.lengths = new Uint32Array(room)
    this.lengths.set(lengths)
    this.offsets = new Float64Array(room)
    this.offsets.set(offsets)
  }
}
