/**
 * Cuts plain records into cells: records of the right width, with some text, whose quoted cells contain neither quotes nor
 * line ends. Nearly every record of nearly every file is plain; at the first other one this stops, and
 * `record-splitter.ts`, which handles all cases, takes that one.
 *
 * It is fast because it compares sixty-four bytes at a time with the bytes that may end a cell, which gives a word with a
 * bit for each match, so a cell only takes the next bit; and because it checks nothing else.
 */

const LF: u32 = 10
const CR: u32 = 13
/** Bytes up to this one are not text. */
const SPACE: u32 = 32
/** The record there is not plain. */
const NONE: u32 = u32.MAX_VALUE

/** Where the last call stopped: the start of a record. */
let stopped: u32 = 0

export function stoppedAt(): u32 {
  return stopped
}

/**
 * Cuts records of `bytes` from position `from`, at most `most`, and none that ends at or after `length`: what follows there
 * is unknown. Writes the positions where cells start and end, `width` for each record, and where records do. `quote` above
 * 255: there is none. Reads up to 64 bytes past `length`. Returns the number of records.
 */
export function cutPlainRecords(
  bytes: usize,
  from: u32,
  length: u32,
  delimiter: u32,
  quote: u32,
  width: u32,
  most: u32,
  starts: usize,
  ends: usize,
  recordStarts: usize,
  recordEnds: usize,
): u32 {
  let records: u32 = 0
  let at = from
  for (; records < most; records++) {
    stopped = at
    const end = cutRecord(bytes, at, length, delimiter, quote, width, starts, ends)
    if (end === NONE) return records
    recordStarts = keep(recordStarts, at)
    recordEnds = keep(recordEnds, end)
    starts += 4 * width
    ends += 4 * width
    at = end + 1
    if (byteAt(bytes, end) !== CR) continue
    if (at >= length) return records
    if (byteAt(bytes, at) === LF) at++
  }
  stopped = at
  return records
}

/** Cuts the record at `from`. Returns the position of its line end; NONE if it is not plain or not complete. */
function cutRecord(
  bytes: usize,
  from: u32,
  length: u32,
  delimiter: u32,
  quote: u32,
  width: u32,
  starts: usize,
  ends: usize,
): u32 {
  const delimiters = i8x16.splat(delimiter as i8)
  let hasText = false
  let at = from
  let word = at & ~63
  // A bit for each byte that may end a cell, of the 64 bytes from `word`; zero for bytes already passed.
  let marks = marksAt(bytes + word, delimiters) & (u64.MAX_VALUE << ((at & 63) as u64))
  for (let cells: u32 = 1; cells <= width; cells++, at++) {
    let start = at
    let end: u32
    if (byteAt(bytes, at) === quote) {
      start = at + 1
      end = quotedEnd(bytes, start, length, quote)
      if (end >= length || byteAt(bytes, end) !== quote) return NONE
      at = end + 1
      if (at - word >= 64) {
        word = at & ~63
        marks = marksAt(bytes + word, delimiters)
      }
      marks &= u64.MAX_VALUE << ((at & 63) as u64)
      if ((marks & ((1 as u64) << ((at & 63) as u64))) === 0) return NONE
    } else {
      while (marks === 0) {
        word += 64
        if (word >= length) return NONE
        marks = marksAt(bytes + word, delimiters)
      }
      at = word + (ctz(marks) as u32)
      end = at
    }
    if (at >= length) return NONE
    marks &= marks - 1
    starts = keep(starts, start)
    ends = keep(ends, end)
    if (!hasText) hasText = isText(bytes, start, end, delimiter, quote)
    if (byteAt(bytes, at) !== delimiter) return cells === width && hasText ? at : NONE
  }
  return NONE
}

/** A bit for each of the 64 bytes at `from` that is a delimiter or part of a line end. */
function marksAt(from: usize, delimiters: v128): u64 {
  return (
    (marksOf(v128.load(from), delimiters) as u64) |
    ((marksOf(v128.load(from, 16), delimiters) as u64) << 16) |
    ((marksOf(v128.load(from, 32), delimiters) as u64) << 32) |
    ((marksOf(v128.load(from, 48), delimiters) as u64) << 48)
  )
}

function marksOf(some: v128, delimiters: v128): i32 {
  const lineEnds = v128.or(i8x16.eq(some, i8x16.splat(10)), i8x16.eq(some, i8x16.splat(13)))
  return i8x16.bitmask(v128.or(lineEnds, i8x16.eq(some, delimiters)))
}

function byteAt(bytes: usize, at: u32): u32 {
  return load<u8>(bytes + at)
}

function keep(target: usize, value: u32): usize {
  store<u32>(target, value)
  return target + 4
}

/** The first quote or line end from `at`; `length` or more if there is none before `length`. */
function quotedEnd(bytes: usize, at: u32, length: u32, quote: u32): u32 {
  const quotes = i8x16.splat(quote as i8)
  for (; at < length; at += 16) {
    const some = v128.load(bytes + at)
    const lineEnds = v128.or(i8x16.eq(some, i8x16.splat(10)), i8x16.eq(some, i8x16.splat(13)))
    const found = i8x16.bitmask(v128.or(lineEnds, i8x16.eq(some, quotes)))
    if (found !== 0) return at + (ctz(found) as u32)
  }
  return length
}

/** Whether a cell has anything but white space, delimiters and quotes. */
function isText(bytes: usize, start: u32, end: u32, delimiter: u32, quote: u32): bool {
  for (let at = start; at < end; at++) {
    const byte = byteAt(bytes, at)
    if (byte > SPACE && byte !== delimiter && byte !== quote) return true
  }
  return false
}
