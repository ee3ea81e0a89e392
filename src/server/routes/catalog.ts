/** The catalog: `/v1/datasets`, descriptors, quality reports and search (specification 4.3). */

import { t } from 'elysia'
import type { App } from '../../app.ts'
import { type Parameter, writeQueryString } from '../../base/text/query-string.ts'
import { csvCell } from '../../base/text/quoting.ts'
import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import { API_VERSION, stampEnvelope, stampOf, writeEnvelope } from '../../http/envelope.ts'
import { notModified, weakEtag } from '../../http/etag.ts'
import { API_HEADERS, JSON_TYPE } from '../../http/headers.ts'
import { respondCompressed, respondJson } from '../../http/respond.ts'
import { Findings } from '../../query/findings.ts'
import { AddressTemplate } from '../../query/list/links.ts'
import { offsetPage } from '../../query/parameters.ts'
import { quote } from '../../query/values.ts'
import type { CatalogPage } from '../../store/catalog/lookups.ts'
import { refuseDataset } from '../../store/catalog/missing-dataset.ts'
import { holdsDataset, type Places } from '../../store/catalog/search/places.ts'
import type { FoundPage } from '../../store/catalog/search/search.ts'
import { CATALOG_LIST, DESCRIPTOR, QUALITY } from '../bodies/dataset-bodies.ts'
import { SEARCH_LIST } from '../bodies/search-body.ts'
import type { Call } from '../call.ts'
import {
  formParameter,
  momentParameter,
  NO_QUERY,
  PAGING,
  type ReadQuery,
  readQuery,
  requiredText,
  textParameter,
} from '../declaration/parameters.ts'
import { type Route, route } from '../declaration/route.ts'

/** It is compared with `last_updated`, which has whole seconds. */
const UPDATED_SINCE = momentParameter('updated_since', {
  description:
    'Only datasets published at that moment or later: a datetime, or a date, which means its midnight in UTC.',
  examples: ['2026-01-31'],
})
const SEARCH_QUERY = t.Object({
  q: requiredText('parameter "q", the text to search for, is required', {
    examples: ['judete'],
    description:
      'Words that must all occur, in any form; the last one may be the beginning of a word. Case and diacritics are ignored.',
  }),
  updated_since: UPDATED_SINCE,
  ...PAGING,
})
const LIST_QUERY = t.Object({
  domain: textParameter('domain', [/./, 'must name a domain'], { description: 'Only this domain.' }),
  updated_since: UPDATED_SINCE,
  format: formParameter(
    ['json', 'csv'],
    'All datasets as a file (csv, without limit and offset), or a page of them (json, the default).',
  ),
  ...PAGING,
})
const PAGE = { says: 'A page of datasets.', headers: ['ETag', 'Link'] }
const RECORDS = {
  descriptor: ['', 'describeDataset', 'Describe one dataset', 'The dataset.', DESCRIPTOR],
  quality: [
    '/quality',
    'reportQuality',
    'Report the quality of the data being served',
    'The report.',
    QUALITY,
  ],
} as const

export const CATALOG_ROUTES: readonly Route[] = [
  route('key', '/v1/search', {
    id: 'searchCatalog',
    tag: 'Catalog',
    summary: 'Search the catalog; best match first',
    query: SEARCH_QUERY,
    answers: { 200: { ...PAGE, body: SEARCH_LIST } },
    handle: ({ app, exchange }) => {
      const { parameters, values } = readQuery(SEARCH_QUERY, exchange.query)
      const searcher = { within: readsOf(exchange), reads: 'all' } as const
      const find = () => app.catalog.answerSearch(values.q, withSince(values), searcher)
      return answerPage(app, exchange, parameters, values, find, app.catalog.synonymsTag)
    },
  }),
  route('key', '/v1/datasets', {
    id: 'listDatasets',
    tag: 'Catalog',
    summary: 'List the datasets by domain and id',
    query: LIST_QUERY,
    answers: { 200: { ...PAGE, body: CATALOG_LIST, types: ['text/csv'] } },
    handle: ({ app, exchange }) => {
      const query = readQuery(LIST_QUERY, exchange.query)
      if (query.values.format === 'csv') return answerFile(app, exchange, query)
      const { parameters, values } = query
      return answerPage(app, exchange, parameters, values, () =>
        app.catalog.list(withSince(values), readsOf(exchange)),
      )
    },
  }),
  recordRoute('descriptor'),
  recordRoute('quality'),
]

/** A record about one dataset, for a key that may read it. */
function recordRoute(kind: keyof typeof RECORDS): Route {
  const [part, id, summary, says, body] = RECORDS[kind]
  return route('key', `/v1/datasets/:slug${part}`, {
    id,
    tag: 'Catalog',
    summary,
    answers: { 200: { says, body, headers: ['ETag'] } },
    errors: ['unknown_parameter'],
    handle: ({ app, exchange, params: { slug } }) => {
      const { reads, tag } = exchange.key!.scopes
      const { catalog } = app
      const { revision } = catalog
      const domain = catalog.find(slug)?.domain
      const isReadable = domain !== undefined && holdsDataset(reads, domain, slug)
      const record = isReadable ? catalog[kind](slug) : undefined
      if (record === undefined) throw refuseDataset(catalog, slug, quote(slug), 'path.slug', reads)
      readQuery(NO_QUERY, exchange.query)
      const etag = weakEtag('catalog', revision, exchange.path, tag)
      return (
        notModified(exchange, etag, API_HEADERS) ??
        respondJson(exchange, 200, { ...API_HEADERS, ETag: etag }, record)
      )
    },
  })
}

const encoder = new TextEncoder()

function readsOf({ key }: Call): Places {
  return key!.scopes.reads
}

/** A moment at the precision of `last_updated`. */
function withSince<T extends { readonly updated_since?: string | undefined }>(values: T) {
  return { ...values, since: values.updated_since?.replace(/\.\d+Z$/, 'Z') }
}

function etagOf(
  { catalog }: App,
  { path, base, key }: Call,
  parameters: readonly Parameter[],
  tag = '',
): string {
  return weakEtag('catalog', catalog.revision, path, writeQueryString(parameters), base, key!.scopes.tag, tag)
}

const FILE_FIELDS = ['id', 'domain', 'title', 'description', 'row_count', 'last_updated', 'endpoint'] as const

/**
 * The catalog as one file, with the fields of the list.
 * @throws ApiError `unknown_parameter` for `limit` and `offset`
 */
function answerFile(
  app: App,
  exchange: Call,
  { parameters, values }: ReadQuery<typeof LIST_QUERY>,
): Response {
  const findings = new Findings()
  for (const name of ['limit', 'offset']) {
    if (!parameters.some((parameter) => parameter.name === name)) continue
    const message = `parameter "${name}" does not apply to format=csv, which holds all datasets`
    findings.add('unknown_parameter', `query.${name}`, { message })
  }
  findings.throwIfAny()
  const etag = etagOf(app, exchange, parameters)
  const unchanged = notModified(exchange, etag, API_HEADERS)
  if (unchanged !== undefined) return unchanged
  const { datasets } = app.catalog.list({ ...withSince(values), limit: -1, offset: 0 }, readsOf(exchange))
  const lines = datasets.map((entry) => FILE_FIELDS.map((field) => csvCell(String(entry[field] ?? ''))))
  const text = [FILE_FIELDS, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('')
  const headers = {
    ...API_HEADERS,
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="catalog.csv"',
    ETag: etag,
  }
  return respondCompressed(exchange, 200, headers, encoder.encode(text))
}

async function answerPage(
  app: App,
  exchange: Call,
  parameters: readonly Parameter[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
  find: () => ValueOrPromise<CatalogPage | FoundPage>,
  tag?: string,
): Promise<Response> {
  const etag = etagOf(app, exchange, parameters, tag)
  const unchanged = notModified(exchange, etag, API_HEADERS)
  if (unchanged !== undefined) return unchanged

  const { total, datasets, ...beside } = await find()
  const count = datasets.length
  const hasNext = offset + count < total
  const { pagination, targets } = offsetPage({ total, count, hasNext }, { limit, offset })
  const links = new AddressTemplate(parameters, 'offset').write(exchange, targets)
  const meta = JSON.stringify({ api_version: API_VERSION, ...beside })
  const envelope = writeEnvelope(encoder.encode(JSON.stringify(datasets)), pagination, meta, links.json)
  stampEnvelope(envelope, stampOf(exchange.startedAt))
  const headers = {
    ...API_HEADERS,
    'Content-Type': JSON_TYPE,
    ETag: etag,
    ...(links.header !== undefined && { Link: links.header }),
  }
  return respondCompressed(exchange, 200, headers, envelope.bytes)
}
