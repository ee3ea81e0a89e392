/** Headers of several records: group names above column names, with units and further lines below them. */

import type { Span } from '../source/conversion/conversion.ts'
import {
  areYears,
  isData,
  isDateOrRange,
  isMissingMark,
  isNumeric,
  isOtherForm,
  isSeries,
  numericColumns,
  plainText,
} from './cell-kinds.ts'
import type { Level } from './lines.ts'

/** The share of a table's columns that a merged cell may cover and still be a group's name rather than a title. */
const GROUP_SHARE = 0.6

/**
 * Whether the record right above a header has names for groups of its columns. A title does not: it has a single text, or
 * is above a first column that has a name already.
 */
export function isGroupRow(upper: Level, lower: Level, spans: readonly Span[]): boolean {
  const cells = withoutLabel(upper.texts)
  const filled = filledColumns(cells)
  const [first] = filled
  if (first === undefined || cells.length > lower.texts.length) return false
  const isValue = (text: string) => isNumeric(text) && !/^(19|20)\d\d/.test(text) && !isDateOrRange(text)
  if (filled.some((column) => isValue(cells[column] as string)) && !isSeries(cells)) return false
  const own = spansOf(spans, upper.record)
  const overName = first === 0 && (lower.texts[0] ?? '') !== '' && !sameText(cells[0], lower.texts[0])
  if (overName && !own.some(({ cell, width }) => cell === 0 && width <= GROUP_SHARE * lower.texts.length))
    return false
  if (filled.length > 1)
    return filled.every((column) => !sameText(cells[column], lower.texts[column])) || own.length > 0
  // A single text is a group's name if its merged cell shows the columns, otherwise a title.
  const [span] = own
  return span !== undefined && span.width <= GROUP_SHARE * lower.texts.length
}

/** `Site:` before the texts of a record says what they are, and names no column. */
const LABEL = /\p{L}\s*:$/u

function withoutLabel(cells: readonly string[]): readonly string[] {
  const [first = '', ...others] = cells
  return LABEL.test(first) && others.some((cell) => cell !== '') ? ['', ...others] : cells
}

/**
 * Whether the record right below a header still belongs to it: it fills the gaps beside a group's name, or has units or
 * texts above columns of numbers. A record that could be a row of data is not a level.
 * @param levels of the header so far; @param below trimmed rows below the record
 */
export function isLowerLevel(
  levels: readonly Level[],
  next: Level,
  below: readonly (readonly string[])[],
  spans: readonly Span[],
): boolean {
  const last = withLabelsBlank(levels.at(-1) as Level)
  // Ignores the texts that it got from cells merged downwards, unless it has no others.
  const own = next.texts.map((cell, column) => (sameText(cell, last.texts[column]) ? '' : cell))
  const isMerged = !hasSpan(spans, last.record) && own.some((cell) => cell !== '')
  const cells = isMerged ? own : next.texts
  const filled = filledColumns(cells)
  if (filled.length === 0 || below.length === 0 || isData(cells, below)) return false
  // A repetition of the header right below it is not one of its levels.
  if (levels.length === 1 && cells.every((cell, column) => sameText(cell, levels[0]?.texts[column])))
    return false
  const numeric = numericColumns(below, cells.length)
  // A word, or a date or range above other numbers.
  const isText = (column: number) => {
    const text = cells[column] as string
    const under = below.map((row) => row[column] ?? '')
    return !isMissingMark(text) && (!isNumeric(text) || isOtherForm(text, under))
  }
  const overNumbers = filled.filter((column) => numeric[column] && isText(column))
  const named = namedColumns(levels.map(withLabelsBlank), cells.length)
  const isBehindName = (column: number) => last.texts.some((name, i) => i < column && name !== '')
  if (filled.some((column) => !named[column] && isBehindName(column))) {
    // It names the columns beside a group's name that have no name yet, and renames no column.
    const isFresh = (column: number) =>
      !named[column] ||
      // A name with a gap to its right, where this record fills both.
      ((last.texts[column + 1] ?? '-') === '' && (cells[column + 1] ?? '') !== '') ||
      overNumbers.includes(column) ||
      sameText(cells[column], last.texts[column])
    const isEvident = overNumbers.length > 0 || isSeries(cells) || (cells[0] === '' && !numeric.some(Boolean))
    const isBeside = cells[0] === '' || (last.texts[0] ?? '') === '' || sameText(cells[0], last.texts[0])
    return (
      filled.every((column) => (isText(column) || isSeries(cells)) && isFresh(column)) &&
      (hasSpan(spans, last.record) || (isBeside && isEvident))
    )
  }
  if (hasSpan(spans, last.record) && cells[0] !== '' && sameText(cells[0], last.texts[0]))
    return filled.every(isText)
  if (cells[0] === '' && below.length > 2 && areYears(cells, below)) return true
  if (overNumbers.length === 0) return false
  if (isUnitsRow(cells)) return true
  if (!filled.every(isText)) return false
  // Texts only above numbers are not a row: a row would have its name beside them.
  if (overNumbers.length === filled.length) return below.length > 2 && (cells[0] === '' || filled.length > 1)
  // A text in every column, all different, above at least two columns of numbers: the names again, in other words.
  return (
    filled.length === cells.length &&
    new Set(cells.map(plainText)).size === cells.length &&
    numeric.filter(Boolean).length > 1 &&
    cells.every((cell) => /\p{L}{2}/u.test(cell))
  )
}

function withLabelsBlank({ record, texts }: Level): Level {
  return { record, texts: withoutLabel(texts) }
}

const UNIT_LABEL =
  /^(?:u\.? ?m\.?|unit(?:s|ate|atea|ati|y)?(?: de masura)?|einheit(?:en)?|unidad(?:es)?|unites?|measure)\s*:?$/
const UNIT =
  '(?:%|‰|°c|°f|€|\\$|£|lei|ron|eur|euro|usd|gbp|kg|g|mg|µg|ug|t|tone|tons?|km|cm|mm|m|km2|km²|kmp|ha|hectare|mp|m2|m²|m3|m³|mc|l|litri|h|ore|hours?|min|s|sec|zile|days?|luni|months?|ani|years?|persoane|persons?|people|locuitori|nr\\.?|numar|number|count|buc\\.?|kwh|mwh|gwh|kw|mw|gcal|tep|db|hpa|mbar|ppm|ppb)'
const UNITS = new RegExp(
  `^(?:[([].{1,40}[)\\]]|-? ?${UNIT}(?: ?/ ?${UNIT})? ?-?|(?:mii|mil\\.?|milioane|miliarde|thousands?|millions?|mio\\.?)(?: \\S{1,20}){0,2})$`,
)

/** Whether a record has only units, possibly with a label for them in front. */
export function isUnitsRow(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== '' && !isMissingMark(cell))
  const units = UNIT_LABEL.test(plainText(filled[0] ?? '')) ? filled.slice(1) : filled
  return units.length > 0 && units.every(isUnit)
}

/** Whether a record has a single text, a unit of the numbers in all columns: `U.M.: mii lei`, `(%)`. */
export function isUnitAlone(cells: readonly string[]): boolean {
  const [column, ...others] = filledColumns(cells)
  if (column === undefined || others.length > 0 || cells.length < 2) return false
  const text = plainText(cells[column] as string)
  const bare = text
    .replace(/^(?:u\.? ?m\.?|unitat\S+(?: de masura)?|units?)\s*:\s*/, '')
    .replace(/^[([-]\s*|\s*[)\]-]$/g, '')
  // A single word in the first column may be the name of a row.
  return /^[^([]/.test(bare) && isUnit(bare) && (bare !== text || column > 0 || bare.includes(' '))
}

/** Whether a text is a unit: `(%)`, `lei`, `mii persoane`. */
function isUnit(text: string): boolean {
  return UNITS.test(plainText(text))
}

/**
 * The names of the columns: for each column the texts of all levels from the top, equal ones once, units from the top level
 * last. A group's name applies to every column it covers: those of its merged cell, or else the blank ones to its right
 * that have a name below.
 */
export function joinLevels(levels: readonly Level[], spans: readonly Span[]): string[] {
  const width = Math.max(...levels.map(({ texts }) => texts.length))
  const starts = new Set<number>()
  const texts = levels.map((level, depth) => {
    const lower = namedColumns(levels.slice(depth + 1), width)
    const covering = coverColumns(level, lower, starts, spans)
    const others = namedColumns(levels.filter((other) => other !== level).map(withLabelsBlank), width)
    for (const column of filledColumns(level.texts)) starts.add(column)
    return covering.map((from, column) => {
      const text = from < 0 ? '' : (level.texts[from] as string)
      // Dashes for an empty level, or a label for the other texts: `Site:`, `U.M.`
      const isNoName =
        /^[-–—.*…]+$/.test(text) || (column === 0 && (LABEL.test(text) || UNIT_LABEL.test(plainText(text))))
      return isNoName && others[column] ? '' : text
    })
  })
  const isUnitsAbove = levels.length > 1 && isUnitsRow((levels[0] as Level).texts)
  const ordered = isUnitsAbove ? [...texts.slice(1), texts[0] as string[]] : texts
  return Array.from({ length: width }, (_, column) => {
    const parts: string[] = []
    for (const level of ordered) {
      const text = level[column] as string
      if (text !== '' && !parts.some((part) => sameText(part, text))) parts.push(text)
    }
    return parts.join(' ')
  })
}

/**
 * The levels that name something. A single text between two levels that both name its column and the next one does not: it
 * is a title of the whole table.
 */
export function namingLevels(levels: readonly Level[], spans: readonly Span[]): readonly Level[] {
  return levels.filter((level, depth) => {
    const [column, ...others] = filledColumns(level.texts)
    const [above, below] = [levels[depth - 1]?.texts, levels[depth + 1]?.texts]
    if (column === undefined || others.length > 0 || !above || !below || hasSpan(spans, level.record))
      return true
    return [column, column + 1].some((at) => (above[at] ?? '') === '' || (below[at] ?? '') === '')
  })
}

/** For each column, the cell of a level whose text applies to it, or -1. */
function coverColumns(
  level: Level,
  lower: readonly boolean[],
  starts: ReadonlySet<number>,
  spans: readonly Span[],
): number[] {
  const own = spansOf(spans, level.record)
  let from = -1
  return lower.map((hasLower, column) => {
    if ((level.texts[column] ?? '') !== '') {
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
    levels.some(({ texts }) => (texts[column] ?? '') !== ''),
  )
}

function filledColumns(cells: readonly string[]): number[] {
  return cells.flatMap((cell, column) => (cell === '' ? [] : [column]))
}

function spansOf(spans: readonly Span[], record: number): Span[] {
  return spans.filter((span) => span.record === record)
}

export function hasSpan(spans: readonly Span[], record: number): boolean {
  return spans.some((span) => span.record === record)
}

export function sameText(a: string | undefined, b: string | undefined): boolean {
  return plainText(a ?? '') === plainText(b ?? '')
}
