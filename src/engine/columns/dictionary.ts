/** Makes a column's stored dictionary of its distinct values: sorted, numbered, ready to be filtered and rendered. */

import type { ColumnType, RawEntries, SegmentKind } from './column.ts'
import { appendFold, type EntryTexts, numericKeys, plainKeys, stringKeys } from './entry-keys.ts'
import { compareBytes, orderNumbers, orderTexts } from './entry-order.ts'
import { addEscapedTexts, rawTextSegment, type Segment, textSegment, wordSegment } from './segment.ts'

export interface EncodedDictionary {
  readonly distinct: number
  /** The code, 1..distinct, of each raw entry; entries with the same text share one. Unused ones have 0. */
  readonly codeOf: Uint32Array
  /** The raw entries, and which of them has each code, from 1 on. */
  readonly entries: RawEntries
  readonly firsts: Uint32Array
  /** Every segment of the column except `codes`. They read the entries, which must not change until then. */
  readonly segments: Map<SegmentKind, Segment>
}

/** Entry numbers in column order. */
export interface SortedEntries {
  readonly order: Uint32Array
  /** 1 where an entry does not compare equal to the one before it. Entries that do may differ in their texts. */
  readonly startsGroup: Uint8Array
  /** Bytes of each entry's fold; null when no entry differs from its fold. */
  readonly foldLengths: Uint32Array | null
}

const KEY_BYTES = 128

/**
 * Sorts and numbers the distinct values of one column. Entries hold canonical text: integers and decimals as
 * JavaScript prints them, `true`/`false`, `YYYY-MM-DD`, RFC 3339 with `Z`, or any valid UTF-8 in a string column.
 * Entries that compare equal (spellings with one fold, one instant written twice) become neighbours by raw text and
 * share one rank. Texts are not copied: segments read the entries while they are written.
 * @param used 0 for each entry to leave out; null: all are used @param sorted the result of `sortEntries`, if it is known already
 */
export function encodeDictionary(
  type: ColumnType,
  entries: RawEntries,
  used: Uint8Array | null = null,
  sorted: SortedEntries = sortEntries(type, entries),
): EncodedDictionary {
  const { codeOf, lengths, ranks, firsts } = numberEntries(
    entries,
    used === null ? sorted : keepUsed(sorted, used),
  )
  const distinct = firsts.length
  const { heap, offsets } = entries
  const ends = addUp(lengths)
  const segments = new Map<SegmentKind, Segment>([
    ['offsets', wordSegment(ends)],
    ['heap', rawTextSegment(entries, firsts, ends[distinct]!)],
  ])
  if (ranks[distinct] !== distinct) segments.set('ranks', wordSegment(ranks))
  if (type === 'string') addEscapedTexts(segments, entries, firsts)
  const { foldLengths } = sorted
  if (foldLengths) {
    const foldEnds = addUp(firsts.map((entry) => foldLengths[entry]!))
    segments.set('fold_offsets', wordSegment(foldEnds))
    segments.set(
      'fold_heap',
      textSegment(firsts, foldEnds[distinct]!, (entry, sink) =>
        appendFold(heap, offsets[entry]!, offsets[entry + 1]!, sink),
      ),
    )
  }
  return { distinct, codeOf, entries, firsts, segments }
}

/** The text of one code (1..distinct) of an encoded dictionary; code 1 is the column's minimum. */
export function dictionaryText({ entries, firsts }: EncodedDictionary, code: number): string {
  const { heap, offsets } = entries
  const entry = firsts[code - 1]!
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    heap.subarray(offsets[entry], offsets[entry + 1]),
  )
}

/** Sorts entries: most of the time that it takes to encode a dictionary. */
export function sortEntries(type: ColumnType, entries: RawEntries): SortedEntries {
  if (type === 'string') return sortStrings(entries)
  if (type === 'integer' || type === 'decimal') {
    const keys = numericKeys(entries)
    const order = orderNumbers(keys)
    return { order, startsGroup: markGroups(order, (a, b) => keys[a] === keys[b]), foldLengths: null }
  }
  const keys = plainKeys(type, entries)
  const order = orderTexts(keys)
  return { order, startsGroup: markGroups(order, (a, b) => isSame(keys, a, b)), foldLengths: null }
}

/** Sorts by the beginnings of the keys and, where these are equal, by the whole keys of those entries alone. */
function sortStrings(entries: RawEntries): SortedEntries {
  const { keys, foldLengths } = stringKeys(entries, KEY_BYTES)
  const order = orderTexts(keys)
  const startsGroup = markGroups(order, (a, b) => isSame(keys, a, b))
  for (const [from, to] of groupsOfMany(startsGroup)) {
    const first = order[from]!
    if (keys.offsets[first + 1]! - keys.offsets[first]! < KEY_BYTES) continue
    const alike = order.slice(from, to)
    const whole = stringKeys(pick(entries, alike), Number.POSITIVE_INFINITY).keys
    const within = orderTexts(whole)
    startsGroup.set(
      markGroups(within, (a, b) => isSame(whole, a, b)),
      from,
    )
    for (let i = 0; i < within.length; i++) order[from + i] = alike[within[i]!]!
  }
  return { order, startsGroup, foldLengths }
}

function markGroups(order: Uint32Array, isEqual: (a: number, b: number) => boolean): Uint8Array {
  const startsGroup = new Uint8Array(order.length)
  for (let i = 0; i < order.length; i++)
    startsGroup[i] = i === 0 || !isEqual(order[i - 1]!, order[i]!) ? 1 : 0
  return startsGroup
}

/** Bounds of the groups of more than one entry, in order. The caller may change marks within a group. */
function* groupsOfMany(startsGroup: Uint8Array): Generator<[number, number]> {
  for (let at = startsGroup.indexOf(0); at >= 0; ) {
    const next = startsGroup.indexOf(1, at)
    const to = next < 0 ? startsGroup.length : next
    yield [at - 1, to]
    at = startsGroup.indexOf(0, to)
  }
}

function pick({ heap, offsets }: RawEntries, chosen: Uint32Array): RawEntries {
  const ends = addUp(chosen.map((entry) => offsets[entry + 1]! - offsets[entry]!))
  const picked = new Uint8Array(ends[chosen.length]!)
  for (let i = 0; i < chosen.length; i++)
    picked.set(heap.subarray(offsets[chosen[i]!]!, offsets[chosen[i]! + 1]!), ends[i])
  return { heap: picked, offsets: ends }
}

/** The entries that are used; a group begins with the first of them. */
function keepUsed({ order, startsGroup, foldLengths }: SortedEntries, used: Uint8Array): SortedEntries {
  const kept = new Uint32Array(order.length)
  const starts = new Uint8Array(order.length)
  let count = 0
  let begins = false
  for (let i = 0; i < order.length; i++) {
    begins ||= startsGroup[i] === 1
    if (used[order[i]!] === 0) continue
    starts[count] = begins ? 1 : 0
    kept[count++] = order[i]!
    begins = false
  }
  return { order: kept.subarray(0, count), startsGroup: starts.subarray(0, count), foldLengths }
}

function isSame(texts: EntryTexts, a: number, b: number): boolean {
  return compareEntries(texts, a, b) === 0
}

function compareEntries(texts: EntryTexts, a: number, b: number): number {
  const { bytes, offsets } = texts
  return compareBytes(bytes, offsets[a]!, offsets[a + 1]!, bytes, offsets[b]!, offsets[b + 1]!)
}

/** Assigns codes and ranks. First sorts entries that compare equal by their raw texts. */
function numberEntries(entries: RawEntries, { order, startsGroup }: SortedEntries) {
  const raw = { bytes: entries.heap, offsets: entries.offsets }
  for (const [from, to] of groupsOfMany(startsGroup))
    order.subarray(from, to).sort((a, b) => compareEntries(raw, a, b) || a - b)
  const codeOf = new Uint32Array(entries.offsets.length - 1)
  const ranks = new Uint32Array(order.length + 1)
  const firsts = new Uint32Array(order.length)
  let code = 0
  let rank = 0
  for (let i = 0; i < order.length; i++) {
    const entry = order[i]!
    if (startsGroup[i] === 1) rank++
    if (startsGroup[i] === 1 || !isSame(raw, order[i - 1]!, entry)) {
      firsts[code++] = entry
      ranks[code] = rank
    }
    codeOf[entry] = code
  }
  const kept = firsts.subarray(0, code)
  const lengths = kept.map((entry) => entries.offsets[entry + 1]! - entries.offsets[entry]!)
  return { codeOf, lengths, ranks: ranks.subarray(0, code + 1), firsts: kept }
}

/** Where texts of these lengths end when they follow one another; 0 first. */
function addUp(lengths: Uint32Array): Uint32Array {
  const ends = new Uint32Array(lengths.length + 1)
  let end = 0
  for (let i = 0; i < lengths.length; i++) {
    end += lengths[i]!
    if (end > 0xffffffff) throw new RangeError('a column holds more than 4 GiB of distinct text')
    ends[i + 1] = end
  }
  return ends
}
