/** Masks: filling, counting and combining them, and listing their rows. */

import { bitAt, setBit } from './addresses'

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

/** Clears the bits from `size` on of a mask over rows, whose length is a whole number of lines of 64 bytes. */
export function clearTail(mask: usize, size: u32): void {
  const word = mask + (((size >> 6) as usize) << 3)
  const end = mask + lineBytes((size + 511) >> 9)
  if (word === end) return
  store<u64>(word, load<u64>(word) & (((1 as u64) << ((size & 63) as u64)) - 1))
  memory.fill(word + 8, 0, end - word - 8)
}

/** The number of bits set in the mask words `from` to `to`. Four sums, because one would wait for itself at every word. */
export function countBits(mask: usize, from: u32, to: u32): u32 {
  const end = mask + ((to as usize) << 3)
  let at = mask + ((from as usize) << 3)
  let first: u64 = 0
  let second: u64 = 0
  let third: u64 = 0
  let fourth: u64 = 0
  for (; at + 32 <= end; at += 32) {
    first += popcnt(load<u64>(at))
    second += popcnt(load<u64>(at, 8))
    third += popcnt(load<u64>(at, 16))
    fourth += popcnt(load<u64>(at, 24))
  }
  for (; at < end; at += 8) first += popcnt(load<u64>(at))
  return (first + second + third + fourth) as u32
}

function lineBytes(lines: u32): usize {
  return (lines as usize) << 6
}

function isLineEmpty(at: usize): bool {
  const front = v128.or(v128.load(at), v128.load(at, 16))
  return !v128.any_true(v128.or(front, v128.or(v128.load(at, 32), v128.load(at, 48))))
}

/**
 * Writes to `target` the bits that are set in all of the `count` masks whose addresses are at `masks`, and returns their
 * number. Works on `lines` of 64 bytes. Lines before the first or after the last bit of any mask, and lines that are empty
 * in the first mask, cost next to nothing: files are often sorted by what they are filtered by.
 */
export function intersect(masks: usize, count: u32, lines: u32, target: usize): u32 {
  const listEnd = masks + ((count as usize) << 2)
  let from: usize = 0
  let to = lineBytes(lines)
  for (let item = masks; item < listEnd; item += 4) {
    const mask = load<u32>(item) as usize
    while (from < to && isLineEmpty(mask + from)) from += 64
    while (from < to && isLineEmpty(mask + to - 64)) to -= 64
  }
  memory.fill(target, 0, from)
  memory.fill(target + to, 0, lineBytes(lines) - to)
  const firstMask = load<u32>(masks) as usize
  let front: u64 = 0
  let back: u64 = 0
  for (let at = from; at < to; at += 64) {
    let a = v128.load(firstMask + at)
    let b = v128.load(firstMask + at, 16)
    let c = v128.load(firstMask + at, 32)
    let d = v128.load(firstMask + at, 48)
    if (v128.any_true(v128.or(v128.or(a, b), v128.or(c, d)))) {
      for (let item = masks + 4; item < listEnd; item += 4) {
        const other = (load<u32>(item) as usize) + at
        a = v128.and(a, v128.load(other))
        b = v128.and(b, v128.load(other, 16))
        c = v128.and(c, v128.load(other, 32))
        d = v128.and(d, v128.load(other, 48))
      }
      front += countLanes(a) + countLanes(b)
      back += countLanes(c) + countLanes(d)
    }
    v128.store(target + at, a)
    v128.store(target + at, b, 16)
    v128.store(target + at, c, 32)
    v128.store(target + at, d, 48)
  }
  return (front + back) as u32
}

function countLine(at: usize): u64 {
  const front = countLanes(v128.load(at)) + countLanes(v128.load(at, 16))
  return front + countLanes(v128.load(at, 32)) + countLanes(v128.load(at, 48))
}

function countLanes(bits: v128): u64 {
  return popcnt(i64x2.extract_lane(bits, 0)) + popcnt(i64x2.extract_lane(bits, 1))
}

/** The row of the set bit number `skip`, from 0, in a mask of `words` words; `words * 64` when there are fewer bits. */
export function findBit(mask: usize, words: u32, skip: u32): u32 {
  let left: u64 = skip
  let word: u32 = 0
  for (; word + 8 <= words; word += 8) {
    const here = countLine(mask + ((word as usize) << 3))
    if (left < here) break
    left -= here
  }
  for (; word < words; word++) {
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

/** Writes up to `most` rows whose bit is set, from row `from` on, to `rows`. Returns how many. */
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
    while ((word & 7) === 0 && word + 8 <= words && isLineEmpty(mask + ((word as usize) << 3))) word += 8
    if (word >= words) return count
    bits = load<u64>(mask + ((word as usize) << 3))
  }
}

/** Writes the row numbers `from`, `from + 1`, … to `rows`. */
export function enumerate(rows: usize, from: u32, count: u32): void {
  for (let i: u32 = 0; i < count; i++) store<u32>(rows + ((i as usize) << 2), from + i)
}

/** Sets the bits of `count` listed rows. */
export function setBits(mask: usize, rows: usize, count: u32): void {
  for (let at = rows, end = rows + ((count as usize) << 2); at < end; at += 4) setBit(mask, load<u32>(at))
}

/** Keeps those of `count` listed rows whose bit is set, in place. Returns how many. */
export function retainMasked(rows: usize, count: u32, mask: usize): u32 {
  let left = rows
  for (let at = rows, end = rows + ((count as usize) << 2); at < end; at += 4) {
    const row = load<u32>(at)
    store<u32>(left, row)
    left += (bitAt(mask, row) as usize) << 2
  }
  return ((left - rows) >> 2) as u32
}

/** The same for rows that are in another ascending list. */
export function retainListed(rows: usize, count: u32, others: usize, otherCount: u32): u32 {
  const othersEnd = others + ((otherCount as usize) << 2)
  let left = rows
  for (let at = rows, end = rows + ((count as usize) << 2); at < end; at += 4) {
    const row = load<u32>(at)
    while (others < othersEnd && load<u32>(others) < row) others += 4
    if (others === othersEnd) break
    store<u32>(left, row)
    left += load<u32>(others) === row ? 4 : 0
  }
  return ((left - rows) >> 2) as u32
}
