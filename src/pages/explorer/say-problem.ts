/** What the explorer says of a question that cannot be answered, drawn by the server and by its island alike. */

import type { Language } from '../../mail/language.ts'
import { type Said, sayRefusal, type ToldError } from '../parts/say-refusal.ts'
import { type ExplorerColumn, type Question, writeQuestion } from './question.ts'

export function sayProblem(
  language: Language,
  error: ToldError,
  question: Question,
  columns: readonly Pick<ExplorerColumn, 'name' | 'type'>[],
): Said {
  return sayRefusal(language, error, { parameters: writeQuestion(question, ['filters']), columns })
}
