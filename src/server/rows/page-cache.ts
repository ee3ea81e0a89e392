/** Pages of rows as they are answered: bytes, tag and `Link` header, kept for the same request again: bounded in bytes, never older than the version served. */

import { LRUCache } from 'lru-cache'
import type { Encoding } from '../../http/compression.ts'
import { API_VERSION, type Envelope, keepEnvelope, writeEnvelope } from '../../http/envelope.ts'
import type { ListedPage } from '../../query/list/list-page.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'

/** A page with its own memory. */
export interface KeptPage extends RenderedPage {
  readonly version: number
  readonly sha256: string
  /** The compressed form last sent, good for the second it was stamped with. */
  packed?: {
    readonly stamp: string
    readonly encoding: Encoding
    readonly body: Uint8Array<ArrayBuffer>
  }
}

/** Of all processes of the service. */
const MOST_BYTES = 32 * 2 ** 20
/** Larger pages are rendered each time; a few of them would evict everything else. */
const LARGEST_PART = 1 / 32
/** What an entry takes besides its bytes: headers, keys, the objects themselves. */
const OVERHEAD = 4096
/**
 * Addresses remembered as requested once; a power of two. Few more than pages are kept: a page requested again later
 * than that would be evicted before it is used.
 */
const REMEMBERED = 2 ** 12

export class PageCache {
  readonly #largest: number
  readonly #pages: LRUCache<string, KeptPage>
  readonly #askedOnce = new Int32Array(REMEMBERED)

  /** @param workers processes that share what may be kept */
  constructor(workers = 1) {
    const maxSize = Math.floor(MOST_BYTES / workers)
    this.#largest = Math.floor(maxSize * LARGEST_PART)
    this.#pages = new LRUCache({ maxSize, maxEntrySize: this.#largest })
  }

  /** The page of this address, if it was rendered from the version now served. */
  find(address: string, served: ServedDataset): KeptPage | undefined {
    const kept = this.#pages.get(address)
    if (kept === undefined || kept.version !== served.version || kept.sha256 !== served.sha256)
      return undefined
    return kept
  }

  /**
   * Keeps a page at its second request. Clients that never repeat a request pay nothing for the cache.
   */
  keep(address: string, served: ServedDataset, page: RenderedPage): void {
    if (!this.#wasAskedBefore(address)) return
    // Twice the bytes: the compressed form may be kept with it.
    const size = 2 * page.envelope.bytes.length + 2 * address.length + OVERHEAD
    if (size > this.#largest) return
    const envelope = keepEnvelope(page.envelope)
    const { version, sha256 } = served
    this.#pages.set(address, { ...page, envelope, version, sha256 }, { size })
  }

  /** By hash: a collision only forgets an address, or keeps a page at its first request. */
  #wasAskedBefore(address: string): boolean {
    const hash = Bun.hash.crc32(address) | 0
    const slot = hash & (REMEMBERED - 1)
    if (this.#askedOnce[slot] === hash) return true
    this.#askedOnce[slot] = hash
    return false
  }
}

export interface RenderedPage {
  readonly envelope: Envelope
  readonly etag: string
  /** The `Link` header; undefined when it would be too long. */
  readonly link: string | undefined
  /** Rows in it. */
  readonly rows: number
}

/** Puts a page together. Its bytes are lent, see `writeEnvelope`. */
export function renderPage(listed: ListedPage, served: ServedDataset, etag: string): RenderedPage {
  const { rows, pagination, links, hints } = listed
  const meta = hints === undefined ? metaOf(served) : withMember(metaOf(served), 'hints', hints)
  return {
    envelope: writeEnvelope(rows, pagination, meta, links.json),
    etag,
    link: links.header,
    rows: pagination?.count ?? 0,
  }
}

/** An object as JSON with one member more. */
function withMember(json: string, name: string, value: unknown): string {
  return `${json.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`
}

/** `meta` of a version's lists as JSON, but for its end: the moment of the answer. */
const metas = new WeakMap<ServedDataset, string>()

function metaOf(served: ServedDataset): string {
  let meta = metas.get(served)
  if (meta === undefined) {
    const { id, domain, sourceUrl, lastUpdated } = served
    meta = JSON.stringify({
      api_version: API_VERSION,
      dataset: id,
      domain,
      ...(sourceUrl !== null && { source: sourceUrl }),
      last_updated: lastUpdated,
    })
    metas.set(served, meta)
  }
  return meta
}
