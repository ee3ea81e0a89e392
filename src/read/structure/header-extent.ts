/**
 * Determines which of the first records are the header: titles above it are skipped; group names above the record that was
 * found, and further levels below it, belong to it.
 */

import type { Span } from '../source/conversion/conversion.ts'
import {
  isData,
  isDateOrRange,
  isMissingMark,
  isMoment,
  isNumbering,
  isNumeric,
  isSeries,
  isYear,
  numericColumns,
  plainText,
} from './cell-kinds.ts'
import { hasSpan, isGroupRow, isLowerLevel, isUnitsRow, joinLevels, sameText } from './header-levels.ts'
import { COMPARED, type Line } from './lines.ts'

/** The most records of a header. */
const MOST_LEVELS = 6

/** The indexes of the first and last record of the header around the one that was found. */
export function extendHeader(
  lines: readonly Line[],
  base: number,
  spans: readonly Span[],
): { from: number; to: number } {
  const spanned = new Set(spans.map(({ record }) => record))
  let from = base
  while (base - from < MOST_LEVELS) {
    const [upper, lower] = [lines[from - 1], lines[from]]
    const distance = measureDistance(upper, lower, spanned)
    if (!upper || !lower || distance !== 'near' || !isGroupRow(upper, lower, spans)) break
    from--
  }
  let to = levelAboveNumbering(lines, base, spanned, spans)
  while (to - base < MOST_LEVELS) {
    const [last, next] = [lines[to], lines[to + 1]]
    const distance = measureDistance(last, next, spanned)
    if (!next || distance === 'far' || next.cells !== (lines[base] as Line).cells) break
    if (isNextLevel(lines, { from, to }, to + 1, spans, distance === 'blank')) to++
    else {
      // Another level, usually units, may be below the row that numbers the columns.
      const below = lines[to + 2]
      if (below?.record !== next.record + 1 || below.broken) break
      if (!isNumberingAt(lines, { from, to }, spans)) break
      if (!isNextLevel(lines, { from, to }, to + 2, spans, false)) break
      to += 2
    }
  }
  return { from, to }
}

/** The index of the last level if a row that numbers the columns is below it: everything above that row is header. */
function levelAboveNumbering(
  lines: readonly Line[],
  base: number,
  spanned: ReadonlySet<number>,
  spans: readonly Span[],
): number {
  const { cells } = lines[base] as Line
  for (let to = base; to - base < MOST_LEVELS; to++) {
    const [level, next] = [lines[to], lines[to + 1]]
    if (!level || !next || next.cells !== cells || measureDistance(level, next, spanned) === 'far')
      return base
    const rows = rowsBelow(lines, to + 1)
    if (to > base && isData(level.texts, rows)) return base
    if (isNumberingAt(lines, { from: base, to }, spans)) return to
  }
  return base
}

function isNumberingAt(
  lines: readonly Line[],
  { from, to }: { from: number; to: number },
  spans: readonly Span[],
): boolean {
  const names = joinLevels(lines.slice(from, to + 1), spans)
  return isNumbering((lines[to + 1] as Line).texts, names, rowsBelow(lines, to + 1))
}

function rowsBelow(lines: readonly Line[], at: number): (readonly string[])[] {
  const { cells } = lines[at] as Line
  return lines
    .slice(at + 1, at + 1 + COMPARED)
    .filter((line) => line.cells === cells)
    .map(({ texts }) => texts)
}

/**
 * What is between two records: nothing, or only merged cells, as a name merged downwards leaves otherwise blank records; a
 * few blank records; or too much for both to belong to one header.
 */
function measureDistance(
  upper: Line | undefined,
  lower: Line | undefined,
  spanned: ReadonlySet<number>,
): 'near' | 'blank' | 'far' {
  if (!upper || !lower || upper.broken || lower.broken) return 'far'
  let blank = 0
  for (let record = upper.record + 1; record < lower.record; record++) if (!spanned.has(record)) blank++
  if (blank === 0) return 'near'
  return blank <= 2 ? 'blank' : 'far'
}

function isNextLevel(
  lines: readonly Line[],
  { from, to }: { from: number; to: number },
  at: number,
  spans: readonly Span[],
  isBelowBlank: boolean,
): boolean {
  const next = lines[at] as Line
  const levels = lines.slice(from, to + 1)
  const names = joinLevels(levels, spans)
  const rows = rowsBelow(lines, at)
  if (isNumbering(next.texts, names, rows)) return false
  const below = rows[0] && isNumbering(rows[0], names, rows.slice(1)) ? rows.slice(1) : rows
  // Below a blank record, a level names columns without a name so far, has units, or leaves the first name alone.
  const isNew = next.texts.some((text, column) => text !== '' && (names[column] ?? '') === '')
  const haveGaps = levels.some(({ texts }) => texts.slice(1).includes(''))
  if (isBelowBlank && !(isNew || haveGaps || next.texts[0] === '' || isUnitsRow(next.texts))) return false
  return [below, belowLevels(below, next.cells)].some((data) => isLowerLevel(levels, next, data, spans))
}

/** The rows below further levels of a header: those from which most columns have only numbers. */
function belowLevels(rows: readonly (readonly string[])[], width: number): readonly (readonly string[])[] {
  let best = rows
  let most = numericColumns(rows, width).filter(Boolean).length
  for (let skipped = 1; skipped < MOST_LEVELS && rows.length - skipped > 2; skipped++) {
    const rest = rows.slice(skipped)
    const numbers = numericColumns(rest, width).filter(Boolean).length
    if (numbers <= most) continue
    most = numbers
    best = rest
  }
  return best
}

/** Whether at most a third of the table's columns have text. With two columns, an empty first cell means a header. */
export function isTitle(cells: readonly string[], width: number): boolean {
  if (width === 1) return false
  const filled = cells.filter((cell) => cell !== '').length
  if (width === 2) return filled < 2 && cells[0] !== ''
  return filled <= Math.max(1, 0.34 * width)
}

/**
 * The index of the header: the record that was found or, if it has gaps or fewer cells, the record below it that names
 * every column and has only titles of several cells above it.
 */
export function skipTitles(
  lines: readonly Line[],
  found: number,
  width: number,
  spans: readonly Span[],
): number {
  for (let at = found + 1; at <= found + 10; at++) {
    const [upper, line] = [lines[at - 1], lines[at]]
    if (!upper || !line || upper.broken || line.broken) return found
    if (upper.cells > width && !isComment(upper.texts)) return found
    const below = ownRowsBelow(lines, at)
    if (line.cells !== width || !isComplete(line.texts, below)) continue
    const titles = lines.slice(found, at)
    const isOver = titles.every(({ texts, record }) => {
      if (isComment(texts)) return !isComment(line.texts)
      const hasGaps = texts.includes('') || texts.length < width
      return hasGaps && !hasSpan(spans, record) && texts[0] !== '' && !sameText(texts[0], line.texts[0])
    })
    // Numbers below each other are the rows of another table.
    const others = titles.slice(1).map(({ texts }) => texts.map((text) => (isMoment(text) ? '' : text)))
    return isOver && !numericColumns(others, width).some(Boolean) ? at : found
  }
  return found
}

/** The records below one that are as wide, up to a blank one, without repetitions of it. */
function ownRowsBelow(lines: readonly Line[], at: number): string[][] {
  const { cells, texts } = lines[at] as Line
  const below = lines.slice(at + 1, at + 1 + COMPARED)
  const gap = below.findIndex(({ record }, i) => i > 1 && record > (below[i - 1] as Line).record + 1)
  return below
    .slice(0, gap < 0 ? below.length : gap)
    .filter((line) => line.cells === cells && line.texts.some((text, i) => text !== texts[i]))
    .map((line) => [...line.texts])
}

/** Whether a record names every column, above columns of numbers, and isn't data itself. */
function isComplete(cells: readonly string[], below: readonly (readonly string[])[]): boolean {
  if (cells.some((cell) => cell === '' || isMissingMark(cell)) || isData(cells, below)) return false
  // A text that a row has in the same place is a value, and so is a year above years.
  const isValue = (cell: string, other: string) => cell === other || (isYear(cell) && isYear(other))
  const isSame = (row: readonly string[]) => cells.every((cell, at) => cell === row[at])
  if (below.some((row) => cells.some((cell, at) => isValue(cell, row[at] ?? '')) && !isSame(row)))
    return false
  const isUnlike = new Set(cells.map(plainText)).size === cells.length
  const areNames = !cells.some(isNumeric) || isSeries(cells)
  return isUnlike && areNames && numericColumns(below, cells.length).some(Boolean)
}

/** Whether a record has a single text, or texts without a number above columns of numbers. */
export function isOverNumbers(cells: readonly string[], below: readonly (readonly string[])[]): boolean {
  const width = Math.max(...below.map(({ length }) => length), 0)
  const numeric = numericColumns(
    below.filter(({ length }) => length === width),
    width,
  )
  const over = cells.filter((text, column) => text !== '' && numeric[column])
  const isAlone = cells.filter((text) => text !== '').length === 1 && numeric.some(Boolean)
  return isAlone || (over.length > 0 && !over.some(isNumeric))
}

function isComment([first = '']: readonly string[]): boolean {
  return /^(?:#|\/\/|%)/.test(first)
}

/**
 * The number of records at the beginning of the rows that describe the table instead of belonging to it: all others have
 * numbers in at least two columns, and these have no numbers there, but texts that do not repeat.
 */
export function countPreamble(rows: readonly (readonly string[])[], width: number): number {
  const isPlain = (text: string) => isNumeric(text) && !isDateOrRange(text)
  const isText = (text: string) => text !== '' && !isPlain(text) && !isMissingMark(text)
  const ends = Array.from(
    { length: width },
    (_, column) => rows.findLastIndex((row) => isText(row[column] ?? '')) + 1,
  )
  // At least two records, so that it isn't chance, above three rows.
  const inside = ends.filter((end) => end >= 2 && end + 3 <= rows.length)
  const end = Math.max(0, ...inside)
  const numeric = numericColumns(rows.slice(end), width)
  const columns = [...numeric.keys()].filter((column) => numeric[column])
  const preamble = rows.slice(0, end)
  const areTexts = columns.every((column) => {
    const texts = preamble.map((row) => row[column] ?? '').filter((text) => text !== '')
    return !texts.some(isPlain) && new Set(texts).size === texts.length
  })
  const haveTexts = preamble.every((row) => columns.some((column) => isText(row[column] ?? '')))
  return columns.length > 1 && areTexts && haveTexts ? end : 0
}
