/** @jsxImportSource preact */

import { ChartDrawing, heightOf } from '../chart/chart-drawing.tsx'
import { PAGE_INK } from '../chart/ink.ts'
import { Table } from '../parts/table.tsx'
import { chartOf } from './chart-data.ts'
import type { Range } from './ranges.ts'
import type { Shown } from './shown.ts'

/** The chart of a summary; null if there is nothing to draw. */
export function SummaryChart({ shown }: { shown: Shown }) {
  const data = chartOf(shown)
  if (data === null) return null
  const { language, texts, caption } = shown
  return (
    <figure class="drawing">
      <figcaption class="unseen">{caption}</figcaption>
      {data.draws.length > 1 && (
        <nav class="row draws" aria-label={texts.draws}>
          {data.draws.map((draw) => (
            <a
              class="button small"
              href={shown.addressOf({ draw })}
              data-go="draw"
              rel="nofollow"
              aria-current={draw === data.draw ? 'true' : undefined}
            >
              {texts[draw]}
            </a>
          ))}
        </nav>
      )}
      {data.series.length > 1 && (
        <ul class="legend small bare flow">
          {data.series.map((name, index) => (
            <li>
              <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
                <rect fill={PAGE_INK.series(index)} width="10" height="10" />
              </svg>{' '}
              {name}
            </li>
          ))}
        </ul>
      )}
      <svg class="plot" height={heightOf(data)} role="img" aria-label={texts.chart(caption)}>
        <ChartDrawing data={data} language={language} ink={PAGE_INK} />
      </svg>
      {data.notes.map((note) => (
        <p class="small soft">{note}</p>
      ))}
      {shown.ranges.length > 0 && <RangeTable shown={shown} />}
    </figure>
  )
}

/** The counts by ranges of numbers, since the table below lists each number by itself. */
function RangeTable({ shown }: { shown: Shown }) {
  const { ranges, rowText, texts } = shown
  const nameOf = ({ from, to }: Range) =>
    to === undefined ? rowText(from) : `${rowText(from)} – ${rowText(to)}`
  return (
    <details class="small">
      <summary>{texts.numbers}</summary>
      <Table
        label={texts.numbers}
        head={[shown.rowsLabel, [shown.measureLabel]]}
        rows={ranges.map((range) => [nameOf(range), shown.number(range.rows)])}
        hasRowHeads
      />
    </details>
  )
}
