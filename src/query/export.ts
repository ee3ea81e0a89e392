/** Bulk export: the stream of a whole or filtered dataset, and how many of them may run at the same time (specification 4.7). */

import { ApiError } from '../base/errors.ts'
import { exportRows } from '../engine/run.ts'
import type { ServedDataset } from '../store/catalog/record.ts'
import type { OpenDatasets } from './open-datasets.ts'
import type { ExportRequest } from './query.ts'

const BYTE_ORDER_MARK = new Uint8Array([0xef, 0xbb, 0xbf])

export interface ExportBounds {
  /** What exports are counted by. */
  readonly by: 'key' | 'address'
  /** Exports that one of them may run at the same time. */
  readonly most: number
  /** The same for all of them together. */
  readonly mostInAll: number
}

/** Counts running exports, by key or address and in all. */
export class ExportSlots {
  readonly #bounds: ExportBounds
  readonly #running = new Map<number | string, number>()
  #total = 0

  constructor(bounds: ExportBounds) {
    this.#bounds = bounds
  }

  /**
   * Takes a slot.
   * @returns gives it back; calling it again does nothing
   * @throws ApiError `service_unavailable` when the key or address, or the service, has none left
   */
  take(who: number | string): () => void {
    const { by, most, mostInAll } = this.#bounds
    const running = this.#running.get(who) ?? 0
    if (running >= most) {
      throw new ApiError(
        'service_unavailable',
        `${most} exports of this ${by} are running; wait for one to end, or end it.`,
      )
    }
    if (this.#total >= mostInAll) {
      throw new ApiError(
        'service_unavailable',
        `The service runs ${mostInAll} exports, as many as it may; try again when one has ended.`,
      )
    }
    this.#running.set(who, running + 1)
    this.#total++
    let taken = true
    return () => {
      if (!taken) return
      taken = false
      this.#total--
      const left = this.#running.get(who)! - 1
      if (left === 0) this.#running.delete(who)
      else this.#running.set(who, left)
    }
  }
}

/**
 * The bytes of an export, on the version that is served now, even if another one replaces it meanwhile. `done` runs when the stream
 * ends, fails, or is cancelled; `onRows` with the number of rows that the reader has taken.
 */
export async function* exportDataset(
  openDatasets: OpenDatasets,
  served: ServedDataset,
  request: ExportRequest,
  { done, onRows }: { readonly done: () => void; readonly onRows: (rows: number) => void },
): AsyncGenerator<Uint8Array> {
  try {
    if (request.bom) yield BYTE_ORDER_MARK
    yield* openDatasets.stream(served, (dataset) => exportRows(dataset, request, onRows))
  } finally {
    done()
  }
}
