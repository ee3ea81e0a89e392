/** Bulk export: the stream of a whole or filtered dataset, and how many of them one key may run (specification 4.7). */

import type { ServedDataset } from '../catalog/record.ts'
import { exportRows } from '../engine/run.ts'
import { ApiError } from '../errors.ts'
import type { OpenDatasets } from './open-datasets.ts'
import type { ExportRequest } from './query.ts'

const BYTE_ORDER_MARK = new Uint8Array([0xef, 0xbb, 0xbf])

/** Counts running exports, by key and in all. */
export class ExportSlots {
  readonly #most: number
  readonly #mostInAll: number
  readonly #running = new Map<number, number>()
  #total = 0

  /** @param most exports that one key may run at the same time @param mostInAll the same for all keys together */
  constructor(most: number, mostInAll: number) {
    this.#most = most
    this.#mostInAll = mostInAll
  }

  /**
   * Takes a slot.
   * @returns gives it back; calling it again does nothing
   * @throws ApiError `service_unavailable` when the key, or the service, has none left
   */
  take(keyId: number): () => void {
    const running = this.#running.get(keyId) ?? 0
    if (running >= this.#most) {
      throw new ApiError(
        'service_unavailable',
        `${this.#most} exports of this key are running; wait for one to end, or end it.`,
      )
    }
    if (this.#total >= this.#mostInAll) {
      throw new ApiError(
        'service_unavailable',
        `The service runs ${this.#mostInAll} exports, as many as it may; try again when one has ended.`,
      )
    }
    this.#running.set(keyId, running + 1)
    this.#total++
    let taken = true
    return () => {
      if (!taken) return
      taken = false
      this.#total--
      const left = this.#running.get(keyId)! - 1
      if (left === 0) this.#running.delete(keyId)
      else this.#running.set(keyId, left)
    }
  }
}

/**
 * The bytes of an export, on the version that is served now whatever happens to it later. `done` runs when the stream
 * ends, fails, or is given up.
 */
export async function* exportDataset(
  openDatasets: OpenDatasets,
  served: ServedDataset,
  request: ExportRequest,
  done: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    if (request.bom) yield BYTE_ORDER_MARK
    yield* openDatasets.stream(served, (dataset) => exportRows(dataset, request))
  } finally {
    done()
  }
}
