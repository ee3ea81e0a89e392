/** Collects the problems of a query, so that one answer names all of them. */

import type { ErrorCode } from '../base/error-codes.ts'
import { ApiError, type Problem } from '../base/errors.ts'
import { shorten } from '../base/text/fit-text.ts'
import type { UndecodableParameter } from '../base/text/query-string.ts'
import { quote, type Refusal } from './values.ts'

/** The most problems shown; each may require a search for names. */
const MOST_PROBLEMS = 20

/** Limit on the characters of a location: a name may be as long as a URL. */
const LONGEST_LOCATION = 200

/** More suggestions than this are a list of all names, not guesses. */
const MOST_GUESSES = 3

/** A problem before it is written out: its message does not mention the suggestions yet. */
type Finding = Required<Problem>

export class Findings {
  #findings: Finding[] = []
  #first: ErrorCode | undefined

  /**
   * Notes a problem, unless it is noted already; the first one determines the answer's code and message.
   * @param refusal a function if it has to search for names: it does not run for problems that are not shown
   */
  add(code: ErrorCode, place: string, refusal: Refusal | (() => Refusal)): void {
    this.#first ??= code
    if (this.#findings.length >= MOST_PROBLEMS) return
    const { message, suggestions = [] } = typeof refusal === 'function' ? refusal() : refusal
    const location = shorten(place, LONGEST_LOCATION)
    const isNoted = this.#findings.some((one) => one.location === location && one.message === message)
    if (!isNoted) this.#findings.push({ location, message, suggestions })
  }

  /** Replaces the suggestions of the problems noted at a location, if there are any. */
  suggestInstead(location: string, suggestion: string): void {
    this.#findings = this.#findings.map((finding) =>
      finding.location === location ? { ...finding, suggestions: [suggestion] } : finding,
    )
  }

  addUndecodable(undecodable: readonly UndecodableParameter[]): void {
    for (const { name, raw } of undecodable) {
      const message = `invalid percent-encoding in ${quote(raw)}: write UTF-8 bytes as %XX, and a percent sign as %25`
      this.add('invalid_value', name === '' ? 'query' : `query.${name}`, { message })
    }
  }

  get empty(): boolean {
    return this.#first === undefined
  }

  /** @throws ApiError when anything was noted: the code and message of the first problem, all of them as detail */
  throwIfAny(): void {
    if (this.#first === undefined) return
    const problems = this.#findings.map(({ location, message, suggestions }): Problem => {
      const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.${didYouMean(suggestions)}`
      return { location, message: sentence, ...(suggestions.length > 0 && { suggestions }) }
    })
    throw new ApiError(this.#first, problems[0]!.message, problems)
  }
}

function didYouMean(suggestions: readonly string[]): string {
  if (suggestions.length === 0) return ''
  if (suggestions.length > MOST_GUESSES) return ` Use one of ${suggestions.join(', ')}.`
  const names = suggestions.map((name) => `"${name}"`)
  const last = names.pop()
  return ` Did you mean ${names.length === 0 ? last : `${names.join(', ')} or ${last}`}?`
}
