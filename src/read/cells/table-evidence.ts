/** What all rows of the right width prove, drawn from the tables of distinct cells. */

import type { Separators } from '../records/separators.ts'
import { type ColumnEvidence, type CountedCell, learnColumn } from '../widths/column-evidence.ts'
import type { RowCells } from '../widths/line-breaks.ts'
import type { EncodedRecords } from './encoded-records.ts'

/** Distinct cells of a column that are looked into: evenly chosen ones of a longer list. */
const MOST_VALUES = 200_000

export interface TableEvidence {
  readonly columns: readonly ColumnEvidence[]
  readonly records: EncodedRecords
  /** Per lane: rows per cell id. */
  readonly counts: readonly Uint32Array[]
}

/** @param records with a lane for each of the `width` columns */
export function learnTable(records: EncodedRecords, width: number, { delimiter }: Separators): TableEvidence {
  const sign = String.fromCharCode(delimiter)
  const lanes = Array.from({ length: width }, (_, cell) => records.cells.indexOf(cell))
  const counts = lanes.map((lane) => records.countCells(lane, null))
  const columns = lanes.map((lane, column) =>
    learnColumn(countedCells(records, lane, counts[column] as Uint32Array), records.rows, sign),
  )
  return { columns, records, counts }
}

function* countedCells(records: EncodedRecords, lane: number, counts: Uint32Array): Generator<CountedCell> {
  const step = Math.ceil(counts.length / MOST_VALUES)
  for (let id = 1; id < counts.length; id += step)
    yield { text: records.textOf(lane, id), count: counts[id] as number }
}

/** The cells of some rows. @param wanted ascending */
export function readRows({ columns, records, counts }: TableEvidence, wanted: readonly number[]): RowCells {
  const rows = new Map<number, CountedCell[]>(wanted.map((row) => [row, []]))
  if (wanted.length === 0) return rows
  for (const column of columns.keys()) {
    const lane = records.cells.indexOf(column)
    let first = 0
    let next = 0
    for (const ids of records.idsOf(lane)) {
      for (; next < wanted.length && (wanted[next] as number) < first + ids.length; next++) {
        const row = wanted[next] as number
        const id = ids[row - first] as number
        rows.get(row)?.push({ text: records.textOf(lane, id), count: counts[column]?.[id] ?? 0 })
      }
      first += ids.length
    }
  }
  return rows
}
