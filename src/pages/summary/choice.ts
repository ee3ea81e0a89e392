import type { Parameter } from '../../base/text/query-string.ts'
import { DRAWS, type Draw } from '../chart/chart.ts'
import { partAddress } from '../explorer/addresses.ts'
import { type Question, questionAddress, readQuestion, writeQuestion } from '../question/question.ts'

export interface Choice {
  /** As entries of `group_by` (contract 7): `county`, `month(period)`. */
  readonly rows: string | null
  readonly columns: string | null
  /** As an entry of `measures`; null lets the page choose. */
  readonly measure: string | null
  /** What rows are ordered by; null lets the page choose. */
  readonly order: Order | null
  /** How the chart is drawn; null lets the page choose. */
  readonly draw: Draw | null
  /** Whether all measures are offered, rather than the sensible ones. */
  readonly isEvery: boolean
  /** Offset of the first row. */
  readonly offset: number
}

const ORDERS = ['rows', 'measure'] as const
/** `rows`: by their own values; `measure`: by the measure, the greatest first. */
export type Order = (typeof ORDERS)[number]

/** The page's own parameters. A column with such a name is filtered with an operator. */
const OWN = ['rows', 'columns', 'measure', 'measures', 'order', 'draw', 'offset'] as const
const EVERY = 'all'

export function readChoice(parameters: readonly Parameter[]): { choice: Choice; question: Question } {
  const value = (name: string) => parameters.find((one) => one.name === name && one.value !== '')?.value
  const offset = Number(value('offset') ?? 0)
  return {
    choice: {
      rows: value('rows') ?? null,
      columns: value('columns') ?? null,
      measure: value('measure') ?? null,
      order: ORDERS.find((one) => one === value('order')) ?? null,
      draw: DRAWS.find((one) => one === value('draw')) ?? null,
      isEvery: value('measures') === EVERY,
      offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
    },
    question: readQuestion(parameters.filter(({ name }) => !(OWN as readonly string[]).includes(name))),
  }
}

/** The address of a summary of the rows that a question finds. @param page `summary.svg` for its picture */
export function summaryAddress(
  place: Parameters<typeof partAddress>[0],
  { isEvery, ...own }: Choice,
  question: Question,
  page: 'summary' | 'summary.svg' = 'summary',
): string {
  return partAddress(place, page, question, { ...own, measures: isEvery ? EVERY : null })
}

/** The same as an address of the API, without an offset. @param path below `/v1`, or the dataset's page */
export function groupsAddress(
  path: string,
  { rows, columns, measure }: Choice,
  question: Question,
  more: readonly Parameter[] = [],
): string {
  const groups = [rows, columns].filter((entry) => entry !== null).join(',')
  return questionAddress(`${path}/aggregate`, [
    ...(groups === '' ? [] : [{ name: 'group_by', value: groups }]),
    ...(measure === null ? [] : [{ name: 'measures', value: measure }]),
    ...writeQuestion(question, ['filters']),
    ...more,
  ])
}
