/** Words in a dictionary, found without regard to case and diacritics. */

import { setBit } from './addresses'

/** Kinds of characters in the table of folds, as `LETTER_KIND` in base/text/words.ts numbers them; 3 is all others. */
const SEPARATOR: u32 = 0
const MARK: u32 = 1
const LETTERS: u32 = 2
const OTHER: u32 = 3

/** The first byte of the shortest character beyond ASCII. */
const BEYOND_ASCII: i8 = 0xc2 as i8
const CASE_BIT: i8 = 0x20

const NOTHING: u32 = 0
const FOUND: u32 = 1
const DOUBT: u32 = 2

/** The word searched for, as code units of its fold, and the table of folds; set for each call. */
let word: usize = 0
let wordEnd: usize = 0
let folds: usize = 0
let foldCount: u32 = 0

/** Where the character after the last one read begins. */
let behind: usize = 0

/**
 * Sets in `found` the bits of the entries from `entry` to `entries` in which the word begins a word, and in `doubts` those
 * where that depends on characters about which the table of folds does not say enough. The table has `count` folds of
 * 16 bits.
 */
export function findWord(
  heap: usize,
  offsets: usize,
  entry: u32,
  entries: u32,
  wordUnits: usize,
  length: u32,
  foldTable: usize,
  count: u32,
  found: usize,
  doubts: usize,
): void {
  word = wordUnits
  wordEnd = wordUnits + ((length as usize) << 1)
  folds = foldTable
  foldCount = count
  const first = load<u16>(word) as u32
  // No byte of a text is 0xff.
  const letter = i8x16.splat(first < 0x80 ? ((first | 0x20) as i8) : (0xff as i8))
  let at = heap + load<u32>(offsets + (((entry - 1) as usize) << 2))
  for (; entry <= entries; entry++) {
    const end = heap + load<u32>(offsets + ((entry as usize) << 2))
    const result = searchEntry(at, end, letter)
    if (result !== NOTHING) setBit(result === FOUND ? found : doubts, entry)
    at = end
  }
}

/**
 * Looks at 16 positions at a time for those where the word may begin: its first letter in either case, not after an ASCII
 * letter or digit, and every character beyond ASCII.
 */
function searchEntry(start: usize, end: usize, letter: v128): u32 {
  if (start === end) return NOTHING
  let result = matchAt(start, end)
  if (result === FOUND) return FOUND
  for (let here = start + 1; here < end; here += 16) {
    const bytes = v128.load(here)
    const before = v128.load(here - 1)
    const begins = v128.andnot(i8x16.eq(v128.or(bytes, i8x16.splat(CASE_BIT)), letter), alphanumeric(before))
    let hits = i8x16.bitmask(v128.or(begins, i8x16.ge_u(bytes, i8x16.splat(BEYOND_ASCII)))) as u32
    for (; hits !== 0; hits &= hits - 1) {
      const position = here + (ctz(hits) as usize)
      if (position >= end) break
      const match = matchInside(start, position, end)
      if (match === FOUND) return FOUND
      result |= match
    }
  }
  return result
}

function alphanumeric(bytes: v128): v128 {
  const letters = i8x16.sub(v128.or(bytes, i8x16.splat(CASE_BIT)), i8x16.splat(0x61))
  const digits = i8x16.sub(bytes, i8x16.splat(0x30))
  return v128.or(i8x16.le_u(letters, i8x16.splat(25)), i8x16.le_u(digits, i8x16.splat(9)))
}

/** Whether the word begins a word at a position that is not the first of its entry. */
function matchInside(start: usize, position: usize, end: usize): u32 {
  const result = matchAt(position, end)
  if (result === NOTHING) return NOTHING
  if (foldAt(position) === OTHER) return DOUBT
  for (let at = position; at > start; ) {
    at--
    while ((load<u8>(at) & 0xc0) === 0x80) at--
    const before = foldAt(at)
    if (before === SEPARATOR) return result
    if (before === OTHER) return DOUBT
    if (before !== MARK) return NOTHING
  }
  return result
}

function matchAt(at: usize, end: usize): u32 {
  for (let unit = word; unit < wordEnd; ) {
    if (at >= end) return NOTHING
    const folded = foldAt(at)
    if (folded === LETTERS || folded === OTHER) return DOUBT
    if (folded === MARK && unit > word) {
      at = behind
      continue
    }
    if (folded !== (load<u16>(unit) as u32)) return NOTHING
    at = behind
    unit += 2
  }
  return FOUND
}

/** The fold, or kind, of the character that begins at `at`. */
function foldAt(at: usize): u32 {
  const first = load<u8>(at) as u32
  let code = first
  let size: usize = 1
  if (first >= 0xf0) {
    behind = at + 4
    return OTHER
  }
  if (first >= 0xe0) {
    code = ((first & 15) << 12) | (trail(at, 1) << 6) | trail(at, 2)
    size = 3
  } else if (first >= 0x80) {
    code = ((first & 31) << 6) | trail(at, 1)
    size = 2
  }
  behind = at + size
  return code < foldCount ? (load<u16>(folds + ((code as usize) << 1)) as u32) : OTHER
}

function trail(at: usize, offset: usize): u32 {
  return (load<u8>(at + offset) & 0x3f) as u32
}
