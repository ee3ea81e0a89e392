/** Titles above a header: few texts, labels with one text each, records with gaps above one that names every column. */

import type { Span } from '../source/spans.ts'
import { isMissingMark, isNumeric, numericColumns, plainText } from './cell-kinds.ts'
import { isData, isDateOrRange, isMoment, isSeries, isYear } from './data-rows.ts'
import { hasSpan, isLabelledTitle, sameText } from './header-levels.ts'
import { COMPARED, type Level, type Line, toLevel } from './lines.ts'

/** A row with text in at most this share of the table's columns is a title, not a header. */
const TITLE_SHARE = 0.34
/** Titles of several cells above a header. */
const MOST_TITLES = 10

/** Few cells with text, in a table of more columns. In a table of two, an empty first cell makes it a header. */
export function isTitle(cells: readonly string[], width: number): boolean {
  if (width === 1) return false
  if (isLabelledTitle(cells)) return true
  const filled = cells.filter((cell) => cell !== '').length
  if (width === 2) return filled < 2 && cells[0] !== ''
  return filled <= Math.max(1, TITLE_SHARE * width)
}

/**
 * The place of the header: what was found, or, when that has gaps or fewer cells, the record below that names every
 * column, with nothing but titles of several cells above it.
 */
export function skipTitles(
  lines: readonly Line[],
  found: number,
  width: number,
  spans: readonly Span[],
): number {
  for (let at = found + 1; at <= found + MOST_TITLES; at++) {
    const [upper, line] = [lines[at - 1], lines[at]]
    if (!upper || !line || upper.broken || line.broken) return found
    if (upper.cells > width && !isComment(upper.texts)) return found
    const lower = toLevel(line)
    const below = rowsBelow(lines, at)
    if (line.cells !== width || !isComplete(lower, below)) continue
    const titles = lines.slice(found, at)
    const isOver = titles.every((title) => isTitleOver(toLevel(title), lower, spans))
    // Numbers below each other are the rows of another table.
    const others = titles.slice(1).map(({ texts }) => texts.map((text) => (isMoment(text) ? '' : text)))
    return isOver && !numericColumns(others, width).some(Boolean) ? at : found
  }
  return found
}

/** The records below one that are as wide, up to a blank one, without those that print it again. */
function rowsBelow(lines: readonly Line[], at: number): string[][] {
  const { cells, texts } = lines[at] as Line
  const below = lines.slice(at + 1, at + 1 + COMPARED)
  const gap = below.findIndex(({ record }, i) => i > 1 && record > (below[i - 1] as Line).record + 1)
  return below
    .slice(0, gap < 0 ? below.length : gap)
    .filter((line) => line.cells === cells && line.texts.some((text, i) => text !== texts[i]))
    .map((line) => [...line.texts])
}

/** Whether a record names every column, over columns of numbers, and is no row of data. */
function isComplete({ cells }: Level, below: readonly (readonly string[])[]): boolean {
  if (cells.some((cell) => cell === '' || isMissingMark(cell)) || isData(cells, below)) return false
  // What a row has in the same place is a value, and so is a year over years.
  const isValue = (cell: string, other: string) => cell === other || (isYear(cell) && isYear(other))
  if (below.some((row) => cells.some((cell, at) => isValue(cell, row[at] ?? '')) && !isSame(cells, row)))
    return false
  const isUnlike = new Set(cells.map(plainText)).size === cells.length
  const areNames = !cells.some(isNumeric) || isSeries(cells)
  return isUnlike && areNames && numericColumns(below, cells.length).some(Boolean)
}

function isSame(cells: readonly string[], row: readonly string[]): boolean {
  return cells.every((cell, at) => cell === row[at])
}

/** Whether a record has a text alone, or texts over columns of numbers, and no number in them. */
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

/** Whether a record is marked as a comment of programs. */
function isComment([first = '']: readonly string[]): boolean {
  return /^(?:#|\/\/|%)/.test(first)
}

/** Rows below which those above them are looked at, and the fewest records that are no chance. */
const LEAST_ROWS = 3
const LEAST_PREAMBLE = 2

/**
 * How many records at the beginning of the rows describe the table and are none of it: all others have numbers in two
 * columns at least, and these have none there, but texts of which none comes twice.
 */
export function countPreamble(rows: readonly (readonly string[])[], width: number): number {
  const isPlain = (text: string) => isNumeric(text) && !isDateOrRange(text)
  const isText = (text: string) => text !== '' && !isPlain(text) && !isMissingMark(text)
  const ends = Array.from(
    { length: width },
    (_, column) => rows.findLastIndex((row) => isText(row[column] ?? '')) + 1,
  )
  const inside = ends.filter((end) => end >= LEAST_PREAMBLE && end + LEAST_ROWS <= rows.length)
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

/** Whether a record is a title of several cells, such as a place and a date, over one that names every column. */
function isTitleOver(upper: Level, { cells }: Level, spans: readonly Span[]): boolean {
  if (isComment(upper.cells)) return !isComment(cells)
  const hasGaps = upper.cells.includes('') || upper.cells.length < cells.length
  return (
    hasGaps && !hasSpan(spans, upper.record) && upper.cells[0] !== '' && !sameText(upper.cells[0], cells[0])
  )
}
