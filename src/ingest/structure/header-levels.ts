/** Headers of several records: names of groups above names of columns, units and further lines below them. */

import { isMissingMark, isNumeric, numericColumns, plainText } from './cell-kinds.ts'
import { isData, isSeries } from './data-rows.ts'
import type { Span } from './spans.ts'

/** A record of the header, its cells trimmed. */
export interface Level {
  /** Place among the records, from 1. */
  readonly record: number
  readonly cells: readonly string[]
}

/** Of a table's columns, the share that one merged cell may cover and still be a group's name and not a title. */
const GROUP_SHARE = 0.6

/**
 * Whether the record right above a header has the names of groups of its columns. A title does not: it has one text,
 * or stands over a first column that has a name already.
 */
export function isGroupRow(upper: Level, lower: Level, spans: readonly Span[]): boolean {
  const { cells } = upper
  const filled = filledColumns(cells)
  const [first] = filled
  if (first === undefined || cells.length > lower.cells.length) return false
  if (
    filled.some(
      (column) => isNumeric(cells[column] as string) && !/^(19|20)\d\d/.test(cells[column] as string),
    )
  )
    return false
  const own = spansOf(spans, upper.record)
  const overName = first === 0 && (lower.cells[0] ?? '') !== '' && !sameText(cells[0], lower.cells[0])
  if (overName && !own.some(({ cell, width }) => cell === 0 && width <= GROUP_SHARE * lower.cells.length))
    return false
  if (filled.length > 1)
    return filled.every((column) => !sameText(cells[column], lower.cells[column])) || own.length > 0
  const [span] = own
  if (span && span.width <= GROUP_SHARE * lower.cells.length) return true
  const names = lower.cells.filter((name) => name !== '').map(plainText)
  return first > 0 && new Set(names).size < names.length
}

/**
 * Whether a record with gaps is a title of several cells, such as a place and a date: the one below names every column,
 * the first one otherwise, and is no row of data.
 */
export function isTitleOver(
  upper: Level,
  lower: Level,
  below: readonly (readonly string[])[],
  spans: readonly Span[],
): boolean {
  const { cells } = lower
  if (!upper.cells.includes('') || cells.includes('') || hasSpan(spans, upper.record)) return false
  if (upper.cells[0] === '' || sameText(upper.cells[0], cells[0]) || isData(cells, below)) return false
  const numeric = numericColumns(below, cells.length)
  return (
    new Set(cells.map(plainText)).size === cells.length &&
    cells.every((cell) => !isNumeric(cell)) &&
    numeric.some(Boolean)
  )
}

/**
 * Whether the record right below a header still belongs to it: it fills the gaps beside a group's name, or has units or
 * texts over columns of numbers. What could be a row of data is none.
 * @param levels of the header so far; @param below trimmed rows under the record
 */
export function isLowerLevel(
  levels: readonly Level[],
  next: Level,
  below: readonly (readonly string[])[],
  spans: readonly Span[],
): boolean {
  const { cells } = next
  const filled = filledColumns(cells)
  const last = levels.at(-1) as Level
  if (filled.length === 0 || below.length === 0 || isData(cells, below)) return false
  const numeric = numericColumns(below, cells.length)
  const isText = (column: number) =>
    !isNumeric(cells[column] as string) && !isMissingMark(cells[column] as string)
  const overNumbers = filled.filter((column) => numeric[column] && isText(column))
  const named = namedColumns(levels, cells.length)
  const gaps = filled.filter((column) => !named[column] && lastName(last.cells, column) >= 0)
  if (gaps.length > 0) {
    const closed = filled.every((column) => isText(column) || isSeries(cells))
    const fresh = filled.every(
      (column) =>
        !named[column] ||
        isGroupName(last.cells, cells, column) ||
        overNumbers.includes(column) ||
        sameText(cells[column], last.cells[column]),
    )
    const beside =
      cells[0] === '' ||
      (last.cells[0] ?? '') === '' ||
      sameText(cells[0], last.cells[0]) ||
      hasSpan(spans, last.record)
    const isEvident = overNumbers.length > 0 || isSeries(cells) || (cells[0] === '' && !numeric.some(Boolean))
    return closed && fresh && beside && (isEvident || hasSpan(spans, last.record))
  }
  if (hasSpan(spans, last.record) && cells[0] !== '' && sameText(cells[0], last.cells[0]))
    return filled.every(isText)
  if (overNumbers.length === 0 || !filled.every(isText)) return false
  if (filled.every((column) => isUnit(cells[column] as string))) return true
  if (cells[0] === '') return overNumbers.length === filled.length && below.length > 2
  return isSecondLine(cells, filled, numeric)
}

/** A text in every column, all different, over two columns of numbers or more: names again, in other words. */
function isSecondLine(
  cells: readonly string[],
  filled: readonly number[],
  numeric: readonly boolean[],
): boolean {
  const texts = new Set(cells.map(plainText))
  const numbers = numeric.filter(Boolean).length
  const haveLetters = cells.every((cell) => /\p{L}{2}/u.test(cell))
  return filled.length === cells.length && texts.size === cells.length && numbers > 1 && haveLetters
}

const UNITS =
  /^(?:[([].{1,40}[)\]]|%|‰|lei|ron|eur|euro|usd|mii|mil\.?|buc\.?|kg|t|tone|km|km2|km²|kmp|ha|mp|m|m2|m²|m3|m³|mc|l|persoane|nr\.?|numar|ani|zile|ore|(?:mii|mil\.?|milioane|miliarde|thousand|million|mio\.?) \S{1,20}( \S{1,20})?)$/

/** `(%)`, `lei`, `mii persoane`: what the numbers of a column count. */
function isUnit(text: string): boolean {
  return UNITS.test(plainText(text))
}

/**
 * The names of the columns: per column the texts of all levels, from the top, equal ones once. A group's name counts
 * for every column it covers: those of its merged cell, or else the blank ones on its right that have a name below.
 */
export function joinLevels(levels: readonly Level[], spans: readonly Span[]): string[] {
  const width = Math.max(...levels.map(({ cells }) => cells.length))
  const starts = new Set<number>()
  const parts: string[][] = Array.from({ length: width }, () => [])
  for (const [depth, level] of levels.entries()) {
    const lower = namedColumns(levels.slice(depth + 1), width)
    const covering = coverColumns(level, lower, starts, spans)
    for (const [column, from] of covering.entries()) {
      const text = from < 0 ? '' : (level.cells[from] as string)
      const known = (parts[column] as string[]).some((part) => sameText(part, text))
      if (text !== '' && !known) parts[column]?.push(text)
    }
    for (const column of filledColumns(level.cells)) starts.add(column)
  }
  return parts.map((texts) => texts.join(' '))
}

/** Per column, the cell of a level whose text counts for it, or -1. */
function coverColumns(
  level: Level,
  lower: readonly boolean[],
  starts: ReadonlySet<number>,
  spans: readonly Span[],
): number[] {
  const own = spansOf(spans, level.record)
  let from = -1
  return lower.map((hasLower, column) => {
    if ((level.cells[column] ?? '') !== '') {
      from = column
      return column
    }
    const span = own.find(({ cell, width }) => column >= cell && column < cell + width)
    if (span) return span.cell
    if (own.length > 0 || starts.has(column) || !hasLower || from < 0 || !lower[from]) from = -1
    return from
  })
}

function namedColumns(levels: readonly Level[], width: number): boolean[] {
  return Array.from({ length: width }, (_, column) =>
    levels.some(({ cells }) => (cells[column] ?? '') !== ''),
  )
}

/** The nearest column to the left that has a name. */
function lastName(names: readonly string[], column: number): number {
  return names.findLastIndex((name, i) => i < column && name !== '')
}

/** A name with a gap on its right, which the next record fills below both. */
function isGroupName(names: readonly string[], cells: readonly string[], column: number): boolean {
  return (names[column + 1] ?? '-') === '' && (cells[column + 1] ?? '') !== ''
}

function filledColumns(cells: readonly string[]): number[] {
  return cells.flatMap((cell, column) => (cell === '' ? [] : [column]))
}

function spansOf(spans: readonly Span[], record: number): Span[] {
  return spans.filter((span) => span.record === record)
}

function hasSpan(spans: readonly Span[], record: number): boolean {
  return spans.some((span) => span.record === record)
}

function sameText(a: string | undefined, b: string | undefined): boolean {
  return plainText(a ?? '') === plainText(b ?? '')
}
