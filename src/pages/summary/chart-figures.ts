/** The figures of a chart: over time all periods, otherwise the largest groups and the sum of the others. */

import { decimalText, digitsAt, parseDecimal } from '../../engine/aggregate/decimal.ts'
import type { DatePart, GroupKey } from '../../engine/aggregate/group-query.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { type Figures, findFigures, type Plan } from './figures.ts'

/** With more groups, the chart shows the largest, and one row for the others. */
const MOST_NAMES = 30
/** With more periods, the chart uses longer ones. */
const MOST_DRAWN = 400
const LONGER: readonly DatePart[] = ['day', 'month', 'quarter', 'year']

export interface ChartFigures {
  readonly figures: Figures
  /** What the chart's rows are grouped by: longer periods than the table's, if those are too many. */
  readonly key: GroupKey
  /** Null if the groups are names. */
  readonly period: DatePart | null
  /** The number of groups left out; `others` has their figures if these add up. */
  readonly left: number
  readonly others: Others | null
}

/** Exact figures, by column and for the whole row. */
interface Others {
  readonly cells: readonly (string | null)[]
  readonly total: string | null
}

/** What the plan says about groups and measure. */
interface Planned {
  readonly isNumeric: boolean
  readonly isAdditive: boolean
  readonly period: DatePart | undefined
}

/** @param shown the plan of the table @param figures those of the table, which are reused where possible */
export async function findChartFigures(
  dataset: OpenDataset,
  planned: Planned,
  shown: Plan,
  figures: Figures,
): Promise<ChartFigures | null> {
  if (!planned.isNumeric || figures.rowCount === 0) return null
  return planned.period === undefined
    ? await ofNames(dataset, planned, shown, figures)
    : await ofPeriods(dataset, planned.period, shown, figures)
}

async function ofPeriods(
  dataset: OpenDataset,
  period: DatePart,
  shown: Plan,
  table: Figures,
): Promise<ChartFigures> {
  const isWhole = shown.order === 'rows' && table.rows.length === table.rowCount
  const done = { period, left: 0, others: null }
  if (isWhole && table.rowCount <= MOST_DRAWN) return { ...done, figures: table, key: shown.rows }
  const every: Plan = { ...shown, order: 'rows', offset: 0, mostRows: Number.MAX_SAFE_INTEGER }
  const isDate = dataset.columns[shown.rows.column]!.type.startsWith('date')
  // Only dates have longer periods.
  const isLong = table.rowCount > MOST_DRAWN && isDate
  const from = LONGER.indexOf(period) + (isLong && shown.rows.part !== null ? 1 : 0)
  if (!isLong) return { ...done, figures: await findFigures(dataset, every), key: shown.rows }
  for (const part of LONGER.slice(from, -1)) {
    const key = { column: shown.rows.column, part }
    const first = await findFigures(dataset, { ...every, rows: key, columns: null, mostRows: 1 })
    if (first.rowCount <= MOST_DRAWN)
      return { ...done, period: part, key, figures: await findFigures(dataset, { ...every, rows: key }) }
  }
  const key = { column: shown.rows.column, part: 'year' as const }
  return { ...done, period: 'year', key, figures: await findFigures(dataset, { ...every, rows: key }) }
}

async function ofNames(
  dataset: OpenDataset,
  { isAdditive }: Planned,
  shown: Plan,
  table: Figures,
): Promise<ChartFigures> {
  const isMany = table.rowCount > MOST_NAMES
  const isWhole = !isMany && table.rows.length === table.rowCount
  const plan: Plan = isMany
    ? { ...shown, order: 'measure', offset: 0, mostRows: MOST_NAMES - 1 }
    : { ...shown, offset: 0 }
  const figures = isWhole ? table : await findFigures(dataset, plan)
  const left = figures.rowCount - figures.rows.length
  const others =
    left > 0 && isAdditive
      ? {
          cells: figures.columnTotals.map((total, column) =>
            remainder(
              total,
              figures.cells.map((row) => row[column]),
            ),
          ),
          total: remainder(figures.total, figures.rowTotals),
        }
      : null
  return { figures, key: shown.rows, period: null, left, others }
}

/** A total without some of its parts, to the digit. */
export function remainder(
  total: string | null,
  parts: readonly (string | null | undefined)[],
): string | null {
  if (total === null) return null
  const all = [total, ...parts.filter((part) => part != null)].map(parseDecimal)
  const places = Math.max(...all.map((one) => one.places))
  const [whole = 0n, ...taken] = all.map((one) => digitsAt(one, places))
  return decimalText({ digits: taken.reduce((rest, one) => rest - one, whole), places })
}
