/** Between the splitter, which cuts records into cells, and who makes rows of those of another width. */

import { ORDINARY, type QuotedCells, UNQUOTED } from './quoted-cells.ts'

/** A record that is not a row: its number of cells is not the header's, or a quote broke it. Offsets are within the block. */
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

/** A record of another width than the header's, cut into its cells: bounds within `bytes`, quotes taken off. */
export interface CutRecord {
  readonly bytes: Uint8Array
  readonly line: number
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly quoted: readonly boolean[]
  /** Some quote in it stands neither at the beginning nor at the end of a cell, or is alone there. */
  readonly hasStray: boolean
}

/** Bounds of as many cells as the header has. */
export type MendedRecord = Pick<CutRecord, 'starts' | 'ends'>

/** Makes rows of records of another width, where the evidence allows it (`widths/width-outcome.ts`). */
export interface RecordMender {
  /** Records of more cells are not looked into. */
  readonly mostCells: number
  mend(record: CutRecord): MendedRecord | null
}

/** Cuts all cells of a record, whose bounds and number are known. */
export function cutWhole(
  quoted: QuotedCells,
  record: { bytes: Uint8Array; start: number; end: number; cells: number; line: number },
): CutRecord {
  const { bytes, start, end, cells, line } = record
  const bounds = { starts: [] as number[], ends: [] as number[], quoted: [] as boolean[] }
  const cut = { bytes, line, hasStray: false, ...bounds }
  for (let at = start; cut.starts.length < cells; at++) {
    const from = at
    const closing = at < end ? quoted.read(bytes, at, end, true) : UNQUOTED
    if (closing >= 0) at = closing
    else while (at < end && quoted.plain[bytes[at] as number] === ORDINARY) at++
    cut.starts.push(closing >= 0 ? quoted.start : from)
    cut.ends.push(closing >= 0 ? quoted.end : at)
    cut.quoted.push(closing >= 0)
    cut.hasStray ||= closing >= 0 ? quoted.wasStray : bytes.subarray(from, at).includes(quoted.quote)
  }
  return cut
}
