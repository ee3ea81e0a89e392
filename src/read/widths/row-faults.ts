/** Finds rows of the right width that are not what they seem, by what the other rows prove. */

import type { Fault } from '../report/quarantine.ts'
import { isMissingMark } from '../structure/cell-kinds.ts'
import { type ColumnEvidence, isDigits, shapeOf } from './column-evidence.ts'
import { couldFit, fits, isTyped, looksTyped, looseForm } from './fit.ts'
import type { RowCells } from './line-breaks.ts'
import { joinLines, splitAtQuotes, splitLines } from './lost-quotes.ts'
import { MOST_EXTRA } from './plans.ts'

export const SHIFTED: Fault = { reason: 'shifted', column: null }
export const BROKEN_QUOTE: Fault = { reason: 'broken_quote', column: null }

/**
 * The rows whose values are shifted by one column.
 * @param signs delimiter and quote
 */
export function* findShifted(
  rowCells: RowCells,
  columns: readonly ColumnEvidence[],
  signs: readonly [delimiter: string, quote: string],
): Generator<number> {
  // With fewer rows nothing counts as strange.
  if (columns.some(({ filled, blank }) => filled + blank < 20)) return
  for (const [row, cells] of rowCells) {
    const texts = cells.map(({ text }) => text.trim())
    if (isShifted(texts, columns, signs)) yield row
  }
}

/**
 * Whether values that are strange in their columns would not be in the next ones, if those on one side of a position were
 * shifted: then none is strange in typed columns, at most half as many in text columns (or no more, if categories get known
 * values back), and the row as a whole is less odd.
 */
function isShifted(
  row: readonly string[],
  columns: readonly ColumnEvidence[],
  [delimiter, quote]: readonly [delimiter: string, quote: string],
): boolean {
  const now = findOddities(row, columns, -1)
  if (now.strange === 0) return false
  const isPossible = (cells: readonly string[], lacking: number) => {
    const then = findOddities(cells, columns, lacking)
    const most = restoreCategories(row, cells, columns) ? now.strange : now.strange / 2
    return then.typed === 0 && then.strange <= most && then.strange + then.unusual < now.strange + now.unusual
  }
  const last = columns.length - 1
  // The record has a value in the last column, where few have one.
  const { filled, blank } = columns[last] as ColumnEvidence
  const endsFilled = row[last] !== '' && filled <= 0.05 * (filled + blank)
  for (let at = 0; at <= last; at++) {
    // A value is missing here, and the record was filled up at its end.
    if (row[last] === '' && isPossible([...row.slice(0, at), '', ...row.slice(at, -1)], at)) return true
    // A blank was inserted here, and the last value was lost.
    if (row[at] === '' && isPossible([...row.slice(0, at), ...row.slice(at + 1), ''], last)) return true
    // A text was cut here, and the rest replaced a blank cell at the end.
    if (
      now.typed > 0 &&
      endsFilled &&
      columns[at]?.kind === 'text' &&
      row[at] !== '' &&
      (row[at + 1] ?? '') !== ''
    ) {
      const joined = `${row[at]}${delimiter}${row[at + 1]}`
      if (isPossible([...row.slice(0, at), joined, ...row.slice(at + 2), ''], last)) return true
    }
    // The delimiter beside a quote is missing here, and another value is surplus.
    for (const pieces of splitAtQuotes(row[at] as string, quote)) {
      // The value does not belong in this typed column, but one of its pieces does.
      const column = columns[at] as ColumnEvidence
      const isStrangeHere = isTyped(column) && isStrange(row[at] as string, column)
      if (isStrangeHere && pieces.some((piece) => fits(piece, column))) return true
      const cells = [...row.slice(0, at), ...pieces, ...row.slice(at + 1)]
      if (cells.some((_, i) => isPossible([...cells.slice(0, i), ...cells.slice(i + 1)], -1))) return true
    }
  }
  return false
}

/** Whether categories get known values instead of others. @param cells of the row after its values are shifted */
function restoreCategories(
  row: readonly string[],
  cells: readonly string[],
  columns: readonly ColumnEvidence[],
): boolean {
  const restored = columns.filter((column, at) => {
    const [now, then] = [row[at] as string, cells[at] as string]
    return isForeign(now, column) && column.known.has(then) && !isForeign(then, column)
  })
  const isStrangeNow = (column: ColumnEvidence) => isStrange(row[columns.indexOf(column)] as string, column)
  // Two prove where a row's values belong; one is enough if a strange value leaves it.
  return restored.length > 1 || restored.some(isStrangeNow)
}

/**
 * Counts values that are strange in their columns, those of them in typed columns, and unusual ones: values where hardly
 * any row has one, blanks where nearly every row has a value, and values foreign to a category.
 * @param lacking a column whose value is known to be missing; -1: none
 */
function findOddities(row: readonly string[], columns: readonly ColumnEvidence[], lacking: number) {
  let [strange, typed, unusual] = [0, 0, 0]
  for (const [at, column] of columns.entries()) {
    if (isStrange(row[at] as string, column)) {
      strange++
      if (isTyped(column)) typed++
    } else if (isForeign(row[at] as string, column)) unusual++
    else if (at !== lacking && isRare(row[at] === '' ? column.blank : column.filled, column)) unusual++
  }
  return { strange, typed, unusual }
}

/** Whether a category has a value in no row, or in so few that these may be damaged themselves. */
function isForeign(text: string, column: ColumnEvidence): boolean {
  const { kind, known, telling } = column
  if (kind !== 'category' || text === '' || isMissingMark(text)) return false
  const rows = known.get(text) ?? 0
  return isRare(rows, column) && rows * known.size < telling / 4
}

/** Whether a value is unlike all others of a column, or like so few that these may be damaged themselves. */
function isStrange(text: string, column: ColumnEvidence): boolean {
  if (text === '' || isMissingMark(text)) return false
  const { kind, telling, numbers, digits, shaped } = column
  if (kind === 'shape') {
    const form = looseForm(shapeOf(text))
    let rows = 0
    for (const [known, count] of column.shapes) if (looseForm(known) === form) rows += count
    return form === '' || rows < 0.1 * shaped.rows || isRare(rows, column)
  }
  if (kind === 'number' && !isDigits(text))
    return !couldFit(text, column) || (digits.rows > 0 && isRare(numbers.rows - digits.rows, column))
  if (isTyped(column)) return !couldFit(text, column)
  const typed = Math.max(numbers.rows, shaped.rows)
  if (looksTyped(text) || shapeOf(text) !== '') return typed < 0.15 * telling || isRare(typed, column)
  return typed > 0.5 * telling || (typed > 0 && isRare(telling - typed, column))
}

/** Up to 4 % of all rows may be damaged: their values prove nothing. */
function isRare(rows: number, { filled, blank }: ColumnEvidence): boolean {
  return rows < 0.04 * (filled + blank)
}

/**
 * The rows with other rows in a cell of several lines, because quotes were lost: the lines are rows with values in typed
 * columns. Quotes beside delimiters prove nothing: within the cell they are doubled, like a text's own quotes.
 */
export function* findSwallowing(
  rowCells: RowCells,
  columns: readonly ColumnEvidence[],
  delimiter: string,
): Generator<number> {
  for (const [row, cells] of rowCells) {
    const texts = cells.map(({ text }) => text)
    if (texts.some((text, at) => isSwallowing(text, at))) yield row
    function isSwallowing(text: string, at: number): boolean {
      const lines = splitLines(text, delimiter)
      if (lines.length < 2) return false
      lines[0] = [...texts.slice(0, at), ...(lines[0] as string[])]
      lines.push([...(lines.pop() as string[]), ...texts.slice(at + 1)])
      return joinLines(lines, columns.length)?.every((cells) => isRow(cells, columns)) ?? false
    }
  }
}

/** Whether cells are a row with a value in a typed column; surplus cells belong to one of the columns. */
function isRow(line: readonly string[], columns: readonly ColumnEvidence[]): boolean {
  const texts = line.map((cell) => cell.trim().replace(/^"|"$/g, ''))
  const extra = texts.length - columns.length
  if (extra < 0 || extra > MOST_EXTRA) return false
  const isRowWith = (joined: number) => {
    let hasProof = false
    for (const [at, column] of columns.entries()) {
      if (extra > 0 && at === joined) continue
      const text = texts[at > joined ? at + extra : at] as string
      if (!couldFit(text, column)) return false
      hasProof ||= text !== '' && isTyped(column) && fits(text, column)
    }
    return hasProof
  }
  return extra === 0 ? isRowWith(columns.length) : columns.some((_, at) => isRowWith(at))
}
