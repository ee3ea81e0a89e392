/** Masks: filling, counting, listing what is set. */

/** Sets bits `low` to `high`, both included. */
export function fillBits(mask: usize, low: u32, high: u32): void {
  const firstWord = low >> 6
  const lastWord = high >> 6
  const first: u64 = u64.MAX_VALUE << ((low & 63) as u64)
  const last: u64 = u64.MAX_VALUE >> ((63 - (high & 63)) as u64)
  if (firstWord === lastWord) {
    const only = mask + ((firstWord as usize) << 3)
    store<u64>(only, load<u64>(only) | (first & last))
    return
  }
  const start = mask + ((firstWord as usize) << 3)
  const end = mask + ((lastWord as usize) << 3)
  store<u64>(start, load<u64>(start) | first)
  for (let at = start + 8; at < end; at += 8) store<u64>(at, u64.MAX_VALUE)
  store<u64>(end, load<u64>(end) | last)
}

/** Clears the bits from `size` on of a mask of `words` words. */
export function clearTail(mask: usize, size: u32, words: u32): void {
  if ((size & 63) === 0) return
  const last = mask + (((words - 1) as usize) << 3)
  store<u64>(last, load<u64>(last) & (((1 as u64) << ((size & 63) as u64)) - 1))
}

/** Bits set in mask words `from` to `to`. */
export function countBits(mask: usize, from: u32, to: u32): u32 {
  let count: u64 = 0
  for (let word = from; word < to; word++) count += popcnt(load<u64>(mask + ((word as usize) << 3)))
  return count as u32
}

/** The row of the set bit number `skip` (0-based) of a mask of `words` words; `words * 64` when there are fewer. */
export function findBit(mask: usize, words: u32, skip: u32): u32 {
  let left: u64 = skip
  for (let word: u32 = 0; word < words; word++) {
    let bits = load<u64>(mask + ((word as usize) << 3))
    const here = popcnt(bits)
    if (left >= here) {
      left -= here
      continue
    }
    for (; left > 0; left--) bits &= bits - 1
    return (word << 6) + (ctz(bits) as u32)
  }
  return words << 6
}

/** Writes up to `most` rows whose bit is set, from row `from` on, to `rows`; their number. */
export function collect(mask: usize, from: u32, words: u32, rows: usize, most: u32): u32 {
  let count: u32 = 0
  let word = from >> 6
  if (word >= words || most === 0) return 0
  let bits = load<u64>(mask + ((word as usize) << 3)) & (u64.MAX_VALUE << ((from & 63) as u64))
  while (true) {
    for (; bits !== 0; bits &= bits - 1) {
      store<u32>(rows + ((count as usize) << 2), (word << 6) + (ctz(bits) as u32))
      if (++count === most) return count
    }
    if (++word >= words) return count
    bits = load<u64>(mask + ((word as usize) << 3))
  }
}

/** Writes the row numbers `from`, `from + 1`, … to `rows`. */
export function enumerate(rows: usize, from: u32, count: u32): void {
  for (let i: u32 = 0; i < count; i++) store<u32>(rows + ((i as usize) << 2), from + i)
}
