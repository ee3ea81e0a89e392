import type { Language } from '../../base/text/language.ts'
import type { Parameter } from '../../base/text/query-string.ts'
import { WRITING } from '../texts/texts.ts'
import type { ExplorerProps } from './explorer-props.ts'
import { FACET_VALUES } from './facets.ts'
import {
  type ExplorerColumn,
  PAGE_ROWS,
  type Question,
  questionAddress,
  readQuestion,
  writeQuestion,
} from './question.ts'
import { MOST_COLUMNS } from './shown-column.ts'

/** Where the explorer begins: browsers without scripts scroll to it after each question. */
const EXPLORER_ID = 'explore'

interface Place extends Pick<ExplorerProps, 'chosenLanguage'> {
  readonly dataset: Pick<ExplorerProps['dataset'], 'id'>
}

/** The page with a question asked. */
export function pageAddress(place: Place, question: Question): string {
  const parameters = writeQuestion(question, ['filters', 'sort', 'fields', 'offset'])
  const path = `/datasets/${place.dataset.id}`
  return `${questionAddress(path, [...parameters, ...languageOf(place)])}#${EXPLORER_ID}`
}

/** The summary of the rows that a question finds. @param rows an entry of `group_by`; null: the page chooses */
export function summaryAddress(place: Place, question: Question, rows: string | null = null): string {
  return questionAddress(`/datasets/${place.dataset.id}/summary`, [
    ...(rows === null ? [] : [{ name: 'rows', value: rows }]),
    ...writeQuestion(question, ['filters']),
    ...languageOf(place),
  ])
}

/** The parameter by which the dataset's page, and an address of its own, drew a column. */
const CHART = 'chart'

/** Where an address that asks for the chart of a column leads: to a summary by it, of a date by its months. */
export function chartAddress(
  { parameters, chosenLanguage }: { parameters: readonly Parameter[]; chosenLanguage: Language | undefined },
  dataset: { readonly id: string; readonly columns: readonly Pick<ExplorerColumn, 'name' | 'type'>[] },
): string | undefined {
  const name = parameters.find((one) => one.name === CHART && one.value !== '')?.value
  if (name === undefined) return undefined
  const isMoment = dataset.columns.some((one) => one.name === name && one.type.startsWith('date'))
  const question = readQuestion(parameters.filter((one) => one.name !== CHART))
  const place = { dataset, chosenLanguage: chosenLanguage ?? null }
  return summaryAddress(place, question, isMoment ? `month(${name})` : name)
}

/** The language as a parameter; none where the browser's preference decides. */
export function languageOf({ chosenLanguage }: Pick<Place, 'chosenLanguage'>): Parameter[] {
  return chosenLanguage === null ? [] : [{ name: 'lang', value: chosenLanguage }]
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

export function facetsAddress(id: string, columns: readonly string[], question: Question): string {
  return questionAddress(`/datasets/${id}/facets`, [
    { name: 'columns', value: columns.join(',') },
    { name: 'limit', value: String(FACET_VALUES) },
    ...writeQuestion(question, ['filters']),
  ])
}

/**
 * What makes CSV open in columns by a double click: a byte order mark for the encoding, and the language's separator where
 * it isn't a comma, which is a decimal mark there.
 */
export function excelForm(language: Language): Parameter[] {
  const mark = { name: 'bom', value: 'true' }
  const { separator } = WRITING[language]
  return separator === ',' ? [mark] : [{ name: 'delimiter', value: separator }, mark]
}

/** A file of the rows that a question finds. */
export function downloadAddress(id: string, question: Question, format: readonly Parameter[]): string {
  return questionAddress(`/datasets/${id}/download`, [
    ...format,
    ...writeQuestion(question, ['filters', 'fields']),
  ])
}

export function parquetAddress(
  { base, dataset }: Pick<ExplorerProps, 'base' | 'dataset'>,
  question: Question,
): string {
  return questionAddress(`${base}/v1/${dataset.domain}/${dataset.id}/export`, [
    { name: 'format', value: 'parquet' },
    ...writeQuestion(question, ['filters', 'sort', 'fields']),
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
