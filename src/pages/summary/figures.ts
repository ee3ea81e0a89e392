import { aggregateRows } from '../../engine/aggregate/aggregate.ts'
import {
  type AggregatePage,
  type AggregateQuery,
  type GroupKey,
  type Measure,
  type ResultRow,
  resultTypes,
} from '../../engine/aggregate/group-query.ts'
import type { ColumnType, Value } from '../../engine/columns/column.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import type { ColumnFilter, Filter } from '../../engine/row-query.ts'
import { coerceValue, isRefusal } from '../../query/values.ts'
import type { Order } from './choice.ts'

export interface Plan {
  readonly filters: readonly Filter[]
  readonly rows: GroupKey
  readonly columns: GroupKey | null
  readonly measure: Measure
  readonly order: Order
  readonly offset: number
  readonly mostRows: number
  readonly mostColumns: number
}

export interface Figures extends Table {
  readonly total: string | null
  /** How many groups there are in all. */
  readonly rowCount: number
  readonly columnCount: number
  /** How many rows of the data match the filters. */
  readonly found: number
}

/** Carries out a plan. Totals are measured, not added up: a mean of means is not the mean. @throws as `aggregateRows` */
export async function findFigures(dataset: OpenDataset, plan: Plan): Promise<Figures> {
  const ask = (change: Partial<AggregateQuery>): AggregatePage | Promise<AggregatePage> =>
    aggregateRows(dataset, { ...baseQuery(plan), ...change })
  const all = await ask({ groups: [], measures: [plan.measure, { kind: 'count', column: null }] })
  const [total = null, found = '0'] = all.rows[0] ?? []
  const rows = await ask({
    groups: [plan.rows],
    sort: [plan.order === 'measure' ? { result: 1, descending: true } : { result: 0, descending: false }],
    limit: plan.mostRows,
    offset: plan.offset,
  })
  const whole = { total, found: Number(found), rowCount: rows.total ?? 0 }
  if (plan.columns === null) return { ...layOut(rows.rows, [], []), ...whole, columnCount: 0 }
  const columns = await ask({
    groups: [plan.columns],
    sort: [{ result: 1, descending: true }],
    limit: plan.mostColumns,
  })
  const [, type] = typesOf(dataset, plan)
  const ordered = inOrderOf(type!, columns.rows)
  const cells = await findCells(dataset, plan, rows.rows, ordered)
  return { ...layOut(rows.rows, ordered, cells), ...whole, columnCount: columns.total ?? 0 }
}

function baseQuery({ filters, measure }: Plan): AggregateQuery {
  return {
    filters,
    groups: [],
    measures: [measure],
    having: [],
    sort: [],
    // Filters bound the result.
    limit: Number.MAX_SAFE_INTEGER,
    offset: 0,
    count: true,
  }
}

function typesOf({ columns }: OpenDataset, { rows, columns: across }: Plan): readonly ColumnType[] {
  return resultTypes(columns, { groups: across === null ? [rows] : [rows, across], measures: [] })
}

/** The cells of the shown groups. A list of values cannot hold null, so the groups of null need separate queries. */
async function findCells(
  dataset: OpenDataset,
  plan: Plan & { readonly columns: GroupKey | null },
  rows: readonly ResultRow[],
  columns: readonly ResultRow[],
): Promise<ResultRow[]> {
  const groups = [plan.rows, plan.columns!]
  const types = typesOf(dataset, plan)
  const [inRows, inColumns] = [rows, columns].map((shown, side) =>
    narrowTo(side, groups[side]!, types[side]!, shown),
  ) as [Narrowing[], Narrowing[]]
  const cells: ResultRow[] = []
  for (const row of inRows) {
    for (const column of inColumns) {
      const filters = [...plan.filters, ...row.filters, ...column.filters]
      const having = [...row.having, ...column.having]
      const page = await aggregateRows(dataset, { ...baseQuery(plan), groups, filters, having, count: false })
      cells.push(...page.rows)
    }
  }
  return cells
}

type Narrowing = Pick<AggregateQuery, 'having'> & { readonly filters: readonly ColumnFilter[] }

/** Conditions that select the shown groups: one for those with a value, one for null. */
function narrowTo(
  result: number,
  { column, part }: GroupKey,
  type: ColumnType,
  shown: readonly ResultRow[],
): Narrowing[] {
  const values = shown.flatMap(([value]): Value[] => {
    if (value == null) return []
    const read = coerceValue(type, value)
    return [isRefusal(read) ? value : read]
  })
  const narrowings: Narrowing[] = []
  if (values.length > 0) {
    const condition = { operator: 'in', operands: [values] } as const
    narrowings.push(
      part === null
        ? { filters: [{ column, ...condition }], having: [] }
        : { filters: [], having: [{ result, ...condition }] },
    )
  }
  if (values.length < shown.length)
    narrowings.push({ filters: [{ column, operator: 'is_null', operands: [[true]] }], having: [] })
  return narrowings
}

/** Groups in rows and columns. Values are the engine's: exact texts, or null. */
interface Table {
  readonly rows: readonly (string | null)[]
  readonly columns: readonly (string | null)[]
  /** By row, then by column; undefined if no row of the data is in both groups. */
  readonly cells: readonly (readonly (string | null | undefined)[])[]
  readonly rowTotals: readonly (string | null)[]
  readonly columnTotals: readonly (string | null)[]
}

/**
 * Lays out groups as a table.
 * @param rows and `columns`: each group's value and measure, in the order shown
 * @param cells the values of both and the measure, in any order; cells of other groups are ignored
 */
function layOut(
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

/** Sorts groups of numbers, days and periods by value, null last; groups of texts stay as they are. */
export function inOrderOf(type: ColumnType, groups: readonly ResultRow[]): readonly ResultRow[] {
  const isNumber = type === 'integer' || type === 'decimal'
  if (!isNumber && !groups.every(([value]) => value == null || /^\d{4}-/.test(value))) return groups
  return groups.toSorted(([a], [b]) => {
    if (a == null || b == null) return (a == null ? 1 : 0) - (b == null ? 1 : 0)
    return isNumber ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0
  })
}
