/** The catalog: `/v1/datasets`, descriptors, quality reports and search (specification 4.3). */

import { t } from 'elysia'
import type { App } from '../../app.ts'
import { type Parameter, writeQueryString } from '../../base/text/query-string.ts'
import { API_VERSION, stampEnvelope, stampOf, writeEnvelope } from '../../http/envelope.ts'
import { notModified, weakEtag } from '../../http/etag.ts'
import { API_HEADERS, JSON_TYPE } from '../../http/headers.ts'
import { respondCompressed, respondJson } from '../../http/respond.ts'
import { AddressTemplate } from '../../query/links.ts'
import { neighboursOf } from '../../query/paging.ts'
import { quote } from '../../query/values.ts'
import type { CatalogPage } from '../../store/catalog/catalog.ts'
import { refuseDataset } from '../../store/catalog/missing-dataset.ts'
import { holdsDataset, type Places } from '../../store/catalog/places.ts'
import { CATALOG_LIST, DESCRIPTOR, QUALITY } from '../bodies/dataset-bodies.ts'
import type { Call } from '../call.ts'
import { NO_QUERY, PAGING, parameter, readQuery } from '../declaration/parameters.ts'
import { pathParameter, type Route, route } from '../declaration/route.ts'
import { NOT_MODIFIED } from './dataset-facts.ts'

const NO_SEARCH = 'parameter "q", the text to search for, is required'

const SEARCH_QUERY = t.Object({
  q: parameter<string>(
    {
      ...{ type: 'string', minLength: 1, examples: ['judete'] },
      description:
        'Words that must all occur, the last one as a beginning; without regard to case and diacritics.',
    },
    {
      ...{ fallback: '', code: 'invalid_value', required: NO_SEARCH },
      read(text, note) {
        if (text === '') note({ message: NO_SEARCH })
        return text
      },
    },
  ),
  ...PAGING,
})
const LIST_QUERY = t.Object({
  domain: parameter<string | undefined>(
    { type: 'string', minLength: 1, description: 'Only this domain.' },
    {
      ...{ fallback: undefined, code: 'invalid_value' },
      read(text, note) {
        if (text === '') note({ message: 'parameter "domain" is empty: leave it out for all domains' })
        return text
      },
    },
  ),
  ...PAGING,
})
const SLUG = t.Object({ slug: pathParameter('Id of the dataset.') })
const PAGE_ANSWERS = {
  200: { says: 'A page of datasets.', body: CATALOG_LIST, headers: ['ETag', 'Link'] },
  304: NOT_MODIFIED,
}
const PAGE_ERRORS = ['unknown_parameter', 'duplicate_parameter', 'invalid_limit', 'invalid_offset'] as const
const RECORD_ERRORS = ['dataset_not_found', 'unknown_parameter'] as const

export const CATALOG_ROUTES: readonly Route[] = [
  route({
    path: '/v1/search',
    access: 'key',
    id: 'searchCatalog',
    tag: 'Catalog',
    summary: 'Search the catalog; best match first',
    query: SEARCH_QUERY,
    answers: PAGE_ANSWERS,
    errors: PAGE_ERRORS,
    handle: ({ app, exchange }) => {
      const query = readQuery(SEARCH_QUERY, exchange.query)
      return answerPage(app, exchange, query, () =>
        app.catalog.search(query.values.q, query.values, readsOf(exchange)),
      )
    },
  }),
  route({
    path: '/v1/datasets',
    access: 'key',
    id: 'listDatasets',
    tag: 'Catalog',
    summary: 'List the datasets by domain and id',
    query: LIST_QUERY,
    answers: PAGE_ANSWERS,
    errors: PAGE_ERRORS,
    handle: ({ app, exchange }) => {
      const query = readQuery(LIST_QUERY, exchange.query)
      return answerPage(app, exchange, query, () => app.catalog.list(query.values, readsOf(exchange)))
    },
  }),
  route({
    path: '/v1/datasets/:slug',
    access: 'key',
    id: 'describeDataset',
    tag: 'Catalog',
    summary: 'Describe one dataset',
    params: SLUG,
    answers: { 200: { says: 'The dataset.', body: DESCRIPTOR, headers: ['ETag'] }, 304: NOT_MODIFIED },
    errors: RECORD_ERRORS,
    handle: ({ app, exchange, params }) => {
      return answerRecord(app, exchange, params.slug, () => app.catalog.descriptor(params.slug))
    },
  }),
  route({
    path: '/v1/datasets/:slug/quality',
    access: 'key',
    id: 'reportQuality',
    tag: 'Catalog',
    summary: 'Report the quality of the data being served',
    params: SLUG,
    answers: { 200: { says: 'The report.', body: QUALITY, headers: ['ETag'] }, 304: NOT_MODIFIED },
    errors: RECORD_ERRORS,
    handle: ({ app, exchange, params }) => {
      return answerRecord(app, exchange, params.slug, () => app.catalog.quality(params.slug))
    },
  }),
]

interface PageQuery {
  readonly values: { readonly limit: number; readonly offset: number }
  readonly parameters: readonly Parameter[]
}

const META = JSON.stringify({ api_version: API_VERSION })
const encoder = new TextEncoder()

/** What the key of a call may read. */
function readsOf({ key }: Call): Places {
  return key!.scopes.reads
}

function answerPage(
  app: App,
  exchange: Call,
  { parameters, values: { limit, offset } }: PageQuery,
  find: () => CatalogPage,
): Response {
  const { path, base, key } = exchange
  const { revision } = app.catalog
  const etag = weakEtag('catalog', revision, path, writeQueryString(parameters), base, key!.scopes.tag)
  const unchanged = notModified(exchange, etag, API_HEADERS)
  if (unchanged !== undefined) return unchanged

  const { total, datasets } = find()
  const count = datasets.length
  const hasNext = offset + count < total
  const { next, prev, last } = neighboursOf({ total, count, limit, offset, hasNext })
  const links = new AddressTemplate(parameters, 'offset').write(exchange, { next, prev, first: 0, last })
  const pagination = { total, count, limit, offset, has_next: hasNext, next_offset: next }
  const envelope = writeEnvelope(encoder.encode(JSON.stringify(datasets)), pagination, META, links.json)
  stampEnvelope(envelope, stampOf(exchange.startedAt))
  const headers = {
    ...API_HEADERS,
    'Content-Type': JSON_TYPE,
    ETag: etag,
    ...(links.header !== undefined && { Link: links.header }),
  }
  return respondCompressed(exchange, 200, headers, envelope.bytes)
}

function answerRecord(app: App, exchange: Call, slug: string, find: () => object | undefined): Response {
  const { path, query, key } = exchange
  const { reads, tag } = key!.scopes
  const revision = app.catalog.revision
  const domain = app.catalog.find(slug)?.domain
  const isReadable = domain !== undefined && holdsDataset(reads, domain, slug)
  const record = isReadable ? find() : undefined
  if (record === undefined) throw refuseDataset(app.catalog, slug, quote(slug), 'path.slug', reads)
  readQuery(NO_QUERY, query)
  const etag = weakEtag('catalog', revision, path, tag)
  return (
    notModified(exchange, etag, API_HEADERS) ??
    respondJson(exchange, 200, { ...API_HEADERS, ETag: etag }, record)
  )
}
