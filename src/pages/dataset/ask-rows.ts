import { ApiError } from '../../base/errors.ts'
import { writeQueryString } from '../../base/text/query-string.ts'
import { type ValueOrPromise, withValue } from '../../base/value-or-promise.ts'
import { countFacets } from '../../engine/facets.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import type { Page } from '../../engine/row-query.ts'
import { listPage } from '../../engine/run.ts'
import type { Exchange } from '../../http/exchange.ts'
import { withHints } from '../../query/hints.ts'
import { parseListQuery } from '../../query/query.ts'
import { schemaOf } from '../../query/query-schema.ts'
import type { QueryShare } from '../../query/query-shares.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { Answer } from '../explorer/explorer-props.ts'
import { FACET_VALUES, facetColumns, type ShownFacet } from '../explorer/facets.ts'
import { sayProblem } from '../explorer/say-problem.ts'
import type { View } from '../layout/view.ts'
import { type Hint, PAGE_ROWS, type Question, writeQuestion } from '../question/question.ts'
import { MOST_COLUMNS, shortenRows } from '../question/shown-column.ts'

/** How much of the rows a page may read for the client's address: what it needs of the server's `OpenAccess`. */
export interface PageAccess {
  /** Whether the rows of a dataset are shown without a key. */
  shows(served: ServedDataset): boolean
  /** @throws ApiError `rate_limited` */
  count(exchange: Exchange): ValueOrPromise<void>
  /** @throws ApiError `api_key_missing` where they are not shown */
  require(served: ServedDataset): void
  /** Both. @throws ApiError `api_key_missing`, `rate_limited` */
  admit(exchange: Exchange, served: ServedDataset): Promise<void>
  /** Of the queries that take long. */
  share(exchange: Exchange): QueryShare
}

/** What a query is read as, or why it is refused. */
export function orRefusal<T>(read: () => T): T | ApiError {
  try {
    return read()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

export async function askRows(
  { app, exchange, language }: View,
  access: PageAccess,
  served: ServedDataset,
  question: Question,
): Promise<Answer> {
  const text = writeQueryString(writeQuestion(question, ['filters', 'sort', 'fields', 'offset']))
  const query = orRefusal(() => parseListQuery(text, schemaOf(served)))
  if (query instanceof ApiError) return { problem: sayProblem(language, query, question, served.columns) }
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

/** The values of columns that people choose from, in the rows that the other filters leave; none of a refused question. */
export async function askFacets(
  { app, exchange }: View,
  access: PageAccess,
  served: ServedDataset,
  question: Question,
): Promise<ShownFacet[]> {
  const text = writeQueryString(writeQuestion(question, ['filters']))
  const query = orRefusal(() => parseListQuery(text, schemaOf(served)))
  if (query instanceof ApiError) return []
  const columns = facetColumns(served.columns, served.rows)
  const { filters } = query
  const run = (dataset: OpenDataset) => countFacets(dataset, { filters, columns, limit: FACET_VALUES })
  const facets = await app.openDatasets.use(served, run, access.share(exchange))
  const nameOf = (column: number) => served.columns[column]!.name
  return facets.map(({ column, nulls, other, values }) => ({ column: nameOf(column), nulls, other, values }))
}
