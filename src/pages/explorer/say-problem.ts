import type { Language } from '../../base/text/language.ts'
import { type Said, sayRefusal, type ToldError } from '../parts/say-refusal.ts'
import {
  type ExplorerColumn,
  NOT_ASKED,
  type Question,
  readQuestion,
  writeQuestion,
} from '../question/question.ts'

/** Parameters that a page reads beside its filters; filters on columns of these names are written with an operator. */
const READ = ['sort', 'fields', 'offset']

/** A sentence about a question, and its possible corrections. */
export interface SaidProblem extends Said {
  readonly corrections?: readonly Correction[]
}

export function sayProblem(
  language: Language,
  error: ToldError,
  question: Question,
  columns: readonly (Pick<ExplorerColumn, 'name' | 'type'> & Partial<Pick<ExplorerColumn, 'title'>>)[],
): SaidProblem {
  const parameters = writeQuestion(question, ['filters', 'sort', 'fields'])
  const said = sayRefusal(language, error, { parameters, columns, unused: NOT_ASKED })
  return { ...said, corrections: correctionsOf(question, error, columns) }
}

interface Correction {
  readonly suggestion: string
  readonly question: Question
}

/** The questions with the first unknown name replaced, one for each suggestion that the page understands. */
function correctionsOf(
  question: Question,
  { code, detail = [] }: ToldError,
  columns: readonly Pick<ExplorerColumn, 'name'>[],
): Correction[] {
  const [first] = detail
  if (code !== 'unknown_column' || first === undefined) return []
  const isColumn = (name: string) => columns.some((column) => column.name === name)
  const place = first.location.replace(/^query\./, '')
  return (first.suggestions ?? []).flatMap((suggestion) => {
    const corrected =
      place === 'sort' || place === 'fields'
        ? correctList(question, place, suggestion, isColumn)
        : correctFilter(question, place, suggestion, isColumn(suggestion))
    return corrected === undefined ? [] : [{ suggestion, question: { ...corrected, offset: 0 } }]
  })
}

/** Undefined where several names are unknown: the suggestion could replace any of them. */
function correctList(
  question: Question,
  list: 'sort' | 'fields',
  suggestion: string,
  isColumn: (name: string) => boolean,
): Question | undefined {
  const names = list === 'sort' ? question.sort.map(({ column }) => column) : question.fields
  const unknown = new Set(names.filter((name) => !isColumn(name)))
  // A name that occurs twice would be refused again.
  if (unknown.size !== 1 || names.includes(suggestion)) return undefined
  const put = (name: string) => (unknown.has(name) ? suggestion : name)
  return list === 'sort'
    ? { ...question, sort: question.sort.map((field) => ({ ...field, column: put(field.column) })) }
    : { ...question, fields: question.fields.map(put) }
}

function correctFilter(
  question: Question,
  place: string,
  suggestion: string,
  isColumn: boolean,
): Question | undefined {
  const index = question.filters.findIndex(({ column, operator }) => `${column}[${operator}]` === place)
  const filter = question.filters[index]
  if (filter === undefined) return undefined
  if (isColumn) {
    const filters = question.filters.with(index, { ...filter, column: suggestion })
    return { ...question, filters }
  }
  if (!READ.includes(suggestion) || filter.operator !== 'eq') return undefined
  const others = { ...question, filters: question.filters.toSpliced(index, 1) }
  const rest = writeQuestion(others, ['filters', 'sort', 'fields'])
  return readQuestion([{ name: suggestion, value: filter.value }, ...rest])
}
