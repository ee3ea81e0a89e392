/** Facets answered: the most frequent values of columns, each with its count (contract 7). */

import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import { countFacets, type Facet } from '../../engine/facets.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { type Filter, isColumnFilter } from '../../engine/query.ts'
import { withHints } from '../hints.ts'
import { type ListPlace, writeFixedLinks } from '../links.ts'
import type { ListedPage } from '../list.ts'
import { type FacetsRequest, MOST_COLUMNS } from './facets-query.ts'
import { jsonValue } from './write-groups.ts'

/** Columns are facets by default when they have this many distinct values in the whole dataset. */
const FEWEST_VALUES = 2
const MOST_VALUES = 1000

const encoder = new TextEncoder()

/** The facets of the rows that the filters match. */
export function listFacets(
  dataset: OpenDataset,
  request: FacetsRequest,
  place: ListPlace,
): ValueOrPromise<ListedPage> {
  const { filters, limit, columns = columnsOf(dataset) } = request
  return withValue(countFacets(dataset, { filters, columns, limit }), (facets) => {
    const listed = {
      rows: encoder.encode(`[${facets.map((facet) => jsonFacet(dataset, facet)).join()}]`),
      links: writeFixedLinks(place),
    }
    return hasRows(facets, filters) ? listed : withHints(dataset, request, listed)
  })
}

/** Whether a column that all filters narrow has rows; false: perhaps. */
function hasRows(facets: readonly Facet[], filters: readonly Filter[]): boolean {
  const own = new Set(filters.filter(isColumnFilter).map(({ column }) => column))
  return facets.some(({ column, nulls, distinct }) => !own.has(column) && nulls + distinct > 0)
}

function columnsOf({ columns }: OpenDataset): number[] {
  return [...columns.entries()]
    .filter(([, { distinct }]) => distinct >= FEWEST_VALUES && distinct <= MOST_VALUES)
    .slice(0, MOST_COLUMNS)
    .map(([position]) => position)
}

function jsonFacet({ columns }: OpenDataset, { column, distinct, nulls, other, values }: Facet): string {
  const { name, type } = columns[column]!
  const listed = values.map(({ value, count }) => `{"value":${jsonValue(type, value)},"count":${count}}`)
  return `{"column":${JSON.stringify(name)},"distinct":${distinct},"nulls":${nulls},"other":${other},"values":[${listed.join()}]}`
}
