import type { Language } from '../../base/text/language.ts'
import type { Hint } from '../../query/hints.ts'
import type { Said } from '../parts/say-refusal.ts'
import type { ExplorerColumn, Question } from '../question/question.ts'
import type { Row } from '../question/shown-column.ts'
import type { ShownFacet } from './facets.ts'

export interface Found {
  readonly rows: readonly Row[]
  readonly total: number
  readonly hasNext: boolean
  /** Without rows: questions that would have found some. */
  readonly hints: readonly Hint[]
}

type Answer = Found | { readonly problem: Said }

export interface ExplorerProps {
  readonly language: Language
  readonly chosenLanguage: Language | undefined
  readonly dataset: {
    readonly id: string
    readonly domain: string
    readonly title: string
    /** The columns that the page offers, out of `columnCount`. */
    readonly columns: readonly ExplorerColumn[]
    readonly columnCount: number
    readonly hasMap: boolean
  }
  readonly base: string
  readonly question: Question
  readonly answer: Answer
  /** Values to choose from, in the rows found. */
  readonly facets: readonly ShownFacet[]
  /** Whether the island runs: forms then know the columns' types. */
  readonly isLive: boolean
  readonly isBusy: boolean
}
