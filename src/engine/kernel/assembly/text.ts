/** Substring search over a dictionary. */

import { setBit, word } from './addresses'

/**
 * Sets in `table` the bits of the codes whose entry contains the `length` bytes at `needle`, for occurrences that start at
 * the heap positions `from` to `to`, which are in the entries `entry` to `last`; the needle fits between `to - 1` and the
 * heap's end. Looks at 16 positions at a time for the needle's first and last byte (W. Muła, "SIMD-friendly algorithms for
 * substring searching").
 */
export function findText(
  heap: usize,
  offsets: usize,
  entry: u32,
  last: u32,
  from: u32,
  to: u32,
  needle: usize,
  length: u32,
  table: usize,
): void {
  const firstByte = i8x16.splat(load<i8>(needle))
  const lastByte = i8x16.splat(load<i8>(needle + length - 1))
  let at = from
  while (at < to) {
    const here = heap + at
    let hits = i8x16.bitmask(
      v128.and(i8x16.eq(v128.load(here), firstByte), i8x16.eq(v128.load(here + length - 1), lastByte)),
    ) as u32
    let next = at + 16
    for (; hits !== 0; hits &= hits - 1) {
      const position = at + (ctz(hits) as u32)
      if (position >= to) break
      if (!equalBytes(heap + position, needle, length)) continue
      entry = entryHolding(offsets, entry, last, position)
      const end = load<u32>(word(offsets, entry))
      if (end - position < length) continue
      setBit(table, entry)
      next = max(end, position + 1)
      break
    }
    at = next
  }
}

function equalBytes(left: usize, right: usize, length: u32): bool {
  for (let k: usize = 0; k < length; k++) if (load<u8>(left + k) !== load<u8>(right + k)) return false
  return true
}

/** The first entry from `entry` on that ends after `position`: steps that double, then a binary search. */
function entryHolding(offsets: usize, entry: u32, entries: u32, position: u32): u32 {
  let low = entry
  if (load<u32>(word(offsets, low)) > position) return low
  let high = low
  for (let step: u32 = 1; load<u32>(word(offsets, high)) <= position; step <<= 1) {
    low = high
    high = min(low + step, entries)
  }
  while (high - low > 1) {
    const middle = low + ((high - low) >> 1)
    if (load<u32>(word(offsets, middle)) > position) high = middle
    else low = middle
  }
  return high
}
