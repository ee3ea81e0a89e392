/** @jsxImportSource preact */

/**
 * The table over a dataset, with what filters, sorts, pages, draws and downloads it. Every control is a link or a form
 * that a browser without scripts follows; `explorer.island.tsx` draws the same component again where it follows them.
 */

import type { Language } from '../../mail/language.ts'
import { OriginalMessage } from '../parts/original-message.tsx'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import type { Chart } from './chart.ts'
import { ChartPanel } from './chart-panel.tsx'
import { CodePanel } from './code-panel.tsx'
import { ColumnChooser } from './column-chooser.tsx'
import { Downloads } from './downloads.tsx'
import { FilterForm, FilterList } from './filter-panel.tsx'
import { ProblemText } from './problem-text.tsx'
import type { ExplorerColumn, Question } from './question.ts'
import { RowsTable } from './rows-table.tsx'
import type { SaidProblem } from './say-problem.ts'

export type Row = Readonly<Record<string, string | number | boolean | null>>

/** What a question found, or why it cannot be answered. */
export type Answer =
  | { readonly rows: readonly Row[]; readonly total: number; readonly hasNext: boolean }
  | { readonly problem: SaidProblem }

export interface ExplorerProps {
  readonly language: Language
  /** The language when chosen by hand: addresses keep it. */
  readonly chosenLanguage: Language | null
  readonly dataset: {
    readonly id: string
    readonly domain: string
    readonly rows: number
    /** Those that the page offers, of `columnCount` that there are. */
    readonly columns: readonly ExplorerColumn[]
    readonly columnCount: number
  }
  /** Absolute address of the service. */
  readonly base: string
  readonly question: Question
  readonly answer: Answer
  readonly chart: Chart | null
  /** Whether the island runs: forms then know the columns' types. */
  readonly isLive: boolean
  readonly isBusy: boolean
}

export function Explorer(props: ExplorerProps) {
  const texts = EXPLORER_TEXTS[props.language]
  const { answer, dataset, isBusy } = props
  return (
    <>
      <div class="tools">
        <FilterForm {...props} />
        <ColumnChooser {...props} />
      </div>
      <FilterList {...props} />
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
          <RowsTable {...props} answer={answer} />
          <ChartPanel {...props} />
        </>
      )}
      <CodePanel {...props} />
    </>
  )
}
