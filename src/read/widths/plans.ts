/** Ways to assign too many cells to columns, in runs, and to place too few cells in columns. */

import type { RecordCells } from '../records/record-mender.ts'
import { type ColumnEvidence, hasGroups, isDigits, shapeOf } from './column-evidence.ts'
import { couldFit, fits, isTyped, looksTyped } from './fit.ts'

/** The most surplus cells that are examined. */
export const MOST_EXTRA = 16

const GROUPS = /^[-+\u2212]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/

/** For each column its first and last cell; -1: none. */
export type Plan = Readonly<{ first: readonly number[]; last: readonly number[] }>

/** A column that is cut throughout the table: its decimals at their commas, or its texts at theirs. */
export type Cut = Readonly<{ column: number; isDecimal: boolean }>

export type JoinRules = Readonly<{ columns: readonly ColumnEvidence[]; delimiter: string; cut: Cut | null }>

/** Whether a cell continues the one before it: it begins with a space, and no cell of the column does. */
function isTail({ texts, quoted }: RecordCells, cell: number, column: ColumnEvidence): boolean {
  const text = texts[cell] as string
  return cell > 0 && !quoted[cell] && text.startsWith(' ') && text.trim() !== '' && !column.beginsBlank
}

/** Whether a cell, or several joined ones, may be in a column. */
type Allows = (record: RecordCells, column: number, first: number, last: number) => boolean

/** Allows whatever is not ruled out: shows which other ways there might be. */
export function anyJoin({ columns, delimiter, cut }: JoinRules): Allows {
  return (record, at, first, last) => {
    const column = columns[at] as ColumnEvidence
    if (isTail(record, first, column)) return false
    if (first === last) return couldFit(record.texts[first] as string, column)
    if (!areJoinable(record, first, last)) return false
    if (cut?.column === at && isCut(record, first, last, cut)) return true
    if (column.kind === 'text' || column.kind === 'category') return true
    if (column.kind !== 'number' || cut !== null) return false
    const joined = joinCells(record, first, last, delimiter)
    return GROUPS.test(joined) || /^[-+\u2212]?\d+,\d+$/.test(joined)
  }
}

/** Allows only what the columns prove, by the rules for an unquoted delimiter. */
export function provenJoin({ columns, delimiter, cut }: JoinRules): Allows {
  return (record, at, first, last) => {
    const column = columns[at] as ColumnEvidence
    if (isTail(record, first, column)) return false
    if (first === last) return fits(record.texts[first] as string, column, cut !== null)
    if (!areJoinable(record, first, last)) return false
    if (cut?.column === at) return isCut(record, first, last, cut)
    const pieces = record.texts.slice(first, last + 1)
    if (hasGroups(column)) {
      const joined = joinCells(record, first, last, delimiter)
      return GROUPS.test(joined) && fits(joined, column)
    }
    if (column.kind !== 'text' && column.kind !== 'category') return false
    const isTypedText = (piece: string) => looksTyped(piece.trim()) || shapeOf(piece.trim()) !== ''
    const isMarked = areTails(pieces) || (column.hasDelimiters && !pieces.some(isTypedText))
    const neighbours = [columns[at - 1], columns[at + 1]].filter((next) => next !== undefined)
    return (
      isMarked && !pieces.some((piece) => neighbours.some((next) => isTyped(next) && couldFit(piece, next)))
    )
  }
}

function joinCells({ texts }: RecordCells, first: number, last: number, delimiter: string): string {
  return texts
    .slice(first, last + 1)
    .join(delimiter)
    .trim()
}

/** Whether each piece except the first begins with a space. */
export function areTails(pieces: readonly string[]): boolean {
  return pieces.slice(1).every((piece) => piece.startsWith(' '))
}

function areJoinable({ texts, quoted }: RecordCells, first: number, last: number): boolean {
  for (let cell = first; cell <= last; cell++) if (quoted[cell] || texts[cell]?.trim() === '') return false
  return true
}

/** Whether two cells are the halves of a value in the column that is cut throughout. */
export function isCut({ texts }: RecordCells, first: number, last: number, { isDecimal }: Cut): boolean {
  if (last !== first + 1) return false
  const [head = '', tail = ''] = [texts[first], texts[last]]
  if (isDecimal) return /^[-+\u2212]?\d+$/.test(head.trim()) && isDigits(tail)
  return tail.startsWith(' ')
}

/**
 * Finds the only way to assign the first `cells` cells to the columns, in runs.
 * @returns the plan, or the number of ways, counted up to two
 */
export function findOnlyJoin(
  record: RecordCells,
  cells: number,
  width: number,
  allows: Allows,
): { ways: number; plan: Plan | null } {
  const extra = cells - width
  // ways[o]: for the columns after the current one, from cell (column + 1 + o) on.
  let ways = new Uint8Array(extra + 1)
  ways[extra] = 1
  const lengths: Uint8Array[] = []
  for (let column = width - 1; column >= 0; column--) {
    const now = new Uint8Array(extra + 1)
    const length = new Uint8Array(extra + 1)
    for (let offset = 0; offset <= extra; offset++) {
      const first = column + offset
      for (let more = 0; offset + more <= extra && (now[offset] as number) < 2; more++) {
        const rest = ways[offset + more] as number
        if (rest === 0 || !allows(record, column, first, first + more)) continue
        now[offset] = Math.min(2, (now[offset] as number) + rest)
        length[offset] = more + 1
      }
    }
    lengths[column] = length
    ways = now
  }
  const found = ways[0] as number
  if (found !== 1) return { ways: found, plan: null }
  const plan = { first: [] as number[], last: [] as number[] }
  for (let column = 0, cell = 0; column < width; column++) {
    plan.first.push(cell)
    cell += lengths[column]?.[cell - column] as number
    plan.last.push(cell - 1)
  }
  return { ways: 1, plan }
}

/**
 * The ways to place cells in columns, in order, counted up to two. Ways that give equal rows count once: only cells with
 * text are placed, and blank cells between them need columns in between.
 * @param filled the cells with text, ascending; @param cells number of all cells
 * @returns the column of each filled cell if there is only one way
 */
export function findOnlyAlignment(
  filled: readonly number[],
  cells: number,
  width: number,
  allows: (cell: number, column: number) => boolean,
): { ways: number; columns: readonly number[] } {
  // ways[c]: to place the cells after the current one, if it is in column c.
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

/** Each cell in the column with its index, the columns after them empty. */
export function prefixPlan(cells: number, width: number): Plan {
  const first = Array.from({ length: width }, (_, column) => (column < cells ? column : -1))
  return { first, last: first }
}
