/** A chart as it is drawn: rows and series in words, their values to the digit, and the scale that these make. */

import type { DatePart } from '../../engine/aggregate/group-query.ts'
import { extentsOf } from './scales.ts'

export const DRAWS = ['line', 'columns', 'bars'] as const
export type Draw = (typeof DRAWS)[number]

export interface ChartRow {
  readonly label: string
  /** In the periods of a time axis, else its place among the rows. */
  readonly at: number
  /** By series, exact; null: none. */
  readonly values: readonly (string | null)[]
  readonly total: string | null
  /** The sum of the groups that have no bar of their own. It does not make the scale: its bar may be cut. */
  readonly isOthers?: boolean
}

export interface ChartData {
  readonly draw: Draw
  /** The other forms that suit its groups, and its own. */
  readonly draws: readonly Draw[]
  /** `time`: rows lie at their moments; `ranges`: they follow each other; `names`: each is named. */
  readonly axis: 'time' | 'ranges' | 'names'
  readonly period: DatePart | null
  readonly rows: readonly ChartRow[]
  /** Names; one of no name where there are no columns. */
  readonly series: readonly string[]
  readonly isStacked: boolean
  /** What it leaves out, in sentences. */
  readonly notes: readonly string[]
  readonly textOf: (value: string | null) => string
}

type Bars = Pick<ChartData, 'rows' | 'isStacked'>

/** The values of a row as places of a drawing. */
export const numbersOf = ({ values }: ChartRow) =>
  values.map((value) => (value === null ? null : Number(value)))

/** The least and the greatest end of the bars that make the scale, zero among them: all but that of the others. */
export function scaleOf({ rows, isStacked }: Bars): [number, number] {
  const endsOf = (some: readonly ChartRow[]) => extentsOf(some.map(numbersOf), isStacked)
  const named = endsOf(rows.filter(({ isOthers }) => !isOthers))
  return named[0] < named[1] ? named : endsOf(rows)
}

/** By lane of a row: the end of the scale where its bar is cut, null where it fits. None where all fit. */
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

/** The values of a row as they are drawn: those of a cut bar share its length as they share its value. */
export function drawnNumbersOf(bars: Bars, row: ChartRow): (number | null)[] {
  const numbers = numbersOf(row)
  const cuts = cutsOf(bars, row)
  const sum = numbers.reduce<number>((all, value) => all + (value ?? 0), 0)
  return numbers.map((value, index) => {
    const end = cuts[bars.isStacked ? 0 : index] ?? null
    return end === null || value === null ? value : (value / (bars.isStacked ? sum : value)) * end
  })
}
