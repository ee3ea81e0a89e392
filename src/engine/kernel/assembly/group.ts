/** Groups rows, block by block: `codes` has the codes of a block's rows in one column, `groups` their groups, four bytes each. */

import { wide, word } from './addresses'

/** Writes the codes of `count` rows to `out`: of those listed in `rows`, or from row `from` on where `rows` is 0. */
export function readCodes(codes: usize, width: u32, rows: usize, from: u32, count: u32, out: usize): void {
  if (width === 1) readCodesOf<u8>(codes, rows, from, count, out)
  else if (width === 2) readCodesOf<u16>(codes, rows, from, count, out)
  else readCodesOf<u32>(codes, rows, from, count, out)
}

/** Adjacent codes are read four at a time: there is room after the end of both lists. */
function readCodesOf<Code>(codes: usize, rows: usize, from: u32, count: u32, out: usize): void {
  if (rows !== 0) {
    for (let i: u32 = 0; i < count; i++) {
      const row = load<u32>(word(rows, i)) as usize
      store<u32>(word(out, i), load<Code>(codes + row * sizeof<Code>()) as u32)
    }
    return
  }
  for (let i: u32 = 0; i < count; i += 4) {
    const at = codes + ((from + i) as usize) * sizeof<Code>()
    let four: v128
    if (sizeof<Code>() === 1) four = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at)))
    else if (sizeof<Code>() === 2) four = i32x4.extend_low_i16x8_u(v128.load64_zero(at))
    else four = v128.load(at)
    v128.store(word(out, i), four)
  }
}

/** The number, from 0, of a code's value: its entry in `table`, or the code itself, minus one; null gets `nulls`. */
function valueAt(code: u32, table: usize, nulls: u32): u32 {
  return min<u32>((table === 0 ? code : load<u32>(word(table, code))) - 1, nulls)
}

/** Appends one column to the rows' group numbers: `groups[i] = groups[i] * size + value`, or `value` when `isFirst`. */
export function joinGroups(
  codes: usize,
  table: usize,
  nulls: u32,
  size: u32,
  isFirst: bool,
  count: u32,
  groups: usize,
): void {
  if (table !== 0) {
    for (let i: u32 = 0; i < count; i++) {
      const before: u32 = isFirst ? 0 : load<u32>(word(groups, i)) * size
      store<u32>(word(groups, i), before + valueAt(load<u32>(word(codes, i)), table, nulls))
    }
    return
  }
  // Four rows at a time: there is room after the last ones.
  const one = i32x4.splat(1)
  const last = i32x4.splat(nulls)
  const factor = i32x4.splat(size)
  for (let i: u32 = 0; i < count; i += 4) {
    const target = word(groups, i)
    const value = i32x4.min_u(i32x4.sub(v128.load(word(codes, i)), one), last)
    v128.store(target, isFirst ? value : i32x4.add(i32x4.mul(v128.load(target), factor), value))
  }
}

/** The same with keys of eight bytes. */
export function joinKeys(
  codes: usize,
  table: usize,
  nulls: u32,
  size: u32,
  isFirst: bool,
  count: u32,
  keys: usize,
): void {
  for (let i: u32 = 0; i < count; i++) {
    const before: u64 = isFirst ? 0 : load<u64>(wide(keys, i)) * (size as u64)
    store<u64>(wide(keys, i), before + (valueAt(load<u32>(word(codes, i)), table, nulls) as u64))
  }
}

/** Group numbers as keys of eight bytes. */
export function groupsToKeys(groups: usize, count: u32, keys: usize): void {
  for (let i: u32 = 0; i < count; i++) store<u64>(wide(keys, i), load<u32>(word(groups, i)) as u64)
}

/** Two to the 64 divided by the golden ratio. */
const SPREAD: u64 = ((0x9e3779b9 as u64) << 32) | 0x7f4a7c15

/** The place of a key in a table of `mask + 1` places; a multiplication spreads neighbouring keys (Knuth 6.4). */
function placeOf(key: u64, mask: u32): u32 {
  const mixed = (key ^ (key >> 32)) * SPREAD
  return ((mixed >> 32) as u32) & mask
}

/**
 * Numbers `count` keys: equal keys get the same number, new ones the next from `known` on and are appended to `keysOf`. The
 * table holds numbers plus one and has room. Returns how many groups are known afterwards.
 */
export function findKeys(
  keys: usize,
  count: u32,
  table: usize,
  mask: u32,
  keysOf: usize,
  known: u32,
  groups: usize,
): u32 {
  for (let i: u32 = 0; i < count; i++) {
    const key = load<u64>(wide(keys, i))
    let place = placeOf(key, mask)
    let group = load<u32>(word(table, place))
    while (group !== 0 && load<u64>(wide(keysOf, group - 1)) !== key) {
      place = (place + 1) & mask
      group = load<u32>(word(table, place))
    }
    if (group === 0) {
      store<u64>(wide(keysOf, known), key)
      store<u32>(word(table, place), ++known)
      group = known
    }
    store<u32>(word(groups, i), group - 1)
  }
  return known
}

/** Puts the groups `from` to `to` into a larger table that does not hold them yet. */
export function placeKeys(keysOf: usize, from: u32, to: u32, table: usize, mask: u32): void {
  for (let group = from; group < to; group++) {
    let place = placeOf(load<u64>(wide(keysOf, group)), mask)
    while (load<u32>(word(table, place)) !== 0) place = (place + 1) & mask
    store<u32>(word(table, place), group + 1)
  }
}

/** Removes the last column from the keys `from` to `to`: writes its values to `out` and divides the keys by its size. */
export function splitKeys(keys: usize, from: u32, to: u32, size: u32, out: usize): void {
  for (let i = from; i < to; i++) {
    const key = load<u64>(wide(keys, i))
    const rest = key / (size as u64)
    store<u64>(wide(keys, i), rest)
    store<u32>(word(out, i), (key - rest * (size as u64)) as u32)
  }
}

/** `out[i] = values[keys[i]]` for `i` from `from` to `to`. */
export function pickByKey(values: usize, keys: usize, from: u32, to: u32, out: usize): void {
  for (let i = from; i < to; i++)
    store<u32>(word(out, i), load<u32>(word(values, load<u64>(wide(keys, i)) as u32)))
}

/** Appends those of the groups `from` to `to` that have rows to a list of `listed` others. Returns its new length. */
export function listGroups(counts: usize, from: u32, to: u32, list: usize, listed: u32): u32 {
  for (let group = from; group < to; group++) {
    store<u32>(word(list, listed), group)
    listed += load<u32>(word(counts, group)) === 0 ? 0 : 1
  }
  return listed
}
