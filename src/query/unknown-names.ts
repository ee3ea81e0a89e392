/** Refusals of unknown parameters, columns and operators, with the names that the client may have meant. */

import { suggest } from '../base/text/suggest.ts'
import type { ColumnType } from '../engine/columns/column.ts'
import type { Operator } from '../engine/query.ts'
import { findForeignName } from './foreign-names.ts'
import { operatorsFor } from './operators.ts'
import type { QuerySchema } from './query-schema.ts'
import { quote, type Refusal } from './values.ts'

const MOST_SUGGESTIONS = 3
/** Column names that a message lists. */
const MOST_LISTED = 12

/**
 * A parameter on a route without columns.
 * @param usable the names of the parameters that the route takes
 */
export function unknownParameter(name: string, usable: readonly string[]): Refusal {
  const message = `unknown parameter ${quote(name)}`
  if (usable.length === 0) return { message: `${message}: this address takes none` }
  const foreign = findForeignName(name, usable, false)
  const suggestions = foreign?.names ?? suggest(name, usable)
  if (suggestions.length === 0) return { message: `${message}: this address takes ${usable.join(', ')}` }
  return { message: foreign?.hint ? `${message}: ${foreign.hint}` : message, suggestions }
}

/**
 * A filter on an unknown column.
 * @param name of the parameter as written, `column` its part before the brackets
 * @param usable the names of the parameters that the route takes
 */
export function unknownFilter(
  name: string,
  column: string,
  schema: QuerySchema,
  usable: readonly string[],
): Refusal {
  const what = name === column ? 'column or parameter' : `column ${quote(column)} in parameter`
  const message = `unknown ${what} ${quote(name)}`
  // `limit[eq]` filters a column, so suggesting the parameter `limit` would not help.
  if (usable.includes(column))
    return { message: `${message}: the parameter ${quote(column)} takes no operator` }
  const foreign = findForeignName(name, usable, true)
  // What another address does, no parameter of this one does.
  const isElsewhere = foreign !== undefined && foreign.names.length === 0
  const near = suggest(column, [...schema.positions.keys(), ...(isElsewhere ? [] : usable)])
  const suggestions = [...new Set([...(foreign?.names ?? []), ...near])].slice(0, MOST_SUGGESTIONS)
  const hint = foreign?.hint ?? (suggestions.length === 0 ? listColumns(schema) : undefined)
  return { message: hint === undefined ? message : `${message}: ${hint}`, suggestions }
}

/** An unknown column in `sort` or `fields`. */
export function unknownColumn(name: string, parameter: string, schema: QuerySchema): Refusal {
  const message = `unknown column ${quote(name)} in parameter "${parameter}"`
  const suggestions = suggest(name, schema.positions.keys())
  if (suggestions.length > 0) return { message, suggestions }
  return { message: `${message}: ${listColumns(schema)}` }
}

/** An operator that does not exist. @param name of the parameter as written: `year[above]` */
export function unknownOperator(name: string, operator: string, type: ColumnType): Refusal {
  const usable = operatorsFor(type)
  const near = suggest(SYMBOLS.get(operator) ?? operator, usable)
  return {
    message: `unknown operator ${quote(operator)} in parameter ${quote(name)}`,
    suggestions: near.length > 0 ? near : usable,
  }
}

/** An operator that exists, but not for columns of this type. */
export function unsuitableOperator(operator: Operator, column: string, type: ColumnType): Refusal {
  return {
    message: `operator ${quote(operator)} does not apply to column ${quote(column)}, which is of type ${type}`,
    suggestions: operatorsFor(type),
  }
}

/** What other query languages call our operators. */
const SYMBOLS: ReadonlyMap<string, Operator> = new Map([
  ...(['=', '=='] as const).map((symbol) => [symbol, 'eq'] as const),
  ...(['!=', '<>', 'neq', 'not'] as const).map((symbol) => [symbol, 'ne'] as const),
  ...(['nin', 'notin'] as const).map((symbol) => [symbol, 'not_in'] as const),
  ...(['like', 'ilike'] as const).map((symbol) => [symbol, 'contains'] as const),
  ...(['prefix', 'startswith'] as const).map((symbol) => [symbol, 'starts_with'] as const),
  ...(['null', 'isnull'] as const).map((symbol) => [symbol, 'is_null'] as const),
  ['>', 'gt'],
  ['>=', 'gte'],
  ['ge', 'gte'],
  ['<', 'lt'],
  ['<=', 'lte'],
  ['le', 'lte'],
])

function listColumns({ columns }: QuerySchema): string {
  return `the columns are ${listNames(columns)}`
}

/** The names of columns in a message, the first of many. */
export function listNames(columns: QuerySchema['columns']): string {
  const names = columns.slice(0, MOST_LISTED).map((column) => column.name)
  const rest = columns.length - names.length
  return `${names.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`
}
