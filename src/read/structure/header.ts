/** The names of a table's columns, from the records of its header, and the decisions about these. */

import { listSome, shorten } from '../../base/text/fit-text.ts'
import { adviseOption } from '../definition/read-options.ts'
import { commonWidth } from '../records/sample.ts'
import type { Separators } from '../records/separators.ts'
import type { ConfidencePart } from '../report/confidence.ts'
import type { Decision } from '../report/decisions.ts'
import type { RowPlace } from '../report/quarantine.ts'
import { refuse, type Warning, warn } from '../report/reasons.ts'
import type { Span } from '../source/conversion/conversion.ts'
import { isDrawnLine, isNumbering } from './cell-kinds.ts'
import { isUnitAlone, isUnitsRow, joinLevels, namingLevels } from './header-levels.ts'
import { COMPARED, type Line } from './lines.ts'

export interface Header {
  /** Record numbers in the file, from 1, counting blank ones; empty if the file has no header. */
  readonly records: readonly number[]
  /** Blank records above the first row of data. */
  readonly blankBefore: number
  /** The names of the columns, each on one line. */
  readonly cells: readonly string[]
  /** How many blank names were added for delimiters at the ends of rows, with nothing after them. */
  readonly added: number
  /** Offset of the first byte of data, and its line, from 1. */
  readonly end: number
  readonly nextLine: number
  /** The header's records as in the file, with the row of column numbers: printed reports repeat them. */
  readonly printed: readonly Line[]
  /** Titles above the header: a text for each record that has only one. */
  readonly titleTexts: readonly string[]
  /** A single text is right above the header: printed reports repeat it too. */
  readonly isTitled: boolean
  /** Records above it; offsets are relative like `end`. */
  readonly titles: readonly RowPlace[]
  /** The records that give units of the columns' numbers. */
  readonly units: readonly number[]
  readonly confidence: ConfidencePart
  /** Decisions about the structure. */
  readonly decisions: readonly Decision[]
  /** What the choice leaves in doubt. */
  readonly warnings: readonly Warning[]
}

/** A header without records; the caller adds the columns' names and positions. */
export const NO_HEADER = {
  records: [],
  added: 0,
  titles: [],
  units: [],
  printed: [],
  titleTexts: [],
  isTitled: false,
  decisions: [],
  warnings: [],
  confidence: { of: 'header', sure: 1 },
} as const

/**
 * Composes a header from its records.
 * @param below the records that follow; @param titles the records above it; null: a person chose the header
 */
export function composeHeader(
  levels: readonly Line[],
  below: readonly Line[],
  spans: readonly Span[],
  titles: readonly Line[] | null,
): Header {
  for (const level of levels) refuseBroken(level)
  const last = levels.at(-1) as Line
  const rows = below.slice(0, COMPARED).map(({ texts }) => texts)
  // Leaves out levels in between that number the columns, unless a person chose them.
  const naming = levels.filter(
    ({ texts }, at) =>
      titles === null || at === 0 || at === levels.length - 1 || !isNumbering(texts, [], rows),
  )
  const names = naming.length === 1 ? last.raw : joinLevels(namingLevels(naming, spans), spans)
  // Line breaks within a name only fit it into its cell.
  const onOneLine = (name: string) =>
    /[\r\n]/.test(name) ? name.replace(/\s*[\r\n]+\s*/g, ' ').trim() : name
  const cells = fitWidth(names.map(onOneLine), below)
  const trimmed = names.map((name) => name.trim())
  const skipped = findSkipped(trimmed, below)
  const end = skipped.at(-1) ?? last
  const title = titles?.at(-1)
  const records = levels.map(({ record }) => record)
  return {
    records,
    blankBefore: end.blankBefore,
    cells,
    added: Math.max(0, cells.length - names.length),
    end: end.end,
    nextLine: end.nextLine,
    printed: [...levels, ...skipped],
    titleTexts: (titles ?? []).flatMap(textAlone),
    isTitled: title?.record === (levels[0]?.record ?? 0) - 1 && textAlone(title).length === 1,
    titles: (titles ?? []).map(placeOf),
    units: [
      ...levels.filter(({ texts }) => levels.length > 1 && isUnitsRow(texts)),
      ...skipped.filter(({ texts }) => isUnitAlone(texts)),
    ].map(({ record }) => record),
    confidence: NO_HEADER.confidence,
    decisions: describeHeader(levels, titles, skipped, cells),
    warnings: [],
  }
}

export function placeOf({ line, start, bytes }: Line): RowPlace {
  return { line, offset: start, length: bytes.length }
}

/** The text of a line with a single one; else none. */
function textAlone({ texts }: Line): string[] {
  const filled = texts.filter((text) => text !== '')
  return filled.length === 1 ? filled : []
}

/** The lines right below a header that aren't rows: they number its columns, are drawn, or name one unit for all. */
function findSkipped(names: readonly string[], below: readonly Line[]): Line[] {
  const skipped: Line[] = []
  for (const [at, line] of below.entries()) {
    const rows = below.slice(at + 1, at + 1 + COMPARED).map(({ texts }) => texts)
    if (line.broken) break
    const isUnit = isUnitAlone(line.texts) && rows.length > 0 && !rows.some(isUnitAlone)
    if (!(isDrawnLine(line.texts) || isNumbering(line.texts, names, rows) || isUnit)) break
    skipped.push(line)
  }
  return skipped
}

/** Adjusts to delimiters at the ends of rows that only the rows or only the header have, followed only by blank cells. */
function fitWidth(names: readonly string[], below: readonly Line[]): readonly string[] {
  const rows = below.filter(({ broken }) => !broken)
  if (rows.length === 0) return names
  const { width } = commonWidth(rows)
  const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '')
  const areUsual = rows.filter(({ cells }) => cells === width).length >= 0.9 * rows.length
  const isBlankBehind = ({ cells, texts }: Line) => cells !== width || isBlank(texts.slice(names.length))
  if (width > names.length && areUsual && rows.every(isBlankBehind))
    return [...names, ...Array.from({ length: width - names.length }, () => '')]
  if (width < names.length && areUsual && isBlank(names.slice(width))) return names.slice(0, width)
  return names
}

export function refuseBroken({ broken, line }: Line): void {
  if (broken) throw refuse('stray_header_quote', { line })
}

/**
 * A header of blank names: the record right above a line, if it has only delimiters, as many as the line.
 * @param above the bytes that end where the line begins
 */
export function blankHeader(above: Uint8Array, { delimiter }: Separators, first: Line): Header | null {
  const width = first.cells
  const text = new TextDecoder('latin1').decode(above).replace(/(\r\n|\r|\n)$/, '')
  const line = text.split(/[\r\n]/).at(-1) ?? ''
  const sign = String.fromCharCode(delimiter)
  if (width < 2 || line.replaceAll(/[ "]/g, '') !== sign.repeat(width - 1)) return null
  return {
    ...NO_HEADER,
    records: [first.record - 1],
    blankBefore: first.blankBefore - 1,
    cells: Array.from({ length: width }, () => ''),
    end: first.start,
    nextLine: first.line,
    warnings: [warn('unnamed_header', { line: first.line - 1 })],
  }
}

/** The most titles or names in a sentence, and their greatest length. */
export const NAMED = 3
export const LONGEST_QUOTE = 60

/** @param titles null: a person chose the header, so the records above it need no explanation */
function describeHeader(
  levels: readonly Line[],
  titles: readonly Line[] | null,
  skipped: readonly Line[],
  cells: readonly string[],
): Decision[] {
  const decisions: Decision[] = []
  const override = adviseOption('header_row')
  const records = levels.map(({ record }) => record)
  if (titles !== null && titles.length > 0) {
    const reason = `record ${records[0]} was taken for the header, and the records above it for titles: ${quoteTitles(titles)}`
    decisions.push({ kind: 'titles', reason, override })
  }
  if (titles !== null && records.length > 1) {
    const withoutSpace = (text: string) => text.replace(/\s+/g, '')
    const alone = new Set(levels.flatMap(({ texts }) => texts.map(withoutSpace)))
    const joined = cells.find((cell) => !alone.has(withoutSpace(cell))) ?? cells[0] ?? ''
    const reason = `records ${records[0]} to ${records.at(-1)} are one header: names that span several columns are joined with the lines below them, as in '${shorten(joined, LONGEST_QUOTE)}'`
    decisions.push({ kind: 'header', reason, override })
  }
  for (const { record, texts } of skipped) {
    const shown = shorten(texts.filter((text) => text !== '').join(' '), LONGEST_QUOTE)
    const [kind, what] = isDrawnLine(texts)
      ? ['drawn_line', 'is a drawn line']
      : isUnitAlone(texts)
        ? ['units', 'says what the numbers count']
        : ['numbering', 'numbers the columns']
    const reason = `record ${record} ${what} (${shown}) and is not a row of data`
    decisions.push({ kind, reason, override: null })
  }
  return decisions
}

export function quoteTitles(titles: readonly Line[]): string {
  const textOf = ({ texts }: Line) => texts.filter((cell) => cell !== '').join(' ')
  return listSome(
    titles.map((title) => `'${shorten(textOf(title).replace(/\s+/g, ' '), LONGEST_QUOTE)}'`),
    NAMED,
  )
}
