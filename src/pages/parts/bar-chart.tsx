/** @jsxImportSource preact */

/** A small column chart as SVG, drawn the same on the server and in an island. */

import type { Language } from '../../mail/language.ts'
import { formatNumber } from './format.ts'

export interface Bar {
  readonly label: string
  readonly value: number
  /** What the bar is called when pointed at; by default its label. */
  readonly hint?: string
}

const WIDTH = 720
const HEIGHT = 216
const TOP = 22
const BOTTOM = 34
const LEFT = 4
/** Labels below the bars: as many as do not touch each other. */
const LABEL_WIDTH = 80
const LETTER_WIDTH = 6.6
/** In a narrow window the drawing shrinks and `style/charts.css` makes its words so much larger: fewer of them have room. */
const NARROW_SCALE = 2.2

/**
 * @param title what the chart shows: its accessible name. Every bar has its value as a tooltip; whoever needs the
 *   numbers gets them from a table beside the chart.
 */
export function BarChart({
  language,
  title,
  bars,
}: {
  language: Language
  title: string
  bars: readonly Bar[]
}) {
  const most = niceCeiling(Math.max(0, ...bars.map(({ value }) => value)))
  const step = (WIDTH - LEFT * 2) / Math.max(1, bars.length)
  const gap = step > 6 ? Math.min(4, step * 0.15) : 0.5
  const plotHeight = HEIGHT - TOP - BOTTOM
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / step))
  const narrowEvery = every * Math.ceil((LABEL_WIDTH * NARROW_SCALE) / (every * step))
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
      <line class="grid" x1={LEFT} x2={WIDTH - LEFT} y1={TOP} y2={TOP} />
      <text class="scale" x={WIDTH - LEFT} y={TOP - 5} text-anchor="end">
        {formatNumber(language, most)}
      </text>
      {bars.map(({ label, value, hint }, index) => {
        const height = most === 0 ? 0 : Math.max(value > 0 ? 1 : 0, (value / most) * plotHeight)
        const x = LEFT + index * step
        return (
          <g class="bar">
            <title>{`${hint ?? label}: ${formatNumber(language, value)}`}</title>
            <rect class="hover" x={x} y={TOP} width={step} height={plotHeight} />
            <rect
              x={x + gap / 2}
              y={TOP + plotHeight - height}
              width={Math.max(0.5, step - gap)}
              height={height}
            />
            {index % every === 0 && fits(label, x, 1) && (
              <text
                x={x}
                y={HEIGHT - 8}
                class={index % narrowEvery === 0 && fits(label, x, NARROW_SCALE) ? undefined : 'wide-only'}
              >
                {label}
              </text>
            )}
          </g>
        )
      })}
      <line class="axis" x1={LEFT} x2={WIDTH - LEFT} y1={TOP + plotHeight} y2={TOP + plotHeight} />
    </svg>
  )
}

/** Whether a label that begins at `x` ends inside the drawing. */
function fits(label: string, x: number, scale: number): boolean {
  return x + label.length * LETTER_WIDTH * scale <= WIDTH
}

/** The next number of the form 1, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times a power of ten: half of the height is filled at least. */
function niceCeiling(value: number): number {
  if (value <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10
  return step * power
}
