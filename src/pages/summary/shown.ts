import type { DatePart, GroupKey } from '../../engine/aggregate/group-query.ts'
import { coerceValue, isRefusal } from '../../query/values.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { momentOf, periodAt } from '../chart/scales.ts'
import { pageAddress } from '../explorer/addresses.ts'
import { LONGEST_FILTER } from '../explorer/facets.ts'
import type { View } from '../layout/view.ts'
import { keyLabel, measureLabel, measureText } from '../question/measures.ts'
import type { Question, QuestionFilter } from '../question/question.ts'
import { groupLabel, toExplorerColumn } from '../question/shown-column.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { SUMMARY_TEXTS } from '../texts/site.ts'
import { formatNumber } from '../texts/texts.ts'
import type { Answered } from './ask-summary.ts'
import { type Choice, summaryAddress } from './choice.ts'

export type Shown = ReturnType<typeof describeShown>

/** What is known about the reader. */
export type Reader = Pick<View, 'language' | 'chosenLanguage'>

export function describeShown(
  { language, chosenLanguage }: Reader,
  served: ServedDataset,
  answer: Answered,
  question: Question,
) {
  const { figures, rows, columns, measure, choice, isAdditive } = answer
  const texts = SUMMARY_TEXTS[language]
  const place = { dataset: served, chosenLanguage }
  const rowsLabel = keyLabel(language, rows, served.columns)
  const measured = measureLabel(language, measure, served.columns)
  const textOf = ({ column, part }: GroupKey) => {
    const shown = part === null ? toExplorerColumn(served.columns[column]!) : undefined
    return (value: string | null) => groupLabel(language, shown, value)
  }
  return {
    ...answer,
    language,
    texts,
    explorerTexts: EXPLORER_TEXTS[language],
    rowsLabel,
    measureLabel: measured,
    keyLabel: (key: GroupKey) => keyLabel(language, key, served.columns),
    caption:
      columns === null
        ? texts.caption(measured, rowsLabel)
        : texts.captionAcross(measured, rowsLabel, keyLabel(language, columns, served.columns)),
    hasShares: columns === null && isAdditive && figures.rowTotals.every((value) => !value?.startsWith('-')),
    number: (value: number) => formatNumber(language, value),
    rowText: textOf(rows),
    columnText: textOf(columns ?? rows),
    measureText: (value: string | null | undefined) => measureText(language, measure, served.columns, value),
    addressOf: (change: Partial<Choice>, page?: 'summary.svg') =>
      summaryAddress(place, { ...choice, ...change }, question, page),
    /** The address of a group's rows; undefined if no filter can select them. */
    rowsAddress: (value: string | null) => {
      const found = rowsOfGroup(question, served.columns[rows.column]!.name, rows, value)
      return found && pageAddress(place, found)
    },
  }
}

/**
 * The question that finds the rows of a group; undefined if no filter can select them. Filters with the same column and
 * operator are alternatives, so the group's filter replaces the reader's own, as narrow as both together.
 * @param column the name of the grouped column
 */
export function rowsOfGroup(
  question: Question,
  column: string,
  { part }: Pick<GroupKey, 'part'>,
  value: string | null,
): Question | undefined {
  if (value !== null && (value === '' || value.length > LONGEST_FILTER)) return undefined
  const filter = (operator: string, value: string) => ({ column, operator, value })
  let filters = [value === null ? filter('is_null', 'true') : filter('eq', value)]
  if (value !== null && part !== null && part !== 'day') {
    const [first = '', next = ''] = daysOf(part, value)
    filters = [filter('gte', first)]
    // No date can be after the year 9999.
    if (next.length === first.length) filters.push(filter('lt', next))
  }
  const narrower = filters.map((one) => narrowed(one, question.filters))
  const kept = question.filters.filter(
    (one) => !narrower.some((other) => one.column === other.column && one.operator === other.operator),
  )
  return { ...question, filters: [...kept, ...narrower], sort: [], fields: [], offset: 0 }
}

/** A period's bound, or the reader's own if that is narrower. Of several by the reader, the widest applies. */
function narrowed(bound: QuestionFilter, filters: readonly QuestionFilter[]): QuestionFilter {
  if (bound.operator !== 'gte' && bound.operator !== 'lt') return bound
  const own = filters
    .filter(({ column, operator }) => column === bound.column && operator === bound.operator)
    .map(({ value }) => value)
    .sort((a, b) => (instantOf(a) < instantOf(b) ? -1 : 1))
  const widest = bound.operator === 'gte' ? own[0] : own.at(-1)
  if (widest === undefined) return bound
  const isInside =
    bound.operator === 'gte'
      ? instantOf(widest) > instantOf(bound.value)
      : instantOf(widest) < instantOf(bound.value)
  return isInside ? { ...bound, value: widest } : bound
}

/** A date or datetime in a form that sorts by time. */
function instantOf(text: string): string {
  const moment = coerceValue('datetime', text)
  return isRefusal(moment) ? text : String(moment)
}

/** The first day of a year, quarter or month, and of the next one. */
function daysOf(part: Exclude<DatePart, 'day'>, value: string): string[] {
  return [value, periodAt(part, momentOf(part, value) + 1)].map((period) => {
    const [year = '', rest = '1'] = period.split('-')
    const month = rest.startsWith('Q') ? Number(rest.slice(1)) * 3 - 2 : Number(rest)
    return `${year.padStart(4, '0')}-${String(month).padStart(2, '0')}-01`
  })
}
