/** Facets over plain rows. */

import type { Facet } from '../../src/engine/facets.ts'
import { type Filter, isColumnFilter } from '../../src/engine/row-query.ts'
import { aggregatePlainly } from './aggregate-oracle.ts'
import type { PlainTable } from './random-table.ts'

/** The filters that narrow the facet of a column. */
export function othersOf(filters: readonly Filter[], column: number): readonly Filter[] {
  return filters.filter((filter) => !isColumnFilter(filter) || filter.column !== column)
}

/** A facet made by grouping: each value with its rows, most frequent first, then by value. */
export function facetPlainly(
  table: PlainTable,
  filters: readonly Filter[],
  column: number,
  limit: number,
): Facet {
  const { rows } = aggregatePlainly(table, {
    filters: othersOf(filters, column),
    groups: [{ column, part: null }],
    measures: [{ kind: 'count', column: null }],
    having: [],
    sort: [{ result: 1, descending: true }],
    limit: Number.MAX_SAFE_INTEGER,
    offset: 0,
    count: true,
  })
  const counted = rows.map(([value, count]) => ({ value: value!, count: Number(count) }))
  const values = counted.filter(({ value }) => value !== null)
  return {
    column,
    distinct: values.length,
    nulls: counted.find(({ value }) => value === null)?.count ?? 0,
    other: values.slice(limit).reduce((sum, { count }) => sum + count, 0),
    values: values.slice(0, limit),
  }
}
