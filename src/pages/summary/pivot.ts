/** Groups put into a table of rows and columns. */

import type { ResultRow } from '../../engine/aggregate/query.ts'
import type { ColumnType } from '../../engine/columns/column.ts'

/** Values as the engine gives them: exact texts, null where there is none. */
export interface Table {
  /** Values of the groups shown. */
  readonly rows: readonly (string | null)[]
  readonly columns: readonly (string | null)[]
  /** By row, then by column; undefined: no row of the data is in both groups. */
  readonly cells: readonly (readonly (string | null | undefined)[])[]
  readonly rowTotals: readonly (string | null)[]
  readonly columnTotals: readonly (string | null)[]
}

/**
 * Lays out groups as a table.
 * @param rows and `columns`: a group's value and its measure, in the order shown
 * @param cells the values of both and the measure, in any order; those of groups not shown are left out
 */
export function layOut(
  rows: readonly ResultRow[],
  columns: readonly ResultRow[],
  cells: readonly ResultRow[],
): Table {
  const rowAt = positionsOf(rows)
  const columnAt = positionsOf(columns)
  const table: (string | null | undefined)[][] = rows.map(() => columns.map(() => undefined))
  for (const [row = null, column = null, measure = null] of cells) {
    const at = rowAt.get(row)
    const across = columnAt.get(column)
    if (at !== undefined && across !== undefined) table[at]![across] = measure
  }
  return {
    rows: rows.map(([value = null]) => value),
    columns: columns.map(([value = null]) => value),
    cells: table,
    rowTotals: rows.map(([, measure = null]) => measure),
    columnTotals: columns.map(([, measure = null]) => measure),
  }
}

function positionsOf(groups: readonly ResultRow[]): Map<string | null, number> {
  return new Map(groups.map(([value = null], position) => [value, position]))
}

/** Groups of texts as they are; numbers, days and periods in their own order, null last. */
export function inOrderOf(type: ColumnType, groups: readonly ResultRow[]): readonly ResultRow[] {
  const isNumber = type === 'integer' || type === 'decimal'
  if (!isNumber && !groups.every(([value]) => value == null || /^\d{4}-/.test(value))) return groups
  return groups.toSorted(([a], [b]) => {
    if (a == null || b == null) return (a == null ? 1 : 0) - (b == null ? 1 : 0)
    return isNumber ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0
  })
}
