/** Groups and facets as answers, with a key or without. */

import type { App } from '../app.ts'
import { writeQueryString } from '../base/text/query-string.ts'
import { exportGroups, listGroups } from '../query/aggregate/aggregate.ts'
import { parseAggregateQuery } from '../query/aggregate/aggregate-query.ts'
import { listFacets } from '../query/aggregate/facets.ts'
import { parseFacetsQuery } from '../query/aggregate/facets-query.ts'
import { schemaOf } from '../query/query-schema.ts'
import { refuseDataset } from '../store/catalog/missing-dataset.ts'
import type { ServedDataset } from '../store/catalog/record.ts'
import type { Call } from './call.ts'
import { answerFile } from './file-answer.ts'
import type { ListMemory } from './list-answer.ts'
import { answerPage } from './page-answer.ts'
import type { Readers } from './readers.ts'

/**
 * Answers with a page of groups, or with a file of all of them where `format` is given.
 * @throws ApiError 422 codes, and as `answerPage` or `answerFile`
 */
export function answerAggregate(
  app: App,
  exchange: Call,
  served: ServedDataset,
  { pages }: ListMemory,
  readers: Readers,
): Response | Promise<Response> {
  exchange.dataset = served.id
  const schema = schemaOf(served)
  const request = parseAggregateQuery(exchange.query, schema)
  const { format, parameters } = request
  if (format !== undefined) {
    const record = app.catalog.record(served.id, served.version)
    if (record === undefined) throw refuseDataset(app.catalog, served.id, served.id, 'path.dataset')
    return answerFile(app, exchange, served, readers, {
      ...{ ...request, format, kind: 'aggregate', isLong: true },
      chunks: (dataset, onRows) => exportGroups(dataset, request, { schema, record }, onRows),
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
  { pages }: ListMemory,
  readers: Readers,
): Response | Promise<Response> {
  return answerPage(app, exchange, served, pages, readers, () => {
    const request = parseFacetsQuery(exchange.query, schemaOf(served))
    return {
      normalised: `facets?${writeQueryString(request.parameters)}`,
      run: (dataset) => listFacets(dataset, request, exchange),
    }
  })
}
