import type { Parameter } from '../../base/text/query-string.ts'
import { type Question, questionAddress, readQuestion, writeQuestion } from '../explorer/question.ts'

export interface Choice {
  /** As entries of `group_by` (contract 7): `county`, `month(period)`. */
  readonly rows: string | null
  readonly columns: string | null
  /** As an entry of `measures`. */
  readonly measure: string
  /** What rows are ordered by; null: what suits them. */
  readonly order: Order | null
  /** Of the first row. */
  readonly offset: number
}

const ORDERS = ['rows', 'measure'] as const
/** `rows`: by their own values; `measure`: the greatest first. */
export type Order = (typeof ORDERS)[number]

export function readChoice(parameters: readonly Parameter[]): { choice: Choice; question: Question } {
  const value = (name: string) => parameters.find((one) => one.name === name && one.value !== '')?.value
  const offset = Number(value('offset') ?? 0)
  return {
    choice: {
      rows: value('rows') ?? null,
      columns: value('columns') ?? null,
      measure: value('measure') ?? 'count',
      order: ORDERS.find((one) => one === value('order')) ?? null,
      offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
    },
    // A column with the name of a parameter of the page is filtered with an operator.
    question: readQuestion(
      parameters.filter(({ name }) => !['rows', 'columns', 'measure', 'order', 'offset'].includes(name)),
    ),
  }
}

/** The address of a summary of the rows that a question finds. @param language as `languageOf` gives it */
export function summaryPageAddress(
  id: string,
  choice: Choice,
  question: Question,
  language: readonly Parameter[],
): string {
  const { measure, offset } = choice
  const own = { ...choice, measure: measure === 'count' ? null : measure, offset: offset || null }
  return questionAddress(`/datasets/${id}/summary`, [
    ...(['rows', 'columns', 'measure', 'order', 'offset'] as const).flatMap((name) =>
      own[name] === null ? [] : [{ name, value: String(own[name]) }],
    ),
    ...writeQuestion(question, ['filters']),
    ...language,
  ])
}

/** The same put to the API, without its pages: below `/v1`, or below the dataset's page. */
export function groupsAddress(
  path: string,
  { rows, columns, measure }: Choice,
  question: Question,
  more: readonly Parameter[] = [],
): string {
  const groups = [rows, columns].filter((entry) => entry !== null).join(',')
  return questionAddress(`${path}/aggregate`, [
    ...(groups === '' ? [] : [{ name: 'group_by', value: groups }]),
    { name: 'measures', value: measure },
    ...writeQuestion(question, ['filters']),
    ...more,
  ])
}
