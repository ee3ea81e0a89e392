/** @jsxImportSource preact */
/**
 * `/datasets/{id}/values?column=…`: all values of a column in the rows that a question finds, most frequent first, with a
 * search box. Each value links to its rows. The explorer's filter panel reads its suggestions from this page.
 */

import { writeQueryString } from '../../base/text/query-string.ts'
import { wordsOf } from '../../base/text/words.ts'
import { aggregateRows } from '../../engine/aggregate/aggregate.ts'
import type { AggregatePage, Measure } from '../../engine/aggregate/group-query.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { isColumnFilter } from '../../engine/row-query.ts'
import { refusingGroups } from '../../query/aggregate/aggregate.ts'
import { parseFacetsQuery } from '../../query/aggregate/facets-query.ts'
import { COUNT_ROWS, firstMeasure } from '../../query/aggregate/first-question.ts'
import { schemaOf } from '../../query/query-schema.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { pageAddress, VALUES, valuesAddress } from '../explorer/addresses.ts'
import { isChosen, LONGEST_FILTER, turnValue } from '../explorer/facets.ts'
import { FilterList, HiddenQuestion } from '../explorer/filter-panel.tsx'
import { respondPage } from '../layout/layout.tsx'
import type { View } from '../layout/view.ts'
import { PageLinks, Table } from '../parts/table.tsx'
import { measureLabel, measureText } from '../question/measures.ts'
import { readQuestion, writeQuestion } from '../question/question.ts'
import { columnTitle, groupLabel } from '../question/shown-column.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { formatNumber } from '../texts/texts.ts'
import { admitReader, type PageAccess } from './ask-rows.ts'
import { subpage } from './subpage.tsx'

const PAGE_VALUES = 50

/**
 * Answers `GET /datasets/{id}/values`; the query holds the explorer's filters and words.
 * @throws ApiError `dataset_not_found`; as `access.admit`; the refusals of facets, which name the column; `too_many_groups`
 */
export async function answerValuesPage(view: View, id: string, access: PageAccess): Promise<Response> {
  const { app, exchange, language } = view
  const served = await admitReader(view, id, access)
  const { filters, ...asked } = readAsked(view, served)
  const first = firstMeasure(served)
  const measure = first.column === null || first.column === asked.column ? null : first
  const run = (dataset: OpenDataset) =>
    aggregateRows(dataset, {
      filters,
      groups: [{ column: asked.column, part: null }],
      measures: measure === null ? [COUNT_ROWS] : [COUNT_ROWS, measure],
      having: [],
      sort: [{ result: 1, descending: true }],
      limit: PAGE_VALUES,
      offset: asked.offset,
      count: true,
    })
  const found = await refusingGroups(schemaOf(served), () =>
    app.openDatasets.use(served, run, access.share(exchange)),
  )
  const { name } = served.columns[asked.column]!
  const heading = EXPLORER_TEXTS[language].valuesOf(columnTitle(served.columns, name))
  const title = `${heading} · ${app.catalog.record(id)!.dataset.title}`
  const body = <Values view={view} served={served} asked={asked} measure={measure} found={found} />
  return respondPage(view, subpage(view, served, { title, heading, body }))
}

/** Reads the address. Filters on the column itself are dropped: they would leave only the chosen values. */
function readAsked({ parameters }: View, served: ServedDataset) {
  const own: readonly string[] = Object.values(VALUES)
  const given = (name: string) => parameters.find((one) => one.name === name)?.value ?? ''
  const question = readQuestion(parameters.filter(({ name }) => !own.includes(name)))
  const columns = given(VALUES.column) === '' ? [] : [{ name: 'columns', value: given(VALUES.column) }]
  const text = writeQueryString([...columns, ...writeQuestion(question, ['filters'])])
  const request = parseFacetsQuery(text, schemaOf(served))
  const column = request.columns?.[0] ?? 0
  const others = request.filters.filter((filter) => !isColumnFilter(filter) || filter.column !== column)
  const find = given(VALUES.find).trim()
  const offset = Number(given(VALUES.offset))
  return {
    question,
    column,
    find,
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
    filters: find === '' ? others : [...others, { words: wordsOf(find), within: column }],
  }
}

interface ValuesProps {
  readonly view: View
  readonly served: ServedDataset
  readonly asked: Omit<ReturnType<typeof readAsked>, 'filters'>
  /** The measure shown beside the number of rows; null for none. */
  readonly measure: Measure | null
  readonly found: AggregatePage
}

function Values(props: ValuesProps) {
  const { view, served, asked, found } = props
  const { language } = view
  const { question, column, find, offset } = asked
  const texts = EXPLORER_TEXTS[language]
  const { name } = served.columns[column]!
  const place = { ...view, dataset: served }
  const total = found.total ?? 0
  const range = [offset + 1, offset + found.count].map((at) => formatNumber(language, at)) as [string, string]
  return (
    <>
      <FilterList
        language={language}
        columns={served.columns}
        question={question}
        addressOf={(other) => valuesAddress(place, other, name, { find })}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: the pages say role="search" of a form, as the catalog does */}
      <form class="row words" role="search" action={`/datasets/${served.id}/values`}>
        <HiddenQuestion question={question} chosenLanguage={place.chosenLanguage} parts={['filters']} />
        <input type="hidden" name={VALUES.column} value={name} />
        <label class="unseen" for="find-value">
          {texts.findValue}
        </label>
        <input
          id="find-value"
          type="search"
          name={VALUES.find}
          value={find}
          placeholder={texts.findValue}
          autocomplete="off"
          aria-describedby="find-hint"
        />
        <button type="submit">{texts.find}</button>
      </form>
      <p class="small soft" id="find-hint">
        {texts.findHint}
      </p>
      <p class="found flow">
        <strong class="number" role="status">
          {texts.valueCount(total)}
        </strong>
        <span class="soft">{total === 0 ? texts.noValues : texts.valuesLead}</span>
        {find !== '' && <a href={valuesAddress(place, question, name)}>{texts.allValues}</a>}
        <a href={pageAddress(place, question)}>{texts.backToRows}</a>
      </p>
      {found.count > 0 && <ValueTable {...props} />}
      <PageLinks
        name={texts.valuePages}
        address={(at) => valuesAddress(place, question, name, { find, offset: at })}
        offset={offset}
        step={PAGE_VALUES}
        range={texts.valueRange(...range, texts.valueCount(total))}
        first={texts.first}
        previous={texts.previous}
        next={found.hasNext ? texts.next : null}
      />
    </>
  )
}

function ValueTable({ view, served, asked: { question, column }, measure, found }: ValuesProps) {
  const { language } = view
  const texts = EXPLORER_TEXTS[language]
  const { name } = served.columns[column]!
  const title = columnTitle(served.columns, name)
  const place = { ...view, dataset: served }
  const show = (value: string | null) => groupLabel(language, served.columns[column]!, value)
  const linkTo = (value: string | null) => (
    <a
      href={pageAddress(place, turnValue(question, name, value))}
      rel="nofollow"
      data-value={value ?? undefined}
      aria-current={isChosen(question, name, value) ? 'true' : undefined}
    >
      {show(value)}
    </a>
  )
  // Addresses omit empty values.
  const isLinked = (value: string | null) => value !== '' && (value ?? '').length <= LONGEST_FILTER
  return (
    <Table
      label={texts.valuesOf(title)}
      head={[
        title,
        [texts.rowCount],
        ...(measure === null ? [] : [[measureLabel(language, measure, served.columns)] as const]),
      ]}
      hasRowHeads
      rows={found.rows.map(([value = null, count, measured]) => [
        isLinked(value) ? linkTo(value) : show(value),
        formatNumber(language, Number(count)),
        ...(measure === null ? [] : [measureText(language, measure, served.columns, measured)]),
      ])}
    />
  )
}
