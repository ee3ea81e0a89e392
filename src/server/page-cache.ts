/** Rendered list pages, kept for the same request again: bounded in bytes, never older than the version served. */

import { LRUCache } from 'lru-cache'
import type { Encoding } from '../http/compression.ts'
import { keepEnvelope } from '../http/envelope.ts'
import type { ServedDataset } from '../store/catalog/record.ts'
import type { RenderedPage } from './rendered-page.ts'

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
