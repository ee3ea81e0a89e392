/** What the good rows of a file have in common, to judge records of another width by. */

import type { Separators } from '../delimited/record-splitter.ts'
import { type Sample, splitSample } from '../delimited/sample.ts'
import { type ColumnKind, learnKind } from './cell-kinds.ts'
import type { Header } from './header.ts'
import { type Line, toLine } from './lines.ts'

/** Good rows to learn from, and short ones that make a layout. */
const LEAST_ROWS = 3
/** Good rows of the file's beginning that are looked at. */
const MOST_ROWS = 1000
const MOST_CELLS = 300_000

/** What a file's rows have in common. */
export interface RowPattern {
  /** Per column; null: too few good rows, or nothing but text, which any cell fits. */
  readonly kinds: readonly ColumnKind[] | null
  /** Width of the rows that lack the last columns throughout; null: there are none, or of several widths. */
  readonly shortWidth: number | null
  /** Rows end with their last value: blank cells are written within a row only. */
  readonly trimsBlanks: boolean
  /** Columns up to the last one that has a name or a value: what a row lacks behind them is nothing. */
  readonly filledWidth: number
}

/** What the beginning of a file tells. */
export function samplePattern(sample: Sample, separators: Separators, header: Header): RowPattern {
  const width = header.cells.length
  const { records } = splitSample(sample, separators)
  const lines = records
    .filter(({ start, broken }) => start >= header.end && !broken)
    .map((record) => toLine(sample.bytes, 0, separators, record))
  const most = Math.min(MOST_ROWS, Math.ceil(MOST_CELLS / width))
  const good = lines.filter(({ cells }) => cells === width).slice(0, most)
  const columns = header.cells.map((_, column) => good.map(({ raw }) => raw[column] ?? ''))
  const short = lines.filter((line) => line.cells < width && !isAlone(line))
  const widths = short.map(({ cells }) => cells)
  const pattern = learnPattern(header.cells, columns, good.length, widths)
  return { ...pattern, trimsBlanks: short.length >= LEAST_ROWS && endWithValues([...short, ...good]) }
}

/** No record ends with a blank cell, though some have one within: whoever wrote them leaves out those at the end. */
function endWithValues(lines: readonly Line[]): boolean {
  return lines.every(({ texts }) => texts.at(-1) !== '') && lines.some(({ texts }) => texts.includes(''))
}

/** One text and nothing else: a note or a title. */
function isAlone({ texts }: Line): boolean {
  return texts.filter((text) => text !== '').length < 2
}

/** @param kind of a column whose values can be told from those of another */
export function isTelling(kind: ColumnKind | undefined): boolean {
  return kind?.kind === 'number' || kind?.kind === 'shape'
}

/**
 * @param names of the columns; @param columns per column, cells of good rows; @param rows how many of these there are
 * @param shortWidths of the rows that lack cells, one entry per row
 */
export function learnPattern(
  names: readonly string[],
  columns: readonly Iterable<string>[],
  rows: number,
  shortWidths: readonly number[],
): RowPattern {
  const learnt = columns.map(learnKind)
  // One decimal point says what the commas of all columns are not.
  const hasPoint = learnt.some((column) => column.kind === 'number' && column.hasPoint)
  const kinds = learnt.map((column) => (hasPoint ? { ...column, hasPoint } : column))
  const last = names.findLastIndex((name, i) => name.trim() !== '' || rows === 0 || kinds[i]?.kind !== 'any')
  const lacking = shortWidths.filter((width) => width <= last)
  const [shortWidth = 0] = lacking
  const isLayout = lacking.length >= LEAST_ROWS && lacking.every((width) => width === shortWidth)
  return {
    kinds: rows >= LEAST_ROWS && kinds.some(isTelling) ? kinds : null,
    shortWidth: isLayout && shortWidth > 1 ? shortWidth : null,
    trimsBlanks: false,
    filledWidth: last + 1,
  }
}
