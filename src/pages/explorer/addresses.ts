import type { Parameter } from '../../base/text/query-string.ts'
import {
  type ExplorerColumn,
  PAGE_ROWS,
  type Question,
  questionAddress,
  readQuestion,
  writeQuestion,
} from '../question/question.ts'
import { MOST_COLUMNS } from '../question/shown-column.ts'
import type { ExplorerProps } from './explorer-props.ts'

interface Place extends Pick<ExplorerProps, 'chosenLanguage'> {
  readonly dataset: Pick<ExplorerProps['dataset'], 'id'>
}

/** Browsers without scripts scroll to the explorer. */
export function pageAddress(place: Place, question: Question): string {
  const parameters = writeQuestion(question, ['filters', 'sort', 'fields', 'offset'])
  const path = `/datasets/${place.dataset.id}`
  return `${questionAddress(path, [...parameters, ...languageOf(place)])}#explore`
}

/** The summary of the rows that a question finds. @param rows an entry of `group_by`; null: the page chooses */
export function summaryAddress(place: Place, question: Question, rows: string | null = null): string {
  return questionAddress(`/datasets/${place.dataset.id}/summary`, [
    ...(rows === null ? [] : [{ name: 'rows', value: rows }]),
    ...writeQuestion(question, ['filters']),
    ...languageOf(place),
  ])
}

/** Parameters of the page of a column's values, beside the filters, which always name their operator. */
export const VALUES = { column: 'column', find: 'find', offset: 'offset' } as const

/**
 * All values of a column in the rows that a question finds.
 * @param find words that begin words of the values; @param offset of the first one shown
 */
export function valuesAddress(
  place: Place,
  question: Question,
  column: string,
  { find = '', offset = 0 }: { find?: string; offset?: number } = {},
): string {
  return questionAddress(`/datasets/${place.dataset.id}/values`, [
    { name: VALUES.column, value: column },
    ...(find === '' ? [] : [{ name: VALUES.find, value: find }]),
    ...(offset === 0 ? [] : [{ name: VALUES.offset, value: String(offset) }]),
    ...writeQuestion(question, ['filters']),
    ...languageOf(place),
  ])
}

/** The parameter of a map that has both counties and points: `points`; without it, counties. */
export const MAP_FORM = 'draw'

/** The map of the rows that a question finds. @param shown `rows` and `measure` as the summary takes them */
export function mapAddress(place: Place, question: Question, shown: readonly Parameter[] = []): string {
  return questionAddress(`/datasets/${place.dataset.id}/map`, [
    ...shown,
    ...writeQuestion(question, ['filters']),
    ...languageOf(place),
  ])
}

/** The parameter by which the dataset's page, and an address of its own, drew a column. */
const CHART = 'chart'

/** Where an address that asks for the chart of a column leads: to a summary by it, of a date by its months. */
export function chartAddress(
  { parameters, chosenLanguage }: Pick<Place, 'chosenLanguage'> & { parameters: readonly Parameter[] },
  dataset: { readonly id: string; readonly columns: readonly Pick<ExplorerColumn, 'name' | 'type'>[] },
): string | undefined {
  const name = parameters.find((one) => one.name === CHART && one.value !== '')?.value
  if (name === undefined) return undefined
  const isMoment = dataset.columns.some((one) => one.name === name && one.type.startsWith('date'))
  const question = readQuestion(parameters.filter((one) => one.name !== CHART))
  return summaryAddress({ dataset, chosenLanguage }, question, isMoment ? `month(${name})` : name)
}

/** The language as a parameter; none where the browser's preference decides. */
export function languageOf({ chosenLanguage }: Pick<Place, 'chosenLanguage'>): Parameter[] {
  return chosenLanguage === undefined ? [] : [{ name: 'lang', value: chosenLanguage }]
}

export function rowsAddress(
  { id, columns, columnCount }: ExplorerProps['dataset'],
  question: Question,
): string {
  const isCut = question.fields.length === 0 && columns.length < columnCount
  const fields = isCut ? columns.slice(0, MOST_COLUMNS).map(({ name }) => name) : question.fields
  return questionAddress(`/datasets/${id}/rows`, [
    ...writeQuestion({ ...question, fields }, ['filters', 'sort', 'fields', 'offset']),
    { name: 'limit', value: String(PAGE_ROWS) },
    { name: 'count', value: 'true' },
  ])
}
