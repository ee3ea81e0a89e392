/** Reads query strings by a table of parameters: each may be given once, and nothing is silently ignored. */

import type { ErrorCode } from '../base/error-codes.ts'
import { type Parameter, readQueryString } from '../base/text/query-string.ts'
import { wordsOf } from '../base/text/words.ts'
import type { ColumnFilter, Filter } from '../engine/row-query.ts'
import { Findings } from './findings.ts'
import { DELIMITERS, type ExportFormat, findFormat, nearFormats, spellingsOf } from './formats.ts'
import { unknownParameter } from './unknown-names.ts'
import { coerceValue, isRefusal, quote, type Refusal, toBoolean } from './values.ts'

/** `limit` and `offset`, the same on every list (specification 8). */
export const DEFAULT_LIMIT = 50

export const LARGEST_LIMIT = 1000

/** The words of `q`, folded; empty if there is only punctuation; undefined: not given. */
export const WORDS = optional('invalid_value', (text, note): readonly string[] => {
  if (text.trim() === '') note({ message: 'parameter "q", the words to look for, is empty' })
  return wordsOf(text)
})

/** Notes that a value is wrong; returns undefined in its place. `code`: if it is not the parameter's own. */
export type Note = (refusal: Refusal | (() => Refusal), code?: ErrorCode) => undefined

/** How a parameter is read. `Context`: what its values are checked against, such as the columns of a dataset. */
export interface QueryParameter<T, Context = unknown> {
  /** The value if it is not given or wrong. */
  readonly fallback: T
  /** Code of the 422 for a wrong value. */
  readonly code: ErrorCode
  /** What the 422 says if it is missing; undefined for an optional parameter. */
  readonly required?: string
  readonly read: (text: string, note: Note, context: Context) => T
}

type ParameterTable<Context> = Readonly<Record<string, QueryParameter<unknown, Context>>>

type QueryValues<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends QueryParameter<infer T, never> ? T : never
}

/** A query string, read by a table. */
export interface ReadQuery<Table> {
  readonly values: QueryValues<Table>
  readonly given: { readonly [Name in keyof Table]?: string }
  readonly parameters: readonly Parameter[]
}

/**
 * Reads a query string. Names are checked before values, values in the order of the table.
 * @param raw without `?`, still percent-encoded
 * @param takeOther receives the parameters that are not in the table, or that `isOther` excludes
 */
export function readParameters<Context, Table extends ParameterTable<Context>>(
  raw: string,
  table: Table,
  context: Context,
  findings: Findings,
  takeOther: (parameter: Parameter) => void,
  isOther: (name: string) => boolean = () => false,
): ReadQuery<Table> {
  const { parameters, undecodable } = readQueryString(raw)
  findings.addUndecodable(undecodable)
  const given: Record<string, string> = {}
  for (const parameter of parameters) {
    const { name, value } = parameter
    if (!Object.hasOwn(table, name) || isOther(name)) takeOther(parameter)
    else if (given[name] === undefined) given[name] = value
    else {
      const message = `parameter "${name}" is given twice: give it once`
      findings.add('duplicate_parameter', `query.${name}`, { message })
    }
  }
  const values: Record<string, unknown> = {}
  for (const [name, { fallback, code, required, read }] of Object.entries(table)) {
    const text = given[name]
    const note: Note = (refusal, other = code) => void findings.add(other, `query.${name}`, refusal)
    if (text === undefined && required !== undefined) note({ message: required })
    values[name] = text === undefined ? fallback : read(text, note, context)
  }
  return { values: values as QueryValues<Table>, given: given as ReadQuery<Table>['given'], parameters }
}

/**
 * Reads the query string of a route that takes the parameters of the table and no others.
 * @throws ApiError (422 codes) with one entry of detail per offender
 */
export function readQuery<Table extends ParameterTable<unknown>>(
  raw: string,
  table: Table,
): ReadQuery<Table> {
  const findings = new Findings()
  const query = readParameters(raw, table, undefined, findings, ({ name }) =>
    findings.add('unknown_parameter', `query.${name}`, () => unknownParameter(name, Object.keys(table))),
  )
  findings.throwIfAny()
  return query
}

const DIGITS = /^[0-9]+$/
const INTEGER = /^-?[0-9]+$/

/** A whole number within bounds. */
export function integerParameter<T extends number | undefined>(
  name: string,
  { min, max, fallback }: { readonly min: number; readonly max: number; readonly fallback: T },
  code: ErrorCode = 'invalid_value',
): QueryParameter<number | T> {
  const pattern = min < 0 ? INTEGER : DIGITS
  return {
    fallback,
    code,
    read(text, note) {
      const value = pattern.test(text) ? Number(text) : Number.NaN
      if (value >= min && value <= max) return value
      note({ message: `parameter "${name}" must be an integer from ${min} to ${max}, not ${quote(text)}` })
      return fallback
    },
  }
}

function optional<T>(
  code: ErrorCode,
  read: (text: string, note: Note) => T | undefined,
): QueryParameter<T | undefined> {
  return { fallback: undefined, code, read }
}

/** `true` or `false`. */
export function flagParameter(name: string): QueryParameter<boolean | undefined> {
  return optional('invalid_value', (text, note) => {
    const flag = toBoolean(text)
    return isRefusal(flag) ? note({ ...flag, message: `parameter "${name}": ${flag.message}` }) : flag
  })
}

/** A text that fits a pattern. */
export function textParameter(
  name: string,
  pattern: RegExp,
  expected: string,
): QueryParameter<string | undefined> {
  return optional('invalid_value', (text, note) => {
    if (pattern.test(text)) return text
    return note({ message: `parameter "${name}" ${expected}, not ${quote(text)}` })
  })
}

/** A moment in the form of datetime columns' values: UTC with `Z`, with a fraction if one was given. */
export function momentParameter(name: string): QueryParameter<string | undefined> {
  return optional('invalid_value', (text, note) => {
    const moment = coerceValue('datetime', text)
    if (!isRefusal(moment)) return String(moment)
    const message = `parameter "${name}" must be a datetime: ${moment.message}, not ${quote(text)}`
    return note({ ...moment, message })
  })
}

/** Adds to a query's filters the words of its parameter `q`, if it has one (contract 7). */
export function withWords(
  filters: readonly ColumnFilter[],
  words: readonly string[] | undefined,
): readonly Filter[] {
  return words === undefined ? filters : [...filters, { words }]
}

/**
 * The `pagination` of a list by offset (specification 2.3), and the offsets of the neighbouring pages; null if there is
 * none. `last` is a multiple of `limit` away from the page itself and never before it; `prev` of a page past the end is the
 * last page that a walk from the first one reaches (contract 3, `links`).
 * @param page its `total` is null when counting was skipped
 */
export function offsetPage(
  {
    total,
    count,
    hasNext,
  }: { readonly total: number | null; readonly count: number; readonly hasNext: boolean },
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const next = hasNext ? offset + limit : null
  const before = Math.max(0, offset - limit)
  const pagesIn = (rows: number) => Math.max(0, Math.ceil(rows / limit) - 1)
  const prev = offset === 0 ? null : total !== null && offset >= total ? pagesIn(total) * limit : before
  const last = total === null ? null : offset + pagesIn(total - offset) * limit
  return {
    pagination: { total, count, limit, offset, has_next: hasNext, next_offset: next },
    targets: { next, prev, first: 0, last },
  }
}

/** `limit`: 50 when not given. `offset`: 0. */
export const PAGE_PARAMETERS = {
  limit: integerParameter('limit', { min: 1, max: LARGEST_LIMIT, fallback: DEFAULT_LIMIT }, 'invalid_limit'),
  offset: integerParameter('offset', { min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }, 'invalid_offset'),
} as const

/** The format of a file, one of these; undefined: not given. */
export function formatParameter<F extends ExportFormat>(
  formats: readonly F[],
): QueryParameter<F | undefined> {
  return optional('invalid_format', (text, note) => {
    const format = findFormat(text, formats)
    if (format !== undefined) return format
    const near = nearFormats(text, formats)
    const spellings = spellingsOf(formats)
    const known = `${spellings.slice(0, -1).join(', ')} or ${spellings.at(-1)}`
    return note({
      message: `parameter "format" must be ${known}, not ${quote(text)}`,
      ...(near.length > 0 && { suggestions: near }),
    })
  })
}

/** The delimiter of a CSV file, as one character; undefined: not given. */
export const DELIMITER = optional('invalid_value', (text, note) => {
  if (Object.hasOwn(DELIMITERS, text)) return DELIMITERS[text]
  return note({
    message: `parameter "delimiter" must be a comma, a semicolon, | or tab, not ${quote(text)}`,
    suggestions: text === '\\t' ? ['tab'] : [';', 'tab', '|'],
  })
})

/**
 * Refuses parameters about the form of CSV with another format.
 * @param form whether each parameter asks for anything
 */
export function refuseCsvForm(
  form: Readonly<Record<string, boolean>>,
  format: ExportFormat | undefined,
  findings: Findings,
): void {
  if (format === 'csv') return
  for (const name of Object.keys(form).filter((name) => form[name])) {
    const message = `parameter "${name}" applies to format=csv only`
    findings.add('invalid_value', `query.${name}`, { message })
  }
}
