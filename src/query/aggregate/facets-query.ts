/** The query string of `GET /v1/{domain}/{dataset}/facets` to a typed query, or a 422 that names every mistake: contract 7. */

import type { Parameter } from '../../base/text/query-string.ts'
import type { Filter } from '../../engine/query.ts'
import { columnOfFilter, FilterGroups } from '../filters.ts'
import { Findings } from '../findings.ts'
import { integerParameter, type Note, type QueryParameter, readParameters } from '../parameters.ts'
import { RESERVED_PARAMETERS, suggestColumns } from '../query.ts'
import type { QuerySchema } from '../query-schema.ts'
import { unknownColumn } from '../unknown-names.ts'
import { WORDS, withWords } from '../words.ts'

export const MOST_COLUMNS = 20
export const MOST_VALUES = 100
export const DEFAULT_VALUES = 10

const FACETS_PARAMETERS = {
  q: WORDS,
  /** undefined: chosen by their numbers of distinct values. */
  columns: {
    fallback: undefined,
    code: 'invalid_value',
    read: readColumns,
  } as QueryParameter<readonly number[] | undefined, QuerySchema>,
  limit: integerParameter('limit', { min: 1, max: MOST_VALUES, fallback: DEFAULT_VALUES }, 'invalid_limit'),
} as const

const USABLE: readonly string[] = Object.keys(FACETS_PARAMETERS)

/** Parameters of lists and exports that mean nothing here. */
const OF_ROWS = RESERVED_PARAMETERS.filter((name) => !USABLE.includes(name))

export interface FacetsRequest {
  readonly filters: readonly Filter[]
  /** Positions in the order they are shown; undefined: the service chooses. */
  readonly columns: readonly number[] | undefined
  /** Values of each. */
  readonly limit: number
  readonly parameters: readonly Parameter[]
}

/**
 * Reads the query of facets.
 * @param raw the query string without `?`, still percent-encoded
 * @throws ApiError (422 codes) with one entry of detail per offender
 */
export function parseFacetsQuery(raw: string, schema: QuerySchema): FacetsRequest {
  const findings = new Findings()
  const groups = new FilterGroups(schema, findings)
  const { values, given, parameters } = readParameters(
    raw,
    FACETS_PARAMETERS,
    schema,
    findings,
    ({ name, value }) => {
      // A column of the name wins where the parameter means nothing.
      if (OF_ROWS.includes(name) && !schema.positions.has(columnOfFilter(name))) {
        const message = `parameter "${name}" does not apply to facets: this address takes ${USABLE.join(', ')} and filters`
        findings.add('unknown_parameter', `query.${name}`, { message })
      } else groups.add(name, value, USABLE)
    },
  )
  suggestColumns(given, (name) => schema.positions.has(name), findings)
  findings.throwIfAny()
  const { q, columns, limit } = values
  return { filters: withWords(groups.filters, q), columns, limit, parameters }
}

function readColumns(text: string, note: Note, schema: QuerySchema): number[] {
  const columns = new Set<number>()
  let isEmpty = false
  for (const [index, name] of text.split(',').entries()) {
    if (index >= MOST_COLUMNS) {
      note({ message: `parameter "columns" takes at most ${MOST_COLUMNS} columns` })
      break
    }
    const column = schema.positions.get(name)
    if (name === '') isEmpty = true
    else if (column === undefined) note(() => unknownColumn(name, 'columns', schema), 'unknown_column')
    else if (columns.has(column)) note({ message: `parameter "columns" names column "${name}" twice` })
    else columns.add(column)
  }
  if (isEmpty) note({ message: 'parameter "columns" needs a column name between its commas' })
  return [...columns]
}
