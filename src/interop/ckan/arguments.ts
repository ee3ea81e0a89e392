/**
 * Arguments of CKAN's actions, from a query string, a form or a JSON object: the same argument may be text or a JSON value.
 * Faults are collected, so that one Validation Error names all of them.
 */

import { ApiError, type Problem } from '../../base/errors.ts'
import { isObject } from '../../base/plain-object.ts'
import { suggest } from '../../base/text/suggest.ts'
import { parseJson, TooManyValues } from '../../http/json-body.ts'
import { MOST_IN_BODY } from '../../query/question-size.ts'

/**
 * Arguments that many clients send and that change nothing here: everything is public and published, and totals are exact.
 * `include_total` matches too, but takes effect where it is read.
 */
const WITHOUT_EFFECT =
  /^(include_\w+|use_default_schema|order_by|type|language|vocabulary_id|total_estimation_threshold)$/

/** The most faults that a refusal names: a body may hold tens of thousands of wrong arguments. */
const MOST_PROBLEMS = 10
const LONGEST_NAME = 80

/** Reads arguments one by one; `finish` refuses wrong ones and those that were never read. */
export class ActionArguments {
  readonly #given: ReadonlyMap<string, unknown>
  readonly #read = new Set<string>()
  readonly #problems: Problem[] = []

  constructor(given: ReadonlyMap<string, unknown>) {
    this.#given = given
  }

  has(name: string): boolean {
    return this.#given.has(name)
  }

  refuse(name: string, message: string): undefined {
    if (this.#problems.length < MOST_PROBLEMS)
      this.#problems.push({ location: `query.${name.slice(0, LONGEST_NAME)}`, message })
    return undefined
  }

  /** undefined where the argument is missing or empty. */
  text(name: string): string | undefined {
    const value = this.#take(name)
    if (value === undefined) return undefined
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    return this.refuse(name, 'is a text')
  }

  /** @returns an empty text, after noting a refusal, where it is missing */
  requireText(name: string, ...aliases: readonly string[]): string {
    const found = [name, ...aliases].map((one) => this.text(one)).find((text) => text !== undefined)
    if (found === undefined) this.refuse(name, 'Missing value')
    return found ?? ''
  }

  integer(name: string, fallback: number): number {
    const value = this.#take(name)
    if (value === undefined) return fallback
    const number = typeof value === 'string' && /^[0-9]+$/.test(value) ? Number(value) : value
    if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
    this.refuse(name, 'Must be a natural number')
    return fallback
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.#take(name)
    if (value === undefined) return fallback
    const known = FLAGS.get(String(value).toLowerCase())
    if (known === undefined) this.refuse(name, 'is true or false')
    return known ?? fallback
  }

  /** A list, or a text with its items separated by commas. */
  list(name: string): readonly string[] | undefined {
    const value = this.#take(name)
    if (value === undefined) return undefined
    if (typeof value === 'string') return value.split(',').map((item) => item.trim())
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
    return this.refuse(name, 'is a list of texts')
  }

  /** An object, also as JSON text; any other text is returned unchanged. */
  objectOrText(name: string): Readonly<Record<string, unknown>> | string | undefined {
    const value = this.#take(name)
    if (typeof value === 'string') return readObjectText(value) ?? value
    if (value === undefined || isObject(value)) return value
    return this.refuse(name, 'is an object or a text')
  }

  /** @throws ApiError `invalid_value` with all that is wrong */
  finish(): void {
    for (const name of this.#given.keys()) {
      if (this.#problems.length === MOST_PROBLEMS) break
      if (this.#read.has(name) || WITHOUT_EFFECT.test(name)) continue
      const near = suggest(name, this.#read)
      const meant =
        near.length === 0 ? `it takes ${[...this.#read].join(', ')}` : `did you mean ${near.join(', ')}?`
      this.refuse(name, `The parameter is not known here: ${meant}`)
    }
    if (this.#problems.length === 0) return
    const message = this.#problems.map((one) => `${one.location.slice('query.'.length)}: ${one.message}`)
    throw new ApiError('invalid_value', message.join('; '), this.#problems)
  }

  #take(name: string): unknown {
    this.#read.add(name)
    const value = this.#given.get(name)
    return value === '' || value === null ? undefined : value
  }
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...(['true', '1', 'yes', 't'] as const).map((text) => [text, true] as const),
  ...(['false', '0', 'no', 'f'] as const).map((text) => [text, false] as const),
])

/** Parses a JSON object; undefined for any other text. @throws TooManyValues */
export function readObjectText(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const value = parseJson(Buffer.from(text), MOST_IN_BODY)
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof TooManyValues) throw error
    return undefined
  }
}
