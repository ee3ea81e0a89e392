/** The rows that filters match, as row numbers. */

import { maskWords, type OpenDataset } from '../memory/open-dataset.ts'
import type { Matches } from './matches.ts'

/** Writes up to `most` matching row numbers from `from` on, in file order, to address `rows`; their number. */
export function gatherRows(
  dataset: OpenDataset,
  matches: Matches,
  from: number,
  rows: number,
  most: number,
): number {
  if (matches.total === 0 || from >= dataset.rows) return 0
  if (matches.rows !== 0) return gatherListed(dataset, matches, from, rows, most)
  if (matches.mask !== 0)
    return dataset.kernel.collect(matches.mask, from, maskWords(dataset.rows), rows, most)
  const count = Math.min(most, dataset.rows - from)
  dataset.kernel.enumerate(rows, from, count)
  return count
}

function gatherListed(
  dataset: OpenDataset,
  { rows: list, total }: Matches,
  from: number,
  rows: number,
  most: number,
): number {
  const { words } = dataset.regions
  let first = 0
  for (let high = total; first < high; ) {
    const middle = (first + high) >> 1
    if (words[list / 4 + middle]! < from) first = middle + 1
    else high = middle
  }
  const count = Math.min(most, total - first)
  words.copyWithin(rows / 4, list / 4 + first, list / 4 + first + count)
  return count
}
