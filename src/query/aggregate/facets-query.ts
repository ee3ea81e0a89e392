/** Turns the query string of `GET /v1/{domain}/{dataset}/facets` into a typed query or a 422 (contract 7). */

import type { Parameter } from '../../base/text/query-string.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import { countFacets } from '../../engine/facets.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { type Filter, isColumnFilter } from '../../engine/row-query.ts'
import { columnOfFilter, filterGroups } from '../filters.ts'
import { Findings } from '../findings.ts'
import { withHints } from '../hints.ts'
import { type ListPlace, writeFixedLinks } from '../list/links.ts'
import type { ListedPage } from '../list/list-page.ts'
import { integerParameter, type QueryParameter, readParameters, WORDS, withWords } from '../parameters.ts'
import { RESERVED_PARAMETERS, readColumns, suggestColumns } from '../query.ts'
import type { QuerySchema } from '../query-schema.ts'
import { jsonValue } from './write-groups.ts'

/** By default, columns whose number of distinct values in the whole dataset is within these limits are facets. */
const FEWEST_VALUES = 2

const MOST_DISTINCT = 1000

const encoder = new TextEncoder()

export const MOST_COLUMNS = 20
export const MOST_VALUES = 100
export const DEFAULT_VALUES = 10

const FACETS_PARAMETERS = {
  q: WORDS,
  /** undefined: chosen by their number of distinct values. */
  columns: {
    fallback: undefined,
    code: 'invalid_value',
    read: (text, note, schema) =>
      readColumns('columns', text, note, schema, MOST_COLUMNS).map(({ column }) => column),
  } as QueryParameter<readonly number[] | undefined, QuerySchema>,
  limit: integerParameter('limit', { min: 1, max: MOST_VALUES, fallback: DEFAULT_VALUES }, 'invalid_limit'),
} as const

const USABLE: readonly string[] = Object.keys(FACETS_PARAMETERS)

/** Parameters of lists and exports that mean nothing here. */
const OF_ROWS = RESERVED_PARAMETERS.filter((name) => !USABLE.includes(name))

export interface FacetsRequest {
  readonly filters: readonly Filter[]
  /** Positions in display order; undefined: the service chooses. */
  readonly columns: readonly number[] | undefined
  readonly limit: number
  readonly parameters: readonly Parameter[]
}

/**
 * Reads a facets query.
 * @param raw the query string without `?`, still percent-encoded
 * @throws ApiError (422 codes) with one entry of detail per offender
 */
export function parseFacetsQuery(raw: string, schema: QuerySchema): FacetsRequest {
  const findings = new Findings()
  const groups = filterGroups(schema, findings)
  const { values, given, parameters } = readParameters(
    raw,
    FACETS_PARAMETERS,
    schema,
    findings,
    ({ name, value }) => {
      // The name of a column takes precedence over a parameter that means nothing here.
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

/** The facets of the rows that the filters match: the most frequent values of columns, each with its count. */
export function listFacets(
  dataset: OpenDataset,
  request: FacetsRequest,
  place: ListPlace,
): ValueOrPromise<ListedPage> {
  const { filters, limit } = request
  const columns =
    request.columns ??
    [...dataset.columns.entries()]
      .filter(([, { distinct }]) => distinct >= FEWEST_VALUES && distinct <= MOST_DISTINCT)
      .slice(0, MOST_COLUMNS)
      .map(([position]) => position)
  return withValue(countFacets(dataset, { filters, columns, limit }), (facets) => {
    const written = facets.map(({ column, distinct, nulls, other, values }) => {
      const { name, type } = dataset.columns[column]!
      const listed = values.map(({ value, count }) => `{"value":${jsonValue(type, value)},"count":${count}}`)
      return `{"column":${JSON.stringify(name)},"distinct":${distinct},"nulls":${nulls},"other":${other},"values":[${listed.join()}]}`
    })
    const listed = { rows: encoder.encode(`[${written.join()}]`), links: writeFixedLinks(place) }
    // A column with its own filter does not show whether there are rows.
    const own = new Set(filters.filter(isColumnFilter).map(({ column }) => column))
    const hasRows = facets.some(({ column, nulls, distinct }) => !own.has(column) && nulls + distinct > 0)
    return hasRows ? listed : withHints(dataset, request, listed)
  })
}
