/** @jsxImportSource preact */
import { BarChart } from '../parts/bar-chart.tsx'
import { Table } from '../parts/table.tsx'
import { formatCompact, formatDigits } from '../texts/texts.ts'
import type { Range } from './ask-summary.ts'
import { barsOf, momentOf, ticksOf } from './scales.ts'
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
  const rows = figures.rows
    .slice(0, MOST_BARS)
    .map((_, row) => series.map(({ values }) => values[row] ?? null))
  const totals = figures.rowTotals.slice(0, MOST_BARS).map(Number)
  const bars = barsOf(rows, shown.isAdditive, hasOthers(shown, series) ? totals : undefined)
  return (
    <figure class="drawing">
      <figcaption class="unseen">{shown.caption}</figcaption>
      {hasColumns && (
        <ul class="legend small bare flow">
          {[...series.map(({ name }) => name), ...(hasOthers(shown, series) ? [texts.others] : [])].map(
            (name, index) => (
              <li>
                <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
                  <rect fill={seriesColour(index)} width="10" height="10" />
                </svg>{' '}
                {name}
              </li>
            ),
          )}
        </ul>
      )}
      {isOverTime ? (
        <Lines shown={shown} series={series} />
      ) : (
        <div class="bars" role="img" aria-label={shown.texts.chart(shown.caption)}>
          {bars.map((lanes, row) => (
            <>
              <span class="name">{shown.rowText(figures.rows[row]!)}</span>
              <span class="lanes">
                {lanes.map((lane) => (
                  <svg class="lane" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
                    {lane.map(({ series, from, to }) => (
                      <rect
                        fill={seriesColour(series)}
                        x={round(from * 1000)}
                        width={Math.max(0.5, round((to - from) * 1000))}
                        height="10"
                      />
                    ))}
                  </svg>
                ))}
              </span>
            </>
          ))}
        </div>
      )}
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

interface Series {
  readonly name: string
  readonly values: readonly (number | null)[]
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

/** Whether bars have a piece for the columns that aren't series. */
function hasOthers({ isOverTime, isAdditive, figures }: Shown, series: readonly Series[]): boolean {
  return !isOverTime && isAdditive && figures.columnCount > series.length
}

const WIDTH = 720
const HEIGHT = 260
const TOP = 28
const LEFT = 8
/** Leaves room for the numbers of the scale, also where the style makes them larger. */
const PLOT_END = WIDTH - 118
const PLOT = HEIGHT - TOP - 34

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
        <>
          <line class={tick === 0 ? 'axis' : 'grid'} x1={LEFT} x2={PLOT_END + 6} y1={y(tick)} y2={y(tick)} />
          <text class="scale" x={PLOT_END + 10} y={y(tick) + 4}>
            {formatCompact(shown.language, tick)}
          </text>
        </>
      ))}
      {series.map(({ name, values, textOf }, index) => {
        const dots = points.flatMap(({ row, text, moment }) => {
          const value = values[row]
          return value == null
            ? []
            : [{ cx: x(moment), cy: y(value), title: `${name}, ${text}: ${textOf(row)}` }]
        })
        return (
          <g class="line" fill={seriesColour(index)} stroke={seriesColour(index)}>
            <polyline points={dots.map(({ cx, cy }) => `${cx},${cy}`).join(' ')}>
              <title>{name}</title>
            </polyline>
            {/* A line of more points has no dots. */}
            {(points.length <= 60 || dots.length === 1) &&
              dots.map(({ title, ...at }) => (
                <circle {...at} r="3">
                  <title>{title}</title>
                </circle>
              ))}
          </g>
        )
      })}
      <text x={LEFT} y={HEIGHT - 10}>
        {points[0]?.text}
      </text>
      <text x={PLOT_END} y={HEIGHT - 10} text-anchor="end">
        {points.at(-1)?.text}
      </text>
    </svg>
  )
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
