/** @jsxImportSource preact */
import type { Language } from '../../base/text/language.ts'
import { formatNumber } from '../texts/texts.ts'

interface Bar {
  readonly label: string
  readonly value: number
  /** The tooltip of the bar; by default its label. */
  readonly hint?: string
}

const WIDTH = 720
const HEIGHT = 216
const TOP = 22
const BOTTOM = 34
const LEFT = 4
const PLOT_HEIGHT = HEIGHT - TOP - BOTTOM
/** Room for a label below the bars. */
const LABEL_WIDTH = 80
const LETTER_WIDTH = 6.6
/** How much larger `style/tables.css` makes labels in a narrow window, where the drawing shrinks. */
const NARROW_SCALE = 2.2

/**
 * @param title what the chart shows: its accessible name. Every bar has its value as a tooltip; a table beside the chart
 *   has the numbers.
 */
export function BarChart(options: { language: Language; title: string; bars: readonly Bar[] }) {
  const { language, title, bars } = options
  const most = niceCeiling(Math.max(0, ...bars.map(({ value }) => value)))
  const step = (WIDTH - LEFT * 2) / Math.max(1, bars.length)
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / step))
  const narrowEvery = every * Math.ceil((LABEL_WIDTH * NARROW_SCALE) / (every * step))
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
      <line class="grid" x1={LEFT} x2={WIDTH - LEFT} y1={TOP} y2={TOP} />
      <text class="scale" x={WIDTH - LEFT} y={TOP - 5} text-anchor="end">
        {formatNumber(language, most)}
      </text>
      {bars.map((bar, index) => (
        <g class="bar">
          <title>{`${bar.hint ?? bar.label}: ${formatNumber(language, bar.value)}`}</title>
          <Column bar={bar} x={LEFT + index * step} step={step} most={most} />
          {index % every === 0 && (
            <Label label={bar.label} x={LEFT + index * step} isInNarrow={index % narrowEvery === 0} />
          )}
        </g>
      ))}
      <line class="axis" x1={LEFT} x2={WIDTH - LEFT} y1={TOP + PLOT_HEIGHT} y2={TOP + PLOT_HEIGHT} />
    </svg>
  )
}

function Column({ bar: { value }, x, step, most }: { bar: Bar; x: number; step: number; most: number }) {
  const gap = step > 6 ? Math.min(4, step * 0.15) : 0.5
  const height = most === 0 ? 0 : Math.max(value > 0 ? 1 : 0, (value / most) * PLOT_HEIGHT)
  return (
    <>
      <rect class="hover" x={x} y={TOP} width={step} height={PLOT_HEIGHT} />
      <rect
        x={x + gap / 2}
        y={TOP + PLOT_HEIGHT - height}
        width={Math.max(0.5, step - gap)}
        height={height}
      />
    </>
  )
}

function Label({ label, x, isInNarrow }: { label: string; x: number; isInNarrow: boolean }) {
  if (!fits(label, x, 1)) return null
  return (
    <text x={x} y={HEIGHT - 8} class={isInNarrow && fits(label, x, NARROW_SCALE) ? undefined : 'wide-only'}>
      {label}
    </text>
  )
}

/** Whether a label that begins at `x` ends inside the drawing. */
function fits(label: string, x: number, scale: number): boolean {
  return x + label.length * LETTER_WIDTH * scale <= WIDTH
}

/** The next 1, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times a power of ten: bars fill at least half of the height. */
function niceCeiling(value: number): number {
  if (value <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10
  return step * power
}

/** A share as a thin bar beside its number. @param share from 0 to 1 */
export function ShareBar({ share }: { share: number }) {
  const width = Math.round(share * 1000) / 10
  return (
    <svg class="share" aria-hidden="true">
      <rect width={`${width}%`} height="100%" />
    </svg>
  )
}
