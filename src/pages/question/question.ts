/**
 * A question on a dataset's page: a query in the language of the API. The server and the island read it from addresses and
 * write addresses with it.
 */

import { type Parameter, readQueryString, writeQueryString } from '../../base/text/query-string.ts'
import type { Operator } from '../../engine/operators.ts'
import type { Hint } from '../../query/hints.ts'
import type { DescriptorColumn } from '../../store/catalog/record.ts'

export interface ExplorerColumn
  extends Pick<DescriptorColumn, 'name' | 'title' | 'unit' | 'type' | 'description' | 'min' | 'max'> {
  /** Whether the column's numbers are codes or years. */
  readonly isNaming: boolean
}

/** A filter as written in the address; the query language decides whether it is valid. */
export interface QuestionFilter {
  readonly column: string
  readonly operator: Operator | string
  readonly value: string
}

export interface Question {
  /** Words to search rows for; null for none. */
  readonly q: string | null
  readonly filters: readonly QuestionFilter[]
  readonly sort: readonly { readonly column: string; readonly descending: boolean }[]
  readonly fields: readonly string[]
  readonly offset: number
}

export const PAGE_ROWS = 25

/** The most filters of a page. Each has a link with all the others: a thousand would make a page of 20 MB. */
export const MOST_FILTERS = 50

/** The parameter for words; a column of this name is filtered with an operator. */
const WORDS = 'q'
/** List parameters that the page sets itself. */
export const NOT_ASKED: readonly string[] = ['limit', 'count', 'cursor', 'lang', 'format', 'bom']

/** Reads a question; empty parameters, as forms send them, are ignored. */
export function readQuestion(parameters: readonly Parameter[]): Question {
  const given = parameters.filter(({ name, value }) => value !== '' && !NOT_ASKED.includes(name))
  const value = (name: string) => given.find((parameter) => parameter.name === name)?.value
  const offset = Number(value('offset') ?? 0)
  return {
    q: value(WORDS) ?? null,
    filters: given
      .filter(({ name }) => ![WORDS, 'sort', 'fields', 'offset'].includes(name) && !name.startsWith('f.'))
      .map(readFilter),
    sort: (value('sort')?.split(',') ?? []).map((item) => ({
      column: item.replace(/^-/, ''),
      descending: item.startsWith('-'),
    })),
    fields: value('fields')?.split(',') ?? [],
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
  }
}

export function readQuestionText(query: string): Question {
  return readQuestion(readQueryString(query.replace(/^\?/, '')).parameters)
}

function readFilter({ name, value }: Parameter): QuestionFilter {
  const open = name.indexOf('[')
  if (open === -1 || !name.endsWith(']')) return { column: name, operator: 'eq', value }
  return { column: name.slice(0, open), operator: name.slice(open + 1, -1), value }
}

/** Which parts of a question an address repeats. The words belong to the filters. */
type Part = 'filters' | 'sort' | 'fields' | 'offset'

/** The question as parameters. Filters always name their operator, which distinguishes them from reserved parameters. */
export function writeQuestion(question: Question, parts: readonly Part[]): Parameter[] {
  const { q, filters, sort, fields, offset } = question
  const parameters: Parameter[] = []
  const put = (name: string, value: string) => void parameters.push({ name, value })
  if (parts.includes('filters')) {
    if (q !== null) put(WORDS, q)
    for (const { column, operator, value } of filters) put(`${column}[${operator}]`, value)
  }
  if (parts.includes('sort') && sort.length > 0) {
    put('sort', sort.map(({ column, descending }) => (descending ? `-${column}` : column)).join(','))
  }
  if (parts.includes('fields') && fields.length > 0) put('fields', fields.join(','))
  if (parts.includes('offset') && offset > 0) put('offset', String(offset))
  return parameters
}

export function questionAddress(path: string, parameters: readonly Parameter[]): string {
  // These are valid in addresses, but shells and programs that detect links in text stop at them.
  const query = writeQueryString(parameters).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return query === '' ? path : `${path}?${query}`
}

export function turnSort(question: Question, column: string): Question {
  const now = question.sort.find((field) => field.column === column)
  const isOnly = question.sort.length === 1
  if (now === undefined || !isOnly) return { ...question, sort: [{ column, descending: false }], offset: 0 }
  return { ...question, sort: now.descending ? [] : [{ column, descending: true }], offset: 0 }
}

export function withoutFilter(question: Question, index: number): Question {
  return { ...question, filters: question.filters.filter((_, at) => at !== index), offset: 0 }
}

export function withWords(question: Question, q: string | null): Question {
  return { ...question, q, offset: 0 }
}

/** Parameters of the explorer's forms, which send a filter as three fields, and columns one by one. */
export const FORM = {
  column: 'f.column',
  operator: 'f.operator',
  value: 'f.value',
  field: 'f.field',
} as const

/**
 * The question of a submitted form, or undefined if the parameters are not from a form.
 * @param columnCount of the dataset: choosing all columns means no choice
 */
export function readForm(parameters: readonly Parameter[], columnCount: number): Question | undefined {
  const values = (name: string) =>
    parameters.filter((parameter) => parameter.name === name).map(({ value }) => value)
  const [column] = values(FORM.column)
  const chosen = values(FORM.field)
  if (column === undefined && chosen.length === 0) return undefined
  const question = readQuestion(parameters)
  if (column !== undefined) {
    const operator = values(FORM.operator)[0] ?? 'eq'
    const value = values(FORM.value)[0] ?? ''
    // An empty field adds no filter.
    const filters = value === '' ? question.filters : [...question.filters, { column, operator, value }]
    return { ...question, filters, offset: 0 }
  }
  return { ...question, fields: chosen.length === columnCount ? [] : chosen }
}

export interface Hinted {
  readonly question: Question
  readonly changed: readonly QuestionFilter[]
  readonly rows: number
}

/**
 * The questions that hints lead to. Hints on different parameters with the same number of rows apply together; all others
 * are alternatives.
 */
export function questionsOf(question: Question, hints: readonly Hint[]): Hinted[] {
  const [first] = hints
  if (first === undefined) return []
  const areTogether =
    hints.every(({ rows }) => rows === first.rows) &&
    new Set(hints.map(({ parameter }) => parameter)).size === hints.length
  const sets = areTogether ? [hints] : hints.map((hint) => [hint])
  return sets.map((set) => ({
    question: set.reduce(follow, { ...question, offset: 0 }),
    changed: set.map(readHint),
    rows: set[0]!.rows,
  }))
}

/** A hint as a filter; the parameter `q` becomes one with the operator `q`, which no real filter has. */
function readHint({ parameter: name, value }: Hint): QuestionFilter {
  return name === WORDS ? { column: name, operator: WORDS, value } : readFilter({ name, value })
}

function follow(question: Question, hint: Hint): Question {
  const filter = readHint(hint)
  if (filter.operator === 'q') return { ...question, q: filter.value }
  const isSame = (one: QuestionFilter) => one.column === filter.column && one.operator === filter.operator
  return { ...question, filters: [...question.filters.filter((one) => !isSame(one)), filter] }
}
