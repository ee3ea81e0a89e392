/** Collects what is wrong with a query, so that one answer names every offender. */

import type { ErrorCode } from '../base/error-codes.ts'
import { ApiError, type Problem } from '../base/errors.ts'
import { shorten } from '../base/text/fit-text.ts'
import type { UndecodableParameter } from '../base/text/query-string.ts'
import { quote, type Refusal } from './values.ts'

/** Problems shown at most; each may be a search for names. */
const MOST_PROBLEMS = 20

/** Characters of a place: a name may be as long as an address. */
const LONGEST_LOCATION = 200

/** More suggestions than this are the list of all names, not guesses. */
const MOST_GUESSES = 3

/** A problem until it is written out: the sentence without what may have been meant. */
type Finding = Required<Problem>

export class Findings {
  #findings: Finding[] = []
  #first: ErrorCode | undefined

  /**
   * Notes one problem, unless it was noted; the first one gives the answer its code and message.
   * @param refusal a function where it takes a search for names: it does not run for problems that are not shown
   */
  add(code: ErrorCode, place: string, refusal: Refusal | (() => Refusal)): void {
    this.#first ??= code
    if (this.#findings.length >= MOST_PROBLEMS) return
    const { message, suggestions = [] } = typeof refusal === 'function' ? refusal() : refusal
    const location = shorten(place, LONGEST_LOCATION)
    const isNoted = this.#findings.some((one) => one.location === location && one.message === message)
    if (!isNoted) this.#findings.push({ location, message, suggestions })
  }

  /** Replaces what the problems noted at a place suggest; nothing where there are none. */
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
