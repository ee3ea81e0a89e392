/** A page of rows, groups or facets as an answer: its query is read here, and `page-answer.ts` sends it. */

import type { App } from '../../app.ts'
import { writeQueryString } from '../../base/text/query-string.ts'
import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { acceptedEncoding, compress, compressBody, type Encoding } from '../../http/compression.ts'
import { stampEnvelope, stampOf } from '../../http/envelope.ts'
import { notModified } from '../../http/etag.ts'
import { respond } from '../../http/respond.ts'
import { exportGroups, listGroups } from '../../query/aggregate/aggregate.ts'
import { parseAggregateQuery } from '../../query/aggregate/aggregate-query.ts'
import { listFacets, parseFacetsQuery } from '../../query/aggregate/facets-query.ts'
import {
  cursorSealer,
  type ListedPage,
  listByCursor,
  listByOffset,
  startOfWalk,
} from '../../query/list/list-page.ts'
import { ListReader } from '../../query/list/list-reader.ts'
import { schemaOf } from '../../query/query-schema.ts'
import { refuseDataset } from '../../store/catalog/missing-dataset.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { Call } from '../call.ts'
import { answerFile } from './file-answer.ts'
import { type KeptPage, PageCache, type RenderedPage, renderPage } from './page-cache.ts'
import type { Readers } from './readers.ts'

/** 88 bits of the version file's SHA-256. */
const FILE_CHARACTERS = 22

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

// A page of rows, groups or facets as an answer, with a key or without: from memory where the same was asked
// before, else from the engine.
/** A query that was read. */
interface AskedPage {
  /** The query in the one way this service writes it, with what else decides the answer: the tag is made of it. */
  readonly normalised: string
  readonly run: (dataset: OpenDataset) => ValueOrPromise<ListedPage>
}

/**
 * Answers with a page. At once, not with a promise, unless the query takes more than a turn: every promise costs the
 * request another turn of the event loop.
 * @param read reads the query string; it is not called for a page from memory
 * @throws ApiError 422 codes, `rate_limited` beyond the reader's share; those of a long query as a rejection
 */
function answerPage(
  app: App,
  exchange: Call,
  served: ServedDataset,
  pages: PageCache,
  readers: Readers,
  read: () => AskedPage,
): Response | Promise<Response> {
  exchange.dataset = served.id
  const scopes = exchange.key?.scopes.tag ?? ''
  const address = scopes === '' ? exchange.request.url : `${exchange.request.url} ${scopes}`
  const kept = pages.find(address, served)
  exchange.cache = kept === undefined ? 'miss' : 'hit'
  if (kept !== undefined)
    return notModified(exchange, kept.etag, readers.prepared) ?? sendKept(exchange, kept, readers)

  const asked = read()
  const etag = queryEtag(served, exchange.base, asked.normalised, scopes)
  const unchanged = notModified(exchange, etag, readers.prepared)
  if (unchanged !== undefined) return unchanged

  const share = readers.shares.of(readers.readerOf(exchange), exchange.query)
  // Runs in the turn in which the rows come: they are lent.
  const finish = (listed: ListedPage) => {
    const page = renderPage(listed, served, etag)
    pages.keep(address, served, page)
    return sendPage(exchange, page, readers)
  }
  const listed = app.openDatasets.use(served, asked.run, share)
  return listed instanceof Promise ? listed.then(finish) : finish(listed)
}

function sendPage(exchange: Call, page: RenderedPage, readers: Readers): Response {
  const { bytes } = page.envelope
  stampEnvelope(page.envelope, stampOf(exchange.startedAt))
  const packed = compressBody(bytes, exchange.request.headers.get('accept-encoding'))
  return respondPage(exchange, page, readers, packed?.body ?? bytes, packed?.encoding ?? null)
}

/** As `sendPage`, compressing at most once a second. */
function sendKept(exchange: Call, page: KeptPage, readers: Readers): Response {
  const { bytes } = page.envelope
  const encoding = acceptedEncoding(bytes, exchange.request.headers.get('accept-encoding'))
  const stamp = stampOf(exchange.startedAt)
  if (encoding === null || page.packed?.stamp !== stamp || page.packed.encoding !== encoding) {
    stampEnvelope(page.envelope, stamp)
    if (encoding === null) return respondPage(exchange, page, readers, bytes, null)
    page.packed = { stamp, encoding, body: compress(bytes, encoding) }
  }
  return respondPage(exchange, page, readers, page.packed.body, encoding)
}

/** The page's own headers are added to the response: that is cheaper than to join them with the shared ones before. */
function respondPage(
  exchange: Call,
  { rows, etag, link }: RenderedPage,
  readers: Readers,
  body: Uint8Array<ArrayBuffer>,
  encoding: Encoding | null,
): Response {
  exchange.rows = rows
  const response = respond(exchange, 200, readers.preparedList, body)
  response.headers.set('ETag', etag)
  if (link !== undefined) response.headers.set('Link', link)
  if (encoding !== null) response.headers.set('Content-Encoding', encoding)
  return response
}

// Entity tags of lists.
/**
 * A weak tag for an answer about a version: part of the file's own hash, then 64 bits of what else decides the answer.
 * Tags are compared only with others of the same resource (RFC 9110, 8.8.3), and a client gains nothing by a collision,
 * so the second hash need not be a cryptographic one.
 */
function queryEtag({ version, sha256 }: ServedDataset, base: string, query: string, scopes: string): string {
  const rest = Bun.hash(`${version}\n${base}\n${query}\n${scopes}`)
  return `W/"${sha256.slice(0, FILE_CHARACTERS)}-${rest.toString(36)}"`
}
