/** The figures of a summary: groups of rows crossed with groups of columns, and totals that are queries of their own. */

import { aggregateRows } from '../../engine/aggregate/aggregate.ts'
import {
  type AggregatePage,
  type AggregateQuery,
  type GroupKey,
  type Measure,
  type ResultRow,
  resultTypes,
} from '../../engine/aggregate/query.ts'
import type { ColumnType, Value } from '../../engine/columns/column.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import type { ColumnFilter, Filter } from '../../engine/query.ts'
import { coerceValue, isRefusal } from '../../query/values.ts'
import type { Order } from './choice.ts'
import { inOrderOf, layOut, type Table } from './pivot.ts'

export interface Plan {
  readonly filters: readonly Filter[]
  readonly rows: GroupKey
  readonly columns: GroupKey | null
  readonly measure: Measure
  readonly order: Order
  readonly offset: number
  /** Rows and columns of the table at most. */
  readonly mostRows: number
  readonly mostColumns: number
}

export interface Figures extends Table {
  readonly total: string | null
  /** Groups in all. */
  readonly rowCount: number
  readonly columnCount: number
  /** Rows of the data that the filters leave. */
  readonly found: number
}

const COUNT: Measure = { kind: 'count', column: null }
/** No bound: what is asked for is bounded by filters. */
const ALL = Number.MAX_SAFE_INTEGER

/**
 * Answers a plan. The totals are measured, not added up: a mean of means is no mean.
 * @throws as `aggregateRows`
 */
export async function findFigures(dataset: OpenDataset, plan: Plan): Promise<Figures> {
  const ask = (change: Partial<AggregateQuery>): AggregatePage | Promise<AggregatePage> =>
    aggregateRows(dataset, { ...basis(plan), ...change })
  const all = await ask({ groups: [], measures: [plan.measure, COUNT] })
  const [total = null, found = '0'] = all.rows[0] ?? []
  const rows = await ask({
    groups: [plan.rows],
    sort: [plan.order === 'measure' ? { result: 1, descending: true } : { result: 0, descending: false }],
    ...{ limit: plan.mostRows, offset: plan.offset },
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

function basis({ filters, measure }: Plan): AggregateQuery {
  return {
    filters,
    groups: [],
    measures: [measure],
    having: [],
    sort: [],
    limit: ALL,
    offset: 0,
    count: true,
  }
}

function typesOf({ columns }: OpenDataset, { rows, columns: across }: Plan): readonly ColumnType[] {
  return resultTypes(columns, { groups: across === null ? [rows] : [rows, across], measures: [] })
}

/** The crossings of the groups shown. No list of values holds null, so its groups are asked for by themselves. */
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
      const page = await aggregateRows(dataset, { ...basis(plan), groups, filters, having, count: false })
      cells.push(...page.rows)
    }
  }
  return cells
}

type Narrowing = Pick<AggregateQuery, 'having'> & { readonly filters: readonly ColumnFilter[] }

/** Conditions that leave the groups shown, one for those with a value and one for null. */
function narrowTo(
  result: number,
  { column, part }: GroupKey,
  type: ColumnType,
  shown: readonly ResultRow[],
): Narrowing[] {
  const values = shown.flatMap(([value]): Value[] => (value == null ? [] : [toValue(type, value)]))
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

function toValue(type: ColumnType, text: string): Value {
  const value = coerceValue(type, text)
  return isRefusal(value) ? text : value
}
