/** What the explorer says of a question that cannot be answered, drawn by the server and by its island alike. */

import type { Language } from '../../mail/language.ts'
import { type Said, sayRefusal, type ToldError } from '../parts/say-refusal.ts'
import { type Correction, correctionsOf } from './corrections.ts'
import { type ExplorerColumn, NOT_ASKED, type Question, writeQuestion } from './question.ts'

/** A sentence about a question, and the questions that may have been meant. */
export interface SaidProblem extends Said {
  readonly corrections?: readonly Correction[]
}

export function sayProblem(
  language: Language,
  error: ToldError,
  question: Question,
  columns: readonly Pick<ExplorerColumn, 'name' | 'type'>[],
): SaidProblem {
  const parameters = writeQuestion(question, ['filters', 'sort', 'fields'])
  const said = sayRefusal(language, error, { parameters, columns, unused: NOT_ASKED })
  return { ...said, corrections: correctionsOf(question, error, columns) }
}
