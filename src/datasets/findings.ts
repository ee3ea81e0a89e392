/** Collects what is wrong with a query, so that one answer names every offender. */

import { ApiError, type ErrorCode, type Problem } from '../errors.ts'
import type { UndecodableParameter } from '../text/query-string.ts'
import { quote, type Refusal } from './values.ts'

/** Past this many, further problems add length and no knowledge. */
const MOST_PROBLEMS = 50

/** More suggestions than this are no guesses but the list of what there is. */
const MOST_GUESSES = 3

export class Findings {
  readonly #problems: Problem[] = []
  #first: ErrorCode | undefined

  /** Notes one problem; the first one noted gives the answer its code and message. */
  add(code: ErrorCode, location: string, refusal: Refusal): void {
    this.#first ??= code
    if (this.#problems.length >= MOST_PROBLEMS) return
    const { suggestions } = refusal
    const message = `${capitalised(refusal.message)}.${didYouMean(suggestions)}`
    this.#problems.push({ location, message, ...(suggestions?.length && { suggestions }) })
  }

  /** Notes the parameters that could not be decoded. */
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
    throw new ApiError(this.#first, this.#problems[0]!.message, this.#problems)
  }
}

function didYouMean(suggestions: readonly string[] | undefined): string {
  if (!suggestions?.length) return ''
  if (suggestions.length > MOST_GUESSES) return ` Use one of ${suggestions.join(', ')}.`
  const names = suggestions.map((name) => `"${name}"`)
  const last = names.pop()
  return ` Did you mean ${names.length === 0 ? last : `${names.join(', ')} or ${last}`}?`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
