/**
 * Answers with a page of rows, groups or facets, with a key or without: from memory where the same was requested before,
 * else from the engine.
 */

import { LRUCache } from 'lru-cache'
import { writeQueryString } from '../../base/text/query-string.ts'
import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { acceptedEncoding, compress, type Encoding } from '../../http/compression.ts'
import { API_VERSION, type Envelope, stampEnvelope, stampOf, writeEnvelope } from '../../http/envelope.ts'
import { notModified } from '../../http/etag.ts'
import { respond } from '../../http/respond.ts'
import { exportGroups, listGroups } from '../../query/aggregate/aggregate.ts'
import { parseAggregateQuery } from '../../query/aggregate/aggregate-query.ts'
import { listFacets, parseFacetsQuery } from '../../query/aggregate/facets-query.ts'
import {
  type ListedPage,
  listByCursor,
  listByOffset,
  sealCursor,
  startOfWalk,
} from '../../query/list/list-page.ts'
import type { ListReader } from '../../query/list/list-reader.ts'
import { schemaOf } from '../../query/query-schema.ts'
import { refuseDataset } from '../../store/catalog/missing-dataset.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { Call } from '../call.ts'
import { answerFile } from './export-answer.ts'
import type { Readers, RowsCall } from './readers.ts'

/** The caches shared by all lists, with a key or without. */
export interface ListMemory {
  readonly pages: PageCache
  readonly queries: ListReader
}

/** @throws ApiError as `answerPage` */
export function answerList(call: RowsCall, { pages, queries }: ListMemory): ValueOrPromise<Response> {
  const { app, exchange, served } = call
  return answerPage(call, pages, () => {
    const list = queries.read(exchange.query, served, schemaOf(served))
    const { query, normalised } = list
    const from = startOfWalk(app.cursorSecret, served, query)
    const count = query.count ?? served.rows < app.config.very_large_rows
    const seal = (row: number) => sealCursor(app.cursorSecret, { ...served, ...query }, row)
    return {
      normalised: count ? normalised : `${normalised}&`,
      run: (dataset) =>
        from === undefined
          ? listByOffset(dataset, list, count, exchange)
          : listByCursor(dataset, list, from, exchange, seal),
    }
  })
}

/**
 * Answers with a page of groups, or with a file of all of them where `format` is given.
 * @throws ApiError 422 codes, and as `answerPage` or `answerFile`
 */
export function answerAggregate(call: RowsCall, { pages }: ListMemory): ValueOrPromise<Response> {
  const { app, exchange, served } = call
  exchange.dataset = served.id
  const schema = schemaOf(served)
  const request = parseAggregateQuery(exchange.query, schema)
  const { format, parameters } = request
  if (format !== undefined) {
    const record = app.catalog.record(served.id, served.version)
    if (record === undefined) throw refuseDataset(app.catalog, served.id, served.id, 'path.dataset')
    const file = { ...request, format }
    return answerFile(call, {
      ...file,
      kind: 'aggregate',
      isLong: true,
      chunks: (dataset, onRows) => exportGroups(dataset, file, { schema, record }, onRows),
    })
  }
  return answerPage(call, pages, () => ({
    normalised: `aggregate?${writeQueryString(parameters)}`,
    run: (dataset) => listGroups(dataset, request, schema, exchange),
  }))
}

/** @throws ApiError 422 codes, and as `answerPage` */
export function answerFacets(call: RowsCall, { pages }: ListMemory): ValueOrPromise<Response> {
  const { exchange, served } = call
  return answerPage(call, pages, () => {
    const request = parseFacetsQuery(exchange.query, schemaOf(served))
    return {
      normalised: `facets?${writeQueryString(request.parameters)}`,
      run: (dataset) => listFacets(dataset, request, exchange),
    }
  })
}

interface AskedPage {
  /** The query in normal form, with whatever else decides the answer; the tag is made from it. */
  readonly normalised: string
  readonly run: (dataset: OpenDataset) => ValueOrPromise<ListedPage>
}

/**
 * Answers with a page: synchronously, unless the query takes more than a turn, because every promise costs the request
 * another turn of the event loop.
 * @param read reads the query string; not called for a page from memory
 * @throws ApiError 422 codes, `rate_limited` beyond the reader's share; those of a long query as a rejection
 */
function answerPage(
  { app, exchange, served, readers }: RowsCall,
  pages: PageCache,
  read: () => AskedPage,
): ValueOrPromise<Response> {
  exchange.dataset = served.id
  const scopes = exchange.key?.scopes.tag ?? ''
  const address = scopes === '' ? exchange.request.url : `${exchange.request.url} ${scopes}`
  const kept = pages.find(address, served)
  exchange.cache = kept === undefined ? 'miss' : 'hit'
  if (kept !== undefined)
    return notModified(exchange, kept.etag, readers.prepared) ?? sendPage(exchange, kept, readers)

  const asked = read()
  const etag = queryEtag(served, exchange.base, asked.normalised, scopes)
  const unchanged = notModified(exchange, etag, readers.prepared)
  if (unchanged !== undefined) return unchanged

  const share = readers.shares.of(readers.readerOf(exchange), exchange.query)
  // Runs in the turn in which the rows arrive: their bytes are valid only in this turn.
  const finish = ({ rows, pagination, links, hints }: ListedPage) => {
    const meta = metaOf(served)
    const withHints = hints && `${meta.slice(0, -1)},"hints":${JSON.stringify(hints)}}`
    const envelope = writeEnvelope(rows, pagination, withHints ?? meta, links.json)
    const page = { envelope, etag, link: links.header, rows: pagination?.count ?? 0 }
    pages.keep(address, served, page)
    return sendPage(exchange, page, readers)
  }
  const listed = app.openDatasets.use(served, asked.run, share)
  return listed instanceof Promise ? listed.then(finish) : finish(listed)
}

/** A page from memory is compressed at most once a second. */
function sendPage(exchange: Call, page: Page, readers: Readers): Response {
  const { bytes } = page.envelope
  const encoding = acceptedEncoding(bytes, exchange.request.headers.get('accept-encoding'))
  const stamp = stampOf(exchange.startedAt)
  let body = bytes
  if (encoding !== null && page.packed?.stamp === stamp && page.packed.encoding === encoding) {
    body = page.packed.body
  } else {
    stampEnvelope(page.envelope, stamp)
    if (encoding !== null) {
      body = compress(bytes, encoding)
      page.packed = { stamp, encoding, body }
    }
  }
  exchange.rows = page.rows
  // Adding the page's own headers to the response is cheaper than joining them with the shared ones before.
  const response = respond(exchange, 200, readers.preparedList, body)
  response.headers.set('ETag', page.etag)
  if (page.link !== undefined) response.headers.set('Link', page.link)
  if (encoding !== null) response.headers.set('Content-Encoding', encoding)
  return response
}

/** 88 bits of the version file's SHA-256. */
const FILE_CHARACTERS = 22

/**
 * A weak tag for an answer about a version: part of the file's hash, then 64 bits for whatever else decides the answer.
 * Tags are compared only with others of the same resource (RFC 9110, 8.8.3), and a client gains nothing by a collision,
 * so the second hash need not be a cryptographic one.
 */
function queryEtag({ version, sha256 }: ServedDataset, base: string, query: string, scopes: string): string {
  const rest = Bun.hash(`${version}\n${base}\n${query}\n${scopes}`)
  return `W/"${sha256.slice(0, FILE_CHARACTERS)}-${rest.toString(36)}"`
}

/** A page as it is answered. Unless it is cached, its bytes are valid for a moment only; see `writeEnvelope`. */
interface Page {
  readonly envelope: Envelope
  readonly etag: string
  /** The `Link` header; undefined when it would be too long. */
  readonly link: string | undefined
  readonly rows: number
  /** The compressed form last sent, good for the second it was stamped with. */
  packed?: { readonly stamp: string; readonly encoding: Encoding; readonly body: Uint8Array<ArrayBuffer> }
}

/** For all processes of the service together. */
const MOST_BYTES = 32 * 2 ** 20
/** Larger pages are rendered each time; a few of them would evict everything else. */
const LARGEST_PART = 1 / 32
/** What an entry takes besides its bytes: headers, keys, the objects themselves. */
const OVERHEAD = 4096
/**
 * Addresses remembered as requested once; a power of two. Few more than cached pages: a page requested again later
 * than that would be evicted before it is used.
 */
const REMEMBERED = 2 ** 12

/** A cache of pages for repeated requests: bounded in bytes, never older than the served version. */
export class PageCache {
  readonly #pages: LRUCache<string, Page & Pick<ServedDataset, 'version' | 'sha256'>>
  readonly #askedOnce = new Int32Array(REMEMBERED)

  /** @param workers processes that share the cache's limit */
  constructor(workers: number) {
    const maxSize = Math.floor(MOST_BYTES / workers)
    this.#pages = new LRUCache({ maxSize, maxEntrySize: Math.floor(maxSize * LARGEST_PART) })
  }

  /** The page of this address, if it was rendered from the served version. */
  find(address: string, served: ServedDataset): Page | undefined {
    const kept = this.#pages.get(address)
    return kept?.version === served.version && kept.sha256 === served.sha256 ? kept : undefined
  }

  /** Keeps a page at its second request. Clients that never repeat a request pay nothing for the cache. */
  keep(address: string, { version, sha256 }: ServedDataset, page: Page): void {
    // By hash: a collision only forgets an address, or keeps a page at its first request.
    const hash = Bun.hash.crc32(address) | 0
    const slot = hash & (REMEMBERED - 1)
    if (this.#askedOnce[slot] !== hash) {
      this.#askedOnce[slot] = hash
      return
    }
    const { bytes, stampAt } = page.envelope
    // Twice the bytes: the compressed form may be kept with it.
    const size = 2 * bytes.length + 2 * address.length + OVERHEAD
    if (size > this.#pages.maxEntrySize) return
    this.#pages.set(
      address,
      { ...page, envelope: { bytes: bytes.slice(), stampAt }, version, sha256 },
      { size },
    )
  }
}

/** `meta` of a version's lists as JSON, without the time of the answer at its end. */
const metas = new WeakMap<ServedDataset, string>()

function metaOf(served: ServedDataset): string {
  return metas.getOrInsertComputed(served, ({ id, domain, sourceUrl, lastUpdated }) => {
    const source = sourceUrl === null ? {} : { source: sourceUrl }
    return JSON.stringify({
      api_version: API_VERSION,
      dataset: id,
      domain,
      ...source,
      last_updated: lastUpdated,
    })
  })
}
