/** What the drawings of bars, columns and lines share. */

import type { Language } from '../../base/text/language.ts'
import type { ChartData, ChartRow } from './chart.ts'
import type { Ink } from './ink.ts'

export interface ChartProps {
  readonly data: ChartData
  readonly language: Language
  readonly ink: Ink
}

export const percent = (share: number) => `${Number((share * 100).toFixed(2))}%`
export const round = (value: number) => Math.round(value * 10) / 10
/** The title of a mark: the value of a series in a row, in words. */
export const titleOf = ({ series, textOf }: ChartData, { label, values }: ChartRow, index: number) =>
  `${series[index] === '' ? '' : `${series[index]}, `}${label}: ${textOf(values[index]!)}`
