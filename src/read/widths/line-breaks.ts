/** Records that an unquoted line break cut: adjacent pieces, or a lonely record beside a row that is the other half. */

import { BROKEN, OPEN, type RaggedPlaces } from '../records/ragged-reader.ts'
import type { RecordCells } from '../records/record-mender.ts'
import type { Fault } from '../report/quarantine.ts'
import { isTotal } from '../structure/typical-rows.ts'
import type { ColumnEvidence, CountedCell } from './column-evidence.ts'
import { couldFit, fits, isTyped } from './fit.ts'
import { findOnlyAlignment } from './plans.ts'
import { filledCells, fitsPrefix } from './record-mends.ts'
import type { RaggedTable } from './table-readings.ts'
import type { WidthOutcome } from './width-outcome.ts'

const LINE_BREAK: Fault = { reason: 'line_break', column: null }

/** Cells of rows of the right width, by row number, each with the frequency of its value. */
export type RowCells = ReadonlyMap<number, readonly CountedCell[]>

/** Adjacent records that did not become rows, and the rows around them; -1: there is none. */
type Gap = Readonly<{ from: number; to: number; before: number; after: number }>

/** The gaps between rows, and the rows beside them that have to be checked. */
export function findGaps(places: RaggedPlaces, outcome: WidthOutcome, rows: number): Gap[] {
  const { rowsBefore, size } = places
  const gaps: Gap[] = []
  for (let from = 0; from < size; from++) {
    if (outcome.isRow(from)) continue
    let to = from + 1
    while (to < size && rowsBefore[to] === rowsBefore[from] && !outcome.isRow(to)) to++
    const isFirst = from === 0 || rowsBefore[from - 1] !== rowsBefore[from]
    const isLast = to === size || rowsBefore[to] !== rowsBefore[from]
    const row = rowsBefore[from] as number
    gaps.push({ from, to, before: isFirst ? row - 1 : -1, after: isLast && row < rows ? row : -1 })
    from = to - 1
  }
  return gaps
}

interface Around extends RaggedTable {
  /** The result of `findPieces`. */
  readonly pieces: ReadonlySet<number>
  /** The rows beside the gaps, and some others. */
  readonly rowCells: RowCells
  readonly typical: RowCells
}

/** Finds records that a line break cut, and quarantines with them the rows that may be their halves. */
export function markLineBreaks(gaps: readonly Gap[], around: Around, outcome: WidthOutcome): void {
  const { places, reader, columns, rowCells, pieces } = around
  const isSection = findSections(gaps, around)
  for (const { from, to, before, after } of gaps) {
    const refuse = (row: number, isHalf: (cells: readonly CountedCell[]) => boolean) => {
      const cells = rowCells.get(row)
      if (!cells) return
      const isMisfit = (column: ColumnEvidence, at: number) =>
        isTyped(column) && !couldFit(cells[at]?.text ?? '', column)
      if (!isHalf(cells) && !columns.some(isMisfit)) return
      outcome.refused.set(row, LINE_BREAK)
      for (let place = from; place < to; place++) mark(place)
    }
    const mark = (place: number) => {
      const isShort = (places.cells[place] as number) < columns.length
      if (places.settled[place] === OPEN && isShort)
        outcome.faults.set(places.lines[place] as number, LINE_BREAK)
    }
    for (let place = from; place < to; place++) if (pieces.has(place)) mark(place)
    const first = reader.read(from)
    const last = places.settled[to - 1] === OPEN ? reader.read(to - 1) : null
    if (places.settled[from] === OPEN && first && !isSection(first))
      refuse(before, (row) => {
        const isBegun = (known: string, text: string) => known.startsWith(`${text} `)
        return mayBeHalf(row.at(-1), columns.at(-1), isBegun) && goesOn(first, columns)
      })
    // A quote opens the first cell of a record and is never closed: its text may continue in the next one.
    const isOpen = places.settled[to - 1] === BROKEN && places.cells[to - 1] === 1
    const breaksOff = last && !isSection(last) && (last.texts.length === 1 || !couldBeRecord(last, columns))
    if (isOpen || breaksOff)
      refuse(after, (row) => mayBeHalf(row[0], columns[0], (known, text) => known.endsWith(` ${text}`)))
  }
}

/** Whether a value of a text column may be half of one: not if the column has few values, including this one. */
function mayBeHalf(
  cell: CountedCell | undefined,
  column: ColumnEvidence | undefined,
  isPart: (known: string, text: string) => boolean,
): boolean {
  const text = cell?.text.trim() ?? ''
  if (cell === undefined || column === undefined || isTyped(column) || text === '') return false
  const isUsual = column.kind === 'category' || 2 * cell.count >= column.filled
  const isKnown = isUsual && cell.count > 2
  return !isKnown || [...column.known.keys()].some((known) => isPart(known, text))
}

/**
 * Recognises lonely records that are titles of sections: at least three of them, nearly all with the same first word, which
 * texts at either end of a row do not have.
 */
function findSections(
  gaps: readonly Gap[],
  { places, reader, columns, typical }: Around,
): (record: RecordCells) => boolean {
  const words = new Map<string, number>()
  let lonely = 0
  for (const { from, to } of gaps) {
    if (to - from !== 1 || places.cells[from] !== 1 || places.settled[from] !== OPEN) continue
    const word = firstWord(reader.read(from))
    words.set(word, (words.get(word) ?? 0) + 1)
    lonely++
  }
  const [[common, most] = ['', 0]] = [...words].sort(([, a], [, b]) => b - a)
  if (most < 3 || most < 0.8 * lonely) return () => false
  for (const column of new Set([0, columns.length - 1])) {
    const texts = [...typical.values()].map((cells) => cells[column]?.text.toLowerCase().split(/\s+/) ?? [])
    if (texts.filter((text) => text.includes(common)).length > 0.05 * texts.length) return () => false
  }
  return (record) => record.texts.length === 1 && firstWord(record) === common
}

function firstWord(record: RecordCells | null): string {
  return (record?.texts[0] ?? '').trim().split(/\s+/)[0]?.toLowerCase() ?? ''
}

/** The places of up to 20 adjacent records that form one row if the line ends between them are text. */
export function findPieces(ragged: RaggedTable): Set<number> {
  const { places, columns } = ragged
  const pieces = new Set<number>()
  for (let from = 0; from < places.size; from++) {
    let cells = places.cells[from] as number
    for (let to = from + 1; to < from + 20 && areBeside(places, from, to); to++) {
      cells += (places.cells[to] as number) - 1
      if (cells > columns.length) break
      if (cells < columns.length || !isOneRow(ragged, from, to + 1)) continue
      for (let place = from; place <= to; place++) pieces.add(place)
      break
    }
  }
  return pieces
}

/** Whether two records have no row between them and neither is settled. */
function areBeside({ rowsBefore, settled, size }: RaggedPlaces, one: number, other: number): boolean {
  if (one < 0 || other >= size || rowsBefore[one] !== rowsBefore[other]) return false
  return settled[one] === OPEN && settled[other] === OPEN
}

function isOneRow({ reader, columns }: RaggedTable, from: number, to: number): boolean {
  const row: string[] = []
  for (let place = from; place < to; place++) {
    const texts = reader.read(place)?.texts ?? []
    const last = row.pop()
    if (last === undefined) row.push(...texts)
    else {
      const [first = '', ...others] = texts
      const column = columns[row.length] as ColumnEvidence
      if (last.trim() === '' || first.trim() === '' || isTyped(column)) return false
      row.push(`${last}\n${first}`, ...others)
    }
  }
  return row.length === columns.length && columns.every((column, at) => couldFit(row[at] as string, column))
}

/**
 * Whether a record is beside one that does not merely lack its last cells, so that both may be parts of one record.
 * @param known records known to lack only their last cells
 */
export function isBesidePart(
  { places, reader, columns }: RaggedTable,
  place: number,
  known: ReadonlySet<number>,
): boolean {
  return [place - 1, place + 1].some((other) => {
    if (known.has(other) || !areBeside(places, Math.min(place, other), Math.max(place, other))) return false
    const record = reader.read(other)
    return record !== null && record.texts.length < columns.length && !fitsPrefix(record, columns)
  })
}

/** Whether a record begins unlike any other, so that it may continue the text before it. */
function goesOn(record: RecordCells, columns: readonly ColumnEvidence[]): boolean {
  const [first = ''] = record.texts
  // A total is a record by itself, whatever its width.
  if (isTotal(record.texts.map((text) => text.trim()))) return false
  if (record.texts.length === 1 || first.startsWith(' ')) return true
  return !fits(first, columns[0] as ColumnEvidence) || !couldBeRecord(record, columns)
}

/** Whether a short record may be one that lacks values. */
function couldBeRecord({ texts }: RecordCells, columns: readonly ColumnEvidence[]): boolean {
  if (texts.length > columns.length) return true
  const allows = (cell: number, column: number) =>
    couldFit(texts[cell] as string, columns[column] as ColumnEvidence)
  return findOnlyAlignment(filledCells(texts), texts.length, columns.length, allows).ways > 0
}
