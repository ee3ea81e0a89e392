/** Finds words in the texts of a column's dictionary. */

import { letterFolds, wordsOf } from '../../base/text/words.ts'
import type { Part } from '../kernel/kernel-calls.ts'
import { maskWords, type OpenDataset } from '../memory/open-dataset.ts'
import { runParts } from '../memory/parts.ts'
import { Scratch } from '../memory/scratch.ts'
import type { Work } from '../turns.ts'
import { entryText } from './entry-search.ts'

/** Bytes of dictionary text searched between two yields, and the cost of a byte and of an entry, in nanoseconds. */
const TEXT_BLOCK = 2 * 2 ** 20
const TEXT_BYTE_COST = 0.5
const ENTRY_COST = 5

/** Entries left to `wordsOf` between two yields. */
const DOUBTS_AT_ONCE = 256

/** Codes whose bits are in one word of a code mask. */
const WORD_CODES = 64

/**
 * Divides the entries of a dictionary into blocks of about `bytes` bytes of text: entries `entry` to `last`, and where their
 * texts are in the heap. No two blocks share a word of a code mask.
 */
export function* entryBlocks(
  { regions }: OpenDataset,
  offsets: number,
  entries: number,
  bytes: number,
): Generator<readonly [entry: number, last: number, from: number, to: number], void, void> {
  const { words } = regions
  const endOf = (entry: number) => words[offsets / 4 + entry]!
  for (let entry = 1; entry <= entries; ) {
    const from = endOf(entry - 1)
    let last = entry
    for (let step = entries; step >= 1; step = Math.floor(step / 2))
      while (last + step <= entries && endOf(last + step) - from <= bytes) last += step
    last = Math.min(Math.ceil((last + 1) / WORD_CODES) * WORD_CODES - 1, entries)
    yield [entry, last, from, endOf(last)]
    entry = last + 1
  }
}

/**
 * Sets in the code mask at `found` the bits of the entries in which a word begins with `word`, which is folded. The kernel
 * decides nearly all of them; entries with ligatures, fractions or East Asian scripts are folded one by one.
 * @param most entries that are searched, from the first on
 * @throws DamagedFileError when the dictionary does not load
 */
export function* findEntriesWithWord(
  dataset: OpenDataset,
  column: number,
  word: string,
  found: number,
  most: number = dataset.columns[column]!.distinct,
): Work<void> {
  const { regions } = dataset
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
  const parts = entryBlocks(dataset, offsets, most, TEXT_BLOCK).map(([entry, last, from, to]): Part => {
    const search = [heap, offsets, entry, last, needle, word.length] as const
    return {
      calls: [['findWord', ...search, tables, folds.length, found, doubts]],
      cost: (to - from) * TEXT_BYTE_COST + (last - entry) * ENTRY_COST,
    }
  })
  yield* runParts(dataset, [...parts])
  let looked = 0
  for (let at = 0; at < masked * 2; at++) {
    for (let bits = regions.words[doubts / 4 + at]!; bits !== 0; bits &= bits - 1) {
      const code = at * 32 + 31 - Math.clz32(bits & -bits)
      if (wordsOf(entryText(dataset, column, code)).some((begun) => begun.startsWith(word)))
        dataset.kernel.fillBits(found, code, code)
      if (++looked % DOUBTS_AT_ONCE === 0) yield
    }
  }
}
