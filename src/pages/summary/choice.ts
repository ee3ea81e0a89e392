/** What a summary shows, as its address says it: rows by, columns by, the measure, and where its page begins. */

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

/** Rows are counted when nothing else is wanted. */
const COUNT = 'count'
/** The page's own parameters; columns of these names are filtered with an operator. */
const OWN: readonly string[] = ['rows', 'columns', 'measure', 'order', 'offset']

/** Reads what is chosen, and the question whose filters and words choose the rows. */
export function readChoice(parameters: readonly Parameter[]): { choice: Choice; question: Question } {
  const value = (name: string) => parameters.find((one) => one.name === name && one.value !== '')?.value
  const offset = Number(value('offset') ?? 0)
  return {
    choice: {
      rows: value('rows') ?? null,
      columns: value('columns') ?? null,
      measure: value('measure') ?? COUNT,
      order: ORDERS.find((one) => one === value('order')) ?? null,
      offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
    },
    question: readQuestion(parameters.filter(({ name }) => !OWN.includes(name))),
  }
}

/** The choice as parameters, without what is left to the page. */
function writeChoice({ rows, columns, measure, order, offset }: Choice): Parameter[] {
  const given = { rows, columns, measure: measure === COUNT ? null : measure, order }
  const parameters = Object.entries(given).flatMap(([name, value]) =>
    value === null ? [] : [{ name, value }],
  )
  return offset === 0 ? parameters : [...parameters, { name: 'offset', value: String(offset) }]
}

/** The address of a summary of the rows that a question finds. @param language as `languageOf` gives it */
export function summaryPageAddress(
  id: string,
  choice: Choice,
  question: Question,
  language: readonly Parameter[],
): string {
  return questionAddress(`/datasets/${id}/summary`, [
    ...writeChoice(choice),
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
