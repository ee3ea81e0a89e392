/** Bulk export: the stream of a whole or filtered dataset, and how many of them may run at the same time (specification 4.7). */

import { refuseBy, WIDER } from '../../base/limits.ts'
import { Tally } from '../../base/tally.ts'
import { networkOf } from '../../base/text/ip-address.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { OpenDatasets } from '../open-datasets.ts'
import type { QueryShare } from '../query-shares.ts'

const BYTE_ORDER_MARK = new Uint8Array([0xef, 0xbb, 0xbf])

export interface ExportBounds {
  readonly by: 'key' | 'address'
  readonly most: number
  readonly mostInAll: number
}

/** Counts running exports, by key or address and in all. */
export class ExportSlots {
  readonly #bounds: ExportBounds
  readonly #running = new Tally<number | string>()
  readonly #all = new Tally<'all'>()

  constructor(bounds: ExportBounds) {
    this.#bounds = bounds
  }

  /**
   * Takes a slot.
   * @returns gives it back; calling it again does nothing
   * @throws ApiError `service_unavailable` when the key, the address, a wider network that it is in, or the service has none left
   */
  take(who: number | string): () => void {
    const { by, mostInAll } = this.#bounds
    const counts = this.#countsOf(who)
    const full = counts.find(([one, most]) => this.#running.of(one) >= most)
    if (full !== undefined) {
      const whose = full[0] === who ? `this ${by}` : `the network ${full[0]}`
      throw refuseBy(
        by === 'key' ? 'exports' : 'open_exports',
        `${full[1]} exports of ${whose} are running; wait for one to end, or end it.`,
      )
    }
    if (this.#all.total >= mostInAll) {
      throw refuseBy(
        'all_exports',
        `The service runs ${mostInAll} exports, as many as it may; try again when one has ended.`,
      )
    }
    const ends = [this.#all.add('all'), ...counts.map(([one]) => this.#running.add(one))]
    return () => {
      for (const end of ends) end()
    }
  }

  /** A key or network, and for IPv6 the wider networks that it is in, each with its most: never more than half of all. */
  #countsOf(who: number | string): readonly (readonly [number | string, number])[] {
    const { most, mostInAll } = this.#bounds
    if (typeof who === 'number' || !who.includes(':')) return [[who, most]]
    const half = Math.max(most, Math.floor(mostInAll / 2))
    const wider = WIDER.map(
      ({ prefix, times }) => [networkOf(who, prefix), Math.min(most * times, half)] as const,
    )
    return [[who, most], ...wider]
  }
}

/** What a file holds. */
export interface FileContents {
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
