/** The catalog: `/v1/datasets`, descriptors, quality reports and search (specification 4.3). */

import { Findings } from '../datasets/findings.ts'
import { AddressTemplate, type Links, linkHeader } from '../datasets/links.ts'
import { neighboursOf, readLimit, readOffset } from '../datasets/paging.ts'
import { unknownParameter } from '../datasets/unknown-names.ts'
import { quote } from '../datasets/values.ts'
import { API_VERSION } from '../http/envelope.ts'
import { notModified, weakEtag } from '../http/etag.ts'
import { type Exchange, routeGroup } from '../http/exchange.ts'
import { API_HEADERS } from '../http/headers.ts'
import { respondJson } from '../http/respond.ts'
import type { Service } from '../http/service.ts'
import { type Parameter, readQueryString, writeQueryString } from '../text/query-string.ts'
import { formatTimestamp } from '../text/timestamp.ts'
import type { CatalogPage } from './catalog.ts'
import { refuseDataset } from './missing-dataset.ts'

/** The catalog routes. */
export function catalogRoutes(service: Service) {
  const { catalog } = service
  return routeGroup()
    .get('/v1/search', ({ exchange }) => {
      const query = readCatalogQuery(exchange.query, ['q', 'limit', 'offset'])
      return answerPage(exchange, query, () => catalog.search(query.given.q ?? '', query))
    })
    .get('/v1/datasets', ({ exchange }) => {
      const query = readCatalogQuery(exchange.query, ['domain', 'limit', 'offset'])
      return answerPage(exchange, query, () => catalog.list({ ...query, domain: query.given.domain }))
    })
    .get('/v1/datasets/:slug', ({ exchange, params }) =>
      answerRecord(exchange, params.slug, () => catalog.descriptor(params.slug)),
    )
    .get('/v1/datasets/:slug/quality', ({ exchange, params }) =>
      answerRecord(exchange, params.slug, () => catalog.quality(params.slug)),
    )
}

interface CatalogQuery {
  readonly given: Readonly<Record<string, string | undefined>>
  readonly limit: number
  readonly offset: number
  readonly parameters: readonly Parameter[]
}

/**
 * Reads the query of a catalog route that takes the named parameters, each at most once.
 * @throws ApiError (422 codes) with one entry of detail per offender
 */
function readCatalogQuery(raw: string, known: readonly string[]): CatalogQuery {
  const findings = new Findings()
  const { parameters, undecodable } = readQueryString(raw)
  findings.addUndecodable(undecodable)
  const given: Record<string, string | undefined> = {}
  for (const { name, value } of parameters) {
    const location = `query.${name}`
    if (!known.includes(name)) {
      findings.add('unknown_parameter', location, () => unknownParameter(name, known))
    } else if (given[name] !== undefined) {
      findings.add('duplicate_parameter', location, {
        message: `parameter "${name}" is given twice: give it once`,
      })
    } else given[name] = value
  }
  if (known.includes('q') && !given.q) {
    findings.add('invalid_value', 'query.q', {
      message: 'parameter "q", the text to search for, is required',
    })
  }
  if (given.domain === '')
    findings.add('invalid_value', 'query.domain', {
      message: 'parameter "domain" is empty: leave it out for all domains',
    })
  const limit = readLimit(given.limit, findings)
  const offset = readOffset(given.offset, findings)
  findings.throwIfAny()
  return { given, limit, offset, parameters }
}

function answerPage(exchange: Exchange, query: CatalogQuery, find: () => CatalogPage): Response {
  const { service, path, base } = exchange
  const etag = weakEtag('catalog', service.catalog.revision, path, writeQueryString(query.parameters), base)
  const unchanged = notModified(exchange, etag, API_HEADERS)
  if (unchanged !== undefined) return unchanged

  const { total, datasets } = find()
  const { limit, offset } = query
  const count = datasets.length
  const hasNext = offset + count < total
  const { next, prev, last } = neighboursOf({ total, count, limit, offset, hasNext })
  const address = new AddressTemplate(query.parameters, 'offset')
  const at = (target: number | null) => (target === null ? null : address.with(base + path, target))
  const links: Links = {
    self: path,
    next: at(next),
    prev: at(prev),
    first: address.with(base + path, 0),
    last: at(last),
    documentation: `${base}/docs`,
  }
  const link = linkHeader(links)
  const headers = { ...API_HEADERS, ETag: etag, ...(link !== undefined && { Link: link }) }
  return respondJson(exchange, 200, headers, {
    data: datasets,
    pagination: { total, count, limit, offset, has_next: hasNext, next_offset: next },
    meta: { api_version: API_VERSION, generated_at: formatTimestamp(service.now()) },
    links,
  })
}

function answerRecord(exchange: Exchange, slug: string, find: () => object | undefined): Response {
  const { service, path, query } = exchange
  const revision = service.catalog.revision
  const record = find()
  if (record === undefined) throw refuseDataset(service.catalog, slug, quote(slug), 'path.slug')
  readCatalogQuery(query, [])
  const etag = weakEtag('catalog', revision, path)
  return (
    notModified(exchange, etag, API_HEADERS) ??
    respondJson(exchange, 200, { ...API_HEADERS, ETag: etag }, record)
  )
}
