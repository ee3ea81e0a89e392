/** @jsxImportSource preact */
/**
 * The table of a dataset with its filters, values, sorting, paging and downloads. Every control is a link or a form that
 * works without scripts; where scripts run, `explorer.island.tsx` renders the same component again.
 */

import { useLayoutEffect, useState } from 'preact/hooks'
import { RefusedNote } from '../parts/code-box.tsx'
import {
  FORM,
  type QuestionFilter,
  questionAddress,
  questionsOf,
  withWords,
  writeQuestion,
} from '../question/question.ts'
import { columnTitle } from '../question/shown-column.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { pageAddress, partAddress } from './addresses.ts'
import { CodePanel } from './code-panel.tsx'
import { Downloads } from './downloads.tsx'
import { EmbedCode } from './embed-code.tsx'
import type { ExplorerProps, Found } from './explorer-props.ts'
import { FacetPanel } from './facet-panel.tsx'
import { describeFilter, FilterForm, FilterList, HiddenQuestion, withThousands } from './filter-panel.tsx'
import { RowsTable } from './rows-table.tsx'

export function Explorer(props: ExplorerProps) {
  const texts = EXPLORER_TEXTS[props.language]
  const { answer, dataset, isBusy } = props
  const api = `${props.base}/v1/${dataset.domain}/${dataset.id}`
  const asked = writeQuestion(props.question, ['filters', 'sort', 'fields'])
  return (
    <>
      <Tools {...props} />
      <FilterList
        {...props}
        columns={props.dataset.columns}
        addressOf={(question) => pageAddress(props, question)}
      />
      {'problem' in answer ? (
        <RefusedNote language={props.language} said={answer.problem} />
      ) : (
        <>
          <div class="found flow">
            <p role="status">
              <strong class="number">{texts.found(answer.total)}</strong>
              {isBusy && <span class="soft"> · {texts.loading}</span>}
            </p>
            <Downloads {...props} />
          </div>
          {dataset.columns.length < dataset.columnCount && (
            <p class="small soft">{texts.someColumns(dataset.columns.length, dataset.columnCount)}</p>
          )}
          <div class="facets-and-rows">
            <FacetPanel {...props} />
            <div>
              <Hints {...props} answer={answer} />
              <RowsTable {...props} answer={answer} />
            </div>
          </div>
        </>
      )}
      <CodePanel
        {...props}
        address={questionAddress(api, asked)}
        table={questionAddress(`${api}/export`, [{ name: 'format', value: 'parquet' }, ...asked])}
      />
      <EmbedCode {...props} page={pageAddress(props, props.question)} title={dataset.title} />
    </>
  )
}

function Tools(props: ExplorerProps) {
  const texts = EXPLORER_TEXTS[props.language]
  return (
    <div class="tools flow">
      <SearchForm {...props} />
      <FilterForm {...props} />
      <ColumnChooser {...props} />
      <a class="button" href={partAddress(props, 'summary', props.question)} rel="nofollow">
        {texts.summarize}
      </a>
      {props.dataset.hasMap && (
        <a class="button" href={partAddress(props, 'map', props.question)} rel="nofollow">
          {texts.map}
        </a>
      )}
    </div>
  )
}

function Hints(props: ExplorerProps & { answer: Found }) {
  const { language, question, dataset, answer } = props
  const texts = EXPLORER_TEXTS[language]
  const hasRows = answer.total > 0
  const filters = question.filters.map((filter) => withThousands(language, dataset.columns, filter, hasRows))
  const changed = filters.filter((filter) => !question.filters.includes(filter))
  const meant =
    changed.length > 0 ? [{ question: { ...question, filters, offset: 0 }, changed, rows: null }] : []
  const isMeant = ({ column, value }: QuestionFilter) =>
    filters.some((filter) => filter.column === column && filter.value === value)
  const hinted = questionsOf(question, answer.hints)
  const found = hinted.some((one) => one.changed.every(isMeant)) ? hinted : [...meant, ...hinted]
  if (found.length === 0) return null
  return (
    <div class="note">
      <p>{meant.length > 0 ? texts.thousands : texts.hints}</p>
      <ul>
        {found.map(({ question: other, changed, rows }) => (
          <li>
            <a href={pageAddress(props, other)} data-go="hint" rel="nofollow">
              {changed
                .map((filter) =>
                  filter.operator === 'q'
                    ? texts.words(filter.value)
                    : describeFilter(language, dataset.columns, filter),
                )
                .join(', ')}
            </a>
            {rows !== null && <span class="soft number"> ({texts.found(rows)})</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}

function ColumnChooser(props: ExplorerProps) {
  const { language, dataset, question } = props
  const texts = EXPLORER_TEXTS[language]
  const isShown = (name: string) => question.fields.length === 0 || question.fields.includes(name)
  return (
    <details class="tool" name="tools">
      <summary class="button">{texts.columns}</summary>
      <form action={`/datasets/${dataset.id}#explore`} data-go="columns">
        <HiddenQuestion {...props} parts={['filters', 'sort', 'offset']} />
        <fieldset class="choices">
          <legend class="unseen">{texts.columns}</legend>
          {dataset.columns.map(({ name }) => (
            <label title={name}>
              <input type="checkbox" name={FORM.field} value={name} checked={isShown(name)} />{' '}
              {columnTitle(dataset.columns, name)}
            </label>
          ))}
        </fieldset>
        <button type="submit" class="main">
          {texts.showColumns}
        </button>
      </form>
    </details>
  )
}

function SearchForm(props: ExplorerProps) {
  const { language, dataset, question } = props
  const texts = EXPLORER_TEXTS[language]
  const [words, type] = useState(question.q ?? '')
  // A link or the back button may bring a question with other words.
  useLayoutEffect(() => type(question.q ?? ''), [question.q])
  return (
    // biome-ignore lint/a11y/useSemanticElements: the pages say role="search" of a form, as the catalog does
    <form class="row words" role="search" action={`/datasets/${dataset.id}#explore`} data-go="words">
      <HiddenQuestion {...props} question={withWords(question, null)} parts={['filters', 'sort', 'fields']} />
      <label class="unseen" for="row-words">
        {texts.search}
      </label>
      <input
        id="row-words"
        type="search"
        name="q"
        value={words}
        onInput={(event) => type(event.currentTarget.value)}
        placeholder={texts.search}
        autocomplete="off"
      />
      <button type="submit">{texts.find}</button>
    </form>
  )
}
