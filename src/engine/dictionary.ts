/** From a column's distinct values to its stored dictionary: sorted, numbered, ready to be filtered and rendered. */

import { copyBytes } from './byte-sink.ts'
import type { ColumnType, SegmentKind } from './column.ts'
import { type EntryTexts, numericKeys, plainKeys, stringKeys } from './entry-keys.ts'
import { compareBytes, orderNumbers, orderTexts } from './entry-order.ts'
import { addEscapedTexts } from './escaped-texts.ts'

/** Distinct values in any order: entry i is the UTF-8 text `heap[offsets[i] .. offsets[i+1])`. */
export interface RawEntries {
  readonly heap: Uint8Array
  readonly offsets: Uint32Array
}

export interface EncodedDictionary {
  readonly distinct: number
  /** The code, 1..distinct, of each raw entry; entries with the same text share one. */
  readonly codeOf: Uint32Array
  /** Every segment of the column but `codes`. */
  readonly segments: Map<SegmentKind, Uint8Array>
}

/** Entry numbers in column order, and whether two entries compare equal though their texts may differ. */
interface SortedEntries {
  readonly order: Uint32Array
  readonly equal: (a: number, b: number) => boolean
  readonly folds: EntryTexts | null
}

/**
 * Sorts and numbers the distinct values of one column. Entries hold canonical text: integers and decimals as
 * JavaScript prints them, `true`/`false`, `YYYY-MM-DD`, RFC 3339 with `Z`, or any valid UTF-8 in a string column.
 * Entries that compare equal (spellings with one fold, one instant written twice) become neighbours by raw text and
 * share one rank.
 */
export function encodeDictionary(type: ColumnType, entries: RawEntries): EncodedDictionary {
  const sorted = sortEntries(type, entries)
  const spellings = sortSpellings(entries, sorted)
  const { codeOf, offsets, ranks, firsts } = numberEntries(entries, sorted, spellings)
  const distinct = firsts.length
  const heap = gather({ bytes: entries.heap, offsets: entries.offsets }, firsts, offsets)
  const segments = new Map<SegmentKind, Uint8Array>([
    ['offsets', bytesOf(offsets)],
    ['heap', heap],
  ])
  if (ranks[distinct] !== distinct) segments.set('ranks', bytesOf(ranks))
  if (type === 'string') addEscapedTexts(segments, heap, offsets)
  if (sorted.folds) {
    const foldOffsets = lengthsToOffsets(sorted.folds, firsts)
    segments.set('fold_offsets', bytesOf(foldOffsets))
    segments.set('fold_heap', gather(sorted.folds, firsts, foldOffsets))
  }
  return { distinct, codeOf, segments }
}

/** The text of one code (1..distinct) of an encoded dictionary; code 1 is the column's minimum. */
export function dictionaryText(dictionary: EncodedDictionary, code: number): string {
  const heap = dictionary.segments.get('heap')!
  const bytes = dictionary.segments.get('offsets')!
  const offsets = new Uint32Array(bytes.buffer, bytes.byteOffset, dictionary.distinct + 1)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(heap.subarray(offsets[code - 1], offsets[code]))
}

function sortEntries(type: ColumnType, entries: RawEntries): SortedEntries {
  if (type === 'integer' || type === 'decimal') {
    const keys = numericKeys(entries)
    return { order: orderNumbers(keys), equal: (a, b) => keys[a] === keys[b], folds: null }
  }
  const { keys, folds } =
    type === 'string' ? stringKeys(entries) : { keys: plainKeys(type, entries), folds: null }
  return { order: orderTexts(keys), equal: (a, b) => compareEntries(keys, a, b) === 0, folds }
}

function compareEntries(texts: EntryTexts, a: number, b: number): number {
  const { bytes, offsets } = texts
  return compareBytes(bytes, offsets[a]!, offsets[a + 1]!, bytes, offsets[b]!, offsets[b + 1]!)
}

/** Puts entries that compare equal into the order of their raw texts; marks where each group starts. */
function sortSpellings(entries: RawEntries, sorted: SortedEntries): Uint8Array {
  const { order, equal } = sorted
  const raw = { bytes: entries.heap, offsets: entries.offsets }
  const startsGroup = new Uint8Array(order.length)
  for (let from = 0; from < order.length; ) {
    let to = from + 1
    while (to < order.length && equal(order[from]!, order[to]!)) to++
    startsGroup[from] = 1
    if (to - from > 1) order.subarray(from, to).sort((a, b) => compareEntries(raw, a, b) || a - b)
    from = to
  }
  return startsGroup
}

function numberEntries(entries: RawEntries, sorted: SortedEntries, startsGroup: Uint8Array) {
  const { order } = sorted
  const raw = { bytes: entries.heap, offsets: entries.offsets }
  const codeOf = new Uint32Array(order.length)
  const ranks = new Uint32Array(order.length + 1)
  const firsts = new Uint32Array(order.length)
  let code = 0
  let rank = 0
  for (let i = 0; i < order.length; i++) {
    const entry = order[i]!
    if (startsGroup[i] === 1) rank++
    if (startsGroup[i] === 1 || compareEntries(raw, order[i - 1]!, entry) !== 0) {
      firsts[code++] = entry
      ranks[code] = rank
    }
    codeOf[entry] = code
  }
  const kept = firsts.subarray(0, code)
  return { codeOf, offsets: lengthsToOffsets(raw, kept), ranks: ranks.slice(0, code + 1), firsts: kept }
}

/** Offsets of the chosen entries once they stand one behind the other. */
function lengthsToOffsets(texts: EntryTexts, chosen: Uint32Array): Uint32Array {
  const offsets = new Uint32Array(chosen.length + 1)
  let end = 0
  for (let i = 0; i < chosen.length; i++) {
    const entry = chosen[i]!
    end += texts.offsets[entry + 1]! - texts.offsets[entry]!
    if (end > 0xffffffff) throw new RangeError('a column holds more than 4 GiB of distinct text')
    offsets[i + 1] = end
  }
  return offsets
}

function gather(texts: EntryTexts, chosen: Uint32Array, offsets: Uint32Array): Uint8Array {
  const heap = new Uint8Array(offsets[chosen.length]!)
  for (let i = 0; i < chosen.length; i++) {
    const entry = chosen[i]!
    copyBytes(texts.bytes, texts.offsets[entry]!, texts.offsets[entry + 1]!, heap, offsets[i]!)
  }
  return heap
}

function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength)
}
