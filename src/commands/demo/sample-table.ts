/** A table of generated sample data: the shape of a published dataset with invented figures. */

import { csvCell } from '../../base/text/quoting.ts'
import type { Random } from './random.ts'

export type SampleCell = string | number | null

export interface SampleTable {
  readonly domain: string
  readonly id: string
  /** Column names as they are served; the header written is the one that the dataset's definition reads. */
  readonly columns: readonly string[]
  readonly rows: number
  /** Starts the random numbers; a table of its own seed does not change when another one does. */
  readonly seed: number
  readonly generate: (random: Random, rows: number) => Iterable<readonly SampleCell[]>
}

const csvLine = (cells: readonly SampleCell[]): string =>
  `${cells.map((cell) => csvCell(String(cell ?? ''))).join(',')}\r\n`

/** Writes header and rows as CSV (RFC 4180, UTF-8) to `write`, in pieces of some hundred kilobytes. */
export function writeCsv(
  header: readonly string[],
  rows: Iterable<readonly SampleCell[]>,
  write: (piece: string) => void,
): void {
  let piece = csvLine(header)
  for (const row of rows) {
    piece += csvLine(row)
    if (piece.length < 0x40000) continue
    write(piece)
    piece = ''
  }
  write(piece)
}
