/** Measures of groups, block by block as in `group.ts`: each keeps one value per group. A run is all codes of one group. */

import { countOne, wide, word } from './addresses'

/**
 * Counts rows. Rows use four sets of counts in turn, `apart` bytes from each other: neighbouring rows are often in the same
 * group and would wait for each other's count to be written. With `apart` 0 there is one set.
 */
export function countRows(groups: usize, count: u32, counts: usize, apart: usize): void {
  let i: u32 = 0
  for (; i + 4 <= count; i += 4) {
    countOne(counts, load<u32>(word(groups, i)))
    countOne(counts + apart, load<u32>(word(groups, i), 4))
    countOne(counts + 2 * apart, load<u32>(word(groups, i), 8))
    countOne(counts + 3 * apart, load<u32>(word(groups, i), 12))
  }
  for (; i < count; i++) countOne(counts, load<u32>(word(groups, i)))
}

/** Counts values. */
export function countPresent(groups: usize, codes: usize, count: u32, counts: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const target = word(counts, load<u32>(word(groups, i)))
    store<u32>(target, load<u32>(target) + (load<u32>(word(codes, i)) === 0 ? 0 : 1))
  }
}

/** Keeps the least code, minus one, so that null becomes the greatest number, which is also the start. */
export function keepLeast(groups: usize, codes: usize, count: u32, least: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const target = word(least, load<u32>(word(groups, i)))
    store<u32>(target, min<u32>(load<u32>(target), load<u32>(word(codes, i)) - 1))
  }
}

/** Keeps the greatest code; null, 0, is the start. */
export function keepGreatest(groups: usize, codes: usize, count: u32, greatest: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const target = word(greatest, load<u32>(word(groups, i)))
    store<u32>(target, max<u32>(load<u32>(target), load<u32>(word(codes, i))))
  }
}

/**
 * Sums the codes' numbers, of four or eight bytes in `numbers`, into eight bytes; `apart` as in `countRows`. Where `codes` is
 * 0, here and in `addLimbs`, `numbers` has those of the block's rows.
 */
export function addNumbers(
  groups: usize,
  codes: usize,
  count: u32,
  numbers: usize,
  width: u32,
  sums: usize,
  apart: usize,
): void {
  if (width === 4) addNumbersOf<i32>(groups, codes, count, numbers, sums, apart)
  else addNumbersOf<i64>(groups, codes, count, numbers, sums, apart)
}

function addNumbersOf<Number>(
  groups: usize,
  codes: usize,
  count: u32,
  numbers: usize,
  sums: usize,
  apart: usize,
): void {
  let i: u32 = 0
  for (; i + 4 <= count; i += 4) {
    addNumber<Number>(groups, codes, i, numbers, sums)
    addNumber<Number>(groups, codes, i + 1, numbers, sums + apart)
    addNumber<Number>(groups, codes, i + 2, numbers, sums + 2 * apart)
    addNumber<Number>(groups, codes, i + 3, numbers, sums + 3 * apart)
  }
  for (; i < count; i++) addNumber<Number>(groups, codes, i, numbers, sums)
}

function addNumber<Number>(groups: usize, codes: usize, i: u32, numbers: usize, sums: usize): void {
  const code = (codes === 0 ? i : load<u32>(word(codes, i))) as usize
  const target = wide(sums, load<u32>(word(groups, i)))
  store<i64>(target, load<i64>(target) + (load<Number>(numbers + code * sizeof<Number>()) as i64))
}

/**
 * The same where sums may take more than eight bytes: a number has `limbs` parts of 32 bits, the last with the sign, and a
 * sum has as many parts of eight bytes.
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
    countOne(counts, group)
  }
}

/** Turns the counts of the groups `from` to `to` into where their codes begin, after `sum` others. Returns the new sum. */
export function beginRuns(counts: usize, from: u32, to: u32, sum: u32, starts: usize): u32 {
  for (let group = from; group < to; group++) {
    store<u32>(word(starts, group), sum)
    sum += load<u32>(word(counts, group))
  }
  return sum
}

/** Appends codes, except null, to the run of their group; `starts` become ends. */
export function moveToRuns(groups: usize, codes: usize, count: u32, starts: usize, runs: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const code = load<u32>(word(codes, i))
    if (code === 0) continue
    store<u32>(word(runs, countOne(starts, load<u32>(word(groups, i)))), code)
  }
}

/** Counts distinct ranks among the codes `from` to `to` of a run; ranks counted before have `mark` in `marks`. */
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

/**
 * Adds to `counts` how often each value of the `bits` bits from `shift` on occurs among the codes `from` to `to` that have
 * `prefix` above these bits.
 */
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
    countOne(counts, (code >> shift) & mask)
  }
}

/** Moves the `nth` smallest code of a short run to its place (Hoare's selection); none before it is greater. */
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
 * Writes the two middle codes of the groups from `from` on to `middles`: the same code twice where their number is odd, 0
 * where there is none. Stops at `to`, at a run longer than `most`, or after `budget` codes; returns the group reached.
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
