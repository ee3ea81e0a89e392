/**
 * What the records of another width show together, so that it concerns the whole table: a column that is cut by unquoted
 * delimiters throughout, a block of an older layout, blank cells left off at the end throughout.
 */

import type { RaggedReader } from '../records/ragged-reader.ts'
import { OPEN, type RaggedPlaces } from '../records/ragged-reader.ts'
import type { RecordCells } from '../records/record-mender.ts'
import { type ColumnEvidence, PLAIN } from './column-evidence.ts'
import { couldFit, fits, isTyped } from './fit.ts'
import { type Cut, findOnlyAlignment, isCut, type Plan, prefixPlan } from './plans.ts'
import { fitsPrefix } from './record-mends.ts'

/** The fewest rows of the right width from which anything is known, and the fewest records of a block. */
const LEAST_ROWS = 3
const LEAST_BLOCK = 10
/** Share of the rows in which a column is cut. */
const CUT_SHARE = 0.5

/** A table with records of another width. */
export interface RaggedTable {
  readonly places: RaggedPlaces
  readonly reader: RaggedReader
  /** Names of the columns, and what the records of the right width prove about each. */
  readonly names: readonly string[]
  readonly columns: readonly ColumnEvidence[]
  readonly delimiter: string
  readonly rows: number
}

/** Reads the records with certain numbers of cells. */
export function* readRagged(
  { places, reader }: RaggedTable,
  isWanted: (cells: number) => boolean,
): Generator<{ place: number; record: RecordCells }> {
  for (let place = 0; place < places.size; place++) {
    if (places.settled[place] !== OPEN || !isWanted(places.cells[place] as number)) continue
    const record = reader.read(place)
    if (record !== null) yield { place, record }
  }
}

/** The column that is cut in two in at least half of all rows, if there is only one. */
export function findCut(ragged: RaggedTable, all: number): Cut | null {
  const { columns, rows, places, delimiter } = ragged
  const width = columns.length
  let wide = 0
  for (let place = 0; place < places.size; place++) if ((places.cells[place] as number) > width) wide++
  if (wide < CUT_SHARE * all || rows < LEAST_ROWS) return null
  const candidates = columns.flatMap(({ kind }, at) => {
    const isDecimal = kind === 'number' || kind === 'code'
    if (isDecimal ? delimiter !== ',' : kind !== 'text' && kind !== 'category') return []
    return [{ column: at, isDecimal, rows: 0, mostDecimals: 0, endsInZero: false }]
  })
  for (const { record } of readRagged(ragged, (cells) => cells === width + 1))
    for (const candidate of candidates) {
      if (!isCutAt(record, candidate, columns)) continue
      const decimals = (record.texts[candidate.column + 1] as string).trim()
      candidate.rows++
      candidate.mostDecimals = Math.max(candidate.mostDecimals, decimals.length)
      candidate.endsInZero ||= decimals.endsWith('0')
    }
  const found = candidates.filter((candidate) => candidate.rows >= CUT_SHARE * all)
  const [only] = found
  if (!only || found.length > 1) return null
  // Decimals without trailing zeros: those without a fraction are the rows of the right width.
  const areWhole = ((columns[only.column]?.forms ?? 0) & ~PLAIN) === 0
  const isFew = only.mostDecimals <= 2 || (only.mostDecimals <= 6 && only.rows >= 50)
  if (only.isDecimal && !(areWhole && !only.endsInZero && isFew)) return null
  return { column: only.column, isDecimal: only.isDecimal }
}

function isCutAt(record: RecordCells, cut: Cut, columns: readonly ColumnEvidence[]): boolean {
  const { column: at } = cut
  if (record.quoted[at] || record.quoted[at + 1] || !isCut(record, at, at + 1, cut)) return false
  const neighbours = [columns[at - 1], columns[at + 1]].filter((next) => next !== undefined)
  const couldBeBeside = (piece: string) => neighbours.some((next) => isTyped(next) && couldFit(piece, next))
  return columns.every((column, i) => {
    // Neither half of a text could be in an adjacent column.
    if (i === at) return cut.isDecimal || !record.texts.slice(at, at + 2).some(couldBeBeside)
    return fits(record.texts[i < at ? i : i + 1] as string, column, true)
  })
}

/** Adjacent records with the same smaller width, from place to place, that fit a single alignment as a whole. */
export function findBlocks(ragged: RaggedTable) {
  const { places, columns, rows } = ragged
  const blocks: { from: number; to: number; cells: number; plan: Plan }[] = []
  if (rows < LEAST_BLOCK) return blocks
  for (let from = 0; from < places.size; ) {
    let to = from + 1
    const { rowsBefore, settled } = places
    const cells = places.cells[from] as number
    const isNext = () =>
      rowsBefore[to] === rowsBefore[from] && places.cells[to] === cells && settled[to] === settled[from]
    while (to < places.size && isNext()) to++
    if (to - from >= LEAST_BLOCK && cells > 1 && cells < columns.length && settled[from] === OPEN) {
      const block = Array.from({ length: to - from }, (_, at) => from + at)
      const plan = alignTogether(ragged, block, cells)
      if (plan !== null) blocks.push({ from, to, cells, plan })
    }
    from = to
  }
  return blocks
}

/** The only way in which records of one width, all aligned alike, fit the columns. */
function alignTogether({ reader, columns }: RaggedTable, places: readonly number[], cells: number) {
  const width = columns.length
  const every = Array.from({ length: width }, (_, column) => column)
  // For each cell, the columns that all its values could be in, and those that all fit.
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
  if (ways !== 1 || !placed.every((column, at) => proven[filled[at] as number]?.includes(column))) return null
  if (filled.every((cell, at) => placed[at] === cell)) return prefixPlan(cells, width)
  const first = new Array<number>(width).fill(-1)
  for (const [at, column] of placed.entries()) first[column] = filled[at] as number
  return { first, last: first }
}

/** Filters a list; returns the same one if nothing is removed, as most values change nothing. */
function keep(columns: number[], isKept: (column: number) => boolean): number[] {
  return columns.every(isKept) ? columns : columns.filter(isKept)
}

/** Whether blank cells at the end are left off, as far as can be seen or throughout, and the records that show it. */
const NOT_LEFT_OFF = { inGeneral: false, throughout: false, places: [] as readonly number[] }

/**
 * Whether records end with their last value: none ends with a blank cell, the present cells fit the first columns, and
 * either several widths and inner blank cells occur, or the records of each width fit no other columns.
 * @param isTaken whether another reading explains a place
 */
export function findLeftOff(
  ragged: RaggedTable,
  isTaken: (place: number) => boolean,
  all: number,
): typeof NOT_LEFT_OFF {
  const { columns, rows } = ragged
  const width = columns.length
  const last = columns[width - 1] as ColumnEvidence
  if (rows < LEAST_ROWS || last.blank > 0) return NOT_LEFT_OFF
  /** By width, the places of records that fit as one of many. */
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
  const isMost = (places: readonly number[]) => places.length >= Math.max(LEAST_ROWS, 0.9 * count)
  const isMuch = count >= 0.2 * all
  const together = [...alike.values()].flat()
  // There are many records of every width, and as a whole they fit only the first columns.
  const fitNothingElse = () =>
    [...alike].every(([cells, places]) => {
      const plan = places.length < LEAST_BLOCK ? null : alignTogether(ragged, places, cells)
      return plan?.first.every((cell, column) => cell === (column < cells ? column : -1)) ?? false
    })
  if (isMuch && isMost(together) && fitNothingElse())
    return { inGeneral: true, throughout: true, places: together.sort((a, b) => a - b) }
  if (alike.size < 2 || !hasBlanks || !isMost(fitting)) return NOT_LEFT_OFF
  return { inGeneral: true, throughout: isMuch && columns.some(isTyped), places: fitting }
}
