/** @jsxImportSource preact */
/** What bars, columns and lines are drawn with. */

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
/** The value of a series in a row, in words. */
export const titleOf = ({ series, textOf }: ChartData, { label, values }: ChartRow, index: number) =>
  `${series[index] === '' ? '' : `${series[index]}, `}${label}: ${textOf(values[index]!)}`

interface BreakProps {
  readonly ink: Ink
  /** Share of the width. */
  readonly x: number
  /** Pixels. */
  readonly y: number
  /** Of a bar in pixels, or of a column as a share. */
  readonly height?: number
  readonly width?: number
}

/** The mark across a bar that is cut: it is longer than the scale. */
export function Break({ ink, x, y, height, width }: BreakProps) {
  const strokes = [
    { move: 0, stroke: ink.paper, thick: 5 },
    ...[-3, 3].map((move) => ({ move, stroke: ink.text, thick: 1 })),
  ]
  return (
    <svg
      class="break"
      aria-hidden="true"
      x={percent(x)}
      y={round(y)}
      width={width && percent(width)}
      overflow="visible"
    >
      {strokes.map(({ move, stroke, thick }) =>
        height === undefined ? (
          <line x1="0" x2="100%" y1={move + 3} y2={move - 3} stroke={stroke} stroke-width={thick} />
        ) : (
          <line x1={move - 3} x2={move + 3} y1={height + 1} y2="-1" stroke={stroke} stroke-width={thick} />
        ),
      )}
    </svg>
  )
}
