/** @jsxImportSource preact */
/**
 * `/embed/{id}`: the summary, the map or the rows of a dataset, for a frame in a page of another site. It takes the
 * parameters of the page that it shows, and has no script, form, cookie or key; links open in a new tab.
 */

import { ApiError } from '../../base/errors.ts'
import { requireDataset } from '../../query/query-schema.ts'
import { askRows, type PageAccess } from '../dataset/ask-rows.ts'
import { Licence } from '../dataset/dataset-header.tsx'
import { explorerDataset } from '../dataset/dataset-page.tsx'
import { fullAddress } from '../explorer/embed-address.ts'
import { describeQuestion } from '../explorer/filter-panel.tsx'
import { RowsTable } from '../explorer/rows-table.tsx'
import { type Page, respondPage } from '../layout/layout.tsx'
import type { View } from '../layout/view.ts'
import { type Asked, type DrawnMap, drawMap } from '../map/map-page.tsx'
import { Day } from '../parts/fact.tsx'
import { NOT_ASKED, type Question, readQuestion } from '../question/question.ts'
import { askSummary, findSummary } from '../summary/ask-summary.ts'
import { readChoice } from '../summary/choice.ts'
import { describeShown } from '../summary/shown.ts'
import { SummaryChart } from '../summary/summary-chart.tsx'
import { SummaryTable } from '../summary/summary-table.tsx'
import { EMBED_TEXTS } from '../texts/embed.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { SUMMARY_TEXTS } from '../texts/site.ts'

/** A frame has less room than a page. */
const MOST_COLUMNS = 8
/** A thousand points would be too heavy for a frame. */
const MOST_POINTS = 400

/** The contents of a frame below its title. */
type Drawn = Omit<DrawnMap, 'heading' | 'beside'>

interface Kind {
  readonly draw: (asked: Asked) => Promise<Drawn>
  /** Reads which rows it covers. */
  readonly read: (parameters: View['parameters']) => Question
  readonly without: readonly string[]
}

/** What a frame can show, with the parameters that it does not take. */
const KINDS: Readonly<Record<string, Kind>> = {
  summary: { draw: drawSummary, read: readFiltered, without: ['sort', 'fields'] },
  map: {
    draw: (asked) => drawMap({ ...asked, mostPoints: MOST_POINTS }),
    read: readFiltered,
    without: ['sort', 'fields'],
  },
  rows: { draw: drawRows, read: readQuestion, without: [] },
}

/**
 * Answers `GET /embed/{id}?view=summary|map|rows&…` (contract 14); without `view`, the summary.
 * @param view without a session, which a frame never has
 * @throws ApiError `dataset_not_found`; `invalid_value`, `unknown_parameter`; as `access.admit`; the refusals of an
 * aggregate or a list
 */
export async function answerEmbedPage(view: View, id: string, access: PageAccess): Promise<Response> {
  const { app, exchange } = view
  const served = requireDataset(app.catalog, id)
  const { kind, parameters } = readKind(view)
  await access.admit(exchange, served)
  const asked = { view: { ...view, parameters }, served, access }
  const { name, figure, note, table } = await kind.draw(asked)
  const { title } = app.catalog.record(id)!.dataset
  const filters = describeQuestion(view.language, served.columns, kind.read(parameters))
  const page: Page = {
    title,
    isPrivate: true,
    head: <link rel="canonical" href={view.base + fullAddress(view.path, exchange.query)} />,
    body: (
      <>
        <h1>{title}</h1>
        {name && <h2>{name}</h2>}
        {filters.length > 0 && <p class="small">{filters.join(' · ')}</p>}
        {figure}
        {note && <p class="small soft">{note}</p>}
        {table && (
          <details class="small">
            <summary>{EMBED_TEXTS[view.language].figures}</summary>
            {table}
          </details>
        )}
        <Credits view={view} id={id} />
      </>
    ),
  }
  return respondPage(view, page)
}

/** @throws ApiError `invalid_value` for an unknown view, `unknown_parameter` for a parameter that the view does not take */
function readKind({ parameters: given }: View) {
  const [name = 'summary', another] = given.filter(({ name }) => name === 'view').map(({ value }) => value)
  const kind = another === undefined && Object.hasOwn(KINDS, name) ? KINDS[name]! : undefined
  if (kind === undefined) {
    const message = `parameter "view" must be one of ${Object.keys(KINDS).join(', ')}`
    throw new ApiError('invalid_value', message, [{ location: 'query.view', message }])
  }
  const parameters = given.filter((one) => one.name !== 'view')
  const unknown = parameters.filter((one) => [...NOT_ASKED, ...kind.without].includes(one.name))
  if (unknown.length > 0) {
    const detail = unknown.map((one) => ({
      location: `query.${one.name}`,
      message: `parameter "${one.name}" does not apply to the view ${name}`,
    }))
    throw new ApiError('unknown_parameter', detail[0]!.message, detail)
  }
  return { kind, parameters }
}

function readFiltered(parameters: View['parameters']): Question {
  return readChoice(parameters).question
}

async function drawSummary({ view, served, access }: Asked): Promise<Drawn> {
  const { choice, question } = readChoice(view.parameters)
  const answer = await askSummary(view, access, served, choice, question, findSummary)
  if (answer === null) return { figure: <p>{SUMMARY_TEXTS[view.language].noGroups}</p> }
  const shown = describeShown(view, served, answer, question)
  if (shown.figures.found === 0) return { figure: <p class="soft">{shown.explorerTexts.none}</p> }
  const chart = SummaryChart({ shown })
  const table = <SummaryTable shown={shown} />
  const name = shown.caption
  return chart === null ? { name, figure: table } : { name, figure: chart, table }
}

async function drawRows({ view, served, access }: Asked): Promise<Drawn> {
  const { language, chosenLanguage, base } = view
  const asked = readQuestion(view.parameters)
  const fields =
    asked.fields.length > 0 ? asked.fields : served.columns.slice(0, MOST_COLUMNS).map(({ name }) => name)
  const question = { ...asked, fields }
  const answer = await askRows(view, access, served, question)
  const dataset = explorerDataset(view, served, question)
  const shown = { facets: [], isLive: false, isBusy: false }
  return {
    figure: (
      <>
        <p class="small soft number">{EXPLORER_TEXTS[language].found(answer.total)}</p>
        <RowsTable {...{ language, chosenLanguage, base, dataset, question, answer }} {...shown} />
      </>
    ),
  }
}

/** The publisher, date and licence of the figures, and a link to all of them. */
function Credits({ view, id }: { view: View; id: string }) {
  const { language } = view
  const texts = EMBED_TEXTS[language]
  const { dataset, provenance } = view.app.catalog.record(id)!
  return (
    <footer class="small soft">
      {texts.source}: {dataset.publisher ?? dataset.title} ·{' '}
      <Day language={language} at={provenance.imported_at} />
      {dataset.license !== null && (
        <>
          {' '}
          · <Licence name={dataset.license} />
        </>
      )}{' '}
      ·{' '}
      <a href={fullAddress(view.path, view.exchange.query)}>
        {texts.full}
        <span class="unseen"> ({texts.isNew})</span>
      </a>
    </footer>
  )
}
