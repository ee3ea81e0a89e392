/** `GET /v1/{domain}/{dataset}`, its export (specification 4.4-4.7), aggregates and facets (contract 7). */

import { t } from 'elysia'
import type { App } from '../../app.ts'
import { ApiError } from '../../base/errors.ts'
import { findDefinition } from '../../publish/edition/shipped-definitions.ts'
import { refuseDataset } from '../../store/catalog/missing-dataset.ts'
import { holdsDataset } from '../../store/catalog/places.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { answerAggregate, answerFacets } from '../aggregate-answer.ts'
import type { Call } from '../call.ts'
import { AGGREGATE_QUERY, EXPORT_QUERY, FACETS_QUERY, LIST_QUERY } from '../declaration/dataset-query.ts'
import { pathParameter, type Route, route } from '../declaration/route.ts'
import { answerExport } from '../export-answer.ts'
import { answerList } from '../list-answer.ts'
import {
  AGGREGATE_ERRORS,
  FACETS_ANSWERS,
  FACETS_ERRORS,
  FILE_ANSWERS,
  FILE_ERRORS,
  GROUPS_ANSWERS,
  LIST_ERRORS,
  ROWS_ANSWERS,
} from './dataset-facts.ts'

const PLACE = t.Object({
  domain: pathParameter('Domain of the dataset.'),
  dataset: pathParameter('Id of the dataset.'),
})

export const DATASET_ROUTES: readonly Route[] = [
  route({
    path: '/v1/:domain/:dataset',
    access: 'key',
    id: 'listRows',
    tag: 'Datasets',
    summary: 'List rows',
    params: PLACE,
    query: LIST_QUERY,
    answers: ROWS_ANSWERS,
    errors: ['dataset_not_ingested', ...LIST_ERRORS],
    handle: ({ app, state, exchange, params }) => {
      const served = requireServed(app, exchange, params)
      return answerList(app, exchange, served, state.lists, state.keyed)
    },
  }),
  route({
    path: '/v1/:domain/:dataset/export',
    access: 'key',
    id: 'exportRows',
    tag: 'Datasets',
    summary: 'Export all matching rows',
    params: PLACE,
    query: EXPORT_QUERY,
    answers: FILE_ANSWERS,
    errors: ['dataset_not_ingested', ...FILE_ERRORS],
    isStreamed: true,
    handle: ({ app, state, exchange, params }) =>
      answerExport(app, exchange, requireServed(app, exchange, params), state.keyed),
  }),
  route({
    path: '/v1/:domain/:dataset/aggregate',
    access: 'key',
    id: 'aggregateRows',
    tag: 'Datasets',
    summary: 'Group rows, and measure the groups',
    params: PLACE,
    query: AGGREGATE_QUERY,
    answers: GROUPS_ANSWERS,
    errors: ['dataset_not_ingested', ...AGGREGATE_ERRORS],
    handle: ({ app, state, exchange, params }) => {
      const served = requireServed(app, exchange, params)
      return answerAggregate(app, exchange, served, state.lists, state.keyed)
    },
  }),
  route({
    path: '/v1/:domain/:dataset/facets',
    access: 'key',
    id: 'listFacets',
    tag: 'Datasets',
    summary: 'Count the most frequent values of columns',
    params: PLACE,
    query: FACETS_QUERY,
    answers: FACETS_ANSWERS,
    errors: ['dataset_not_ingested', ...FACETS_ERRORS],
    handle: ({ app, state, exchange, params }) => {
      const served = requireServed(app, exchange, params)
      return answerFacets(app, exchange, served, state.lists, state.keyed)
    },
  }),
]

/**
 * The version of a dataset being served in a domain, for a key that may read it.
 * @throws ApiError `dataset_not_ingested` when only its definition is known, else `dataset_not_found`
 */
function requireServed(
  app: App,
  { key }: Call,
  { domain, dataset: id }: { readonly domain: string; readonly dataset: string },
): ServedDataset {
  const { reads } = key!.scopes
  const isReadable = reads === 'all' || holdsDataset(reads, domain, id)
  const served = app.catalog.find(id)
  if (isReadable && served !== undefined && served.domain === domain) return served
  if (isReadable && served === undefined && findDefinition(domain, id) !== undefined) {
    throw new ApiError(
      'dataset_not_ingested',
      `Dataset ${domain}/${id} is known but has not been ingested yet: it has no rows until the operator of this service publishes them.`,
    )
  }
  throw refuseDataset(app.catalog, id, `${domain}/${id}`, 'path.dataset', reads)
}
