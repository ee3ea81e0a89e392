/** Documents that take a while to make, kept as they were sent, so that asking for them again costs next to nothing. */

import { LRUCache } from 'lru-cache'

const MOST_BYTES = 32 * 2 ** 20

export class KeptDocuments {
  /** By everything that decides a document, its content coding included. */
  readonly #documents = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: MOST_BYTES,
    sizeCalculation: (bytes) => bytes.length + 1,
  })

  find(key: string): Uint8Array<ArrayBuffer> | undefined {
    return this.#documents.get(key)
  }

  /** Passes a document on, and keeps it once it is whole. */
  async *keeping(key: string, source: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    let chunks: Uint8Array[] | undefined = []
    let length = 0
    for await (const chunk of source) {
      length += chunk.length
      // One that would push out all others is not worth its memory.
      if (length > MOST_BYTES / 4) chunks = undefined
      chunks?.push(chunk)
      yield chunk
    }
    if (chunks === undefined) return
    const whole = new Uint8Array(length)
    let at = 0
    for (const chunk of chunks) {
      whole.set(chunk, at)
      at += chunk.length
    }
    this.#documents.set(key, whole)
  }
}
