/** @jsxImportSource preact */

/**
 * The table of a dataset with its filters, values, sorting, paging and downloads. Every control is a link or a form that
 * works without scripts; where scripts run, `explorer.island.tsx` renders the same component again.
 */

import { OriginalMessage } from '../parts/original-message.tsx'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { apiAddress, pageAddress, parquetAddress, summaryAddress } from './addresses.ts'
import { CodePanel } from './code-panel.tsx'
import { ColumnChooser } from './column-chooser.tsx'
import { Downloads } from './downloads.tsx'
import type { ExplorerProps } from './explorer-props.ts'
import { FacetPanel } from './facet-panel.tsx'
import { FilterForm, FilterList } from './filter-panel.tsx'
import { Hints } from './hint-list.tsx'
import { ProblemText } from './problem-text.tsx'
import { RowsTable } from './rows-table.tsx'
import { SearchForm } from './search-form.tsx'

export function Explorer(props: ExplorerProps) {
  const texts = EXPLORER_TEXTS[props.language]
  const { answer, dataset, isBusy } = props
  return (
    <>
      <div class="tools">
        <SearchForm {...props} />
        <FilterForm {...props} />
        <ColumnChooser {...props} />
        <a class="button" href={summaryAddress(props, props.question)} rel="nofollow">
          {texts.summarize}
        </a>
      </div>
      <FilterList {...props} addressOf={(question) => pageAddress(props, question)} />
      {'problem' in answer ? (
        <div class="note bad" role="alert">
          <ProblemText {...props} problem={answer.problem} />
          <OriginalMessage language={props.language} said={answer.problem} />
        </div>
      ) : (
        <>
          <div class="found">
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
        address={apiAddress(props, props.question)}
        table={parquetAddress(props, props.question)}
      />
    </>
  )
}
