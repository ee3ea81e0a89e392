/** Bulk export: the stream of a whole or filtered dataset, and how many of them may run at the same time (specification 4.7). */

import { refuseBy } from '../base/limits.ts'
import type { OpenDataset } from '../engine/memory/open-dataset.ts'
import type { ServedDataset } from '../store/catalog/record.ts'
import type { OpenDatasets } from './open-datasets.ts'
import type { QueryShare } from './query-shares.ts'

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
      throw refuseBy(
        by === 'key' ? 'exports' : 'open_exports',
        `${most} exports of this ${by} are running; wait for one to end, or end it.`,
      )
    }
    if (this.#total >= mostInAll) {
      throw refuseBy(
        'all_exports',
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

/** What a file holds. */
export interface FileContents {
  /** Whether it begins with a byte order mark. */
  readonly bom: boolean
  /** Its chunks. They may be lent: each holds until the next one is asked for. `onRows` gets the rows that the reader has taken. */
  readonly chunks: (dataset: OpenDataset, onRows: (rows: number) => void) => AsyncGenerator<Uint8Array>
}

export interface ExportLimits {
  readonly done: () => void
  readonly onRows: (rows: number) => void
  /** Of the reader's long queries, where the first chunk takes as long as one of them. */
  readonly share?: QueryShare
}

/**
 * The bytes of a file, on the version that is served now, even if another one replaces it meanwhile. `done` runs when the
 * stream ends, fails, or is cancelled. Nothing comes before the first chunk is there: until then a failure is a refusal.
 */
export async function* exportDataset(
  openDatasets: OpenDatasets,
  served: ServedDataset,
  { bom, chunks }: FileContents,
  { done, onRows, share }: ExportLimits,
): AsyncGenerator<Uint8Array> {
  try {
    let isMarkDue = bom
    for await (const chunk of openDatasets.stream(served, (dataset) => chunks(dataset, onRows), share)) {
      if (isMarkDue) yield BYTE_ORDER_MARK
      isMarkDue = false
      yield chunk
    }
    if (isMarkDue) yield BYTE_ORDER_MARK
  } finally {
    done()
  }
}
