/** Bulk export: the stream of a whole or filtered dataset, and the limit on concurrent exports (specification 4.7). */

import { refuseBy, WIDER } from '../../base/limits.ts'
import { Tally } from '../../base/tally.ts'
import { networkOf } from '../../base/text/ip-address.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { OpenDatasets } from '../open-datasets.ts'
import type { QueryShare } from '../query-shares.ts'

const BYTE_ORDER_MARK = new Uint8Array([0xef, 0xbb, 0xbf])

interface ExportBounds {
  readonly by: 'key' | 'address'
  readonly most: number
  readonly mostInAll: number
}

export type ExportSlots = ReturnType<typeof exportSlots>

/** Counts running exports, by key or address and in all. */
export function exportSlots(bounds: ExportBounds) {
  const { by, mostInAll } = bounds
  const running = new Tally<number | string>()
  /** Counts each export once, however many networks it counts for. */
  const all = new Tally<'all'>()
  /**
   * Takes a slot.
   * @returns a function that gives it back; further calls do nothing
   * @throws ApiError `service_unavailable` when the key, the address, a wider network around it, or the service has none
   * left
   */
  const take = (who: number | string): (() => void) => {
    const counts = countsOf(who, bounds)
    const full = counts.find(([one, most]) => running.of(one) >= most)
    if (full !== undefined) {
      const whose = full[0] === who ? `this ${by}` : `the network ${full[0]}`
      throw refuseBy(
        by === 'key' ? 'exports' : 'open_exports',
        `${full[1]} exports of ${whose} are running; wait for one to end, or end it.`,
      )
    }
    if (all.total >= mostInAll) {
      const message = `The service runs ${mostInAll} exports, as many as it may; try again when one has ended.`
      throw refuseBy('all_exports', message)
    }
    const ends = [all.add('all'), ...counts.map(([one]) => running.add(one))]
    return () => {
      for (const end of ends) end()
    }
  }
  return { take }
}

/** A key or network, and for IPv6 the wider networks around it, each with its limit: at most half of all. */
function countsOf(
  who: number | string,
  { most, mostInAll }: ExportBounds,
): readonly (readonly [number | string, number])[] {
  if (typeof who === 'number' || !who.includes(':')) return [[who, most]]
  const half = Math.max(most, Math.floor(mostInAll / 2))
  const wider = WIDER.map(
    ({ prefix, times }) => [networkOf(who, prefix), Math.min(most * times, half)] as const,
  )
  return [[who, most], ...wider]
}

/** The contents of a file. */
export interface FileContents {
  readonly bom: boolean
  /** Its chunks, each valid only until the next is requested. `onRows` gets the rows that the reader has taken. */
  readonly chunks: (dataset: OpenDataset, onRows: (rows: number) => void) => AsyncGenerator<Uint8Array>
}

export interface ExportLimits {
  readonly done: () => void
  readonly onRows: (rows: number) => void
  /** The reader's share of long queries, if the first chunk takes as long as one. */
  readonly share?: QueryShare
}

/**
 * The bytes of a file, from the version that is served now, even if another one replaces it meanwhile. `done` runs when the
 * stream ends, fails, or is cancelled. Nothing is sent before the first chunk exists: until then a failure is a refusal.
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
