/**
 * Grouping rows, block by block: `codes` are the codes of a block's rows in one column, four bytes each, `groups` their
 * groups' numbers, and every measure keeps one value for each group.
 */

function word(base: usize, index: u32): usize {
  return base + ((index as usize) << 2)
}

function wide(base: usize, index: u32): usize {
  return base + ((index as usize) << 3)
}

/** Writes the codes of `count` rows to `out`: of those listed in `rows`, or from row `from` on where `rows` is 0. */
export function readCodes(codes: usize, width: u32, rows: usize, from: u32, count: u32, out: usize): void {
  if (width === 1) readCodesOf<u8>(codes, rows, from, count, out)
  else if (width === 2) readCodesOf<u16>(codes, rows, from, count, out)
  else readCodesOf<u32>(codes, rows, from, count, out)
}

function readCodesOf<Code>(codes: usize, rows: usize, from: u32, count: u32, out: usize): void {
  if (rows === 0) {
    widenCodes<Code>(codes + (from as usize) * sizeof<Code>(), count, out)
    return
  }
  for (let i: u32 = 0; i < count; i++) {
    const row = load<u32>(word(rows, i)) as usize
    store<u32>(word(out, i), load<Code>(codes + row * sizeof<Code>()) as u32)
  }
}

/** Codes that follow one another, four at a time: there is room behind either end. */
function widenCodes<Code>(codes: usize, count: u32, out: usize): void {
  for (let i: u32 = 0; i < count; i += 4) {
    const at = codes + (i as usize) * sizeof<Code>()
    let four: v128
    if (sizeof<Code>() === 1) four = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at)))
    else if (sizeof<Code>() === 2) four = i32x4.extend_low_i16x8_u(v128.load64_zero(at))
    else four = v128.load(at)
    v128.store(word(out, i), four)
  }
}

/** The number of a code's value: of its entry in `table`, or of the code itself; from 0 on, null, 0, being `nulls`. */
function valueAt(code: u32, table: usize, nulls: u32): u32 {
  return min<u32>((table === 0 ? code : load<u32>(word(table, code))) - 1, nulls)
}

/** Appends one column to the rows' group numbers: `groups[i] = groups[i] * size + value`. `isFirst` starts them. */
export function joinGroups(
  codes: usize,
  table: usize,
  nulls: u32,
  size: u32,
  isFirst: bool,
  count: u32,
  groups: usize,
): void {
  if (table === 0) {
    joinCodesDirectly(codes, nulls, size, isFirst, count, groups)
    return
  }
  for (let i: u32 = 0; i < count; i++) {
    const before: u32 = isFirst ? 0 : load<u32>(word(groups, i)) * size
    store<u32>(word(groups, i), before + valueAt(load<u32>(word(codes, i)), table, nulls))
  }
}

/** The same without a table, four rows at a time: there is room behind the last ones. */
function joinCodesDirectly(
  codes: usize,
  nulls: u32,
  size: u32,
  isFirst: bool,
  count: u32,
  groups: usize,
): void {
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
 * Numbers `count` keys: equal ones alike, new ones from `known` on, whose keys are appended to `known` others in `keysOf`. The
 * table holds numbers plus one and has room. Returns how many groups are known then.
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

/** Puts the groups `from` to `to` into an empty part of a larger table. */
export function placeKeys(keysOf: usize, from: u32, to: u32, table: usize, mask: u32): void {
  for (let group = from; group < to; group++) {
    let place = placeOf(load<u64>(wide(keysOf, group)), mask)
    while (load<u32>(word(table, place)) !== 0) place = (place + 1) & mask
    store<u32>(word(table, place), group + 1)
  }
}

/** Takes the last column off the keys `from` to `to`: its values to `out`, the keys divided by its size. */
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

/** Lists those of the groups `from` to `to` that have rows, behind `listed` others; how many there are then. */
export function listGroups(counts: usize, from: u32, to: u32, list: usize, listed: u32): u32 {
  for (let group = from; group < to; group++) {
    store<u32>(word(list, listed), group)
    listed += load<u32>(word(counts, group)) === 0 ? 0 : 1
  }
  return listed
}

/** Counts rows. */
export function countRows(groups: usize, count: u32, counts: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const target = word(counts, load<u32>(word(groups, i)))
    store<u32>(target, load<u32>(target) + 1)
  }
}

/** Counts values. */
export function countPresent(groups: usize, codes: usize, count: u32, counts: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const target = word(counts, load<u32>(word(groups, i)))
    store<u32>(target, load<u32>(target) + (load<u32>(word(codes, i)) === 0 ? 0 : 1))
  }
}

/** The least code but null, minus one, so that nothing is the greatest number of all: the start. */
export function keepLeast(groups: usize, codes: usize, count: u32, least: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const target = word(least, load<u32>(word(groups, i)))
    store<u32>(target, min<u32>(load<u32>(target), load<u32>(word(codes, i)) - 1))
  }
}

/** The greatest code; null is less than any other. */
export function keepGreatest(groups: usize, codes: usize, count: u32, greatest: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const target = word(greatest, load<u32>(word(groups, i)))
    store<u32>(target, max<u32>(load<u32>(target), load<u32>(word(codes, i))))
  }
}

/**
 * Sums the codes' numbers, of four or eight bytes in `numbers`, into eight bytes. Where `codes` is 0, `numbers` has those of the
 * block's rows, here and in `addLimbs`.
 */
export function addNumbers(
  groups: usize,
  codes: usize,
  count: u32,
  numbers: usize,
  width: u32,
  sums: usize,
): void {
  if (width === 4) addNumbersOf<i32>(groups, codes, count, numbers, sums)
  else addNumbersOf<i64>(groups, codes, count, numbers, sums)
}

function addNumbersOf<Number>(groups: usize, codes: usize, count: u32, numbers: usize, sums: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const code = (codes === 0 ? i : load<u32>(word(codes, i))) as usize
    const target = wide(sums, load<u32>(word(groups, i)))
    store<i64>(target, load<i64>(target) + (load<Number>(numbers + code * sizeof<Number>()) as i64))
  }
}

/**
 * The same where sums may take more than eight bytes: numbers of `limbs` parts of 32 bits, the last one with the sign,
 * and sums of as many parts of eight bytes.
 */
export function addLimbs(
  groups: usize,
  codes: usize,
  count: u32,
  numbers: usize,
  limbs: u32,
  sums: usize,
): void {
  for (let i: u32 = 0; i < count; i++) {
    let number = word(numbers, (codes === 0 ? i : load<u32>(word(codes, i))) * limbs)
    let target = wide(sums, load<u32>(word(groups, i)) * limbs)
    for (let limb: u32 = 1; limb < limbs; limb++, number += 4, target += 8)
      store<i64>(target, load<i64>(target) + (load<u32>(number) as i64))
    store<i64>(target, load<i64>(target) + (load<i32>(number) as i64))
  }
}

/** Counts values not seen before in their group; `seen` has `size` bits for each group. */
export function countNew(
  groups: usize,
  codes: usize,
  ranks: usize,
  count: u32,
  size: u32,
  seen: usize,
  counts: usize,
): void {
  for (let i: u32 = 0; i < count; i++) {
    const code = load<u32>(word(codes, i))
    if (code === 0) continue
    const group = load<u32>(word(groups, i))
    const bit = (group as u64) * (size as u64) + ((ranks === 0 ? code : load<u32>(word(ranks, code))) as u64)
    const at = seen + ((bit >> 3) as usize)
    const before = load<u8>(at) as u32
    const flag: u32 = 1 << ((bit as u32) & 7)
    if ((before & flag) !== 0) continue
    store<u8>(at, before | flag)
    const target = word(counts, group)
    store<u32>(target, load<u32>(target) + 1)
  }
}

/** Turns counts of `from` to `to` into where each group's codes begin; `sum` are before. Returns the sum then. */
export function beginRuns(counts: usize, from: u32, to: u32, sum: u32, starts: usize): u32 {
  for (let group = from; group < to; group++) {
    store<u32>(word(starts, group), sum)
    sum += load<u32>(word(counts, group))
  }
  return sum
}

/** Puts codes, but null, behind those that their group has; `starts` become ends. */
export function moveToRuns(groups: usize, codes: usize, count: u32, starts: usize, runs: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const code = load<u32>(word(codes, i))
    if (code === 0) continue
    const start = word(starts, load<u32>(word(groups, i)))
    const place = load<u32>(start)
    store<u32>(start, place + 1)
    store<u32>(word(runs, place), code)
  }
}

/** Counts different ranks among codes `from` to `to` of a run; `marks` remembers `mark` for those counted before. */
export function countMarked(runs: usize, from: u32, to: u32, ranks: usize, marks: usize, mark: u32): u32 {
  let counted: u32 = 0
  for (let i = from; i < to; i++) {
    const code = load<u32>(word(runs, i))
    const target = word(marks, ranks === 0 ? code : load<u32>(word(ranks, code)))
    counted += load<u32>(target) === mark ? 0 : 1
    store<u32>(target, mark)
  }
  return counted
}

/** Adds to `counts` how often `code >> shift` occurs among codes `from` to `to` that have `prefix` above these bits. */
export function countBuckets(
  runs: usize,
  from: u32,
  to: u32,
  prefix: u32,
  shift: u32,
  bits: u32,
  counts: usize,
): void {
  const above = shift + bits
  const mask: u32 = ((1 as u32) << bits) - 1
  for (let i = from; i < to; i++) {
    const code = load<u32>(word(runs, i))
    if (above < 32 && code >> above !== prefix) continue
    const target = word(counts, (code >> shift) & mask)
    store<u32>(target, load<u32>(target) + 1)
  }
}

/** Brings the code number `nth` of a short run to its place in order (Hoare's selection), none before it greater. */
function select(runs: usize, from: u32, to: u32, nth: u32): u32 {
  let low = from as i32
  let high = (to as i32) - 1
  const wanted = nth as i32
  while (low < high) {
    const pivot = load<u32>(word(runs, ((low + high) >>> 1) as u32))
    let left = low
    let right = high
    while (left <= right) {
      while (load<u32>(word(runs, left as u32)) < pivot) left++
      while (load<u32>(word(runs, right as u32)) > pivot) right--
      if (left <= right) {
        const code = load<u32>(word(runs, left as u32))
        store<u32>(word(runs, left as u32), load<u32>(word(runs, right as u32)))
        store<u32>(word(runs, right as u32), code)
        left++
        right--
      }
    }
    if (wanted <= right) high = right
    else if (wanted >= left) low = left
    else break
  }
  return load<u32>(word(runs, nth))
}

/**
 * The middle codes of the groups `from` to `to` whose runs are no longer than `most`, to `middles`: the same
 * twice where their number is odd, 0 where there is none. Stops after `budget` codes; returns the group reached.
 */
export function findMiddles(
  runs: usize,
  starts: usize,
  ends: usize,
  from: u32,
  to: u32,
  most: u32,
  budget: u32,
  middles: usize,
): u32 {
  let group = from
  let done: u32 = 0
  for (; group < to && done < budget; group++) {
    const start = load<u32>(word(starts, group))
    const end = load<u32>(word(ends, group))
    const size = end - start
    if (size > most) break
    done += size + 1
    if (size === 0) {
      store<u64>(wide(middles, group), 0)
      continue
    }
    const middle = start + (size >> 1)
    const upper = select(runs, start, end, middle)
    let lower = upper
    if ((size & 1) === 0) {
      lower = load<u32>(word(runs, start))
      for (let i = start + 1; i < middle; i++) lower = max<u32>(lower, load<u32>(word(runs, i)))
    }
    store<u64>(wide(middles, group), ((upper as u64) << 32) | (lower as u64))
  }
  return group
}
