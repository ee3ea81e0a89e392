/** @jsxImportSource preact */
/** A summary as a picture for articles: one SVG that loads nothing, drawn by the code that draws the page's chart. */

import { render } from 'preact-render-to-string'
import { ApiError } from '../../base/errors.ts'
import { notModified, weakEtag } from '../../http/etag.ts'
import { pictureHeaders } from '../../http/headers.ts'
import { respondCompressed } from '../../http/respond.ts'
import type { ServedDataset, VersionRecord } from '../../store/catalog/record.ts'
import { ChartDrawing, heightOf } from '../chart/chart-drawing.tsx'
import { INK } from '../chart/ink.ts'
import { admitReader, type PageAccess } from '../dataset/ask-rows.ts'
import { describeQuestion } from '../explorer/filter-panel.tsx'
import type { View } from '../layout/view.ts'
import type { Question } from '../question/question.ts'
import { SUMMARY_TEXTS } from '../texts/site.ts'
import { formatDay } from '../texts/texts.ts'
import { type Answered, askSummary, findSummary } from './ask-summary.ts'
import { chartOf } from './chart-data.ts'
import { type Choice, readChoice, summaryAddress } from './choice.ts'
import { describeShown } from './shown.ts'

const FONTS = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', Arial, sans-serif"

/**
 * Answers `GET /datasets/{id}/summary.svg` with the parameters of the summary's page.
 * @throws ApiError `dataset_not_found`, as `access.admit`, the refusals of an aggregate; `not_found` where nothing is drawn
 */
export async function answerSummaryPicture(view: View, id: string, access: PageAccess): Promise<Response> {
  const { app, exchange } = view
  const served = await admitReader(view, id, access)
  const { choice, question } = readChoice(view.parameters)
  const answer = await askSummary(view, access, served, choice, question, findSummary)
  const { dataset } = app.catalog.record(id)!
  const svg = answer && pictureOf({ ...view, served, dataset, choice, question }, answer)
  if (svg === null) throw new ApiError('not_found', `There is nothing to draw in this summary of ${id}.`)
  const headers = pictureHeaders(app.config.embed_hosts)
  const etag = weakEtag(svg)
  const body = new TextEncoder().encode(svg)
  return (
    notModified(exchange, etag, headers) ?? respondCompressed(exchange, 200, { ...headers, ETag: etag }, body)
  )
}

interface Asked extends Pick<View, 'language' | 'chosenLanguage' | 'base'> {
  readonly served: ServedDataset
  readonly dataset: VersionRecord['dataset']
  readonly choice: Choice
  readonly question: Question
}

const WIDTH = 640
const MARGIN = 20
const INNER = WIDTH - 2 * MARGIN
const LINE = 18

interface Line {
  readonly text: string
  readonly size: number
  readonly isStrong?: boolean
  readonly fill?: string
}

function pictureOf(asked: Asked, answer: Answered): string | null {
  const { served, dataset, question, language } = asked
  const shown = describeShown(asked, served, answer, question)
  const data = chartOf(shown)
  if (data === null) return null
  const { head, foot } = linesOf(asked, shown.caption, data.notes)
  const keys = data.series.length > 1 ? legendOf(data.series) : { items: [], height: 0 }
  const top = MARGIN + heightOfLines(head) + 8
  const chart = heightOf(data)
  const bottom = top + keys.height + chart + 14
  const height = bottom + heightOfLines(foot) + MARGIN
  const svg = render(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={WIDTH}
      height={height}
      viewBox={`0 0 ${WIDTH} ${height}`}
      font-family={FONTS}
      font-size="13"
      role="img"
      lang={language}
    >
      <title>
        {[`${dataset.title}: ${shown.caption}`, ...describeQuestion(language, served.columns, question)].join(
          ' · ',
        )}
      </title>
      {data.notes.length > 0 && <desc>{data.notes.join(' ')}</desc>}
      <rect width={WIDTH} height={height} fill={INK.paper} />
      <Lines lines={head} top={MARGIN} />
      {keys.items.map(({ name, x, y }, index) => (
        <g>
          <rect x={MARGIN + x} y={top + y} width="10" height="10" fill={INK.series(index)} />
          <text x={MARGIN + x + 15} y={top + y + 9.5} font-size="12" fill={INK.text}>
            {name}
          </text>
        </g>
      ))}
      <svg
        x={MARGIN}
        y={top + keys.height}
        width={INNER}
        height={chart}
        viewBox={`0 0 ${INNER} ${chart}`}
        overflow="visible"
        aria-hidden="true"
      >
        <ChartDrawing data={data} language={language} ink={INK} />
      </svg>
      <Lines lines={foot} top={bottom} />
    </svg>,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${wellFormed(svg)}`
}

/** The lines above and below the chart. */
function linesOf(
  { served, dataset, choice, question, language, chosenLanguage, base }: Asked,
  caption: string,
  notes: readonly string[],
) {
  const page = base + summaryAddress({ dataset: served, chosenLanguage }, choice, question)
  const source = `${SUMMARY_TEXTS[language].source}: ${dataset.publisher ?? dataset.title}, ${formatDay(language, served.lastUpdated)}`
  const filters = describeQuestion(language, served.columns, question)
  const soft = (text: string, size = 12) => wrap({ text, size, fill: INK.soft })
  return {
    head: [
      ...wrap({ text: dataset.title, size: 18, isStrong: true }),
      ...wrap({ text: caption, size: 14 }),
      ...soft(filters.join(' · ')),
    ],
    foot: [...notes.flatMap((text) => soft(text)), ...soft(source), ...soft(page, 11)],
  }
}

/** Characters that values may contain but XML 1.0 does not allow. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

function Lines({ lines, top }: { lines: readonly Line[]; top: number }) {
  let y = top
  return (
    <>
      {lines.map(({ text, size, isStrong, fill = INK.text }) => {
        y += lineHeight(size)
        return (
          <text x={MARGIN} y={y - 5} font-size={size} font-weight={isStrong ? '600' : undefined} fill={fill}>
            {text}
          </text>
        )
      })}
    </>
  )
}

const lineHeight = (size: number) => Math.max(LINE, size * 1.35)
const heightOfLines = (lines: readonly Line[]) => lines.reduce((sum, { size }) => sum + lineHeight(size), 0)
/** Width of a letter as a share of its size; better too wide than too narrow. */
const LETTER = 0.6
const MOST_LINES = 4

/** Breaks a text into lines of the picture's width; an empty text has none. */
function wrap({ text, ...look }: Line): Line[] {
  const letters = Math.floor(INNER / (look.size * LETTER * (look.isStrong ? 1.08 : 1)))
  return wrapText(text, letters, MOST_LINES).map((line) => ({ ...look, text: line }))
}

/** Breaks a text into at most `most` lines of `letters`; a longer text ends in an ellipsis. */
export function wrapText(text: string, letters: number, most: number): string[] {
  const lines: string[] = []
  for (let rest = text.trim(); rest !== '' && lines.length < most; ) {
    const space = rest.length <= letters ? rest.length : rest.lastIndexOf(' ', letters)
    const end = space > 0 ? space : letters
    const isLast = lines.length === most - 1 && end < rest.length
    lines.push(isLast ? `${rest.slice(0, letters - 1)}…` : rest.slice(0, end))
    rest = rest.slice(end).trim()
  }
  return lines
}

/** Places the names of the series side by side, in as many lines as they need. */
function legendOf(series: readonly string[]) {
  const items: { name: string; x: number; y: number }[] = []
  let [x, y] = [0, 0]
  for (const name of series) {
    const width = 15 + name.length * 12 * LETTER + 16
    if (x > 0 && x + width > INNER) [x, y] = [0, y + LINE]
    items.push({ name, x, y })
    x += width
  }
  return { items, height: y + LINE + 6 }
}

/** Makes a rendered drawing valid XML 1.0: HTML allows more characters in texts. */
export function wellFormed(svg: string): string {
  return svg.replaceAll(NOT_XML, '').replaceAll(']]>', ']]&gt;')
}
