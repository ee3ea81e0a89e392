/** @jsxImportSource preact */
/**
 * A chart as SVG, for a page and for a picture. Places across are shares of the width and places down are pixels, so words
 * keep their size in any width; colours are attributes, since the policy of pages allows no styles in them.
 */

import { shorten } from '../../base/text/fit-text.ts'
import type { Language } from '../../base/text/language.ts'
import { formatCompact } from '../texts/texts.ts'
import type { ChartData, ChartRow } from './chart-data.ts'
import type { Ink } from './ink.ts'
import { extentsOf, lanesOf, namedMoments, periodAt, ticksOf } from './scales.ts'

interface Props {
  readonly data: ChartData
  readonly language: Language
  readonly ink: Ink
}

/** Height of the drawing in pixels. */
export function heightOf(data: ChartData): number {
  if (data.draw === 'bars') return data.rows.length * rowHeight(data) + 2
  return TOP + PLOT + (data.axis === 'names' ? NAMES : LABELS)
}

export function ChartDrawing(props: Props) {
  return props.data.draw === 'bars' ? <Bars {...props} /> : <Plot {...props} />
}

const numbersOf = ({ values }: ChartRow) => values.map((value) => (value === null ? null : Number(value)))
const percent = (share: number) => `${Number((share * 100).toFixed(2))}%`
const round = (value: number) => Math.round(value * 10) / 10
/** Letters of a name and of a figure that stand beside a bar, also in a narrow window. */
const SHORT_NAME = 16
const SHORT_VALUE = 9
/** Share of the width that a capital letter of a name takes there. */
const LETTER = 0.0225

/** Whether names stand beside their bars; longer ones stand above. */
function isBeside({ rows, textOf }: ChartData): boolean {
  return rows.every(({ label, total }) => label.length <= SHORT_NAME && textOf(total).length <= SHORT_VALUE)
}

function rowHeight(data: ChartData): number {
  const bars = barsHeight(data)
  return isBeside(data) ? Math.max(22, bars + 8) : bars + 28
}

const barsHeight = ({ isStacked, series }: ChartData) =>
  isStacked || series.length === 1 ? 14 : series.length * 7

const titleOf = ({ series, textOf }: ChartData, { label, values }: ChartRow, index: number) =>
  `${series[index] === '' ? '' : `${series[index]}, `}${label}: ${textOf(values[index]!)}`

/** Horizontal bars of one baseline, each row with its name and its figure. */
function Bars({ data, ink }: Props) {
  const { rows, isStacked, textOf, series } = data
  const numbers = rows.map(numbersOf)
  const [least, most] = extentsOf(numbers, isStacked)
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
          lanesOf(numbers[index]!, isStacked, at).flatMap((lane, place) =>
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
      {(isStacked || series.length === 1) && (
        <g fill={ink.soft} text-anchor="end">
          {rows.map(({ total }, index) => (
            <text x="100%" y={lineOf(index)}>
              {textOf(total)}
            </text>
          ))}
        </g>
      )}
      {(beside || least < 0) && <line x1={zero} x2={zero} y1="0" y2={heightOf(data)} stroke={ink.axis} />}
    </>
  )
}

const TOP = 8
const PLOT = 220
const LABELS = 26
/** Room for names that stand upright. */
const NAMES = 124
const LEFT = 0.01
/** The numbers of the scale stand beyond. */
const RIGHT = 0.84
const MOST_LABELS = 5
/** A line of more points has no dots. */
const MOST_DOTS = 60

/** Columns and lines, over time or over names, on a scale that holds zero. */
function Plot({ data, language, ink }: Props) {
  const { rows, isStacked, draw } = data
  const numbers = rows.map(numbersOf)
  const ticks = ticksOf(
    draw === 'line' ? numbers.flat().filter((one) => one !== null) : extentsOf(numbers, isStacked),
  )
  const [least, most] = [ticks[0]!, ticks.at(-1)!]
  const [first, last] = [rows[0]!.at, rows.at(-1)!.at]
  const steps = rows.slice(1).map(({ at }, index) => at - rows[index]!.at)
  // Periods are whole; days that are a week apart are told by weeks.
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
  /** Share of the width. */
  across(at: number): number
  /** Pixels. */
  down(value: number): number
}

type Marks = Pick<Props, 'data' | 'ink'> & { readonly scale: Scale }

function Columns({ data, ink, scale }: Marks) {
  const slot = scale.across(scale.step) - scale.across(0)
  const columns = data.rows.map((row) => {
    const lanes = lanesOf(numbersOf(row), data.isStacked, (value) => value)
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
  return <g fill={ink.series(0)}>{columns}</g>
}

/** A line breaks where periods are missing. */
function Lines({ data, ink, scale }: Marks) {
  const { rows, series } = data
  return (
    <>
      {/* Percentages are no coordinates of a path, so the lines have a box of their own, as wide as the drawing. */}
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

/** Whether a row is the newest, or has a gap on both sides: a line alone would not show it. */
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

/** A label keeps inside of the drawing. */
function anchorAt(share: number): string {
  if (share < LEFT + 0.05) return 'start'
  return share > RIGHT - 0.05 ? 'end' : 'middle'
}
