/** `GET /v1/{domain}/{dataset}` and its export: specification 4.4-4.7. */

import { refuseDataset } from '../catalog/missing-dataset.ts'
import type { ServedDataset } from '../catalog/record.ts'
import { ApiError } from '../errors.ts'
import { acceptedEncoding, compress, compressBody, type Encoding } from '../http/compression.ts'
import { stampEnvelope, stampOf } from '../http/envelope.ts'
import { respondError } from '../http/errors.ts'
import { notModified, queryEtag, weakEtag } from '../http/etag.ts'
import { type Exchange, routeGroup } from '../http/exchange.ts'
import { answerWithExport } from '../http/export-answer.ts'
import { API_HEADERS, PREPARED_API_HEADERS, PREPARED_LIST_HEADERS } from '../http/headers.ts'
import { type KeptPage, PageCache } from '../http/page-cache.ts'
import { type RenderedPage, renderPage } from '../http/rendered-page.ts'
import { respond } from '../http/respond.ts'
import type { Service } from '../http/service.ts'
import { TurnCache } from '../http/turn-cache.ts'
import { findDefinition } from '../ingest/definition/shipped-definitions.ts'
import { writeQueryString } from '../text/query-string.ts'
import { ExportSlots } from './export.ts'
import { cursorSealer, type ListedPage, listByCursor, listByOffset, startOfWalk } from './list.ts'
import { ListReader } from './list-reader.ts'
import { parseExportQuery } from './query.ts'
import { type QuerySchema, querySchema } from './query-schema.ts'
import { QueryShares } from './query-shares.ts'

/** The dataset routes. Queries are read from the raw address: Elysia's own reading keeps only the last of a repeated parameter. */
export function datasetRoutes(service: Service) {
  const known = new TurnCache<ServedDataset>()
  const pages = new PageCache()
  const lists = new ListReader()
  const { max_exports: most, max_exports_total: mostInAll } = service.config
  const slots = new ExportSlots({ by: 'key', most, mostInAll })
  const shares = new QueryShares('key', service.config.max_queries_per_key)
  const bounds = { slots, shares }
  return routeGroup()
    .get('/v1/:domain/:dataset', ({ exchange, params }) => {
      // In one expression Elysia would take this for an async function, whose every answer waits for another turn.
      const served = requireServed(service, known, params.domain, params.dataset)
      const answer = answerList(exchange, served, pages, lists, bounds)
      return answer
    })
    .get('/v1/:domain/:dataset/export', ({ exchange, params }) =>
      answerExport(exchange, requireServed(service, known, params.domain, params.dataset), bounds),
    )
}

/** What keeps one key, or all together, from taking more than there is. */
interface Bounds {
  readonly slots: ExportSlots
  readonly shares: QueryShares
}

/**
 * The version of a dataset being served in a domain.
 * @throws ApiError `dataset_not_ingested` when only its definition is known, else `dataset_not_found`
 */
function requireServed(
  service: Service,
  known: TurnCache<ServedDataset>,
  domain: string,
  id: string,
): ServedDataset {
  const served = known.get(id, () => service.catalog.find(id))
  if (served !== undefined && served.domain === domain) return served
  if (served === undefined && findDefinition(domain, id) !== undefined) {
    throw new ApiError(
      'dataset_not_ingested',
      `Dataset ${domain}/${id} is known but has not been ingested yet: it has no rows until the operator of this service publishes them.`,
    )
  }
  throw refuseDataset(service.catalog, id, `${domain}/${id}`, 'path.dataset')
}

/** Whose share is asked for where nobody has a key; ids of keys begin at 1. */
const NO_KEY = 0

const schemas = new WeakMap<ServedDataset, QuerySchema>()

function schemaOf(served: ServedDataset): QuerySchema {
  let schema = schemas.get(served)
  if (schema === undefined) {
    schema = querySchema(served.columns)
    schemas.set(served, schema)
  }
  return schema
}

function answerList(
  exchange: Exchange,
  served: ServedDataset,
  pages: PageCache,
  lists: ListReader,
  { shares }: Bounds,
): Response | Promise<Response> {
  exchange.dataset = served.id
  const kept = pages.find(exchange.request.url, served)
  exchange.cache = kept === undefined ? 'miss' : 'hit'
  if (kept !== undefined)
    return notModified(exchange, kept.etag, PREPARED_API_HEADERS) ?? sendKept(exchange, kept)

  const { config, cursorSecret, openDatasets } = exchange.service
  const list = lists.read(exchange.query, served, schemaOf(served))
  const { query, normalised } = list
  const from = startOfWalk(cursorSecret, served, query)
  const count = query.count ?? served.rows < config.very_large_rows
  const etag = queryEtag(served, exchange.base, count ? normalised : `${normalised}&`)
  const unchanged = notModified(exchange, etag, PREPARED_API_HEADERS)
  if (unchanged !== undefined) return unchanged

  const keyId = exchange.key?.keyId ?? NO_KEY
  shares.require(keyId, exchange.query)
  const finish = (listed: ListedPage) => {
    const page = renderPage(listed, served, etag)
    pages.keep(exchange.request.url, served, page)
    return sendPage(exchange, page)
  }
  const seal = cursorSealer(cursorSecret, served, query)
  const listed = openDatasets.use(served, (dataset) =>
    from === undefined
      ? listByOffset(dataset, list, count, exchange)
      : listByCursor(dataset, list, from, exchange, seal),
  )
  if (!(listed instanceof Promise)) return finish(listed)
  void shares.hold(keyId, listed)
  return listed.then(finish).catch((error) => respondError(exchange, error))
}

function sendPage(exchange: Exchange, page: RenderedPage): Response {
  const { bytes } = page.envelope
  stampEnvelope(page.envelope, stampOf(exchange.startedAt))
  const packed = compressBody(bytes, exchange.request.headers.get('accept-encoding'))
  return respondPage(exchange, page, packed?.body ?? bytes, packed?.encoding ?? null)
}

/** As `sendPage`, compressing at most once a second. */
function sendKept(exchange: Exchange, page: KeptPage): Response {
  const { bytes } = page.envelope
  const encoding = acceptedEncoding(bytes, exchange.request.headers.get('accept-encoding'))
  const stamp = stampOf(exchange.startedAt)
  if (encoding === null || page.packed?.stamp !== stamp || page.packed.encoding !== encoding) {
    stampEnvelope(page.envelope, stamp)
    if (encoding === null) return respondPage(exchange, page, bytes, null)
    page.packed = { stamp, encoding, body: compress(bytes, encoding) }
  }
  return respondPage(exchange, page, page.packed.body, encoding)
}

/** What is a page's own is added to the response: cheaper than to join it with the shared headers before. */
function respondPage(
  exchange: Exchange,
  { rows, etag, link }: RenderedPage,
  body: Uint8Array<ArrayBuffer>,
  encoding: Encoding | null,
): Response {
  exchange.rows = rows
  const response = respond(exchange, 200, PREPARED_LIST_HEADERS, body)
  response.headers.set('ETag', etag)
  if (link !== undefined) response.headers.set('Link', link)
  if (encoding !== null) response.headers.set('Content-Encoding', encoding)
  return response
}

async function answerExport(exchange: Exchange, served: ServedDataset, { slots }: Bounds): Promise<Response> {
  const { key } = exchange
  exchange.dataset = served.id
  const query = parseExportQuery(exchange.query, schemaOf(served))
  const normalised = writeQueryString(query.parameters)
  const etag = weakEtag(served.id, served.version, served.sha256, 'export', normalised, exchange.base)
  const unchanged = notModified(exchange, etag, API_HEADERS)
  if (unchanged !== undefined) return unchanged

  const takePlace = () => slots.take(key!.keyId)
  const shared = { ...API_HEADERS, ETag: etag }
  return await answerWithExport(exchange, {
    served,
    query,
    headers: shared,
    takePlace,
    broke: 'an export broke',
  })
}
