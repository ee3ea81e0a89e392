/** A cache of documents that are expensive to make, as they were sent. */

import { LRUCache } from 'lru-cache'

const MOST_BYTES = 32 * 2 ** 20

export class KeptDocuments {
  /** By all that a document depends on, including its content coding. */
  readonly #most: number
  readonly #documents: LRUCache<string, Uint8Array<ArrayBuffer>>

  /** @param workers processes that share what may be kept */
  constructor(workers = 1) {
    this.#most = Math.floor(MOST_BYTES / workers)
    this.#documents = new LRUCache({ maxSize: this.#most, sizeCalculation: (bytes) => bytes.length + 1 })
  }

  find(key: string): Uint8Array<ArrayBuffer> | undefined {
    return this.#documents.get(key)
  }

  /** Passes a document on, and caches it once it is complete. */
  async *keeping(key: string, source: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    let chunks: Uint8Array[] | undefined = []
    let length = 0
    for await (const chunk of source) {
      length += chunk.length
      // A document this large would evict the others.
      if (length > this.#most / 4) chunks = undefined
      chunks?.push(chunk)
      yield chunk
    }
    if (chunks === undefined) return
    this.#documents.set(key, Buffer.concat(chunks))
  }
}
