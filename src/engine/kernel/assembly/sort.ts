/**
 * Sorts all rows by one column in one pass: counts how often each code occurs, sums the counts to the place where each
 * code's rows start, then puts every row, in the order that earlier passes gave it, at the next place of its code.
 *
 * It is fast because a step is a few loads and stores and nothing else: counters are numbered like codes, so direction and
 * nulls are handled once, in the sums, and not row by row. Tried and slower: keys composed of several columns, keys moved
 * along with the rows, write-combining buffers, and more but smaller digits.
 *
 * Where codes that compare equal share a rank, `ranks` has the rank of each code; otherwise it is 0.
 */

import { countOne, word } from './addresses'

/** Turns the counts of the codes 0 to `top` into the places where each code's rows start; null, 0, comes last. */
export function sumCodes(counts: usize, top: u32, descending: bool): void {
  const step: usize = descending ? -4 : 4
  let at = counts + ((descending ? (top as usize) : 1) << 2)
  let sum: u32 = 0
  for (let left = top; left > 0; left--, at += step) {
    const count = load<u32>(at)
    store<u32>(at, sum)
    sum += count
  }
  store<u32>(counts, sum)
}

/**
 * Turns the counts of each part of the rows into where that part's rows of each code start. `counts` has the counts of the
 * codes 0 to `top` for `parts` parts, `stride` bytes apart. `starts`, of all rows, becomes the codes' ends.
 */
export function shareStarts(starts: usize, top: u32, counts: usize, stride: u32, parts: u32): void {
  for (let code: u32 = 0; code <= top; code++) {
    let place = load<u32>(word(starts, code))
    let at = word(counts, code)
    for (let part: u32 = 0; part < parts; part++, at += stride) {
      const count = load<u32>(at)
      store<u32>(at, place)
      place += count
    }
    store<u32>(word(starts, code), place)
  }
}

/** Puts the rows at `from` to `to` in `rows` (0: of the file) at the next places of their codes in `out`. */
export function moveByCode(
  codes: usize,
  width: u32,
  ranks: usize,
  rows: usize,
  from: u32,
  to: u32,
  starts: usize,
  out: usize,
): void {
  if (ranks === 0 && rows === 0) {
    if (width === 1) moveFromFile<u8>(codes, from, to, starts, out)
    else if (width === 2) moveFromFile<u16>(codes, from, to, starts, out)
    else moveFromFile<u32>(codes, from, to, starts, out)
  } else if (width === 1) move<u8>(codes, ranks, rows, from, to, starts, out)
  else if (width === 2) move<u16>(codes, ranks, rows, from, to, starts, out)
  else move<u32>(codes, ranks, rows, from, to, starts, out)
}

function moveFromFile<Code>(codes: usize, from: u32, to: u32, starts: usize, out: usize): void {
  for (let row = from; row < to; row++)
    putRow(row, load<Code>(codes + (row as usize) * sizeof<Code>()) as u32, starts, out)
}

function move<Code>(
  codes: usize,
  ranks: usize,
  rows: usize,
  from: u32,
  to: u32,
  starts: usize,
  out: usize,
): void {
  for (let i = from; i < to; i++) {
    const row = rows === 0 ? i : load<u32>(word(rows, i))
    const code = load<Code>(codes + (row as usize) * sizeof<Code>()) as u32
    putRow(row, ranks === 0 ? code : load<u32>(word(ranks, code)), starts, out)
  }
}

function putRow(row: u32, code: u32, starts: usize, out: usize): void {
  store<u32>(word(out, countOne(starts, code)), row)
}

/**
 * Appends one column to the joint codes, u16, of the rows `from` to `to`, so that neighbouring columns of few values are
 * sorted as one. `size` is its number of values, including null. `isFirst` starts the joint codes, which count from 1 and
 * have no null.
 */
export function joinCodes(
  codes: usize,
  width: u32,
  ranks: usize,
  top: u32,
  descending: bool,
  from: u32,
  to: u32,
  size: u32,
  isFirst: bool,
  joint: usize,
): void {
  if (width === 1) joinCodesOf<u8>(codes, ranks, top, descending, from, to, size, isFirst, joint)
  else if (width === 2) joinCodesOf<u16>(codes, ranks, top, descending, from, to, size, isFirst, joint)
  else joinCodesOf<u32>(codes, ranks, top, descending, from, to, size, isFirst, joint)
}

function joinCodesOf<Code>(
  codes: usize,
  ranks: usize,
  top: u32,
  descending: bool,
  from: u32,
  to: u32,
  size: u32,
  isFirst: bool,
  joint: usize,
): void {
  // (rank ^ flip) + bias is rank - 1, or top - rank when descending; null, 0, becomes top either way.
  const flip: u32 = descending ? u32.MAX_VALUE : 0
  const bias: u32 = descending ? top + 1 : u32.MAX_VALUE
  for (let row = from; row < to; row++) {
    let rank = load<Code>(codes + (row as usize) * sizeof<Code>()) as u32
    if (ranks !== 0) rank = load<u32>(word(ranks, rank))
    const target = joint + ((row as usize) << 1)
    const before: u32 = isFirst ? 0 : ((load<u16>(target) as u32) - 1) * size
    store<u16>(target, before + min<u32>((rank ^ flip) + bias, top) + 1)
  }
}
