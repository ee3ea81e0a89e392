/** The chart of a summary: its rows and series in words, their values to the digit. */

import type { DatePart } from '../../engine/aggregate/group-query.ts'
import { type ChartData, type ChartRow, cutsOf, type Draw } from '../chart/chart.ts'
import { momentOf, periodAt } from '../chart/scales.ts'
import { type ChartFigures, remainder } from './chart-figures.ts'
import type { Shown } from './shown.ts'

/** The number of series colours in `style/summary.css`, beside one for the others. */
const MOST_SERIES = 8
/** The most periods for which bars also name empty ones. */
const MOST_BARS = 400

/** The chart of a summary; null if there is nothing to compare. */
export function chartOf(shown: Shown): ChartData | null {
  if (shown.ranges.length > 0) return ofRanges(shown)
  const { chart, texts } = shown
  if (chart === null) return null
  const all = rowsOf(shown, chart)
  const rows = all.filter(({ at }) => Number.isFinite(at)).toSorted((a, b) => a.at - b.at)
  if (rows.length < (chart.period === null ? 1 : 2)) return null
  const outside = all.filter(({ at }) => !Number.isFinite(at))
  const isTime = chart.period !== null
  const draws: readonly Draw[] = isTime ? ['line', 'columns', 'bars'] : ['bars', 'columns']
  const draw = draws.find((one) => one === shown.choice.draw) ?? draws[0]!
  const isStacked = shown.isAdditive && chart.figures.columns.length > 0 && !hasNegative(rows)
  const { series, values } = seriesOf(shown, chart, isStacked && draw !== 'line')
  const isLonger = chart.key.part !== shown.rows.part
  const drawn = {
    isStacked: isStacked && draw !== 'line',
    rows: withGaps(rows.map(values), draw === 'bars' ? chart.period : null, series.length),
  }
  return {
    ...{ draw, draws, series, axis: isTime ? 'time' : 'names', period: chart.period },
    ...drawn,
    notes: [
      ...drawn.rows
        .filter((row) => cutsOf(drawn, row).length > 0)
        .map(({ label, total }) => texts.cutBar(label, shown.measureText(total))),
      ...(isLonger ? [texts.longerPeriods(shown.keyLabel(chart.key))] : []),
      ...outside.map(({ label, total }) => texts.outsideTime(label, shown.measureText(total))),
      ...(chart.left > 0 && chart.others === null
        ? [texts.withoutOthers(chart.figures.rows.length, chart.left)]
        : []),
    ],
    textOf: shown.measureText,
  }
}

type Row = ChartRow & { readonly cells: readonly (string | null | undefined)[] }

/** Every row with the values of all its columns; the row of the others comes last. */
function rowsOf({ rowText, texts }: Shown, { figures, period, others, left }: ChartFigures): Row[] {
  const rows = figures.rows.map((value, row): Row => {
    const at = period === null ? row : value === null ? Number.NaN : momentOf(period, value)
    return {
      label: rowText(value),
      at,
      values: [],
      total: figures.rowTotals[row]!,
      cells: figures.cells[row]!,
    }
  })
  if (others === null) return rows
  return [...rows, { ...others, label: texts.otherGroups(left), at: rows.length, values: [], isOthers: true }]
}

function hasNegative(rows: readonly Row[]): boolean {
  return rows.some(({ total, cells }) => [total, ...cells].some((value) => value?.startsWith('-')))
}

/** The columns with the greatest totals, in the table's order, and the rest of each row; without columns, its measure. */
function seriesOf({ columnText, texts }: Shown, { figures }: ChartFigures, hasRest: boolean) {
  if (figures.columns.length === 0)
    return { series: [''], values: (row: Row): ChartRow => ({ ...row, values: [row.total] }) }
  const shown = figures.columnTotals
    .map((total, column) => ({ column, total: Number(total ?? Number.NEGATIVE_INFINITY) }))
    .toSorted((a, b) => b.total - a.total)
    .slice(0, MOST_SERIES)
    .map(({ column }) => column)
    .toSorted((a, b) => a - b)
  const isRest = hasRest && figures.columnCount > shown.length
  const values = (row: Row): ChartRow => {
    const own = shown.map((column) => row.cells[column] ?? null)
    return { ...row, values: isRest ? [...own, remainder(row.total, own)] : own }
  }
  const names = shown.map((column) => columnText(figures.columns[column]!))
  return { series: isRest ? [...names, texts.others] : names, values }
}

/** Adds an empty row for each missing period. @param period null leaves the rows unchanged */
function withGaps(rows: readonly ChartRow[], period: DatePart | null, series: number): readonly ChartRow[] {
  const [first, last] = [rows[0]!.at, rows.at(-1)!.at]
  if (period === null || last - first >= MOST_BARS || rows.some(({ at }) => !Number.isInteger(at)))
    return rows
  const known = new Map(rows.map((row) => [row.at, row]))
  const values = Array.from({ length: series }, () => null)
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const at = first + index
    return known.get(at) ?? { label: periodAt(period, at), at, values, total: null }
  })
}

function ofRanges({ ranges, number, rowText }: Shown): ChartData {
  return {
    ...{ draw: 'columns', draws: ['columns'], series: [''], axis: 'ranges', period: null },
    ...{ isStacked: false, notes: [] },
    rows: ranges.map(({ from, rows }, at) => {
      const value = String(rows)
      return { label: rowText(from), at, values: [value], total: value }
    }),
    textOf: (value) => number(Number(value)),
  }
}
