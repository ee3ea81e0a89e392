/** Records of too few cells that are pieces of one, which an unquoted line break cut. */

import { OPEN, type RaggedPlaces } from '../records/ragged-places.ts'
import type { RaggedCells, RaggedReader } from '../records/ragged-reader.ts'
import { isTotal } from '../structure/notes.ts'
import { findOnlyAlignment } from './alignments.ts'
import type { ColumnEvidence } from './column-evidence.ts'
import { couldFit, fits, isTyped } from './fit.ts'
import { filledCells, fitsPrefix } from './record-mends.ts'

/** Lines of one record that are put together to see whether they are one. */
const MOST_LINES = 20

interface Ragged {
  readonly places: RaggedPlaces
  readonly reader: RaggedReader
  readonly columns: readonly ColumnEvidence[]
}

/** The places of records side by side that are one row when the line ends between them are text. */
export function findPieces(ragged: Ragged): Set<number> {
  const { places, columns } = ragged
  const pieces = new Set<number>()
  for (let from = 0; from < places.size; from++) {
    let cells = places.cells[from] as number
    for (let to = from + 1; to < from + MOST_LINES && areBeside(places, from, to); to++) {
      cells += (places.cells[to] as number) - 1
      if (cells > columns.length) break
      if (cells < columns.length || !isOneRow(ragged, from, to + 1)) continue
      for (let place = from; place <= to; place++) pieces.add(place)
      break
    }
  }
  return pieces
}

/** Whether records have no row between them, and something is asked about both. */
function areBeside({ rowsBefore, settled, size }: RaggedPlaces, one: number, other: number): boolean {
  if (one < 0 || other >= size || rowsBefore[one] !== rowsBefore[other]) return false
  return settled[one] === OPEN && settled[other] === OPEN
}

function isOneRow({ reader, columns }: Ragged, from: number, to: number): boolean {
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
 * Whether a record stands beside one that is none with its last cells left off, so that both may be parts of another.
 * @param known records that are some
 */
export function isBesidePart(
  { places, reader, columns }: Ragged,
  place: number,
  known: ReadonlySet<number>,
): boolean {
  return [place - 1, place + 1].some((other) => {
    if (known.has(other) || !areBeside(places, Math.min(place, other), Math.max(place, other))) return false
    const record = reader.read(other)
    return record !== null && record.texts.length < columns.length && !fitsPrefix(record, columns)
  })
}

/** Whether a record may be the rest of the text before it: it begins as no record does. */
export function goesOn(record: RaggedCells, columns: readonly ColumnEvidence[]): boolean {
  const [first = ''] = record.texts
  // A total begins a record of its own, whatever its width.
  if (isTotal(record.texts.map((text) => text.trim()))) return false
  if (record.texts.length === 1 || first.startsWith(' ')) return true
  return !fits(first, columns[0] as ColumnEvidence) || !couldBeRecord(record, columns)
}

/** Whether the text behind it may go on with its last cell. */
export function breaksOff(record: RaggedCells, columns: readonly ColumnEvidence[]): boolean {
  return record.texts.length === 1 || !couldBeRecord(record, columns)
}

/** Whether a short record may be one that lacks values. */
function couldBeRecord({ texts }: RaggedCells, columns: readonly ColumnEvidence[]): boolean {
  if (texts.length > columns.length) return true
  const allows = (cell: number, column: number) =>
    couldFit(texts[cell] as string, columns[column] as ColumnEvidence)
  return findOnlyAlignment(filledCells(texts), texts.length, columns.length, allows).ways > 0
}
