/** The descriptions of the API: as a page, for programs, and for one dataset. */

import { t } from 'elysia'
import type { App } from '../../app.ts'
import { nameBuild } from '../../base/build.ts'
import { ApiError } from '../../base/errors.ts'
import { ownRound } from '../../base/own-round.ts'
import { API_VERSION } from '../../http/envelope.ts'
import { notModified, weakEtag } from '../../http/etag.ts'
import type { Exchange } from '../../http/exchange.ts'
import { API_HEADERS, PUBLIC_HEADERS } from '../../http/headers.ts'
import { type AnswerHeaders, respondJson } from '../../http/respond.ts'
import { answerReference } from '../../pages/docs/reference-page.tsx'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { NO_QUERY, readQuery } from '../declaration/parameters.ts'
import { describedPath } from '../declaration/path-parameters.ts'
import { type Route, route } from '../declaration/route.ts'
import { describeDataset, describeService, exampleOf } from '../description/service-description.ts'
import { viewFor } from './pages.ts'

const DOCUMENT = { says: 'A document of OpenAPI 3.1.', body: t.Unsafe<unknown>({ type: 'object' }) }

/** @param routes all routes of the service, including these */
export function referenceRoutes(routes: () => readonly Route[]): readonly Route[] {
  return [
    pageRoute(routes),
    route('key', '/v1', {
      id: 'listAddresses',
      tag: 'Reference',
      summary: 'List what there is below /v1',
      answers: {
        200: {
          says: 'The addresses.',
          body: t.Object({
            api_version: t.String(),
            documentation: t.String(),
            description: t.String(),
            addresses: t.Array(t.Object({ path: t.String(), summary: t.String() })),
          }),
        },
      },
      errors: ['unknown_parameter'],
      handle: ({ exchange }) => answerAddresses(exchange, routes()),
    }),
    descriptionRoute('/docs/json', 'describeServiceForReference', routes),
    descriptionRoute('/openapi.json', 'describeService', routes),
    route('none', '/openapi/:domain/:file', {
      describedAs: '/openapi/{domain}/{dataset}.json',
      id: 'describeDatasetRoutes',
      tag: 'Reference',
      summary: 'Read the description of one dataset, with its own columns',
      answers: { 200: { ...DOCUMENT, headers: ['ETag'] } },
      errors: ['not_found'],
      handle: ({ app, exchange, params: { domain, file } }) => {
        if (!file.endsWith('.json')) throw new ApiError('not_found', 'There is nothing here.')
        const id = file.slice(0, -'.json'.length)
        const served = app.catalog.find(id)
        if (served?.domain === domain) return answerDatasetDescription(app, exchange, routes(), served)
        throw new ApiError('dataset_not_found', `There is no dataset ${domain}/${id}.`)
      },
    }),
  ]
}

function descriptionRoute(path: string, id: string, routes: () => readonly Route[]): Route {
  return route('none', path, {
    id,
    tag: 'Reference',
    summary: 'Read this description',
    answers: { 200: DOCUMENT },
    handle: (call) => answerDescription(call.exchange, PUBLIC_HEADERS, describe(call, routes())),
  })
}

function pageRoute(routes: () => readonly Route[]): Route {
  return route('none', '/docs', {
    id: 'openReference',
    tag: 'Reference',
    summary: 'Read this description as a page, and try requests',
    answers: { 200: { says: 'The page.', types: ['text/html'], headers: ['ETag'] } },
    handle: async (call) => {
      const first = firstDataset(call.app)
      const example = first === undefined ? undefined : call.app.catalog.find(first)
      return answerReference(await viewFor(call), example ?? routes(), () => describe(call, routes()))
    },
  })
}

function answerAddresses(exchange: Exchange, routes: readonly Route[]): Response {
  readQuery(NO_QUERY, exchange.query)
  const { base } = exchange
  const addresses = routes.flatMap((route) =>
    route.access === 'key' && route.described
      ? [{ path: describedPath(route), summary: route.described.summary }]
      : [],
  )
  const about = { documentation: `${base}/docs`, description: `${base}/openapi.json` }
  return respondJson(exchange, 200, API_HEADERS, { api_version: API_VERSION, ...about, addresses })
}

/** The id of the dataset that examples name. */
function firstDataset({ catalog }: App): string | undefined {
  return catalog.list({ limit: 1, offset: 0 }).datasets[0]?.id
}

/** The whole service, with examples that name an existing dataset, so that they can be called unchanged. */
function describe({ app, exchange }: { app: App; exchange: Exchange }, routes: readonly Route[]) {
  const first = firstDataset(app)
  const example = first === undefined ? undefined : exampleOf(app, first)
  return describeService(routes, exchange.base, example)
}

async function answerDatasetDescription(
  app: App,
  exchange: Exchange,
  routes: readonly Route[],
  { id, version, sha256, open }: ServedDataset,
): Promise<Response> {
  const { path, base } = exchange
  const isShown = open && app.config.public_browsing
  const etag = weakEtag('openapi', nameBuild(), path, base, version, sha256, isShown)
  const headers = { ...PUBLIC_HEADERS, ETag: etag }
  const unchanged = notModified(exchange, etag, headers)
  if (unchanged !== undefined) return unchanged
  const { title } = app.catalog.descriptor(id)!
  return answerDescription(exchange, headers, describeDataset(routes, base, title, exampleOf(app, id)!))
}

/** Serialises the description in a separate turn: half a megabyte takes one. */
async function answerDescription(exchange: Exchange, headers: AnswerHeaders, described: unknown) {
  const document = await described
  await ownRound()
  return respondJson(exchange, 200, headers, document)
}
