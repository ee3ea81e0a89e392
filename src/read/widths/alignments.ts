/** Ways to place the cells of a record that has too few. */

import type { Plan } from './joins.ts'

/**
 * The ways to place cells in columns, in their order, counted up to two. Ways that serve equal rows are one: only cells
 * with text have a place, and cells between them need columns between theirs.
 * @param filled the cells with text, ascending; @param cells how many there are with those without
 * @returns the column of each filled cell when there is one way only
 */
export function findOnlyAlignment(
  filled: readonly number[],
  cells: number,
  width: number,
  allows: (cell: number, column: number) => boolean,
): { ways: number; columns: readonly number[] } {
  // ways[c]: to place the cells behind the current one, when it stands in column c.
  let ways = new Uint8Array(width).fill(1)
  const next: Int32Array[] = []
  for (let at = filled.length - 1; at >= 0; at--) {
    const cell = filled[at] as number
    const now = new Uint8Array(width)
    const follows = new Int32Array(width).fill(-1)
    for (let column = cell; column < width - (cells - 1 - cell); column++) {
      if (!allows(cell, column)) continue
      if (at === filled.length - 1) {
        now[column] = 1
        continue
      }
      const least = column + (filled[at + 1] as number) - cell
      for (let behind = least; behind < width && (now[column] as number) < 2; behind++) {
        if (ways[behind] === 0) continue
        now[column] = Math.min(2, (now[column] as number) + (ways[behind] as number))
        follows[column] = behind
      }
    }
    next[at] = follows
    ways = now
  }
  const total = ways.reduce((sum, count) => sum + count, 0)
  if (total !== 1) return { ways: Math.min(2, total), columns: [] }
  const columns = [ways.indexOf(1)]
  for (let at = 0; at + 1 < filled.length; at++) columns.push(next[at]?.[columns[at] as number] as number)
  return { ways: 1, columns }
}

/** Each cell in the column of its own place, the columns behind them empty. */
export function prefixPlan(cells: number, width: number): Plan {
  const first = Array.from({ length: width }, (_, column) => (column < cells ? column : -1))
  return { first, last: first }
}

/** @param filled as above; @param columns of the filled cells */
export function alignedPlan(filled: readonly number[], columns: readonly number[], width: number): Plan {
  const first = new Array<number>(width).fill(-1)
  for (const [at, column] of columns.entries()) first[column] = filled[at] as number
  return { first, last: first }
}
