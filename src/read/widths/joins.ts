/** Ways to give every column of a record with too many cells a run of them. */

import type { RaggedCells } from '../records/ragged-reader.ts'
import { type ColumnEvidence, hasGroups, isDigits, shapeOf } from './column-evidence.ts'
import { couldFit, fits, isTyped, looksTyped } from './fit.ts'

/** Cells beyond the columns that are looked into. */
export const MOST_EXTRA = 16

const GROUPS = /^[-+\u2212]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/
/** Thousands or decimals by commas. */
const JOINED_NUMBER = /^[-+\u2212]?(?:\d+,\d+|[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?)$/
const WHOLE = /^[-+\u2212]?\d+$/

/** For each column its first and its last cell; -1: none. */
export interface Plan {
  readonly first: readonly number[]
  readonly last: readonly number[]
}

/** A column that the whole table shows cut: its decimals by their commas, or its texts by theirs. */
export interface Cut {
  readonly column: number
  readonly isDecimal: boolean
}

/** What joining asks: what the columns prove, or what could be. */
export interface JoinRules {
  readonly columns: readonly ColumnEvidence[]
  readonly delimiter: string
  /** The whole table is cut there. */
  readonly cut: Cut | null
}

/** Whether a cell goes on with what stands before it: it begins with a space, and no cell of the column does. */
function isTail({ texts, quoted }: RaggedCells, cell: number, column: ColumnEvidence): boolean {
  const text = texts[cell] as string
  return cell > 0 && !quoted[cell] && text.startsWith(' ') && text.trim() !== '' && !column.beginsBlank
}

/** Whether cells, one of them alone or several joined, may stand in a column. */
type Allows = (record: RaggedCells, column: number, first: number, last: number) => boolean

/** Whatever is not ruled out: what other ways there might be. */
export function anyJoin({ columns, delimiter, cut }: JoinRules): Allows {
  return (record, at, first, last) => {
    const column = columns[at] as ColumnEvidence
    if (isTail(record, first, column)) return false
    if (first === last) return couldFit(record.texts[first] as string, column)
    if (!areJoinable(record, first, last)) return false
    if (cut?.column === at && isCut(record, first, last, cut)) return true
    if (column.kind === 'text' || column.kind === 'category') return true
    if (column.kind !== 'number' || cut !== null) return false
    return JOINED_NUMBER.test(joinCells(record, first, last, delimiter))
  }
}

/** What the columns prove, by the rules for an unquoted delimiter. */
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
    const isMarked = areTails(pieces) || (column.hasDelimiters && !pieces.some(isTypedText))
    const neighbours = [columns[at - 1], columns[at + 1]].filter((next) => next !== undefined)
    return (
      isMarked && !pieces.some((piece) => neighbours.some((next) => isTyped(next) && couldFit(piece, next)))
    )
  }
}

function joinCells({ texts }: RaggedCells, first: number, last: number, delimiter: string): string {
  return texts
    .slice(first, last + 1)
    .join(delimiter)
    .trim()
}

/** Whether each piece but the first begins with a space. */
export function areTails(pieces: readonly string[]): boolean {
  return pieces.slice(1).every((piece) => piece.startsWith(' '))
}

function isTypedText(piece: string): boolean {
  return looksTyped(piece.trim()) || shapeOf(piece.trim()) !== ''
}

function areJoinable({ texts, quoted }: RaggedCells, first: number, last: number): boolean {
  for (let cell = first; cell <= last; cell++) if (quoted[cell] || texts[cell]?.trim() === '') return false
  return true
}

/** Whether two cells are the halves of a value of the column that the whole table shows cut. */
export function isCut({ texts }: RaggedCells, first: number, last: number, { isDecimal }: Cut): boolean {
  if (last !== first + 1) return false
  const [head = '', tail = ''] = [texts[first], texts[last]]
  if (isDecimal) return WHOLE.test(head.trim()) && isDigits(tail)
  return tail.startsWith(' ')
}

/**
 * The only way to give each column a run of the first `cells` cells.
 * @returns the plan, or how many ways there are, counted up to two
 */
export function findOnlyJoin(
  record: RaggedCells,
  cells: number,
  width: number,
  allows: Allows,
): { ways: number; plan: Plan | null } {
  const extra = cells - width
  // ways[o]: for the columns behind the current one, from cell (column + 1 + o) on.
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
