/** A page of rows, groups or facets as an answer: its query is read here, and `page-answer.ts` sends it. */

import type { App } from '../../app.ts'
import { writeQueryString } from '../../base/text/query-string.ts'
import { exportGroups, listGroups } from '../../query/aggregate/aggregate.ts'
import { parseAggregateQuery } from '../../query/aggregate/aggregate-query.ts'
import { listFacets, parseFacetsQuery } from '../../query/aggregate/facets-query.ts'
import { cursorSealer, listByCursor, listByOffset, startOfWalk } from '../../query/list/list-page.ts'
import { ListReader } from '../../query/list/list-reader.ts'
import { schemaOf } from '../../query/query-schema.ts'
import { refuseDataset } from '../../store/catalog/missing-dataset.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { Call } from '../call.ts'
import { answerFile } from './file-answer.ts'
import { type AskedPage, answerPage } from './page-answer.ts'
import { PageCache } from './page-cache.ts'
import type { Readers } from './readers.ts'

/** What is remembered between lists, keyed or open: queries that were read, and pages. */
export class ListMemory {
  readonly pages: PageCache
  readonly queries: ListReader

  /** @param workers processes that share what may be kept */
  constructor(workers: number) {
    this.pages = new PageCache(workers)
    this.queries = new ListReader(workers)
  }
}

/**
 * Answers with a list.
 * @throws ApiError as `answerPage`
 */
export function answerList(
  app: App,
  exchange: Call,
  served: ServedDataset,
  readers: Readers,
  memory: ListMemory,
): Response | Promise<Response> {
  const read = () => readList(app, exchange, served, memory)
  return answerPage(app, exchange, served, memory.pages, readers, read)
}

function readList(
  { config, cursorSecret }: App,
  exchange: Call,
  served: ServedDataset,
  { queries }: ListMemory,
): AskedPage {
  const list = queries.read(exchange.query, served, schemaOf(served))
  const { query, normalised } = list
  const from = startOfWalk(cursorSecret, served, query)
  const count = query.count ?? served.rows < config.very_large_rows
  const seal = cursorSealer(cursorSecret, served, query)
  return {
    normalised: count ? normalised : `${normalised}&`,
    run: (dataset) =>
      from === undefined
        ? listByOffset(dataset, list, count, exchange)
        : listByCursor(dataset, list, from, exchange, seal),
  }
}

/**
 * Answers with a page of groups, or with a file of all of them where `format` is given.
 * @throws ApiError 422 codes, and as `answerPage` or `answerFile`
 */
export function answerAggregate(
  app: App,
  exchange: Call,
  served: ServedDataset,
  readers: Readers,
  { pages }: ListMemory,
): Response | Promise<Response> {
  exchange.dataset = served.id
  const schema = schemaOf(served)
  const request = parseAggregateQuery(exchange.query, schema)
  const { format, parameters } = request
  if (format !== undefined) {
    const record = app.catalog.record(served.id, served.version)
    if (record === undefined) throw refuseDataset(app.catalog, served.id, served.id, 'path.dataset')
    const file = { ...request, format }
    return answerFile(app, exchange, served, readers, {
      ...file,
      kind: 'aggregate',
      isLong: true,
      chunks: (dataset, onRows) => exportGroups(dataset, file, { schema, record }, onRows),
    })
  }
  return answerPage(app, exchange, served, pages, readers, () => ({
    normalised: `aggregate?${writeQueryString(parameters)}`,
    run: (dataset) => listGroups(dataset, request, schema, exchange),
  }))
}

/**
 * Answers with the facets of columns.
 * @throws ApiError 422 codes, and as `answerPage`
 */
export function answerFacets(
  app: App,
  exchange: Call,
  served: ServedDataset,
  readers: Readers,
  { pages }: ListMemory,
): Response | Promise<Response> {
  return answerPage(app, exchange, served, pages, readers, () => {
    const request = parseFacetsQuery(exchange.query, schemaOf(served))
    return {
      normalised: `facets?${writeQueryString(request.parameters)}`,
      run: (dataset) => listFacets(dataset, request, exchange),
    }
  })
}
