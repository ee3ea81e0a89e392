/**
 * What the records of another width show alike, so that it concerns the table and no single record: a column that is cut
 * by unquoted delimiters throughout, a block of an older layout, blank cells left off at the end throughout.
 */

import { OPEN, type RaggedPlaces } from '../records/ragged-places.ts'
import type { RaggedCells, RaggedReader } from '../records/ragged-reader.ts'
import { type ColumnEvidence, PLAIN } from './column-evidence.ts'
import { couldFit, fits, isTyped } from './fit.ts'
import { alignedPlan, type Cut, findOnlyAlignment, isCut, type Plan, prefixPlan } from './plans.ts'
import { fitsPrefix } from './record-mends.ts'

/** Rows of the right width without which nothing is known, and records that make a block. */
const LEAST_ROWS = 3
const LEAST_BLOCK = 10
/** Share of the rows of a column that is cut, and of records that end early. */
const CUT_SHARE = 0.5
const LEFT_OFF_SHARE = 0.2
/** Share of the records that end early which have to fit the first columns. */
const FITTING_SHARE = 0.9
/** Digits behind a decimal comma; rows from which on more of them prove nothing. */
const MOST_DECIMALS = 6
const FEW_DECIMALS = 2
const MANY_ROWS = 50
const DECIMAL_MARK = ','

/** A table with records of another width. */
export interface RaggedTable {
  readonly places: RaggedPlaces
  readonly reader: RaggedReader
  /** Names of the columns, and what the records of the right width prove about each. */
  readonly names: readonly string[]
  readonly columns: readonly ColumnEvidence[]
  readonly delimiter: string
  /** The sign around quoted cells; empty: there is none. */
  readonly quote: string
  /** Records of the right width. */
  readonly rows: number
}

/** Reads the records of some widths. */
export function* readRagged(
  { places, reader }: RaggedTable,
  isWanted: (cells: number) => boolean,
): Generator<{ place: number; record: RaggedCells }> {
  for (let place = 0; place < places.size; place++) {
    if (places.settled[place] !== OPEN || !isWanted(places.cells[place] as number)) continue
    const record = reader.read(place)
    if (record !== null) yield { place, record }
  }
}

/** What was seen of a column that may be cut. */
interface Candidate extends Cut {
  rows: number
  mostDecimals: number
  endsInZero: boolean
}

/** The column that at least half of all rows have cut in two, when only one can be. */
export function findCut(ragged: RaggedTable, all: number): Cut | null {
  const { columns, rows, places, delimiter } = ragged
  const width = columns.length
  let wide = 0
  for (let place = 0; place < places.size; place++) if ((places.cells[place] as number) > width) wide++
  if (wide < CUT_SHARE * all || rows < LEAST_ROWS) return null
  const candidates = columns.flatMap(({ kind }, at): Candidate[] => {
    const isDecimal = kind === 'number' || kind === 'code'
    if (isDecimal ? delimiter !== DECIMAL_MARK : kind !== 'text' && kind !== 'category') return []
    return [{ column: at, isDecimal, rows: 0, mostDecimals: 0, endsInZero: false }]
  })
  for (const { record } of readRagged(ragged, (cells) => cells === width + 1))
    for (const candidate of candidates) if (isCutAt(record, candidate, columns)) countCut(candidate, record)
  const found = candidates.filter((candidate) => candidate.rows >= CUT_SHARE * all)
  const [only] = found
  if (!only || found.length > 1 || (only.isDecimal && !areDecimals(only, columns))) return null
  return { column: only.column, isDecimal: only.isDecimal }
}

/** Decimals printed without zeros at their end: those without a fraction are the rows of the right width. */
function areDecimals(
  { column, endsInZero, mostDecimals, rows }: Candidate,
  columns: readonly ColumnEvidence[],
): boolean {
  const areWhole = ((columns[column]?.forms ?? 0) & ~PLAIN) === 0
  return (
    areWhole &&
    !endsInZero &&
    (mostDecimals <= FEW_DECIMALS || (mostDecimals <= MOST_DECIMALS && rows >= MANY_ROWS))
  )
}

function isCutAt(record: RaggedCells, cut: Cut, columns: readonly ColumnEvidence[]): boolean {
  const { column: at } = cut
  const isText = !cut.isDecimal
  if (record.quoted[at] || record.quoted[at + 1] || !isCut(record, at, at + 1, cut)) return false
  return columns.every((column, i) => {
    if (i === at) return !isText || !isTypedPiece(record, at, columns)
    return fits(record.texts[i < at ? i : i + 1] as string, column, true)
  })
}

/** Whether a half of a text could be in a column beside it. */
function isTypedPiece({ texts }: RaggedCells, at: number, columns: readonly ColumnEvidence[]): boolean {
  const neighbours = [columns[at - 1], columns[at + 1]].filter((next) => next !== undefined)
  return [texts[at], texts[at + 1]].some((piece) =>
    neighbours.some((next) => isTyped(next) && couldFit(piece as string, next)),
  )
}

function countCut(candidate: Candidate, { texts }: RaggedCells): void {
  const decimals = (texts[candidate.column + 1] as string).trim()
  candidate.rows++
  candidate.mostDecimals = Math.max(candidate.mostDecimals, decimals.length)
  candidate.endsInZero ||= decimals.endsWith('0')
}

/** Records of one smaller width that stand together, from place to place, and how all of them are read. */
export interface Block {
  readonly from: number
  readonly to: number
  readonly cells: number
  readonly plan: Plan
}

/** The blocks that fit one alignment as a whole. */
export function findBlocks(ragged: RaggedTable): Block[] {
  const { places, columns, rows } = ragged
  if (rows < LEAST_BLOCK) return []
  const blocks: Block[] = []
  for (let from = 0; from < places.size; ) {
    let to = from + 1
    while (to < places.size && isNextTo(places, from, to)) to++
    const cells = places.cells[from] as number
    if (to - from >= LEAST_BLOCK && cells > 1 && cells < columns.length && places.settled[from] === OPEN) {
      const block = Array.from({ length: to - from }, (_, at) => from + at)
      const plan = alignTogether(ragged, block, cells)
      if (plan !== null) blocks.push({ from, to, cells, plan })
    }
    from = to
  }
  return blocks
}

function isNextTo({ rowsBefore, cells, settled }: RaggedPlaces, first: number, next: number): boolean {
  return (
    rowsBefore[next] === rowsBefore[first] && cells[next] === cells[first] && settled[next] === settled[first]
  )
}

/** The only way in which records of one width fit the columns, all of them alike. */
function alignTogether(
  { reader, columns }: RaggedTable,
  places: readonly number[],
  cells: number,
): Plan | null {
  const width = columns.length
  const every = Array.from({ length: width }, (_, column) => column)
  // Columns that every value of a cell could be in, and those that every one fits.
  const could = Array.from({ length: cells }, () => every)
  const proven = Array.from({ length: cells }, () => every)
  const isFilled = new Uint8Array(cells)
  for (const place of places) {
    const record = reader.read(place)
    if (record === null) return null
    for (const [cell, text] of record.texts.entries()) {
      if (text.trim() === '') continue
      isFilled[cell] = 1
      const columnOf = (column: number) => columns[column] as ColumnEvidence
      could[cell] = keep(could[cell] as number[], (column) => couldFit(text, columnOf(column), true))
      proven[cell] = keep(proven[cell] as number[], (column) => fits(text, columnOf(column), true))
    }
  }
  const filled = [...isFilled.keys()].filter((cell) => isFilled[cell] === 1)
  const order = filled.map((_, at) => at)
  const { ways, columns: placed } = findOnlyAlignment(order, filled.length, width, (at, column) =>
    (could[filled[at] as number] as number[]).includes(column),
  )
  return ways === 1 && placed.every((column, at) => proven[filled[at] as number]?.includes(column))
    ? planOfBlock(filled, placed, cells, width)
    : null
}

function planOfBlock(
  filled: readonly number[],
  placed: readonly number[],
  cells: number,
  width: number,
): Plan {
  const isPrefix = filled.every((cell, at) => placed[at] === cell)
  return isPrefix ? prefixPlan(cells, width) : alignedPlan(filled, placed, width)
}

/** The same list where nothing is taken out: most values change nothing. */
function keep(columns: number[], isKept: (column: number) => boolean): number[] {
  return columns.every(isKept) ? columns : columns.filter(isKept)
}

/** How the file ends its records. */
export interface LeftOff {
  /** Blank cells at the end are left off, as far as can be seen. */
  readonly inGeneral: boolean
  /** Records that show it: from this number on, it is how the file is written. */
  readonly throughout: boolean
  /** The records that show it. */
  readonly places: readonly number[]
}

const NOT_LEFT_OFF: LeftOff = { inGeneral: false, throughout: false, places: [] }

/**
 * Whether records end with their last value: none ends with a blank cell, the cells present fit the first columns, and
 * several widths occur and blank cells within, or the records of each width fit no other columns.
 * @param isTaken places that another reading explains
 */
export function findLeftOff(ragged: RaggedTable, isTaken: (place: number) => boolean, all: number): LeftOff {
  const { columns, rows } = ragged
  const width = columns.length
  const last = columns[width - 1] as ColumnEvidence
  if (rows < LEAST_ROWS || last.blank > 0) return NOT_LEFT_OFF
  /** By width, the places of the records that may be some of many. */
  const alike = new Map<number, number[]>()
  const fitting: number[] = []
  let count = 0
  let hasBlanks = columns.some(({ blank }) => blank > 0)
  for (const { place, record } of readRagged(ragged, (cells) => cells > 1 && cells < width)) {
    if (isTaken(place)) continue
    const { texts } = record
    if (texts.at(-1)?.trim() === '') return NOT_LEFT_OFF
    const others = alike.get(texts.length) ?? []
    alike.set(texts.length, others)
    count++
    hasBlanks ||= texts.some((text) => text.trim() === '')
    if (fitsPrefix(record, columns)) fitting.push(place)
    if (fitsPrefix(record, columns, true)) others.push(place)
  }
  const isMost = (places: readonly number[]) => places.length >= Math.max(LEAST_ROWS, FITTING_SHARE * count)
  const isMuch = count >= LEFT_OFF_SHARE * all
  const together = [...alike.values()].flat()
  if (isMuch && isMost(together) && fitNothingElse(ragged, alike))
    return { inGeneral: true, throughout: true, places: together.sort((a, b) => a - b) }
  if (alike.size < 2 || !hasBlanks || !isMost(fitting)) return NOT_LEFT_OFF
  return { inGeneral: true, throughout: isMuch && columns.some(isTyped), places: fitting }
}

/** Whether the records of every width are many, and as a whole fit the first columns alone. */
function fitNothingElse(ragged: RaggedTable, fitting: ReadonlyMap<number, readonly number[]>): boolean {
  return [...fitting].every(([cells, places]) => {
    const plan = places.length < LEAST_BLOCK ? null : alignTogether(ragged, places, cells)
    return plan?.first.every((cell, column) => cell === (column < cells ? column : -1)) ?? false
  })
}
