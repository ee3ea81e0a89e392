/** @jsxImportSource preact */

/** The summary of a dataset, `/datasets/{id}/summary`: its rows in groups, measured, as a table with totals and a chart. */

import type { FoundSession } from '../../accounts/people/sessions.ts'
import type { App } from '../../app.ts'
import type { Exchange } from '../../http/exchange.ts'
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../../query/parameters.ts'
import { requireDataset } from '../../query/query-schema.ts'
import { datasetEndpoint, type ServedDataset } from '../../store/catalog/record.ts'
import type { PageAccess } from '../dataset/ask-rows.ts'
import { ClosedNote } from '../dataset/closed-note.tsx'
import { chartAddress, languageOf, pageAddress, summaryAddress } from '../explorer/addresses.ts'
import { CodePanel } from '../explorer/code-panel.tsx'
import { FileLinks } from '../explorer/downloads.tsx'
import { FilterList } from '../explorer/filter-panel.tsx'
import { MOST_FILTERS, type Question, readQuestion } from '../explorer/question.ts'
import { respondPage, respondPageWith, respondRedirect } from '../layout/respond-page.ts'
import { type View, viewOf } from '../layout/view.ts'
import { OriginalMessage } from '../parts/code-box.tsx'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { SUMMARY_TEXTS } from '../texts/site.ts'
import { askSummary, type SummaryAnswer } from './ask-summary.ts'
import { type Choice, groupsAddress, readChoice, summaryPageAddress } from './choice.ts'
import { describeShown, type Shown } from './shown.ts'
import { SummaryChart } from './summary-chart.tsx'
import { SummaryForm } from './summary-form.tsx'
import { SummaryPages, SummaryTable } from './summary-table.tsx'

const UNANSWERABLE = 422

/** Answers `GET /datasets/{id}/summary`. The address holds what is grouped and measured, and the question's filters and words. */
export async function answerSummaryPage(
  app: App,
  exchange: Exchange,
  id: string,
  access: PageAccess,
  session: FoundSession | undefined,
): Promise<Response> {
  const served = requireDataset(app.catalog, id)
  const view = viewOf(app, exchange, session)
  const texts = SUMMARY_TEXTS[view.language]
  const { title } = app.catalog.record(served.id)!.dataset
  const page = (body: preact.ComponentChildren) => ({
    title: `${texts.heading}: ${title}`,
    section: 'catalog' as const,
    scripts: ['summary.js' as const],
    // Each choice would be another page to search engines.
    isPrivate: view.parameters.length > 0,
    body: (
      <>
        <Head view={view} id={served.id} title={title} />
        {body}
      </>
    ),
  })
  if (!access.shows(served)) {
    const endpoint = datasetEndpoint(served.domain, served.id)
    return respondPage(view, page(<ClosedNote view={view} endpoint={`${endpoint}/aggregate`} />))
  }
  await access.count(exchange)
  const { choice, question: asked } = readChoice(view.parameters)
  const isTooLong = asked.filters.length > MOST_FILTERS
  const question = isTooLong ? { ...asked, filters: [] } : asked
  const answer = isTooLong
    ? { problem: { text: EXPLORER_TEXTS[view.language].tooManyFilters(MOST_FILTERS), original: null } }
    : await askSummary(view, access, served, choice, question)
  const body = <Summary view={view} served={served} choice={choice} question={question} answer={answer} />
  return answer !== null && 'problem' in answer
    ? respondPageWith(view, UNANSWERABLE, {}, page(body))
    : respondPage(view, page(body))
}

/** Answers `GET /datasets/{id}/chart`, where charts were read from before summaries, with their address. */
export function answerMovedChart(app: App, exchange: Exchange, id: string): Response {
  const served = requireDataset(app.catalog, id)
  const view = viewOf(app, exchange)
  const place = { dataset: served, chosenLanguage: view.chosenLanguage ?? null }
  const address = chartAddress(view, served) ?? summaryAddress(place, readQuestion(view.parameters))
  return respondRedirect(exchange, address)
}

function Head({ view, id, title }: { view: View; id: string; title: string }) {
  const texts = SUMMARY_TEXTS[view.language]
  return (
    <header class="dataset-head">
      <nav class="crumbs" aria-label={texts.crumbs}>
        <a href={view.link('/')}>{texts.catalog}</a> › <a href={view.link(`/datasets/${id}`)}>{title}</a>
      </nav>
      <h1>
        {texts.heading}: {title}
      </h1>
    </header>
  )
}

interface Props {
  readonly view: View
  readonly served: ServedDataset
  readonly choice: Choice
  readonly question: Question
  readonly answer: SummaryAnswer | null
}

/** What the island replaces. */
function Summary({ view, served, choice: asked, question, answer }: Props) {
  const { language } = view
  const texts = SUMMARY_TEXTS[language]
  if (answer === null) return <p>{texts.noGroups}</p>
  const isRefused = 'problem' in answer
  const choice = isRefused ? asked : answer.choice
  const place = { dataset: served, chosenLanguage: view.chosenLanguage ?? null }
  const shown = isRefused ? null : describeShown(view, served, answer, question)
  return (
    <div id="summary">
      <FilterList
        language={language}
        question={question}
        addressOf={(other) =>
          summaryPageAddress(served.id, { ...asked, offset: 0 }, other, languageOf(place))
        }
      />
      <SummaryForm view={view} id={served.id} columns={served.columns} choice={choice} question={question} />
      {shown && <h2>{shown.caption}</h2>}
      <p class="found flow">
        <span class="soft number" role="status">
          {shown && texts.found(shown.figures.found)}
        </span>
        <a href={pageAddress(place, question)}>{texts.back}</a>
      </p>
      {isRefused ? (
        <div class="note bad" role="alert">
          <p>{answer.problem.text}</p>
          <OriginalMessage language={language} said={answer.problem} />
        </div>
      ) : (
        shown && <Figures view={view} served={served} question={question} shown={shown} />
      )}
    </div>
  )
}

function Figures({
  view,
  served,
  question,
  shown,
}: Pick<Props, 'view' | 'served' | 'question'> & { shown: Shown }) {
  const { texts, explorerTexts, choice, figures } = shown
  const path = `/datasets/${served.id}`
  const isLong = figures.rowCount * Math.max(1, figures.columnCount) > DEFAULT_LIMIT
  const limit = isLong ? [{ name: 'limit', value: String(LARGEST_LIMIT) }] : []
  const api = groupsAddress(datasetEndpoint(served.domain, served.id), choice, question, limit)
  if (figures.found === 0) return <p class="soft">{explorerTexts.none}</p>
  return (
    <>
      <SummaryChart shown={shown} />
      <SummaryTable shown={shown} />
      {figures.columns.length < figures.columnCount && (
        <p class="small soft">{texts.someColumns(figures.columns.length, figures.columnCount)}</p>
      )}
      <SummaryPages shown={shown} />
      <div class="downloads flow">
        <FileLinks
          language={view.language}
          addressOf={(form) => groupsAddress(path, choice, question, form)}
        />
      </div>
      <CodePanel
        language={view.language}
        chosenLanguage={view.chosenLanguage ?? null}
        address={view.base + api}
      />
    </>
  )
}
