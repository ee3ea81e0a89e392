/** How many records around the one that was found are the header: names of groups above it, further levels below it. */

import type { Span } from '../source/spans.ts'
import { numericColumns } from './cell-kinds.ts'
import { isData } from './data-rows.ts'
import { haveRepeated, isGroupRow, isLowerLevel, isUnitsRow, joinLevels } from './header-levels.ts'
import { COMPARED, type Level, type Line, toLevel } from './lines.ts'
import { isNumbering } from './numbering.ts'

/** Records of one header. */
const MOST_LEVELS = 6

/** The places of the first and the last record of the header around the one that was found. */
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
    if (!upper || !lower || distance === 'far' || !isGroupRow(toLevel(upper), toLevel(lower), spans)) break
    // Above a blank record names of groups stand over names that repeat, or their merged cells say so.
    if (distance === 'blank' && !haveRepeated(toLevel(lower)) && !spanned.has(upper.record)) break
    from--
  }
  let to = levelAboveNumbering(lines, base, spanned, spans)
  while (to - base < MOST_LEVELS) {
    const [last, next] = [lines[to], lines[to + 1]]
    const distance = measureDistance(last, next, spanned)
    if (!next || distance === 'far' || next.cells !== (lines[base] as Line).cells) break
    if (isNextLevel(lines, { from, to }, to + 1, spans, distance === 'blank')) to++
    else if (isLevelBelowNumbering(lines, { from, to }, spans)) to += 2
    else break
  }
  return { from, to }
}

/** The place of the last level where a row that numbers the columns stands below it: all above that is header. */
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

/** Whether the record below some levels numbers the columns. */
function isNumberingAt(
  lines: readonly Line[],
  { from, to }: { from: number; to: number },
  spans: readonly Span[],
): boolean {
  const names = joinLevels(lines.slice(from, to + 1).map(toLevel), spans)
  return isNumbering((lines[to + 1] as Line).texts, names, rowsBelow(lines, to + 1))
}

/** Whether a level, of units most often, stands below the row that numbers the columns. */
function isLevelBelowNumbering(
  lines: readonly Line[],
  levels: { from: number; to: number },
  spans: readonly Span[],
): boolean {
  const [numbering, next] = [lines[levels.to + 1], lines[levels.to + 2]]
  if (!numbering || next?.record !== numbering.record + 1 || next.broken) return false
  return isNumberingAt(lines, levels, spans) && isNextLevel(lines, levels, levels.to + 2, spans, false)
}

/** The records below one that are as wide. */
function rowsBelow(lines: readonly Line[], at: number): (readonly string[])[] {
  const { cells } = lines[at] as Line
  return lines
    .slice(at + 1, at + 1 + COMPARED)
    .filter((line) => line.cells === cells)
    .map(({ texts }) => texts)
}

/** Blank records that may lie between two of a header. */
const MOST_BLANK = 2

/**
 * What lies between two records: nothing, or merged cells only, as a name merged downwards leaves records in which
 * nothing else begins; a few blank records; or too much for both to be of one header.
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
  return blank <= MOST_BLANK ? 'blank' : 'far'
}

/** Whether the record at a place below the header so far is its next level. */
function isNextLevel(
  lines: readonly Line[],
  { from, to }: { from: number; to: number },
  at: number,
  spans: readonly Span[],
  isBelowBlank: boolean,
): boolean {
  const next = lines[at] as Line
  const levels = lines.slice(from, to + 1).map(toLevel)
  const names = joinLevels(levels, spans)
  const rows = rowsBelow(lines, at)
  if (isNumbering(next.texts, names, rows)) return false
  const below = rows[0] && isNumbering(rows[0], names, rows.slice(1)) ? rows.slice(1) : rows
  if (isBelowBlank && !goesOnBelowBlank(next.texts, levels, names)) return false
  return [below, belowLevels(below, next.cells)].some((data) =>
    isLowerLevel(levels, toLevel(next), data, spans),
  )
}

/** Whether a level below a blank record names columns that have no name yet, has units, or leaves the first name alone. */
function goesOnBelowBlank(
  texts: readonly string[],
  levels: readonly Level[],
  names: readonly string[],
): boolean {
  const isNew = texts.some((text, column) => text !== '' && (names[column] ?? '') === '')
  const haveGaps = levels.some(({ cells }) => cells.slice(1).includes(''))
  return isNew || haveGaps || texts[0] === '' || isUnitsRow(texts)
}

/** The rows below further levels of a header: those from which on most columns have numbers and nothing else. */
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
