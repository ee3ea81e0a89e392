/** Sorts listed rows, few of many, by keys composed of the columns, digit by digit. */

import { countOne, word } from './addresses'

/**
 * Appends one column to the sort keys of rows `from` to `to`: `keys[i] = keys[i] * size + k`, or `k` when `isFirst`. `k` is
 * the code or, with `ranks`, its rank, minus one; `descending` reverses it; null gets `top`, the highest code or rank, and so
 * comes last.
 */
export function appendKeys(
  codes: usize,
  width: u32,
  ranks: usize,
  top: u32,
  descending: bool,
  rows: usize,
  from: u32,
  to: u32,
  size: u32,
  isFirst: bool,
  keys: usize,
): void {
  if (width === 1) appendKeysOf<u8>(codes, ranks, top, descending, rows, from, to, size, isFirst, keys)
  else if (width === 2) appendKeysOf<u16>(codes, ranks, top, descending, rows, from, to, size, isFirst, keys)
  else appendKeysOf<u32>(codes, ranks, top, descending, rows, from, to, size, isFirst, keys)
}

/** One loop for each width: testing it for every row makes the loop a sixth slower. */
function appendKeysOf<Code>(
  codes: usize,
  ranks: usize,
  top: u32,
  descending: bool,
  rows: usize,
  from: u32,
  to: u32,
  size: u32,
  isFirst: bool,
  keys: usize,
): void {
  // (rank ^ flip) + bias is rank - 1, or top - rank when descending; null, 0, becomes top either way.
  const flip: u32 = descending ? u32.MAX_VALUE : 0
  const bias: u32 = descending ? top + 1 : u32.MAX_VALUE
  for (let i = from; i < to; i++) {
    const row = load<u32>(word(rows, i)) as usize
    let rank = load<Code>(codes + row * sizeof<Code>()) as u32
    if (ranks !== 0) rank = load<u32>(word(ranks, rank))
    const key = min<u32>((rank ^ flip) + bias, top)
    const target = word(keys, i)
    store<u32>(target, isFirst ? key : load<u32>(target) * size + key)
  }
}

/** Adds to `counts` how often each digit `(key >> shift) & digits` occurs among the keys `from` to `to`. */
export function countDigits(keys: usize, from: u32, to: u32, shift: u32, digits: u32, counts: usize): void {
  for (let i = from; i < to; i++) countOne(counts, (load<u32>(word(keys, i)) >> shift) & digits)
}

/** Turns `size` counts into the places where each digit's rows start. */
export function sumCounts(counts: usize, size: u32): void {
  let sum: u32 = 0
  for (let at = counts, end = word(counts, size); at < end; at += 4) {
    const count = load<u32>(at)
    store<u32>(at, sum)
    sum += count
  }
}

/**
 * One stable pass of a least-significant-digit radix sort: the positions `from` to `to` of `order` (0: the keys' own order)
 * go to the next place of their key's digit in `out`.
 */
export function moveByDigit(
  keys: usize,
  order: usize,
  from: u32,
  to: u32,
  shift: u32,
  digits: u32,
  starts: usize,
  out: usize,
): void {
  for (let i = from; i < to; i++) {
    const position = order === 0 ? i : load<u32>(word(order, i))
    const place = countOne(starts, (load<u32>(word(keys, position)) >> shift) & digits)
    store<u32>(word(out, place), position)
  }
}

/** Replaces positions in a list of rows with the rows. */
export function positionsToRows(order: usize, count: u32, rows: usize): void {
  for (let at = order, end = word(order, count); at < end; at += 4)
    store<u32>(at, load<u32>(word(rows, load<u32>(at))))
}
