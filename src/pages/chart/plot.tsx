/** @jsxImportSource preact */
import { shorten } from '../../base/text/fit-text.ts'
import { formatCompact } from '../texts/texts.ts'
import { type ChartData, type ChartRow, cutsOf, drawnNumbersOf, numbersOf, scaleOf } from './chart.ts'
import { type ChartProps, percent, round, titleOf } from './marks.ts'
import { lanesOf, namedMoments, periodAt, ticksOf } from './scales.ts'

/** The most letters of a name below a column. */
const SHORT_NAME = 16
const TOP = 8
const PLOT = 220
const LABELS = 26
/** Room in pixels for vertical names. */
const NAMES = 124
const LEFT = 0.01
/** Right end of the plot; the numbers of the scale are beyond it. */
const RIGHT = 0.84
const MOST_LABELS = 4
/** A line with more points has no dots. */
const MOST_DOTS = 60

/** Height of the drawing in pixels. */
export const heightOfPlot = ({ axis }: ChartData) => TOP + PLOT + (axis === 'names' ? NAMES : LABELS)

/** Columns and lines, over time or over names, on a scale that includes zero. */
export function Plot({ data, language, ink }: ChartProps) {
  const { rows, draw } = data
  const ticks = ticksOf(
    draw === 'line' ? rows.flatMap(numbersOf).filter((one) => one !== null) : scaleOf(data),
  )
  const [least, most] = [ticks[0]!, ticks.at(-1)!]
  const [first, last] = [rows[0]!.at, rows.at(-1)!.at]
  const steps = rows.slice(1).map(({ at }, index) => at - rows[index]!.at)
  // Periods are whole numbers; days a week apart count as weeks.
  const step = Math.min(...steps.filter((one) => one > 0), last - first || 1)
  const scale: Scale = {
    step,
    across: (at) => LEFT + ((at - first + step / 2) / (last - first + step)) * (RIGHT - LEFT),
    down: (value) => TOP + PLOT - ((value - least) / (most - least)) * PLOT,
  }
  return (
    <>
      {ticks.map((tick) => (
        <>
          <line
            x1={percent(LEFT)}
            x2={percent(RIGHT)}
            y1={round(scale.down(tick))}
            y2={round(scale.down(tick))}
            stroke={tick === 0 ? ink.axis : ink.rule}
          />
          <text x={percent(RIGHT + 0.012)} y={round(scale.down(tick) + 4)} fill={ink.soft}>
            {formatCompact(language, tick)}
          </text>
        </>
      ))}
      {draw === 'line' ? (
        <Lines data={data} ink={ink} scale={scale} />
      ) : (
        <Columns data={data} ink={ink} scale={scale} />
      )}
      <Labels data={data} ink={ink} scale={scale} />
    </>
  )
}

interface Scale {
  readonly step: number
  /** As a share of the width. */
  across(at: number): number
  /** In pixels. */
  down(value: number): number
}

type Marks = Pick<ChartProps, 'data' | 'ink'> & { readonly scale: Scale }

function Columns({ data, ink, scale }: Marks) {
  const slot = scale.across(scale.step) - scale.across(0)
  const [least] = scaleOf(data)
  const columns = data.rows.map((row) => {
    const lanes = lanesOf(drawnNumbersOf(data, row), data.isStacked, (value) => value)
    const width = (slot * 0.8) / lanes.length
    return lanes.flatMap((lane, place) =>
      lane.map(({ series, from, to }) => (
        <rect
          fill={series === 0 ? undefined : ink.series(series)}
          x={percent(scale.across(row.at) - slot * 0.4 + place * width)}
          width={percent(width)}
          y={round(scale.down(to))}
          height={Math.max(0.5, round(scale.down(from) - scale.down(to)))}
        >
          <title>{titleOf(data, row, series)}</title>
        </rect>
      )),
    )
  })
  return (
    <>
      <g fill={ink.series(0)}>{columns}</g>
      {data.rows.map((row) => {
        const cuts = cutsOf(data, row)
        if (cuts.length === 0) return null
        const left = scale.across(row.at) - slot * 0.4
        const width = (slot * 0.8) / cuts.length
        const halo = { stroke: ink.paper, 'stroke-width': 4, 'paint-order': 'stroke' }
        return (
          <>
            {cuts.map((end, place) => {
              if (end === null) return null
              const [x, y] = [left + place * width, round(scale.down(end) + (end === least ? -10 : 10))]
              const ends = { x1: percent(x), x2: percent(x + width), y1: y + 3, y2: y - 3 }
              return <line class="break" {...ends} stroke={ink.paper} stroke-width="5" />
            })}
            <text x={percent(left - 0.01)} y={TOP + 12} fill={ink.text} text-anchor="end" {...halo}>
              {data.textOf(row.total)}
            </text>
          </>
        )
      })}
    </>
  )
}

/** A line breaks where periods are missing. */
function Lines({ data, ink, scale }: Marks) {
  const { rows, series } = data
  return (
    <>
      {/* The coordinates of a path cannot be percentages, so the lines have their own box, as wide as the drawing. */}
      <svg
        width="100%"
        height={TOP + PLOT + 4}
        viewBox={`0 0 1000 ${TOP + PLOT + 4}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {series.map((_, index) => {
          let before = Number.NaN
          const path = rows.flatMap((row) => {
            const value = row.values[index]
            if (value == null) return []
            const isNext = row.at - before <= scale.step * 1.5
            before = row.at
            return [
              `${isNext ? 'L' : 'M'}${round(scale.across(row.at) * 1000)} ${round(scale.down(Number(value)))}`,
            ]
          })
          return (
            <path
              d={path.join('')}
              fill="none"
              stroke={ink.series(index)}
              stroke-width="2"
              vector-effect="non-scaling-stroke"
            />
          )
        })}
      </svg>
      {series.map((_, index) => (
        <g fill={ink.series(index)}>
          {rows.map((row, at) => {
            const value = row.values[index]
            const isDotless = rows.length > MOST_DOTS && !isBesideGap(data, at, scale.step)
            return value == null || isDotless ? null : (
              <circle cx={percent(scale.across(row.at))} cy={round(scale.down(Number(value)))} r="3">
                <title>{titleOf(data, row, index)}</title>
              </circle>
            )
          })}
        </g>
      ))}
    </>
  )
}

/** Whether a row is the newest, or has a gap on both sides, where a line alone would not show it. */
function isBesideGap({ rows }: ChartData, at: number, step: number): boolean {
  const isFar = (other: ChartRow | undefined) =>
    other === undefined || Math.abs(other.at - rows[at]!.at) > step * 1.5
  return at === rows.length - 1 || (isFar(rows[at - 1]) && isFar(rows[at + 1]))
}

function Labels({ data, ink, scale }: Marks) {
  const { rows, axis, period } = data
  if (axis === 'names')
    return rows.map(({ label, at }) => (
      <svg x={percent(scale.across(at))} y={TOP + PLOT + 8} overflow="visible" aria-hidden="true">
        <text transform="rotate(-90)" y="4" font-size="11" text-anchor="end" fill={ink.text}>
          {shorten(label, SHORT_NAME)}
        </text>
      </svg>
    ))
  const [first, last] = [rows[0]!, rows.at(-1)!]
  const textAt = new Map(rows.map(({ at, label }) => [at, label]))
  return (
    <g class="labels">
      {namedMoments(first.at, last.at, MOST_LABELS).map((at) => (
        <text
          x={percent(scale.across(at))}
          y={TOP + PLOT + 19}
          fill={ink.soft}
          text-anchor={anchorAt(scale.across(at))}
        >
          {textAt.get(at) ?? (period === null ? '' : periodAt(period, at))}
        </text>
      ))}
    </g>
  )
}

/** Keeps a label inside the drawing. */
function anchorAt(share: number): string {
  if (share < LEFT + 0.05) return 'start'
  return share > RIGHT - 0.05 ? 'end' : 'middle'
}
