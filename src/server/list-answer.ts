/** A list of rows as an answer. */

import type { App } from '../app.ts'
import { cursorSealer, listByCursor, listByOffset, startOfWalk } from '../query/list.ts'
import { ListReader } from '../query/list-reader.ts'
import { schemaOf } from '../query/query-schema.ts'
import type { ServedDataset } from '../store/catalog/record.ts'
import type { Call } from './call.ts'
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
  memory: ListMemory,
  readers: Readers,
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
