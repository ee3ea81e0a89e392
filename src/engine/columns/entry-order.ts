/** Sorts dictionary entries by the keys of `entry-keys.ts`. The sorts return entry numbers in order. */

import type { EntryTexts } from './entry-keys.ts'

const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS
const PASSES = 6

/**
 * Entry numbers by ascending number: a least-significant-digit radix sort on the doubles' bits, transformed so that their
 * unsigned order is the numeric one. Digits that all entries share cost no pass, so small integers take two or three passes.
 */
export function orderNumbers(keys: Float64Array): Uint32Array {
  const count = keys.length
  const words = new Uint32Array(keys.slice().buffer)
  for (let i = 0; i < count; i++) {
    const negative = words[2 * i + 1]! >>> 31
    words[2 * i] = words[2 * i]! ^ (negative ? 0xffffffff : 0)
    words[2 * i + 1] = words[2 * i + 1]! ^ (negative ? 0xffffffff : 0x80000000)
  }
  let order = new Uint32Array(count)
  for (let i = 0; i < count; i++) order[i] = i
  let spare = new Uint32Array(count)
  const starts = new Uint32Array(DIGITS)
  for (let pass = 0; pass < PASSES; pass++) {
    const shift = pass * DIGIT_BITS
    starts.fill(0)
    for (let i = 0; i < count; i++) starts[digitAt(words, i, shift)]!++
    if (count === 0 || starts[digitAt(words, 0, shift)] === count) continue
    let sum = 0
    for (let digit = 0; digit < DIGITS; digit++) {
      const size = starts[digit]!
      starts[digit] = sum
      sum += size
    }
    for (let i = 0; i < count; i++) {
      const entry = order[i]!
      spare[starts[digitAt(words, entry, shift)]!++] = entry
    }
    ;[order, spare] = [spare, order]
  }
  return order
}

function digitAt(words: Uint32Array, entry: number, shift: number): number {
  const low = words[2 * entry]!
  const high = words[2 * entry + 1]!
  if (shift >= 32) return (high >>> (shift - 32)) & (DIGITS - 1)
  if (shift === 0) return low & (DIGITS - 1)
  return ((low >>> shift) | (high << (32 - shift))) & (DIGITS - 1)
}

/** Ranges this short are finished by insertion. */
const SHORT_RANGE = 12

/**
 * Entry numbers by ascending key bytes: multikey quicksort (Bentley and Sedgewick 1997) four bytes at a time. The four
 * bytes in question are kept beside the entry numbers, so that most comparisons read no key. Equal keys become neighbours,
 * in any order. A key must not have a zero byte where another one ends.
 */
export function orderTexts(keys: EntryTexts): Uint32Array {
  const count = keys.offsets.length - 1
  const order = new Uint32Array(count)
  const words = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    order[i] = i
    words[i] = wordAt(keys, i, 0)
  }
  const pending: number[] = [0, count, 0]
  while (pending.length > 0) {
    const depth = pending.pop()!
    const to = pending.pop()!
    const from = pending.pop()!
    if (to - from <= SHORT_RANGE) insertionSort(keys, order, from, to, depth)
    else partition(keys, order, words, from, to, depth, pending)
  }
  return order
}

/** Four key bytes from `depth` on, big-endian, zeros after the end. */
function wordAt(keys: EntryTexts, entry: number, depth: number): number {
  const at = keys.offsets[entry]! + depth
  const left = keys.offsets[entry + 1]! - at
  const bytes = keys.bytes
  if (left >= 4)
    return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
  let word = 0
  for (let k = 0; k < left; k++) word |= bytes[at + k]! << (24 - 8 * k)
  return word >>> 0
}

function partition(
  keys: EntryTexts,
  order: Uint32Array,
  words: Uint32Array,
  from: number,
  to: number,
  depth: number,
  pending: number[],
): void {
  const [a, b, c] = [words[from]!, words[(from + to) >>> 1]!, words[to - 1]!]
  const pivot = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
  let less = from
  let greater = to
  for (let i = from; i < greater; ) {
    const word = words[i]!
    if (word === pivot) i++
    else if (word < pivot) swap(order, words, i++, less++)
    else swap(order, words, i, --greater)
  }
  if (less - from > 1) pending.push(from, less, depth)
  if (to - greater > 1) pending.push(greater, to, depth)
  if (greater - less < 2) return
  let unfinished = false
  for (let i = less; i < greater; i++) {
    const entry = order[i]!
    unfinished ||= keys.offsets[entry]! + depth + 4 < keys.offsets[entry + 1]!
    words[i] = wordAt(keys, entry, depth + 4)
  }
  if (unfinished) pending.push(less, greater, depth + 4)
}

function swap(order: Uint32Array, words: Uint32Array, i: number, j: number): void {
  const entry = order[i]!
  order[i] = order[j]!
  order[j] = entry
  const word = words[i]!
  words[i] = words[j]!
  words[j] = word
}

function insertionSort(keys: EntryTexts, order: Uint32Array, from: number, to: number, depth: number): void {
  for (let i = from + 1; i < to; i++) {
    const entry = order[i]!
    let at = i
    while (at > from && compareFrom(keys, order[at - 1]!, entry, depth) > 0) {
      order[at] = order[at - 1]!
      at--
    }
    order[at] = entry
  }
}

function compareFrom(keys: EntryTexts, a: number, b: number, depth: number): number {
  const { bytes, offsets } = keys
  return compareBytes(
    bytes,
    offsets[a]! + depth,
    offsets[a + 1]!,
    bytes,
    offsets[b]! + depth,
    offsets[b + 1]!,
  )
}

/** Negative, zero or positive by the first differing byte; a text comes before longer ones that begin with it. */
export function compareBytes(
  left: Uint8Array,
  leftFrom: number,
  leftTo: number,
  right: Uint8Array,
  rightFrom: number,
  rightTo: number,
): number {
  const shared = Math.min(leftTo - leftFrom, rightTo - rightFrom)
  for (let k = 0; k < shared; k++) {
    const difference = left[leftFrom + k]! - right[rightFrom + k]!
    if (difference !== 0) return difference
  }
  return leftTo - leftFrom - (rightTo - rightFrom)
}
