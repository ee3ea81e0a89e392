/** What the explorer says about a question that is refused, on the server and in the island. */

import type { Language } from '../../base/text/language.ts'
import { type Said, sayRefusal, type ToldError } from '../parts/say-refusal.ts'
import { type Correction, correctionsOf } from './corrections.ts'
import { type ExplorerColumn, NOT_ASKED, type Question, writeQuestion } from './question.ts'

/** A sentence about a question, and its possible corrections. */
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
