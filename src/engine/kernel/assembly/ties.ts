/**
 * Puts ties in order. All rows are sorted by one column of many values, or by several of few values joined; within each
 * value, mostly a handful of rows, the next column decides, and so on. Large ties are sorted here code by code, the others
 * by `settle.ts` when a page reads them. Each tie is sorted separately, with all its data in the nearest cache, while
 * another pass over all rows would visit memory at random; and the last columns are read only for rows that still tie.
 *
 * An element is a row's number with its key above it, eight bytes: no two are equal, and ties stay as in the file.
 */

import { codeAt, countOne, wide, word } from './addresses'
import { sumCounts } from './digits'
import { fillBits } from './masks'

/** Up to this many elements are all compared with each other, in fewer steps than clearing the counters takes. */
const FEW: u32 = 16
/** From this many elements, digits of 11 bits instead of 8 save passes. */
const MANY: u32 = 4096
const COUNTER_BYTES: usize = 4 * 2048
/** Bytes of a column in the table of columns: codes, width, ranks, top, descending, size, a u32 each. */
export const COLUMN_BYTES: usize = 24
/** Set temporarily in the number of a row that ties with the row before it. */
const TIES: u32 = 0x8000_0000

let reached: u32 = 0

export function tieReached(): u32 {
  return reached
}

/** The most rows that share one code, from 0, null, to `top`. */
export function largestCount(counts: usize, top: u32): u32 {
  let largest: u32 = 0
  for (let at = counts, end = counts + ((top as usize) << 2); at <= end; at += 4)
    largest = max<u32>(largest, load<u32>(at))
  return largest
}

/** The rows of all codes that more than `size` rows share. */
export function rowsInLarger(counts: usize, top: u32, size: u32): u32 {
  let rows: u32 = 0
  for (let at = counts, end = counts + ((top as usize) << 2); at <= end; at += 4) {
    const count = load<u32>(at)
    rows += count > size ? count : 0
  }
  return rows
}

/**
 * Sorts the ties of more than `size` rows in `order`, code by code in its order from number `from` to `top` (null is the
 * last), until `most` rows are done. `ends` has where each code's rows end. Marks their places in `settled` and returns how
 * many rows were done. The table of deciding columns is from `columns` to `columnsEnd`. `scratch` has room for 2048 counters
 * and for the `largest` tie twice, eight bytes a row.
 */
export function sortLargeTies(
  order: usize,
  ends: usize,
  top: u32,
  descending: bool,
  from: u32,
  most: u32,
  size: u32,
  settled: usize,
  columns: usize,
  columnsEnd: usize,
  scratch: usize,
  largest: u32,
): u32 {
  let begin: u32 = from === 0 ? 0 : load<u32>(word(ends, codeNumber(from - 1, top, descending)))
  let done: u32 = 0
  let number = from
  for (; number <= top && done < most; number++) {
    const end = load<u32>(word(ends, codeNumber(number, top, descending)))
    if (end - begin > size) {
      sortGroup(word(order, begin), end - begin, columns, columnsEnd, scratch, largest)
      fillBits(settled, begin, end - 1)
      done += end - begin
    }
    begin = end
  }
  reached = number
  return done
}

function codeNumber(number: u32, top: u32, descending: bool): u32 {
  if (number === top) return 0
  return descending ? top - number : number + 1
}

/** Sorts rows by one column, and those that tie by the columns after it. */
export function sortGroup(
  rows: usize,
  count: u32,
  column: usize,
  columnsEnd: usize,
  scratch: usize,
  largest: u32,
): void {
  const elements = scratch + COUNTER_BYTES
  makeElements(rows, count, column, elements)
  const spare = wide(elements, largest)
  let sorted =
    count <= FEW
      ? rankElements(elements, count, spare)
      : sortElements(elements, count, column, scratch, spare)
  const next = column + COLUMN_BYTES
  const end = word(rows, count)
  if (next === columnsEnd) {
    for (let at = rows; at < end; at += 4, sorted += 8) store<u32>(at, load<u32>(sorted))
    return
  }
  if (!writeMarked(rows, end, sorted)) return
  for (let at = rows; at < end; ) {
    let last = at + 4
    for (; last < end && load<u32>(last) >= TIES; last += 4) store<u32>(last, load<u32>(last) - TIES)
    if (last - at > 4) sortGroup(at, ((last - at) >> 2) as u32, next, columnsEnd, scratch, largest)
    at = last
  }
}

/** Writes the sorted rows back and marks those with the same key as the row before. Returns whether there are any. */
function writeMarked(rows: usize, end: usize, sorted: usize): bool {
  let before = load<u32>(sorted, 4)
  let marks: u32 = 0
  store<u32>(rows, load<u32>(sorted))
  for (let at = rows + 4; at < end; at += 4) {
    sorted += 8
    const key = load<u32>(sorted, 4)
    const mark: u32 = key === before ? TIES : 0
    store<u32>(at, load<u32>(sorted) | mark)
    marks |= mark
    before = key
  }
  return marks !== 0
}

function makeElements(rows: usize, count: u32, column: usize, elements: usize): void {
  const codes: usize = load<u32>(column)
  const width = load<u32>(column, 4)
  const ranks: usize = load<u32>(column, 8)
  const top = load<u32>(column, 12)
  const descending = load<u32>(column, 16) !== 0
  // (rank ^ flip) + bias is rank - 1, or top - rank when descending; null, 0, becomes top either way.
  const flip: u32 = descending ? u32.MAX_VALUE : 0
  const bias: u32 = descending ? top + 1 : u32.MAX_VALUE
  let element = elements
  for (let at = rows, end = word(rows, count); at < end; at += 4, element += 8) {
    const row = load<u32>(at)
    let rank = codeAt(codes, width, row)
    if (ranks !== 0) rank = load<u32>(word(ranks, rank))
    store<u32>(element, row)
    store<u32>(element, min<u32>((rank ^ flip) + bias, top), 4)
  }
}

/**
 * Puts each element at the place given by the number of smaller ones: more comparisons than insertion takes, but no branch
 * that the processor could mispredict.
 */
function rankElements(elements: usize, count: u32, target: usize): usize {
  const end = elements + ((count as usize) << 3)
  for (let at = elements; at < end; at += 8) {
    const element = load<u64>(at)
    let smaller: u32 = 0
    for (let other = elements; other < end; other += 8) smaller += (load<u64>(other) < element) as u32
    store<u64>(target + ((smaller as usize) << 3), element)
  }
  return target
}

/** Least-significant-digit radix sort by key; rows ascend already. Returns the address of the result: one of the two. */
function sortElements(elements: usize, count: u32, column: usize, counters: usize, spare: usize): usize {
  const keyBits: u32 = 32 - clz<u32>(load<u32>(column, 20) - 1)
  const passes = (keyBits + (count >= MANY ? 10 : 7)) / (count >= MANY ? 11 : 8)
  const digitBits = (keyBits + passes - 1) / passes
  const digits: u32 = (1 << digitBits) - 1
  let source = elements
  let target = spare
  for (let shift: u32 = 0; shift < keyBits; shift += digitBits) {
    countElements(source, count, shift, digits, counters)
    for (let at = source, end = source + ((count as usize) << 3); at < end; at += 8) {
      const element = load<u64>(at)
      const place = countOne(counters, (((element >> 32) as u32) >> shift) & digits)
      store<u64>(wide(target, place), element)
    }
    const emptied = source
    source = target
    target = emptied
  }
  return source
}

/** Sets the counters to where each digit's elements start. */
function countElements(elements: usize, count: u32, shift: u32, digits: u32, counters: usize): void {
  memory.fill(counters, 0, ((digits as usize) + 1) << 2)
  for (let at = elements, end = wide(elements, count); at < end; at += 8)
    countOne(counters, (load<u32>(at, 4) >> shift) & digits)
  sumCounts(counters, digits + 1)
}
