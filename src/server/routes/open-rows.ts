/** `/datasets/{id}/rows`, `/download`, `/aggregate` and `/facets`: what the explorer shows and saves, without a key, as below `/v1`. */

import { t } from 'elysia'
import type { App } from '../../app.ts'
import { requireDataset } from '../../query/require-dataset.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { answerAggregate, answerFacets } from '../aggregate-answer.ts'
import type { Call } from '../call.ts'
import { AGGREGATE_QUERY, EXPORT_QUERY, FACETS_QUERY, LIST_QUERY } from '../declaration/dataset-query.ts'
import { pathParameter, type Route, route } from '../declaration/route.ts'
import { answerExport } from '../export-answer.ts'
import { answerList } from '../list-answer.ts'
import type { ServerState } from '../state.ts'
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

const PLACE = t.Object({ id: pathParameter('Id of the dataset.') })

export const OPEN_ROW_ROUTES: readonly Route[] = [
  route({
    path: '/datasets/:id/rows',
    access: 'none',
    id: 'browseRows',
    tag: 'Datasets',
    summary: 'List rows without a key, for people',
    params: PLACE,
    query: LIST_QUERY,
    answers: ROWS_ANSWERS,
    errors: ['api_key_missing', ...LIST_ERRORS],
    handle: async ({ app, state, exchange, params }) =>
      answerList(
        app,
        exchange,
        await admit(app, state, exchange, params.id),
        state.lists,
        state.open.readers,
      ),
  }),
  route({
    path: '/datasets/:id/download',
    access: 'none',
    id: 'downloadRows',
    tag: 'Datasets',
    summary: 'Download all matching rows without a key',
    params: PLACE,
    query: EXPORT_QUERY,
    answers: FILE_ANSWERS,
    errors: ['api_key_missing', ...FILE_ERRORS],
    isStreamed: true,
    handle: async ({ app, state, exchange, params }) =>
      answerExport(app, exchange, await admit(app, state, exchange, params.id), state.open.readers),
  }),
  route({
    path: '/datasets/:id/aggregate',
    access: 'none',
    id: 'browseGroups',
    tag: 'Datasets',
    summary: 'Group rows and measure the groups without a key, for people',
    params: PLACE,
    query: AGGREGATE_QUERY,
    answers: GROUPS_ANSWERS,
    errors: ['api_key_missing', ...AGGREGATE_ERRORS],
    handle: async ({ app, state, exchange, params }) => {
      const served = await admit(app, state, exchange, params.id)
      return answerAggregate(app, exchange, served, state.lists, state.open.readers)
    },
  }),
  route({
    path: '/datasets/:id/facets',
    access: 'none',
    id: 'browseFacets',
    tag: 'Datasets',
    summary: 'Count the most frequent values of columns without a key, for people',
    params: PLACE,
    query: FACETS_QUERY,
    answers: FACETS_ANSWERS,
    errors: ['api_key_missing', ...FACETS_ERRORS],
    handle: async ({ app, state, exchange, params }) => {
      const served = await admit(app, state, exchange, params.id)
      return answerFacets(app, exchange, served, state.lists, state.open.readers)
    },
  }),
]

async function admit(app: App, { open }: ServerState, exchange: Call, id: string): Promise<ServedDataset> {
  const served = requireDataset(app.catalog, id)
  await open.admit(exchange, served)
  return served
}
