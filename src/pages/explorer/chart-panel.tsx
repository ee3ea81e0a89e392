/** @jsxImportSource preact */

/** The chart of a column, and the form that chooses the column. */

import type { ComponentChildren } from 'preact'
import { BarChart } from '../parts/bar-chart.tsx'
import { ShareBar } from '../parts/share-bar.tsx'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { formatNumber, formatShare, formatValue } from '../texts/format.ts'
import { pageAddress } from './addresses.ts'
import type { Chart, ChartBar } from './chart.ts'
import type { ExplorerProps } from './explorer-props.ts'
import { HiddenQuestion } from './hidden-question.tsx'

export function ChartPanel(props: ExplorerProps) {
  const { language, dataset, chart } = props
  const texts = EXPLORER_TEXTS[language]
  if (chart === null) return null
  return (
    <section class="drawing" aria-labelledby="chart-heading">
      <div class="row">
        <h3 id="chart-heading">{texts.chart}</h3>
        <form class="row" action={`/datasets/${dataset.id}#chart-heading`} data-go="chart">
          <HiddenQuestion {...props} parts={['filters', 'sort', 'fields', 'offset']} />
          <label for="chart-column">{texts.chartColumn}</label>
          <select id="chart-column" name="chart" value={chart.column}>
            {dataset.columns.map(({ name }) => (
              <option value={name} selected={name === chart.column}>
                {name}
              </option>
            ))}
          </select>
          <button type="submit" class="small" hidden={props.isLive}>
            {texts.draw}
          </button>
        </form>
      </div>
      <figure>
        <figcaption>{texts[chart.kind](chart.column)}</figcaption>
        {chart.kind === 'ranking' ? (
          <Ranking {...props} chart={chart} />
        ) : (
          <Columns {...props} chart={chart} />
        )}
      </figure>
    </section>
  )
}

type Drawn = ExplorerProps & { chart: Chart }

/** The most frequent values as a table with a bar beside each number; each value links to its filter. */
function Ranking(props: Drawn) {
  const { language, dataset, chart, question } = props
  const texts = EXPLORER_TEXTS[language]
  const most = Math.max(1, ...chart.bars.map(({ value }) => value))
  const isFlag = dataset.columns.some(({ name, type }) => name === chart.column && type === 'boolean')
  const filterBy = (value: string) =>
    pageAddress(props, {
      ...question,
      filters: [...question.filters, { column: chart.column, operator: 'eq', value }],
      offset: 0,
    })
  return (
    <table class="ranking">
      <thead class="unseen">
        <tr>
          <th scope="col">{chart.column}</th>
          <th scope="col">{texts.rows}</th>
        </tr>
      </thead>
      <tbody>
        {chart.bars.map(({ label, value, isCut }) => (
          <RankingRow language={language} value={value} most={most} total={chart.total}>
            {label === '' && texts.quoted('')}
            {isCut && label}
            {label !== '' && !isCut && (
              <a href={filterBy(label)} rel="nofollow" data-go="filter">
                {isFlag ? texts[label === 'true' ? 'yes' : 'no'] : label}
              </a>
            )}
          </RankingRow>
        ))}
        {restOf(props).map(({ text, count }) => (
          <RankingRow language={language} value={count} most={most} total={chart.total} isRest>
            {text}
          </RankingRow>
        ))}
      </tbody>
    </table>
  )
}

/** The rows that have no bar, where there are any. */
function restOf({ language, chart }: Drawn) {
  const texts = EXPLORER_TEXTS[language]
  const rest = [
    { text: texts.others, count: chart.others },
    { text: texts.missing, count: chart.missing },
  ]
  return rest.filter(({ count }) => count > 0)
}

function RankingRow({
  language,
  value,
  most,
  total,
  isRest = false,
  children,
}: Pick<ExplorerProps, 'language'> & {
  value: number
  most: number
  total: number
  isRest?: boolean
  children: ComponentChildren
}) {
  return (
    <tr class={isRest ? 'rest' : undefined}>
      <th scope="row">{children}</th>
      <td>
        <span class="bar-cell">
          {!isRest && <ShareBar share={value / most} />}
          <span class="number">{formatNumber(language, value)}</span>{' '}
          <span class="soft number">{formatShare(language, total === 0 ? 0 : value / total)}</span>
        </span>
      </td>
    </tr>
  )
}

/** A histogram or a timeline, with a folded table of its numbers. */
function Columns(props: Drawn) {
  const { language, chart } = props
  const texts = EXPLORER_TEXTS[language]
  const write = (text: string) => (chart.kind === 'histogram' ? formatValue(language, Number(text)) : text)
  const nameOf = ({ label, to }: ChartBar) =>
    to === undefined ? write(label) : `${write(label)} – ${write(to)}`
  return (
    <>
      <BarChart
        language={language}
        title={texts[chart.kind](chart.column)}
        bars={chart.bars.map((bar) => ({ label: write(bar.label), hint: nameOf(bar), value: bar.value }))}
      />
      {restOf(props).map(({ text, count }) => (
        <p class="small soft">
          {text}: {formatNumber(language, count)}
        </p>
      ))}
      <details class="small">
        <summary>{texts.numbers}</summary>
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">{chart.column}</th>
              <th scope="col" class="number">
                {texts.rows}
              </th>
            </tr>
          </thead>
          <tbody>
            {chart.bars.map((bar) => (
              <tr>
                <th scope="row">{nameOf(bar)}</th>
                <td class="number">{formatNumber(language, bar.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}
