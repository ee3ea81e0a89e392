/** How many records around the one that was found are the header: names of groups above it, further levels below it. */

import type { Span } from '../source/spans.ts'
import { numericColumns } from './cell-kinds.ts'
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
  let to = base
  while (to - base < MOST_LEVELS) {
    const [last, next] = [lines[to], lines[to + 1]]
    const distance = measureDistance(last, next, spanned)
    if (!next || distance === 'far' || next.cells !== (lines[base] as Line).cells) break
    if (!isNextLevel(lines, { from, to }, spans, distance === 'blank')) break
    to++
  }
  return { from, to }
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

/** Whether the record below the header so far is its next level. */
function isNextLevel(
  lines: readonly Line[],
  { from, to }: { from: number; to: number },
  spans: readonly Span[],
  isBelowBlank: boolean,
): boolean {
  const next = lines[to + 1] as Line
  const levels = lines.slice(from, to + 1).map(toLevel)
  const names = joinLevels(levels, spans)
  const rows = lines
    .slice(to + 2, to + 2 + COMPARED)
    .filter(({ cells }) => cells === next.cells)
    .map(({ texts }) => texts)
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
