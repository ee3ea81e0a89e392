import { ERROR_STATUS } from '../../base/error-codes.ts'
import { ApiError } from '../../base/errors.ts'
import type { Language } from '../../base/text/language.ts'
import { sayProblem } from '../explorer/say-problem.ts'
import type { Asked, Said } from '../parts/say-refusal.ts'
import { MOST_FILTERS, type Question } from '../question/question.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'

/** What a page says in place of an answer. @throws the error, unless it refuses the question */
export function sayRefused(
  language: Language,
  error: unknown,
  question: Question,
  columns: NonNullable<Asked['columns']>,
): Said {
  if (error instanceof ApiError && ERROR_STATUS[error.code] === 422)
    return sayProblem(language, error, question, columns)
  throw error
}

/** The request itself; if it has more filters than a page can show, it loses all of them and gets a sentence that says so. */
export function bounded<Asked extends { readonly question: Question }>(
  language: Language,
  asked: Asked,
): Asked & { readonly problem?: Said } {
  if (asked.question.filters.length <= MOST_FILTERS) return asked
  const text = EXPLORER_TEXTS[language].tooManyFilters(MOST_FILTERS)
  return { ...asked, question: { ...asked.question, filters: [] }, problem: { text, original: null } }
}
