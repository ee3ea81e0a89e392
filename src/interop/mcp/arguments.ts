/** Arguments of tools as query strings: the tools have no language of their own. */

import { ApiError } from '../../base/errors.ts'
import { type Parameter, writeQueryString } from '../../base/text/query-string.ts'
import { MOST_FILTER_VALUES } from '../../query/filters.ts'
import { RESERVED_PARAMETERS } from '../../query/query.ts'

type Scalar = string | number | boolean

/** What the tools take; each takes a part of it, which its schema names. */
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

/** Arguments that are parameters of the same name, in the order in which addresses show them. */
const PARAMETERS = ['q', 'fields', 'group_by', 'measures', 'columns', 'sort', 'limit', 'offset'] as const

/**
 * The question as a query string. A list of values is OR, a list of names is joined by commas.
 * @throws ApiError `invalid_value` for text that is no Unicode, and for too many values
 */
export function toQuery(given: ToolArguments): string {
  const filters = Object.entries(given.filters ?? {}).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name: columnName(name), value: String(value) })),
  )
  if (filters.length > MOST_FILTER_VALUES) {
    const message = `"filters" takes up to ${MOST_FILTER_VALUES} values, of all columns together.`
    throw new ApiError('invalid_value', message, [{ location: 'arguments.filters', message }])
  }
  const others = PARAMETERS.flatMap((name) => {
    const value = given[name]
    return value === undefined ? [] : [{ name, value: [value].flat().join(',') }]
  })
  return writeQueryString([...filters, ...others].map(requireUnicode))
}

/** A filter is always one of a column, also where its name is that of a parameter. */
function columnName(name: string): string {
  return RESERVED_PARAMETERS.includes(name) ? `${name}[eq]` : name
}

function requireUnicode(parameter: Parameter): Parameter {
  if (parameter.name.isWellFormed() && parameter.value.isWellFormed()) return parameter
  const message = 'A text of the arguments holds half of a surrogate pair.'
  throw new ApiError('invalid_value', message, [{ location: 'arguments', message }])
}
