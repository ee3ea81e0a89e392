/** @jsxImportSource preact */
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../../query/parameters.ts'
import { datasetEndpoint, type ServedDataset } from '../../store/catalog/record.ts'
import { admitReader, type PageAccess } from '../dataset/ask-rows.ts'
import { bounded, sayRefused } from '../dataset/refused-question.ts'
import { subpage } from '../dataset/subpage.tsx'
import { pageAddress, partAddress } from '../explorer/addresses.ts'
import { CodePanel } from '../explorer/code-panel.tsx'
import { FileLinks } from '../explorer/downloads.tsx'
import { EmbedCode } from '../explorer/embed-code.tsx'
import { FilterList } from '../explorer/filter-panel.tsx'
import { respondPage } from '../layout/layout.tsx'
import type { View } from '../layout/view.ts'
import { CodeBox, RefusedNote } from '../parts/code-box.tsx'
import type { Said } from '../parts/say-refusal.ts'
import { PageLinks } from '../parts/table.tsx'
import { countyColumns, hasMap } from '../question/county-columns.ts'
import type { Question } from '../question/question.ts'
import { MAP_TEXTS } from '../texts/dataset.ts'
import { SUMMARY_TEXTS } from '../texts/site.ts'
import { formatDay } from '../texts/texts.ts'
import { type Answered, askSummary, findSummary } from './ask-summary.ts'
import { type Choice, groupsAddress, readChoice, summaryAddress } from './choice.ts'
import { describeShown, type Shown } from './shown.ts'
import { SummaryChart } from './summary-chart.tsx'
import { SummaryForm } from './summary-form.tsx'
import { SummaryTable } from './summary-table.tsx'

/**
 * Answers `GET /datasets/{id}/summary`; the query holds the choice of groups and measure, and the question's filters and
 * words.
 * @throws ApiError `dataset_not_found`, as `access.admit`
 */
export async function answerSummaryPage(view: View, id: string, access: PageAccess): Promise<Response> {
  const { app, language } = view
  const served = await admitReader(view, id, access)
  const { choice, question, problem } = bounded(language, readChoice(view.parameters))
  const answer = problem
    ? { problem }
    : await askSummary(view, access, served, choice, question, findSummary).catch((error: unknown) => ({
        problem: sayRefused(language, error, question, served.columns),
      }))
  const body = <Summary view={view} served={served} choice={choice} question={question} answer={answer} />
  const title = `${SUMMARY_TEXTS[language].heading}: ${app.catalog.record(id)!.dataset.title}`
  const page = subpage(view, served, { title, script: 'summary.js', body })
  return respondPage(view, page, answer !== null && 'problem' in answer)
}

interface Props {
  readonly view: View
  readonly served: ServedDataset
  readonly choice: Choice
  readonly question: Question
  readonly answer: Answered | { readonly problem: Said } | null
}

function Summary({ view, served, choice: asked, question, answer }: Props) {
  const { language } = view
  const texts = SUMMARY_TEXTS[language]
  if (answer === null) return <p>{texts.noGroups}</p>
  const isRefused = 'problem' in answer
  const choice = isRefused ? asked : answer.choice
  const place = { ...view, dataset: served }
  const shown = isRefused ? null : describeShown(view, served, answer, question)
  const record = view.app.catalog.record(served.id)!
  // The map of counties shows the same measure.
  const mapped = countyColumns(record).length === 0 ? {} : { rows: choice.rows, measure: choice.measure }
  return (
    <div id="summary">
      <FilterList
        language={language}
        columns={served.columns}
        question={question}
        addressOf={(other) => summaryAddress(place, { ...asked, offset: 0 }, other)}
      />
      <SummaryForm
        view={view}
        served={served}
        choice={choice}
        question={question}
        measure={isRefused ? null : answer.measure}
      />
      {shown && <h2>{shown.caption}</h2>}
      <p class="found flow">
        <span class="soft number" role="status">
          {shown && texts.found(shown.figures.found)}
        </span>
        <span class="flow">
          <a href={pageAddress(place, question)}>{texts.back}</a>
          {hasMap(record) && (
            <a href={partAddress(place, 'map', question, mapped)}>{MAP_TEXTS[language].short}</a>
          )}
        </span>
      </p>
      {isRefused ? (
        <RefusedNote language={language} said={answer.problem} />
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
  const last = choice.offset + figures.rows.length
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
      <PageLinks
        name={texts.pages}
        address={(offset) => shown.addressOf({ offset })}
        offset={choice.offset}
        step={shown.mostRows}
        range={texts.range(
          shown.number(choice.offset + 1),
          shown.number(last),
          texts.groups(figures.rowCount),
        )}
        previous={explorerTexts.previous}
        next={last < figures.rowCount ? explorerTexts.next : null}
      />
      <div class="downloads flow">
        <FileLinks
          language={view.language}
          addressOf={(form) => groupsAddress(path, choice, question, form)}
        />
        <a class="button small" href={shown.addressOf({}, 'summary.svg')}>
          {texts.picture}
        </a>
      </div>
      <Citation view={view} served={served} page={shown.addressOf({})} />
      <CodePanel {...view} address={view.base + api} />
      <EmbedCode
        {...view}
        page={shown.addressOf({})}
        title={view.app.catalog.record(served.id)!.dataset.title}
      />
    </>
  )
}

/** A line to cite the figures in an article. */
function Citation({ view, served, page }: Pick<Props, 'view' | 'served'> & { page: string }) {
  const { title, publisher } = view.app.catalog.record(served.id)!.dataset
  const day = formatDay(view.language, served.lastUpdated)
  const text = [...(publisher === null ? [] : [publisher]), title, day, view.base + page].join(', ')
  const label = SUMMARY_TEXTS[view.language].cite
  return (
    <div class="cite">
      <h3>{label}</h3>
      <CodeBox language={view.language} label={label} text={text} id="citation" />
    </div>
  )
}
