/** What the parts of a summary's page share: figures, their texts in the page's language, and addresses. */

import type { Language } from '../../base/text/language.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { languageOf, pageAddress } from '../explorer/addresses.ts'
import type { Question } from '../explorer/question.ts'
import { toExplorerColumn } from '../explorer/shown-column.ts'
import type { View } from '../layout/view.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { formatNumber } from '../texts/format.ts'
import { SUMMARY_TEXTS } from '../texts/summary.ts'
import type { Answered } from './ask.ts'
import { type Choice, summaryPageAddress } from './choice.ts'
import { rowsOfGroup } from './drill.ts'
import { groupLabel, keyLabel, measureLabel, measureText } from './labels.ts'

export interface Shown extends Answered {
  readonly language: Language
  readonly texts: (typeof SUMMARY_TEXTS)[Language]
  readonly explorerTexts: (typeof EXPLORER_TEXTS)[Language]
  readonly rowsLabel: string
  readonly measureLabel: string
  readonly caption: string
  /** Whether the measures of groups add up to that of all rows. */
  readonly isAdditive: boolean
  readonly isNumeric: boolean
  /** Whether a row of the table has a bar, and a share of the total. */
  readonly hasBars: boolean
  readonly hasShares: boolean
  /** Whether the rows are codes or years, which are written without separators. */
  readonly rowsAreNames: boolean
  number(value: number): string
  rowText(value: string | null): string
  columnText(value: string | null): string
  measureText(value: string | null | undefined): string
  /** This summary with another choice. */
  addressOf(change: Partial<Choice>): string
  /** The rows of a group on the dataset's page; undefined where no filter says which. */
  rowsAddress(value: string | null): string | undefined
}

export function describeShown(
  view: View,
  served: ServedDataset,
  answer: Answered,
  question: Question,
): Shown {
  const { language } = view
  const { figures, rows, columns, measure, measureType, choice } = answer
  const texts = SUMMARY_TEXTS[language]
  const place = { dataset: served, chosenLanguage: view.chosenLanguage ?? null }
  const rowsLabel = keyLabel(language, rows, served.columns)
  const measured = measureLabel(language, measure, served.columns)
  const isAdditive = measure.kind === 'count' || measure.kind === 'sum'
  const isNumeric = measureType === 'integer' || measureType === 'decimal'
  const hasOneColumn = columns === null
  return {
    ...answer,
    ...{ language, texts, explorerTexts: EXPLORER_TEXTS[language], rowsLabel, measureLabel: measured },
    caption:
      columns === null
        ? texts.caption(measured, rowsLabel)
        : texts.captionAcross(measured, rowsLabel, keyLabel(language, columns, served.columns)),
    ...{ isAdditive, isNumeric },
    hasBars: hasOneColumn && isNumeric && !answer.isOverTime && answer.ranges.length === 0,
    hasShares: hasOneColumn && isAdditive && figures.rowTotals.every((value) => !value?.startsWith('-')),
    rowsAreNames: toExplorerColumn(served.columns[rows.column]!).isNaming,
    number: (value) => formatNumber(language, value),
    rowText: (value) => groupLabel(language, answer.rowType, value),
    columnText: (value) => groupLabel(language, answer.columnType, value),
    measureText: (value) => measureText(language, measure, measureType, value),
    addressOf: (change) =>
      summaryPageAddress(served.id, { ...choice, ...change }, question, languageOf(place)),
    rowsAddress: (value) => {
      const found = rowsOfGroup(question, served.columns[rows.column]!.name, rows, value)
      return found && pageAddress(place, found)
    },
  }
}
