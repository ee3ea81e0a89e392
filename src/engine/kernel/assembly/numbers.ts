/** Numbers of dictionary entries, as whole numbers in units of the column's last decimal place. */

import { wide, word } from './addresses'

const ZERO: u32 = 0x30
const MINUS: u32 = 0x2d
const POINT: u32 = 0x2e
const EXPONENT: u32 = 0x65

function entryStart(offsets: usize, code: u32): u32 {
  return load<u32>(word(offsets, code - 1))
}

/** The most digits after the point among the entries `from` to `to` (not included); -1 where one has an exponent. */
export function mostPlaces(offsets: usize, heap: usize, from: u32, to: u32): i32 {
  let most: i32 = 0
  for (let code = from; code < to; code++) {
    const start = heap + entryStart(offsets, code)
    const end = heap + entryStart(offsets, code + 1)
    for (let at = end; at > start; ) {
      const byte = load<u8>(--at) as u32
      if (byte === EXPONENT) return -1
      if (byte === POINT) {
        most = max<i32>(most, (end - at - 1) as i32)
        break
      }
    }
  }
  return most
}

function twice(half: u32): u64 {
  return ((half as u64) << 32) | (half as u64)
}

/** The number in up to eight digits that end at `end`, parsed at once: pairs, then fours, then all (Lemire 2022). */
function parseEight(end: usize, length: u32): u64 {
  const unused = ((8 - length) << 3) as u64
  let digits = ((load<u64>(end - 8) >> unused) << unused) & twice(0x0f0f0f0f)
  digits = (digits * 2561) >> 8
  digits = ((digits & twice(0x00ff00ff)) * 6553601) >> 16
  return ((digits & twice(0x0000ffff)) * 42949672960001) >> 32
}

function parseEntry(start: usize, end: usize, places: u32): i64 {
  const isNegative = (load<u8>(start) as u32) === MINUS
  let number: i64 = 0
  let left = places
  let isFraction = false
  for (let at = isNegative ? start + 1 : start; at < end; at++) {
    const byte = load<u8>(at) as u32
    if (byte === POINT) isFraction = true
    else {
      number = number * 10 + ((byte - ZERO) as i64)
      if (isFraction) left--
    }
  }
  for (; left > 0; left--) number *= 10
  return isNegative ? -number : number
}

/**
 * Writes the numbers of the entries `from` to `to` to `numbers`, by code, in `width` (4 or 8) bytes each. All must fit, and
 * none may have an exponent.
 */
export function readNumbers(
  offsets: usize,
  heap: usize,
  from: u32,
  to: u32,
  places: u32,
  width: u32,
  numbers: usize,
): void {
  let start = heap + entryStart(offsets, from)
  for (let code = from; code < to; code++) {
    const end = heap + entryStart(offsets, code + 1)
    const length = (end - start) as u32
    const number =
      places === 0 && length <= 8 && (load<u8>(start) as u32) !== MINUS
        ? (parseEight(end, length) as i64)
        : parseEntry(start, end, places)
    if (width === 4) store<i32>(word(numbers, code), number as i32)
    else store<i64>(wide(numbers, code), number)
    start = end
  }
}

/** The same for the entries of `count` codes, in the order of these; null becomes 0. */
export function readListedNumbers(
  offsets: usize,
  heap: usize,
  codes: usize,
  count: u32,
  places: u32,
  numbers: usize,
): void {
  for (let i: u32 = 0; i < count; i++) {
    const code = load<u32>(word(codes, i))
    let number: i64 = 0
    if (code !== 0)
      number = parseEntry(heap + entryStart(offsets, code), heap + entryStart(offsets, code + 1), places)
    store<i64>(wide(numbers, i), number)
  }
}

/** Writes the numbers at `count` indexes, codes or rows, of a table of four or eight bytes each. */
export function pickNumbers(table: usize, width: u32, indexes: usize, count: u32, numbers: usize): void {
  if (width === 4) pickNumbersOf<u32>(table, indexes, count, numbers)
  else pickNumbersOf<u64>(table, indexes, count, numbers)
}

function pickNumbersOf<Number>(table: usize, indexes: usize, count: u32, numbers: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const index = load<u32>(word(indexes, i)) as usize
    store<Number>(numbers + (i as usize) * sizeof<Number>(), load<Number>(table + index * sizeof<Number>()))
  }
}
