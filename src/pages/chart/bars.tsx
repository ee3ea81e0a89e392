/** @jsxImportSource preact */
import { shorten } from '../../base/text/fit-text.ts'
import { type ChartData, cutsOf, drawnNumbersOf, scaleOf } from './chart.ts'
import { type ChartProps, percent, round, titleOf } from './marks.ts'
import { lanesOf } from './scales.ts'

/** The most letters of a name and of a figure that fit beside a bar, even in a narrow window. */
const SHORT_NAME = 16
const SHORT_VALUE = 9
/** The share of the width that a capital letter of a name takes. */
const LETTER = 0.0225

/** Whether names are beside their bars; longer ones are above. */
function isBeside({ rows, textOf }: ChartData): boolean {
  return rows.every(({ label, total }) => label.length <= SHORT_NAME && textOf(total).length <= SHORT_VALUE)
}

/** Height of all bars in pixels. */
export const heightOfBars = (data: ChartData) => data.rows.length * rowHeight(data) + 2

function rowHeight(data: ChartData): number {
  const bars = barsHeight(data)
  return isBeside(data) ? Math.max(22, bars + 8) : bars + 28
}

const barsHeight = ({ isStacked, series }: ChartData) =>
  isStacked || series.length === 1 ? 14 : series.length * 7

/** Horizontal bars from a common baseline, each row with its name and figure. */
export function Bars({ data, ink }: ChartProps) {
  const { rows, isStacked, textOf, series } = data
  const [least, most] = scaleOf(data)
  const beside = isBeside(data)
  const left = beside ? 0.015 + LETTER * Math.max(...rows.map(({ label }) => label.length)) : 0
  const right = beside ? 0.82 : 1
  const at = (value: number) => left + ((value - least) / (most - least || 1)) * (right - left)
  const [height, bars] = [rowHeight(data), barsHeight(data)]
  const thick = bars === 14 ? 14 : 6
  const topOf = (index: number) => index * height + (beside ? (height - bars) / 2 : 20)
  const lineOf = (index: number) => index * height + (beside ? height / 2 + 4.5 : 14)
  const zero = percent(at(0))
  return (
    <>
      <g class="labels" fill={ink.text} text-anchor={beside ? 'end' : undefined}>
        {rows.map(({ label }, index) => (
          <text x={beside ? percent(left - 0.012) : undefined} y={lineOf(index)}>
            {shorten(label, 80)}
          </text>
        ))}
      </g>
      <g fill={ink.series(0)}>
        {rows.map((row, index) =>
          lanesOf(drawnNumbersOf(data, row), isStacked, at).flatMap((lane, place) =>
            lane.map(({ series, from, to }) => (
              <rect
                fill={series === 0 ? undefined : ink.series(series)}
                x={percent(from)}
                width={percent(to - from)}
                y={round(topOf(index) + place * 7)}
                height={thick}
              >
                <title>{titleOf(data, row, series)}</title>
              </rect>
            )),
          ),
        )}
      </g>
      {rows.map((row, index) =>
        cutsOf(data, row).map((end, place) => {
          if (end === null) return null
          const x = at(end) + (end === least ? 0.03 : -0.03)
          const y = round(topOf(index) + place * 7)
          const ends = { x1: percent(x - 0.006), x2: percent(x + 0.006), y1: y + thick + 1, y2: y - 1 }
          return <line class="break" {...ends} stroke={ink.paper} stroke-width="5" />
        }),
      )}
      {(isStacked || series.length === 1) && (
        <g fill={ink.soft} text-anchor="end">
          {rows.map(({ total }, index) => (
            <text x="100%" y={lineOf(index)}>
              {textOf(total)}
            </text>
          ))}
        </g>
      )}
      {(beside || least < 0) && <line x1={zero} x2={zero} y1="0" y2={heightOfBars(data)} stroke={ink.axis} />}
    </>
  )
}
