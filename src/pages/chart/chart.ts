/** The data of a chart: rows and series in words, their values to the digit, and the resulting scale. */

import type { DatePart } from '../../engine/aggregate/group-query.ts'
import { extentsOf } from './scales.ts'

export const DRAWS = ['line', 'columns', 'bars'] as const
export type Draw = (typeof DRAWS)[number]

export interface ChartRow {
  readonly label: string
  /** The place on the axis: in periods of a time axis, else among the rows. */
  readonly at: number
  /** By series, exact; null for no value. */
  readonly values: readonly (string | null)[]
  readonly total: string | null
  /** Whether it sums the groups without a bar of their own. Such a row does not affect the scale: its bar may be cut. */
  readonly isOthers?: boolean
}

export interface ChartData {
  readonly draw: Draw
  /** All forms that suit the groups, including its own. */
  readonly draws: readonly Draw[]
  /** `time`: rows are placed at their moments; `ranges`: one after the other; `names`: each with its name. */
  readonly axis: 'time' | 'ranges' | 'names'
  readonly period: DatePart | null
  readonly rows: readonly ChartRow[]
  /** Names of the series; a single empty one where there are no columns. */
  readonly series: readonly string[]
  readonly isStacked: boolean
  /** Sentences on what the chart leaves out. */
  readonly notes: readonly string[]
  readonly textOf: (value: string | null) => string
}

type Bars = Pick<ChartData, 'rows' | 'isStacked'>

/** The values of a row as numbers for drawing. */
export const numbersOf = ({ values }: ChartRow) =>
  values.map((value) => (value === null ? null : Number(value)))

/** The scale: the least and greatest end of all bars but that of the others, including zero. */
export function scaleOf({ rows, isStacked }: Bars): [number, number] {
  const endsOf = (some: readonly ChartRow[]) => extentsOf(some.map(numbersOf), isStacked)
  const named = endsOf(rows.filter(({ isOthers }) => !isOthers))
  return named[0] < named[1] ? named : endsOf(rows)
}

/** By lane of a row: the end of the scale where its bar is cut, null where it fits. Empty where all fit. */
export function cutsOf({ rows, isStacked }: Bars, row: ChartRow): (number | null)[] {
  if (!row.isOthers) return []
  const [least, most] = scaleOf({ rows, isStacked })
  const numbers = numbersOf(row)
  const lanes = isStacked ? [numbers] : numbers.map((value) => [value])
  const cuts = lanes.map((lane) => {
    const [low, high] = extentsOf([lane], isStacked)
    return high > most ? most : low < least ? least : null
  })
  return cuts.some((cut) => cut !== null) ? cuts : []
}

/** The values of a row as they are drawn: those of a cut bar divide its length in proportion. */
export function drawnNumbersOf(bars: Bars, row: ChartRow): (number | null)[] {
  const numbers = numbersOf(row)
  const cuts = cutsOf(bars, row)
  const sum = numbers.reduce<number>((all, value) => all + (value ?? 0), 0)
  return numbers.map((value, index) => {
    const end = cuts[bars.isStacked ? 0 : index] ?? null
    return end === null || value === null ? value : (value / (bars.isStacked ? sum : value)) * end
  })
}
