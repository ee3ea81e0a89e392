/** @jsxImportSource preact */

/** A column drawn, and the form that chooses which. */

import type { ComponentChildren } from 'preact'
import { BarChart } from '../parts/bar-chart.tsx'
import { formatNumber, formatShare, formatValue } from '../parts/format.ts'
import { ShareBar } from '../parts/share-bar.tsx'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { pageAddress } from './addresses.ts'
import type { Chart, ChartBar } from './chart.ts'
import type { ExplorerProps } from './explorer.tsx'
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

/** The most frequent values as a table whose bars are drawn beside the numbers; a value filters by itself. */
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
            {label === '' || isCut ? (
              isCut ? (
                label
              ) : (
                texts.quoted('')
              )
            ) : (
              <a href={filterBy(label)} rel="nofollow" data-go="filter">
                {isFlag ? texts[label === 'true' ? 'yes' : 'no'] : label}
              </a>
            )}
          </RankingRow>
        ))}
        {chart.others > 0 && (
          <RankingRow language={language} value={chart.others} most={most} total={chart.total} isRest>
            {texts.others}
          </RankingRow>
        )}
        {chart.missing > 0 && (
          <RankingRow language={language} value={chart.missing} most={most} total={chart.total} isRest>
            {texts.missing}
          </RankingRow>
        )}
      </tbody>
    </table>
  )
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

/** Columns of a histogram or a timeline, with their numbers in a table behind a click. */
function Columns({ language, chart }: Drawn) {
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
      {chart.others > 0 && (
        <p class="small soft">
          {texts.others}: {formatNumber(language, chart.others)}
        </p>
      )}
      {chart.missing > 0 && (
        <p class="small soft">
          {texts.missing}: {formatNumber(language, chart.missing)}
        </p>
      )}
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
