/** Words in the texts of a column's dictionary. */

import { letterFolds, wordsOf } from '../../base/text/words.ts'
import { maskWords, type OpenDataset } from '../memory/open-dataset.ts'
import { Scratch } from '../memory/scratch.ts'
import type { Work } from '../turns.ts'
import { entryText } from './entry-search.ts'

/** Bytes of dictionary text searched between two yields, and what a byte and an entry of them cost. */
const TEXT_BLOCK = 2 * 2 ** 20
const TEXT_BYTE_COST = 0.5
const ENTRY_COST = 5

/** Cost of an entry that the kernel leaves to `wordsOf`, and how many there are between two yields. */
const DOUBT_COST = 4000
const DOUBTS_AT_ONCE = 256

/**
 * Sets in the code mask at `found` the bits of the entries in which a word begins with `word`, which is folded. The kernel
 * decides nearly all of them; those with ligatures, fractions or East Asian scripts are folded one by one.
 * @param most entries that are looked at, from the first on
 * @throws DamagedFileError when the dictionary does not load
 */
export function* findEntriesWithWord(
  dataset: OpenDataset,
  column: number,
  word: string,
  found: number,
  most: number = dataset.columns[column]!.distinct,
): Work<void> {
  const { kernel, regions } = dataset
  const masked = maskWords(dataset.columns[column]!.distinct + 1)
  const offsets = dataset.segment(column, 'offsets')
  const heap = dataset.segment(column, 'heap')
  const folds = letterFolds()
  using scratch = new Scratch(dataset)
  const doubts = scratch.cleared(masked * 8)
  const tables = scratch.allocate(folds.byteLength + word.length * 2)
  const needle = tables + folds.byteLength
  new Uint16Array(regions.memory.buffer, tables, folds.length).set(folds)
  const units = new Uint16Array(regions.memory.buffer, needle, word.length)
  for (let at = 0; at < word.length; at++) units[at] = word.charCodeAt(at)
  for (let entry = 1; entry <= most; ) {
    const from = entry
    entry =
      kernel.findWord(
        ...([heap, offsets, entry, most, TEXT_BLOCK, needle, word.length] as const),
        ...([tables, folds.length, found, doubts] as const),
      ) >>> 0
    const { words } = regions
    const searched = words[offsets / 4 + entry - 1]! - words[offsets / 4 + from - 1]!
    yield searched * TEXT_BYTE_COST + (entry - from) * ENTRY_COST
  }
  let looked = 0
  for (let at = 0; at < masked * 2; at++) {
    for (let bits = regions.words[doubts / 4 + at]!; bits !== 0; bits &= bits - 1) {
      const code = at * 32 + 31 - Math.clz32(bits & -bits)
      if (wordsOf(entryText(dataset, column, code)).some((begun) => begun.startsWith(word)))
        kernel.fillBits(found, code, code)
      if (++looked % DOUBTS_AT_ONCE === 0) yield DOUBTS_AT_ONCE * DOUBT_COST
    }
  }
}
