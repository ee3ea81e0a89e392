import type { Language } from '../../base/text/language.ts'
import { type Asked, type Said, sayRefusal, type ToldError } from '../parts/say-refusal.ts'
import { NOT_ASKED, type Question, writeQuestion } from '../question/question.ts'

/** Why a question is refused, in a page's language. @param columns of the dataset */
export function sayProblem(
  language: Language,
  error: ToldError,
  question: Question,
  columns: NonNullable<Asked['columns']>,
): Said {
  const parameters = writeQuestion(question, ['filters', 'sort', 'fields'])
  return sayRefusal(language, error, { parameters, columns, unused: NOT_ASKED })
}
