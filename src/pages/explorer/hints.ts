/** What would have found rows where a question finds none, as the API's `meta.hints` says it. */

import type { Question, QuestionFilter } from './question.ts'

export interface Hint {
  readonly parameter: string
  /** What to write instead, whole. */
  readonly value: string
  readonly rows: number
}

/** A question that finds rows, and what is other in it. */
export interface Hinted {
  readonly question: Question
  readonly changed: readonly QuestionFilter[]
  readonly rows: number
}

/**
 * The questions that hints lead to. Hints on different parameters with one number of rows are to be followed together, all
 * others are alternatives.
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

/** A hint as a filter; `q` as one of the column `q` with the operator `q`, which no filter has. */
function readHint({ parameter, value }: Hint): QuestionFilter {
  const [, column = parameter, operator = parameter === 'q' ? 'q' : 'eq'] =
    /^(.*)\[(\w+)\]$/.exec(parameter) ?? []
  return { column, operator, value }
}

function follow(question: Question, hint: Hint): Question {
  const filter = readHint(hint)
  if (filter.operator === 'q') return { ...question, q: filter.value }
  const isSame = (one: QuestionFilter) => one.column === filter.column && one.operator === filter.operator
  return { ...question, filters: [...question.filters.filter((one) => !isSame(one)), filter] }
}
