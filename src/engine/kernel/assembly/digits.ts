/** Sorting listed rows, few of many: by keys composed of the columns, one digit after the other. */

/**
 * Appends one column to the sort keys of rows `from` to `to`: `keys[i] = keys[i] * size + k`, `keys[i]` counting as
 * zero when `isFirst`. k is the code or, with `ranks`, the code's rank, minus one; descending turns it around; null
 * gets `top`, the highest code or rank, and so comes last. `rows` 0 stands for all rows in order.
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
    const row: usize = rows === 0 ? i : load<u32>(rows + ((i as usize) << 2))
    let rank = load<Code>(codes + row * sizeof<Code>()) as u32
    if (ranks !== 0) rank = load<u32>(ranks + ((rank as usize) << 2))
    const key = min<u32>((rank ^ flip) + bias, top)
    const target = keys + ((i as usize) << 2)
    store<u32>(target, isFirst ? key : load<u32>(target) * size + key)
  }
}

/** Adds to `counts` how often each digit `(key >> shift) & digits` occurs among the keys `from` to `to`. */
export function countDigits(keys: usize, from: u32, to: u32, shift: u32, digits: u32, counts: usize): void {
  for (let i = from; i < to; i++) {
    const digit = (load<u32>(keys + ((i as usize) << 2)) >> shift) & digits
    const count = counts + ((digit as usize) << 2)
    store<u32>(count, load<u32>(count) + 1)
  }
}

/** Turns `size` counts into the places where each digit's rows start. */
export function sumCounts(counts: usize, size: u32): void {
  let sum: u32 = 0
  for (let at = counts, end = counts + ((size as usize) << 2); at < end; at += 4) {
    const count = load<u32>(at)
    store<u32>(at, sum)
    sum += count
  }
}

/**
 * One stable pass of a least-significant-digit radix sort: positions `from` to `to` of `order` (0: every key in turn)
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
    const position = order === 0 ? i : load<u32>(order + ((i as usize) << 2))
    const digit = (load<u32>(keys + ((position as usize) << 2)) >> shift) & digits
    const start = starts + ((digit as usize) << 2)
    const place = load<u32>(start)
    store<u32>(start, place + 1)
    store<u32>(out + ((place as usize) << 2), position)
  }
}

/** Replaces positions in a list of rows by the rows. */
export function positionsToRows(order: usize, count: u32, rows: usize): void {
  for (let at = order, end = order + ((count as usize) << 2); at < end; at += 4)
    store<u32>(at, load<u32>(rows + ((load<u32>(at) as usize) << 2)))
}
