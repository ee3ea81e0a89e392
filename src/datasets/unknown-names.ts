/** Names that mean nothing where they stand: what is known there, and what the misspelt or foreign one may have meant. */

import { suggest } from '../text/suggest.ts'
import { findForeignName } from './foreign-names.ts'
import type { QuerySchema } from './query-schema.ts'
import { quote, type Refusal } from './values.ts'

const MOST_SUGGESTIONS = 3
/** So many column names fit into a sentence. */
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
 * A parameter that filters a column which is not there.
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
  // A parameter with an operator behind it (`limit[eq]`) is meant as a column: its own name would be no help.
  if (usable.includes(column))
    return { message: `${message}: the parameter ${quote(column)} takes no operator` }
  const foreign = findForeignName(name, usable, true)
  const near = suggest(column, [...schema.positions.keys(), ...usable])
  const suggestions = [...new Set([...(foreign?.names ?? []), ...near])].slice(0, MOST_SUGGESTIONS)
  const hint = foreign?.hint ?? (suggestions.length === 0 ? listColumns(schema) : undefined)
  return { message: hint === undefined ? message : `${message}: ${hint}`, suggestions }
}

/** A column named in `sort` or `fields` that is not there. */
export function unknownColumn(name: string, parameter: string, schema: QuerySchema): Refusal {
  const message = `unknown column ${quote(name)} in parameter "${parameter}"`
  const suggestions = suggest(name, schema.positions.keys())
  if (suggestions.length > 0) return { message, suggestions }
  return { message: `${message}: ${listColumns(schema)}` }
}

function listColumns({ columns }: QuerySchema): string {
  const names = columns.slice(0, MOST_LISTED).map((column) => column.name)
  const rest = columns.length - names.length
  return `the columns are ${names.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`
}
