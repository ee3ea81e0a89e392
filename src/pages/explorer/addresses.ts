/** Addresses of a dataset's page and of the routes below it. */

import type { Parameter } from '../../base/text/query-string.ts'
import type { ExplorerProps } from './explorer-props.ts'
import { FACET_VALUES } from './facets.ts'
import { PAGE_ROWS, type Question, questionAddress, writeQuestion } from './question.ts'
import { MOST_COLUMNS } from './shorten.ts'

/** Where the explorer begins: browsers without scripts scroll to it after each question. */
const EXPLORER_ID = 'explore'

interface Place extends Pick<ExplorerProps, 'chosenLanguage'> {
  readonly dataset: Pick<ExplorerProps['dataset'], 'id'>
}

/** The page with a question asked. */
export function pageAddress(place: Place, question: Question): string {
  const parameters = writeQuestion(question, ['filters', 'sort', 'fields', 'offset', 'chart'])
  const path = `/datasets/${place.dataset.id}`
  return `${questionAddress(path, [...parameters, ...languageOf(place)])}#${EXPLORER_ID}`
}

/** The summary of the rows that a question finds. */
export function summaryAddress(place: Place, question: Question): string {
  const parameters = writeQuestion(question, ['filters'])
  return questionAddress(`/datasets/${place.dataset.id}/summary`, [...parameters, ...languageOf(place)])
}

/** The language as a parameter; none where the browser's preference decides. */
export function languageOf({ chosenLanguage }: Pick<Place, 'chosenLanguage'>): Parameter[] {
  return chosenLanguage === null ? [] : [{ name: 'lang', value: chosenLanguage }]
}

/** The rows of a question, for the island. */
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

/** The values of columns in the rows of a question, for the island. */
export function facetsAddress(id: string, columns: readonly string[], question: Question): string {
  return questionAddress(`/datasets/${id}/facets`, [
    { name: 'columns', value: columns.join(',') },
    { name: 'limit', value: String(FACET_VALUES) },
    ...writeQuestion(question, ['filters']),
  ])
}

/** The chart of a question, for the island. */
export function chartAddress(id: string, question: Question): string {
  return questionAddress(`/datasets/${id}/chart`, writeQuestion(question, ['filters', 'chart']))
}

/** A file of the rows that a question finds. */
export function downloadAddress(id: string, question: Question, format: readonly Parameter[]): string {
  return questionAddress(`/datasets/${id}/download`, [
    ...format,
    ...writeQuestion(question, ['filters', 'fields']),
  ])
}

/** The question put to the API. */
export function apiAddress(
  { base, dataset }: Pick<ExplorerProps, 'base' | 'dataset'>,
  question: Question,
): string {
  return questionAddress(
    `${base}/v1/${dataset.domain}/${dataset.id}`,
    writeQuestion(question, ['filters', 'sort', 'fields']),
  )
}
