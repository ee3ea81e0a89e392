/** How values that are equal under `eq` but written differently are shown: in the spelling most frequent in the dataset. */

import type { OpenDataset } from '../memory/open-dataset.ts'
import { blocksOf, type Work } from '../turns.ts'

/** Cost of counting a row. */
const COUNT_COST = 2
/** One-byte codes are counted fourfold by the kernel. */
const FEWEST_COUNTERS = 4 * 2 ** 8

/**
 * The code in whose spelling each rank (1 to the highest) is shown: the most frequent in the whole dataset, then the first by code
 * point, which is the first by code. Null where no two codes compare equal, so that every rank is the code of one text.
 * @throws DamagedFileError when a segment does not load
 */
export function* findShownCodes(dataset: OpenDataset, column: number): Work<Uint32Array | null> {
  const { distinct, codeWidth } = dataset.columns[column]!
  const ranks = dataset.segment(column, 'ranks')
  if (ranks === 0) return null
  const codes = dataset.segment(column, 'codes')
  const bytes = 4 * Math.max(distinct + 1, FEWEST_COUNTERS)
  const counts = dataset.regions.allocate(bytes)
  try {
    dataset.regions.bytes.fill(0, counts, counts + bytes)
    for (const [from, to] of blocksOf(dataset.rows)) {
      dataset.kernel.countCodes(codes, codeWidth, 0, from, to, counts)
      yield (to - from) * COUNT_COST
    }
    dataset.kernel.foldCounts(codeWidth, 0, counts)
    const { words } = dataset.regions
    return mostFrequent(
      words.subarray(ranks / 4, ranks / 4 + distinct + 1),
      words.subarray(counts / 4, counts / 4 + distinct + 1),
    )
  } finally {
    dataset.regions.release(counts)
  }
}

function mostFrequent(ranks: Uint32Array, counts: Uint32Array): Uint32Array {
  const shown = new Uint32Array(ranks[ranks.length - 1]! + 1)
  for (let code = 1; code < ranks.length; code++) {
    const best = shown[ranks[code]!]!
    if (best === 0 || counts[code]! > counts[best]!) shown[ranks[code]!] = code
  }
  return shown
}
