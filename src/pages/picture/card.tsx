/** @jsxImportSource preact */
import { render } from 'preact-render-to-string'
import { shorten } from '../../base/text/fit-text.ts'
import type { Language } from '../../base/text/language.ts'
import type { ServedDataset, VersionRecord } from '../../store/catalog/record.ts'
import type { ChartData } from '../chart/chart.ts'
import { ChartDrawing, heightOf } from '../chart/chart-drawing.tsx'
import { INK } from '../chart/ink.ts'
import { CARD_SIZE } from '../explorer/share-head.tsx'
import { readQuestion } from '../question/question.ts'
import type { Answered } from '../summary/ask-summary.ts'
import { chartOf } from '../summary/chart-data.ts'
import { describeShown } from '../summary/shown.ts'
import { wellFormed, wrapText } from '../summary/summary-picture.tsx'
import { DATASET_TEXTS } from '../texts/dataset.ts'
import { EMBED_TEXTS } from '../texts/embed.ts'
import { formatDay } from '../texts/texts.ts'

const EDGE = 60
const WIDTH = CARD_SIZE.width - 2 * EDGE
/** The most letters in a line of the title, and the most lines. */
const TITLE_LETTERS = 42
const MOST_LINES = 2
/** The most bars that are readable on a phone. */
const MOST_BARS = 8

/**
 * The card of a dataset as SVG: title, the chart of its first summary, publisher and date.
 * @param answer null if there is nothing to summarize
 */
export function drawCard(
  language: Language,
  served: ServedDataset,
  { dataset, provenance }: VersionRecord,
  answer: Answered | null,
): string {
  const shown =
    answer && describeShown({ language, chosenLanguage: undefined }, served, answer, readQuestion([]))
  const data = shown && chartOf(shown)
  const lines = wrapText(dataset.title, TITLE_LETTERS, MOST_LINES)
  const top = 76 + lines.length * 58
  const facts = [dataset.publisher, formatDay(language, provenance.imported_at)].filter((one) => one !== null)
  const svg = render(
    <svg xmlns="http://www.w3.org/2000/svg" {...CARD_SIZE} font-family="sans-serif">
      <title>{dataset.title}</title>
      <rect width="100%" height="100%" fill="#fbfaf7" />
      <rect width="100%" height="12" fill={INK.series(0)} />
      {lines.map((line, index) => (
        <text x={EDGE} y={92 + index * 58} font-size="48" font-weight="600" fill={INK.text}>
          {line}
        </text>
      ))}
      <text x={EDGE} y={top + 16} font-size="28" fill={INK.soft}>
        {shorten(
          shown && data
            ? `${shown.caption}${isCut(data) ? ` ${EMBED_TEXTS[language].first(MOST_BARS)}` : ''}`
            : DATASET_TEXTS[language].sizeText(served.rows, served.columns.length),
          80,
        )}
      </text>
      {data && <Chart data={readable(data)} language={language} top={top + 44} />}
      <text x={EDGE} y={CARD_SIZE.height - 32} font-size="26" fill={INK.soft}>
        {shorten(`${EMBED_TEXTS[language].source}: ${facts.join(' · ')}`, 78)}
      </text>
      <text
        x={CARD_SIZE.width - EDGE}
        y={CARD_SIZE.height - 32}
        font-size="26"
        font-weight="600"
        fill={INK.series(0)}
        text-anchor="end"
      >
        Izvor
      </text>
    </svg>,
  )
  return wellFormed(svg)
}

/** The chart, as large as its place allows; its text grows with it. */
function Chart({ data, language, top }: { data: ChartData; language: Language; top: number }) {
  const room = CARD_SIZE.height - 84 - top
  const height = heightOf(data)
  return (
    <svg
      x={EDGE}
      y={top}
      width={WIDTH}
      height={room}
      viewBox={`0 0 ${(height * WIDTH) / room} ${height}`}
      font-size="15"
      aria-hidden="true"
    >
      <ChartDrawing data={data} language={language} ink={INK} />
    </svg>
  )
}

function isCut({ draw, rows }: ChartData): boolean {
  return draw === 'bars' && rows.length > MOST_BARS
}

/** The chart with no more bars than are readable. */
function readable(data: ChartData): ChartData {
  return isCut(data) ? { ...data, rows: data.rows.slice(0, MOST_BARS) } : data
}
