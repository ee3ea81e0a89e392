import { writeQueryString } from '../../base/text/query-string.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import { aggregateRows } from '../../engine/aggregate/aggregate.ts'
import type { Measure } from '../../engine/aggregate/group-query.ts'
import { countFacets, type Facet } from '../../engine/facets.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { type Filter, isColumnFilter, type Page } from '../../engine/row-query.ts'
import { listPage } from '../../engine/run.ts'
import type { Exchange } from '../../http/exchange.ts'
import { COUNT_ROWS, firstMeasure } from '../../query/aggregate/first-question.ts'
import { type Hint, withHints } from '../../query/hints.ts'
import { parseListQuery } from '../../query/query.ts'
import { requireDataset, schemaOf } from '../../query/query-schema.ts'
import type { QueryShare } from '../../query/query-shares.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { Found } from '../explorer/explorer-props.ts'
import { facetColumns, listValues, MOST_WHOLE, type ShownFacet } from '../explorer/facets.ts'
import type { View } from '../layout/view.ts'
import { measureLabel, measureText } from '../question/measures.ts'
import { PAGE_ROWS, type Question, writeQuestion } from '../question/question.ts'
import { MOST_COLUMNS, shortenRows } from '../question/shown-column.ts'

/** How much of the rows a page may read for the client's address: the part of the server's `OpenAccess` that pages need. */
export interface PageAccess {
  /** Whether the rows of a dataset are shown without a key. */
  shows(served: ServedDataset): boolean
  /** @throws ApiError `rate_limited` */
  count(exchange: Exchange): ValueOrPromise<void>
  /** @throws ApiError `api_key_missing` where rows are not shown */
  require(served: ServedDataset): void
  /** Both `require` and `count`. @throws ApiError `api_key_missing`, `rate_limited` */
  admit(exchange: Exchange, served: ServedDataset): Promise<void>
  /** The share of long queries. */
  share(exchange: Exchange): QueryShare
}

/** The dataset of a page whose reader may read its rows. @throws ApiError `dataset_not_found`, as `access.admit` */
export async function admitReader(
  { app, exchange }: View,
  id: string,
  access: PageAccess,
): Promise<ServedDataset> {
  const served = requireDataset(app.catalog, id)
  await access.admit(exchange, served)
  return served
}

/** A page of the rows that a question finds. @throws ApiError for a refused question */
export async function askRows(
  { app, exchange }: View,
  access: PageAccess,
  served: ServedDataset,
  question: Question,
): Promise<Found> {
  const text = writeQueryString(writeQuestion(question, ['filters', 'sort', 'fields', 'offset']))
  const query = parseListQuery(text, schemaOf(served))
  const fields = query.fields.slice(0, MOST_COLUMNS)
  const page = { ...query, fields, limit: PAGE_ROWS, count: true }
  const run = (dataset: OpenDataset) =>
    withValue(
      withValue(listPage(dataset, page), (found) =>
        found.count > 0 ? found : withHints(dataset, query, found),
      ),
      (found: Page & { hints?: readonly Hint[] }) => ({
        rows: shortenRows(JSON.parse(new TextDecoder().decode(found.rows))),
        total: found.total ?? 0,
        hasNext: found.hasNext,
        hints: found.hints ?? [],
      }),
    )
  return await app.openDatasets.use(served, run, access.share(exchange))
}

/**
 * The values to choose from beside the rows, each with its number of rows and the dataset's first measure (contract 14),
 * in the rows that match the other filters.
 * @throws ApiError for a refused question
 */
export async function askFacets(
  { app, exchange, language }: View,
  access: PageAccess,
  served: ServedDataset,
  question: Question,
): Promise<ShownFacet[]> {
  const text = writeQueryString(writeQuestion(question, ['filters']))
  const { filters } = parseListQuery(text, schemaOf(served))
  const columns = facetColumns(served.columns, served.rows)
  const measure = firstMeasure(served)
  const label = measureLabel(language, measure, served.columns)
  const run = async (dataset: OpenDataset) => {
    const shown: ShownFacet[] = []
    for (const counted of await countFacets(dataset, { filters, columns, limit: MOST_WHOLE })) {
      const facet = listValues(counted)
      const { column, nulls, other, values } = facet
      const isMeasured = measure.column !== null && measure.column !== column
      const found = isMeasured ? await findMeasured(dataset, filters, facet, measure) : undefined
      const textOf = (value: string | null) =>
        measureText(language, measure, served.columns, found?.get(value))
      const texts = { label, values: values.map(({ value }) => textOf(value)), nulls: textOf(null) }
      const measured = found && texts
      shown.push({ column: served.columns[column]!.name, nulls, other, values, measured })
    }
    return shown
  }
  return await app.openDatasets.use(served, run, access.share(exchange))
}

type Measures = ReadonlyMap<string | null, string | null | undefined>

/** Measures of all rows, by facet and measure: most visits begin there. A version does not change while it is open. */
const ofAllRows = new WeakMap<OpenDataset, Map<string, Promise<Measures>>>()

/** A measure for each value that a facet lists and for null, over the rows that the facet counts. */
function findMeasured(
  dataset: OpenDataset,
  filters: readonly Filter[],
  facet: Facet,
  measure: Measure,
): Promise<Measures> {
  const others = filters.filter((filter) => !isColumnFilter(filter) || filter.column !== facet.column)
  if (others.length > 0) return measureByValue(dataset, others, facet, measure)
  const kept = ofAllRows.getOrInsertComputed(dataset, () => new Map())
  const key = `${facet.column} ${measure.kind} ${measure.column}`
  return kept.getOrInsertComputed(key, () => {
    const made = measureByValue(dataset, others, facet, measure)
    made.catch(() => kept.delete(key))
    return made
  })
}

async function measureByValue(
  dataset: OpenDataset,
  filters: readonly Filter[],
  { column, nulls, distinct, values }: Facet,
  measure: Measure,
): Promise<Measures> {
  const { rows } = await aggregateRows(dataset, {
    filters,
    groups: [{ column, part: null }],
    measures: [COUNT_ROWS, measure],
    having: [],
    sort: [{ result: 1, descending: true }],
    // Rows without a value form one more group.
    limit: nulls > 0 ? distinct + 1 : values.length,
    offset: 0,
    count: false,
  })
  const shown = rows.filter(([value], at) => at <= values.length || value === null)
  return new Map(shown.map(([value = null, , measured]) => [value, measured]))
}
