/** @jsxImportSource preact */

/** The chart of a summary: lines over time, else bars of each row. The table beside it has the numbers. */

import { BarChart } from '../parts/bar-chart.tsx'
import { Table } from '../parts/table.tsx'
import { formatCompact, formatDigits } from '../texts/texts.ts'
import type { Range } from './ask-summary.ts'
import { barsOf, momentOf, type Segment, ticksOf } from './scales.ts'
import type { Shown } from './shown.ts'

/** Colours in `style/summary.css`; the rest has one more. */
const MOST_SERIES = 8
const MOST_BARS = 20

export function SummaryChart({ shown }: { shown: Shown }) {
  const { figures, isNumeric, isOverTime, texts } = shown
  if (shown.ranges.length > 0) return <Histogram shown={shown} />
  if (!isNumeric || figures.rows.length < 2) return null
  const hasColumns = figures.columns.length > 0
  if (!isOverTime && !hasColumns) return null
  const series = seriesOf(shown)
  return (
    <figure class="drawing">
      <figcaption class="unseen">{shown.caption}</figcaption>
      {hasColumns && <Legend shown={shown} series={series} />}
      {isOverTime ? <Lines shown={shown} series={series} /> : <Bars shown={shown} series={series} />}
      {!isOverTime && figures.rows.length > MOST_BARS && (
        <p class="small soft">{texts.someBars(MOST_BARS)}</p>
      )}
    </figure>
  )
}

/** Rows by ranges of numbers. The table below has each number by itself, so these have a table of their own. */
function Histogram({ shown }: { shown: Shown }) {
  const { language, ranges, texts, caption } = shown
  const write = (text: string) => (shown.rowsAreNames ? text : formatDigits(language, text))
  const nameOf = ({ from, to }: Range) => (to === undefined ? write(from) : `${write(from)} – ${write(to)}`)
  return (
    <figure class="drawing">
      <figcaption class="unseen">{caption}</figcaption>
      <BarChart
        language={language}
        title={texts.chart(caption)}
        bars={ranges.map((range) => ({ label: write(range.from), hint: nameOf(range), value: range.rows }))}
      />
      <details class="small">
        <summary>{texts.numbers}</summary>
        <Table
          label={texts.numbers}
          head={[shown.rowsLabel, [shown.measureLabel]]}
          rows={ranges.map((range) => [nameOf(range), shown.number(range.rows)])}
          hasRowHeads
        />
      </details>
    </figure>
  )
}

/** As an attribute: the policy for styles allows none in the page. */
function seriesColour(index: number): string {
  return `var(--series-${index})`
}

/** One line, or one piece of each bar. */
interface Series {
  readonly name: string
  /** By row; null where there is none. */
  readonly values: readonly (number | null)[]
  /** The same in words. */
  textOf(row: number): string
}

/** The columns with the greatest totals, in the table's order; without columns the rows' own measure. */
function seriesOf({ figures, columnText, measureLabel, measureText }: Shown): Series[] {
  const describe = (name: string, values: readonly (string | null | undefined)[]): Series => ({
    name,
    values: values.map((value) => (value == null ? null : Number(value))),
    textOf: (row) => measureText(values[row]),
  })
  if (figures.columns.length === 0) return [describe(measureLabel, figures.rowTotals)]
  const greatest = figures.columnTotals
    .map((total, column) => ({ column, total: Number(total ?? Number.NEGATIVE_INFINITY) }))
    .toSorted((a, b) => b.total - a.total)
    .slice(0, MOST_SERIES)
    .map(({ column }) => column)
    .toSorted((a, b) => a - b)
  return greatest.map((column) => {
    const values = figures.cells.map((row) => row[column])
    return describe(columnText(figures.columns[column]!), values)
  })
}

function Legend({ shown, series }: { shown: Shown; series: readonly Series[] }) {
  const hasRest = hasOthers(shown, series)
  const names = series.map(({ name }) => name)
  return (
    <ul class="legend small bare flow">
      {[...names, ...(hasRest ? [shown.texts.others] : [])].map((name, index) => (
        <li>
          <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
            <rect fill={seriesColour(index)} width="10" height="10" />
          </svg>{' '}
          {name}
        </li>
      ))}
    </ul>
  )
}

/** Whether bars have a piece for the columns that aren't series. */
function hasOthers({ isOverTime, isAdditive, figures }: Shown, series: readonly Series[]): boolean {
  return !isOverTime && isAdditive && figures.columnCount > series.length
}

function Bars({ shown, series }: { shown: Shown; series: readonly Series[] }) {
  const { figures } = shown
  const rows = figures.rows
    .slice(0, MOST_BARS)
    .map((_, row) => series.map(({ values }) => values[row] ?? null))
  const totals = figures.rowTotals.slice(0, MOST_BARS).map(Number)
  const bars = barsOf(rows, shown.isAdditive, hasOthers(shown, series) ? totals : undefined)
  return (
    <div class="bars" role="img" aria-label={shown.texts.chart(shown.caption)}>
      {bars.map((lanes, row) => (
        <>
          <span class="name">{shown.rowText(figures.rows[row]!)}</span>
          <span class="lanes">
            {lanes.map((lane) => (
              <svg class="lane" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
                {lane.map((segment) => (
                  <Piece segment={segment} />
                ))}
              </svg>
            ))}
          </span>
        </>
      ))}
    </div>
  )
}

function Piece({ segment: { series, from, to } }: { segment: Segment }) {
  const round = (share: number) => Math.round(share * 10_000) / 10
  return (
    <rect fill={seriesColour(series)} x={round(from)} width={Math.max(0.5, round(to - from))} height="10" />
  )
}

const WIDTH = 720
const HEIGHT = 260
const TOP = 28
const BOTTOM = 34
const LEFT = 8
/** Room for the numbers of the scale, also where the style makes them larger. */
const RIGHT = 118
const PLOT_END = WIDTH - RIGHT
const PLOT = HEIGHT - TOP - BOTTOM
/** Lines of more points have no dots. */
const MOST_DOTS = 60

function Lines({ shown, series }: { shown: Shown; series: readonly Series[] }) {
  const { figures, rows, texts, caption } = shown
  const points = figures.rows
    .flatMap((value, row) =>
      value === null ? [] : [{ row, text: shown.rowText(value), moment: momentOf(rows.part, value) }],
    )
    .toSorted((a, b) => a.moment - b.moment)
  const first = points[0]?.moment ?? 0
  const span = (points.at(-1)?.moment ?? 0) - first || 1
  const ticks = ticksOf(series.flatMap(({ values }) => values.filter((value) => value !== null)))
  const [least, most] = [ticks[0]!, ticks.at(-1)!]
  const x = (moment: number) => round(LEFT + ((moment - first) / span) * (PLOT_END - LEFT))
  const y = (value: number) => round(TOP + PLOT - ((value - least) / (most - least)) * PLOT)
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={texts.chart(caption)}>
      {ticks.map((tick) => (
        <Tick value={tick} text={formatCompact(shown.language, tick)} y={y(tick)} />
      ))}
      {series.map(({ name, values, textOf }, index) => (
        <Line
          {...{ name, index, hasDots: points.length <= MOST_DOTS }}
          points={points.flatMap(({ row, text, moment }) => {
            const value = values[row]
            return value == null
              ? []
              : [{ x: x(moment), y: y(value), title: `${name}, ${text}: ${textOf(row)}` }]
          })}
        />
      ))}
      <text x={LEFT} y={HEIGHT - 10}>
        {points[0]?.text}
      </text>
      <text x={PLOT_END} y={HEIGHT - 10} text-anchor="end">
        {points.at(-1)?.text}
      </text>
    </svg>
  )
}

function Tick({ value, text, y }: { value: number; text: string; y: number }) {
  return (
    <>
      <line class={value === 0 ? 'axis' : 'grid'} x1={LEFT} x2={PLOT_END + 6} y1={y} y2={y} />
      <text class="scale" x={PLOT_END + 10} y={y + 4}>
        {text}
      </text>
    </>
  )
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

interface LineOptions {
  readonly name: string
  readonly index: number
  readonly hasDots: boolean
  readonly points: readonly { x: number; y: number; title: string }[]
}

function Line({ name, index, hasDots, points }: LineOptions) {
  return (
    <g class="line" fill={seriesColour(index)} stroke={seriesColour(index)}>
      <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')}>
        <title>{name}</title>
      </polyline>
      {(hasDots || points.length === 1) &&
        points.map(({ x, y, title }) => (
          <circle cx={x} cy={y} r="3">
            <title>{title}</title>
          </circle>
        ))}
    </g>
  )
}
