import type { Parameter } from '../../base/text/query-string.ts'
import { PAGE_ROWS, type Question, questionAddress, writeQuestion } from '../question/question.ts'
import { MOST_COLUMNS } from '../question/shown-column.ts'
import type { ExplorerProps } from './explorer-props.ts'

interface Place extends Pick<ExplorerProps, 'chosenLanguage'> {
  readonly dataset: Pick<ExplorerProps['dataset'], 'id'>
}

/** The address of a question on the dataset's page. Its fragment makes browsers without scripts scroll to the explorer. */
export function pageAddress(place: Place, question: Question): string {
  const parameters = writeQuestion(question, ['filters', 'sort', 'fields', 'offset'])
  const path = `/datasets/${place.dataset.id}`
  return `${questionAddress(path, [...parameters, ...languageOf(place)])}#explore`
}

/**
 * The address of another page of the dataset, for the rows that a question finds.
 * @param own the page's own parameters; null, empty texts and 0 are omitted
 */
export function partAddress(
  place: Place,
  page: 'summary' | 'summary.svg' | 'map' | 'values',
  question: Question,
  own: Readonly<Record<string, string | number | null>> = {},
): string {
  const given = Object.entries(own).filter(([, value]) => value)
  return questionAddress(`/datasets/${place.dataset.id}/${page}`, [
    ...given.map(([name, value]) => ({ name, value: String(value) })),
    ...writeQuestion(question, ['filters']),
    ...languageOf(place),
  ])
}

/** The own parameters of the page of a column's values. They cannot clash with filters, which always name their operator. */
export const VALUES = { column: 'column', find: 'find', offset: 'offset' } as const

/**
 * The address of all values of a column in the rows that a question finds.
 * @param find beginnings of words to look for in the values @param offset of the first value shown
 */
export function valuesAddress(
  place: Place,
  question: Question,
  column: string,
  { find = '', offset = 0 }: { find?: string; offset?: number } = {},
): string {
  return partAddress(place, 'values', question, { column, find, offset })
}

/** The parameter of a map that has both counties and points: `points` shows points; without it, counties. */
export const MAP_FORM = 'draw'

/** The language as a parameter; empty where the browser's preference decides. */
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
