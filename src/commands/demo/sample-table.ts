/** A table of generated sample data: the shape of a published dataset with invented figures. */

import { csvCell } from '../../base/text/quoting.ts'
import type { DefinedColumn } from '../../read/definition/definition.ts'

export type SampleCell = string | number | null

export interface SampleTable {
  readonly domain: string
  readonly id: string
  /** Column names as served; the written header is the one that the dataset's definition expects. */
  readonly columns: readonly string[]
  /** Columns that are not in the shipped definition, which is made for the publisher's file. */
  readonly more?: readonly DefinedColumn[]
  readonly rows: number
  /** The seed of its random numbers; with its own, a table does not change when another one does. */
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

export type Random = ReturnType<typeof createRandom>

/**
 * A generator for one seed: sfc32 (Chris Doty-Humphrey's small fast counting generator, 128 bits of state), warmed up
 * so that neighbouring seeds have nothing in common.
 */
export function createRandom(seed: number) {
  let a = seed | 0
  let b = 0x9e3779b9 | 0
  let c = 0x243f6a88 | 0
  let counter = 1
  const float = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return (sum >>> 0) / 0x100000000
  }
  for (let i = 0; i < 15; i++) float()
  const below = (limit: number): number => Math.floor(float() * limit)
  return {
    /** In [0, 1). */
    float,
    /** A whole number in [0, limit). */
    below,
    /** One of the list, all equally likely. */
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    /** One of the list, the first ones far more often: the position follows the given power of a uniform number. */
    favour: <T>(list: readonly T[], power: number): T =>
      list[Math.floor(list.length * float() ** power)] as T,
    /** True with the given probability. */
    chance: (probability: number) => float() < probability,
  }
}
