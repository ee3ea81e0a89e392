/** What is told about rows of totals: whether their numbers really are the sums of the others. */

import type { EncodedRecords } from '../cells/encoded-records.ts'
import { adviseOption } from '../definition/read-options.ts'
import type { Decision } from '../report/decisions.ts'
import type { TotalRow } from '../structure/body.ts'
import { decodeText } from './cell-text.ts'
import type { LoadedColumn } from './validation.ts'

/** Sums of rounded numbers differ by so much of themselves from what is printed. */
const ROUNDING = 0.002
/** Columns that are added up to be compared. */
const MOST_COLUMNS = 50

/**
 * A decision per row of totals that was met, with the evidence for it.
 * @param columns typed; @param rule what became of the rows; @param told lines of which more is said elsewhere
 */
export function describeTotals(
  records: EncodedRecords,
  columns: readonly LoadedColumn[],
  rule: 'keep' | 'quarantine',
  told: ReadonlySet<number>,
): Decision[] {
  const totals = records.totals.filter(({ line }) => !told.has(line))
  if (totals.length === 0) return []
  const sums = addUp(records, columns)
  return totals.map((total) => {
    const kept = rule === 'keep'
    const { equal, compared } = compareSums(total, sums, kept)
    const label = total.cells.find((cell) => cell !== '') ?? ''
    const evidence =
      compared === 0 || equal === 0
        ? 'though its numbers are not the sums of the other rows'
        : `and its numbers are the sums of the other rows in ${equal} of ${compared} columns`
    const outcome = kept
      ? 'It is kept as a row: adding a column up counts everything twice'
      : 'It went into quarantine'
    const reason = `line ${total.line} begins with '${label}' and is taken for a total, ${evidence}. ${outcome}`
    return { kind: 'totals', reason, override: adviseOption('totals', kept ? 'quarantine' : 'keep') }
  })
}

/** The sum of a column of numbers over all rows; null for other columns. */
interface ColumnSum {
  readonly cell: number
  readonly sum: number
  /** The number that a cell of the column holds. */
  readonly read: (text: string) => number | null
}

function addUp(records: EncodedRecords, columns: readonly LoadedColumn[]): ColumnSum[] {
  return addableColumns(columns)
    .slice(0, MOST_COLUMNS)
    .map((column) => {
      const cells = records.tables[column.lane]?.entries()
      const byText = new Map<string, number>()
      const perCell = new Float64Array((cells?.offsets.length ?? 0) + 1)
      for (let id = 1; cells && id < cells.offsets.length; id++) {
        const number = numberOf(column, id)
        perCell[id] = number
        const [start, end] = [cells.offsets[id - 1] as number, cells.offsets[id] as number]
        if (number !== 0) byText.set(decodeText(cells.heap, start, end).trim(), number)
      }
      let sum = 0
      for (const ids of records.idsOf(column.lane)) for (const id of ids) sum += perCell[id] as number
      return { cell: column.plan.cell, sum, read: (text) => byText.get(text) ?? readPlain(text) }
    })
}

/** The columns of numbers that the file has. */
export function addableColumns(columns: readonly LoadedColumn[]): LoadedColumn[] {
  return columns.filter(
    ({ typed: { type }, lane }) => lane >= 0 && (type === 'integer' || type === 'decimal'),
  )
}

/** The number that a cell of a column holds, by its id; 0 where there is none. */
export function numberOf({ typed: { values, valueIds } }: LoadedColumn, id: number): number {
  const { heap, offsets } = values
  const value = valueIds === null ? id : (valueIds[id] ?? 0)
  if (value === 0 || value >= offsets.length) return 0
  return Number(decodeText(heap, offsets[value - 1] as number, offsets[value] as number))
}

/** Of a total in quarantine, whose cells are in no table. */
function readPlain(text: string): number | null {
  const number = Number(text.replace(/[\s,](?=\d{3}(\D|$))/g, ''))
  return text === '' || !Number.isFinite(number) ? null : number
}

/** @param isCounted the total is one of the rows that were added up */
function compareSums(
  { cells }: TotalRow,
  sums: readonly ColumnSum[],
  isCounted: boolean,
): { equal: number; compared: number } {
  let equal = 0
  let compared = 0
  for (const { cell, sum, read } of sums) {
    const total = read(cells[cell] ?? '')
    if (total === null) continue
    compared++
    const others = isCounted ? sum - total : sum
    if (Math.abs(others - total) <= Math.abs(total) * ROUNDING + 1e-9) equal++
  }
  return { equal, compared }
}
