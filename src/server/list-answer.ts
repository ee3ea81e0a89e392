/** A list of rows as an answer, with a key or without: from memory where the same was asked before, else from the engine. */

import type { App } from '../app.ts'
import { acceptedEncoding, compress, compressBody, type Encoding } from '../http/compression.ts'
import { stampEnvelope, stampOf } from '../http/envelope.ts'
import { notModified } from '../http/etag.ts'
import { respond } from '../http/respond.ts'
import { cursorSealer, type ListedPage, listByCursor, listByOffset, startOfWalk } from '../query/list.ts'
import { ListReader } from '../query/list-reader.ts'
import { schemaOf } from '../query/query-schema.ts'
import type { ServedDataset } from '../store/catalog/record.ts'
import type { Call } from './call.ts'
import { type KeptPage, PageCache } from './page-cache.ts'
import { queryEtag } from './query-etag.ts'
import type { Readers } from './readers.ts'
import { type RenderedPage, renderPage } from './rendered-page.ts'

/** What is remembered between lists, keyed or open: queries that were read, and pages. */
export class ListMemory {
  readonly pages = new PageCache()
  readonly queries = new ListReader()
}

/**
 * Answers with a list. At once, not with a promise, unless the query takes more than a turn: every promise costs the
 * request another turn of the event loop.
 * @throws ApiError 422 codes, `rate_limited` beyond the reader's share; those of a long query as a rejection
 */
export function answerList(
  app: App,
  exchange: Call,
  served: ServedDataset,
  memory: ListMemory,
  readers: Readers,
): Response | Promise<Response> {
  exchange.dataset = served.id
  const scopes = exchange.key?.scopes.tag ?? ''
  const address = scopes === '' ? exchange.request.url : `${exchange.request.url} ${scopes}`
  const kept = memory.pages.find(address, served)
  exchange.cache = kept === undefined ? 'miss' : 'hit'
  if (kept !== undefined)
    return notModified(exchange, kept.etag, readers.prepared) ?? sendKept(exchange, kept, readers)

  const { config, cursorSecret, openDatasets } = app
  const list = memory.queries.read(exchange.query, served, schemaOf(served))
  const { query, normalised } = list
  const from = startOfWalk(cursorSecret, served, query)
  const count = query.count ?? served.rows < config.very_large_rows
  const etag = queryEtag(served, exchange.base, count ? normalised : `${normalised}&`, scopes)
  const unchanged = notModified(exchange, etag, readers.prepared)
  if (unchanged !== undefined) return unchanged

  const reader = readers.readerOf(exchange)
  readers.shares.require(reader, exchange.query)
  // Runs in the turn in which the rows come: they are lent.
  const finish = (listed: ListedPage) => {
    const page = renderPage(listed, served, etag)
    memory.pages.keep(address, served, page)
    return sendPage(exchange, page, readers)
  }
  const seal = cursorSealer(cursorSecret, served, query)
  const listed = openDatasets.use(served, (dataset) =>
    from === undefined
      ? listByOffset(dataset, list, count, exchange)
      : listByCursor(dataset, list, from, exchange, seal),
  )
  if (!(listed instanceof Promise)) return finish(listed)
  void readers.shares.hold(reader, listed)
  return listed.then(finish)
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
