/** Turns the arguments of tools into query strings: the tools use the one query language. */

import type { JsonSchemaType } from '@modelcontextprotocol/server'
import { ApiError } from '../../base/errors.ts'
import { isObject } from '../../base/plain-object.ts'
import { shorten } from '../../base/text/fit-text.ts'
import { type Parameter, writeQueryString } from '../../base/text/query-string.ts'
import { suggest } from '../../base/text/suggest.ts'
import { findOperator, OPERATOR_TABLE, OPERATORS } from '../../engine/operators.ts'
import { splitFilterName } from '../../query/filters.ts'
import { RESERVED_PARAMETERS } from '../../query/query.ts'
import { findTooLarge, TOO_LARGE } from '../../query/question-size.ts'
import { listItem, quote } from '../../query/values.ts'

type Scalar = string | number | boolean

/** The arguments of all tools; each tool's schema names those it takes. */
export interface ToolArguments {
  readonly dataset?: string
  readonly domain?: string
  readonly q?: string
  readonly filters?: Readonly<Record<string, Scalar | readonly Scalar[]>>
  readonly sort?: string | readonly string[]
  readonly fields?: string | readonly string[]
  readonly group_by?: string | readonly string[]
  readonly measures?: string | readonly string[]
  readonly columns?: string | readonly string[]
  readonly limit?: number
  readonly offset?: number
}

/** Arguments that become parameters of the same name, in the order in which addresses show them. */
const PARAMETERS = ['q', 'fields', 'group_by', 'measures', 'columns', 'sort', 'limit', 'offset'] as const

/**
 * The question as a query string. A list of names is joined by commas.
 * @throws ApiError `invalid_value` for text that is not Unicode, and for a list under an operator that takes none
 */
export function toQuery(given: ToolArguments): string {
  const filters = Object.entries(given.filters ?? {}).map(([name, value]) => toParameter(name, value))
  const others = PARAMETERS.flatMap((name) => {
    const value = given[name]
    return value === undefined ? [] : [{ name, value: [value].flat().join(',') }]
  })
  const parameters = [...filters, ...others]
  if (!parameters.every(({ name, value }) => name.isWellFormed() && value.isWellFormed()))
    throw refuseArgument('filters', 'A text of the arguments holds half of a surrogate pair.')
  return writeQueryString(parameters)
}

function toParameter(name: string, value: Scalar | readonly Scalar[]): Parameter {
  // A filter always means a column, even one named like a parameter.
  if (typeof value !== 'object')
    return { name: RESERVED_PARAMETERS.includes(name) ? `${name}[eq]` : name, value: String(value) }
  const { column, operator: written = 'eq' } = splitFilterName(name)
  const operator = findOperator(written)
  // The reader of queries refuses a misspelt operator with suggestions.
  if (operator === undefined) return { name, value: String(value[0]) }
  const set = OPERATOR_TABLE[operator].ofSeveral
  if (set === undefined) {
    const taking = OPERATORS.filter((one) => OPERATOR_TABLE[one].ofSeveral !== undefined)
      .sort()
      .join(', ')
    throw refuseArgument(
      `filters.${name}`,
      `A list is a set of values, which ${taking} take: ${operator} takes one value.`,
    )
  }
  return { name: `${column}[${set}]`, value: value.map((item) => listItem(String(item))).join(',') }
}

function refuseArgument(
  name: string,
  message: string,
  code: 'invalid_value' | 'unknown_parameter' = 'invalid_value',
  suggestions: readonly string[] = [],
): ApiError {
  const location = name === '' ? 'arguments' : `arguments.${shorten(name, 80)}`
  return new ApiError(code, message, [{ location, message, ...(suggestions.length > 0 && { suggestions }) }])
}

/**
 * Checks arguments against a tool's schema, cheap rules first: the validator looks at every value.
 * @param check the compiled schema; returns the message of the first fault
 * @throws ApiError `invalid_value`, `unknown_parameter`
 */
export function readArguments(
  given: unknown,
  schema: JsonSchemaType,
  check: (given: unknown) => string | undefined,
): ToolArguments {
  if (!isObject(given)) throw refuseArgument('', 'The arguments are an object.')
  const large = findTooLarge(Object.entries(given))
  if (large !== undefined) throw refuseTooLarge(large)
  const known = Object.keys(schema.properties ?? {})
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw refuseUnknown(unknown, known)
  if ('filters' in given) requireFilters(given.filters)
  const unfit = check(given)
  if (unfit === undefined) return given
  // The validator's form: `data/limit must be <= 1000`.
  const message = shorten(unfit, 500)
  const [, name = '', fault = message] = /^data\/(\w+)\S* (.*)$/s.exec(message) ?? []
  throw refuseArgument(name, name === '' ? fault : `${quote(name)} ${fault}.`)
}

/** @param name of the argument that makes the question too large */
export function refuseTooLarge(name: string): ApiError {
  return refuseArgument(name, `${quote(name)} ${TOO_LARGE}.`)
}

function refuseUnknown(name: string, known: readonly string[]): ApiError {
  const near = suggest(name, known)
  const meant =
    near.length === 0 ? `This tool takes ${known.join(', ')}.` : `Did you mean ${near.join(' or ')}?`
  return refuseArgument(name, `There is no argument ${quote(name)}. ${meant}`, 'unknown_parameter', near)
}

function requireFilters(filters: unknown): void {
  if (!isObject(filters))
    throw refuseArgument('filters', '"filters" is an object of columns and values: {"county": "Cluj"}.')
  for (const [name, value] of Object.entries(filters)) {
    const values = Array.isArray(value) ? value : [value]
    if (values.length === 0) throw refuseArgument(`filters.${name}`, `The list of ${quote(name)} is empty.`)
    if (values.every((one) => ['string', 'number', 'boolean'].includes(typeof one))) continue
    throw refuseArgument(
      `filters.${name}`,
      `A value of ${quote(name)} is a text, a number, true or false; {"${quote(name).slice(1, -1)}[is_null]": true} finds rows without one.`,
    )
  }
}
