/** Counts how often each code occurs: in a range of rows, in those of a mask, or in listed ones. */

import { codeAt, countOne, word } from './addresses'

/** One-byte codes have four sets of counters: neighbouring rows often share a code and would wait for each other. */
const FOLD: usize = 256 * 4

/** Adds to `counts` how often each code occurs among the rows `from` to `to`. One-byte codes need 4 x 256 counters. */
export function countCodes(codes: usize, width: u32, ranks: usize, from: u32, to: u32, counts: usize): void {
  if (ranks !== 0) {
    if (width === 1) countRanks<u8>(codes, ranks, from, to, counts)
    else if (width === 2) countRanks<u16>(codes, ranks, from, to, counts)
    else countRanks<u32>(codes, ranks, from, to, counts)
  } else if (width === 1) countBytes(codes, from, to, counts)
  else if (width === 2) countWide<u16>(codes, from, to, counts)
  else countWide<u32>(codes, from, to, counts)
}

function countBytes(codes: usize, from: u32, to: u32, counts: usize): void {
  const end = codes + to
  let at = codes + from
  for (; at + 4 <= end; at += 4) {
    const four = load<u32>(at)
    countOne(counts, four & 0xff)
    countOne(counts + FOLD, (four >> 8) & 0xff)
    countOne(counts + 2 * FOLD, (four >> 16) & 0xff)
    countOne(counts + 3 * FOLD, four >> 24)
  }
  for (; at < end; at++) countOne(counts, load<u8>(at))
}

function countWide<Code>(codes: usize, from: u32, to: u32, counts: usize): void {
  for (let i = from; i < to; i++) countOne(counts, load<Code>(codes + (i as usize) * sizeof<Code>()) as u32)
}

function countRanks<Code>(codes: usize, ranks: usize, from: u32, to: u32, counts: usize): void {
  for (let i = from; i < to; i++) {
    const code = load<Code>(codes + (i as usize) * sizeof<Code>()) as u32
    countOne(counts, load<u32>(word(ranks, code)))
  }
}

/** Adds up the four sets of counters of one-byte codes; call it after the last `countCodes`. */
export function foldCounts(width: u32, ranks: usize, counts: usize): void {
  if (width !== 1 || ranks !== 0) return
  for (let at = counts, end = counts + FOLD; at < end; at += 4)
    store<u32>(at, load<u32>(at) + load<u32>(at + FOLD) + load<u32>(at + 2 * FOLD) + load<u32>(at + 3 * FOLD))
}

/**
 * Adds to `counts` how often each code occurs among the rows of the mask's words `from` to `to`. One-byte codes need 4 x 256
 * counters.
 */
export function countMasked(codes: usize, width: u32, mask: usize, from: u32, to: u32, counts: usize): void {
  if (width === 1) countMaskedBytes(codes, mask, from, to, counts)
  else if (width === 2) countMaskedWide<u16>(codes, mask, from, to, counts)
  else countMaskedWide<u32>(codes, mask, from, to, counts)
}

function countMaskedBytes(codes: usize, mask: usize, from: u32, to: u32, counts: usize): void {
  let set: usize = 0
  for (let word = from; word < to; word++) {
    let bits = load<u64>(mask + ((word as usize) << 3))
    const first = word << 6
    if (bits === u64.MAX_VALUE) {
      countBytes(codes, first, first + 64, counts)
      continue
    }
    for (; bits !== 0; bits &= bits - 1) {
      countOne(counts + set, load<u8>(codes + first + (ctz(bits) as usize)))
      set = (set + FOLD) & (4 * FOLD - 1)
    }
  }
}

function countMaskedWide<Code>(codes: usize, mask: usize, from: u32, to: u32, counts: usize): void {
  for (let word = from; word < to; word++) {
    let bits = load<u64>(mask + ((word as usize) << 3))
    const first = codes + ((word as usize) << 6) * sizeof<Code>()
    for (; bits !== 0; bits &= bits - 1)
      countOne(counts, load<Code>(first + (ctz(bits) as usize) * sizeof<Code>()) as u32)
  }
}

/** Adds to `counts` how often each code occurs among the `size` rows listed at `rows`. */
export function countListed(codes: usize, width: u32, rows: usize, size: u32, counts: usize): void {
  for (let i: u32 = 0; i < size; i++) countOne(counts, codeAt(codes, width, load<u32>(word(rows, i))))
}
