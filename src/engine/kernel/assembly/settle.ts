/**
 * Puts ties in order where a page reads them. An order by the leading columns alone is made quickly; rows that tie in them
 * are put in order once, for the places that a page reads, which are then marked in a mask over places.
 *
 * Rows that tie are adjacent, so their beginning and end are found in steps that double.
 */

import { bitAt, codeAt, word } from './addresses'
import { fillBits } from './masks'
import { COLUMN_BYTES, sortGroup } from './ties'

let settledTo: u32 = 0

export function placeReached(): u32 {
  return settledTo
}

/**
 * Settles the places `from` to `to` of an `order` of `count` rows, and the rows that tie with those, until `most` rows are
 * done. Returns how many were. The table of leading columns is from `leading` to `deciding`, that of the remaining columns
 * from there to `columnsEnd`; `scratch` and `largest` as for `sortLargeTies`.
 */
export function settleTies(
  order: usize,
  count: u32,
  settled: usize,
  from: u32,
  to: u32,
  most: u32,
  leading: usize,
  deciding: usize,
  columnsEnd: usize,
  scratch: usize,
  largest: u32,
): u32 {
  let done: u32 = 0
  let place = nextUnsettled(settled, from, to)
  while (place < to && done < most) {
    const begin = firstTie(order, place, leading, deciding)
    const end = tiesEnd(order, place, count, leading, deciding)
    if (end - begin > 1) sortGroup(word(order, begin), end - begin, deciding, columnsEnd, scratch, largest)
    fillBits(settled, begin, end - 1)
    done += end - begin
    place = nextUnsettled(settled, end, to)
  }
  settledTo = place
  return done
}

/** The first place from `from` on that is not marked; `to` or more where there is none before `to`. */
export function nextUnsettled(settled: usize, from: u32, to: u32): u32 {
  let place = from
  while (place < to) {
    const open = ~load<u64>(settled + ((place >> 6) << 3)) >> ((place & 63) as u64)
    if (open !== 0) return place + (ctz(open) as u32)
    place = (place | 63) + 1
  }
  return place
}

function firstTie(order: usize, place: u32, leading: usize, deciding: usize): u32 {
  const row = load<u32>(word(order, place))
  let step: u32 = 1
  // All from `high` to `place` tie; places before `low` are not known.
  let high = place
  while (high > 0) {
    const low = high > step ? high - step : 0
    if (!areTied(load<u32>(word(order, low)), row, leading, deciding))
      return firstTieBetween(order, low + 1, high, row, leading, deciding)
    high = low
    step <<= 1
  }
  return 0
}

/** The first place from `low` on that ties; `high` does. */
function firstTieBetween(order: usize, low: u32, high: u32, row: u32, leading: usize, deciding: usize): u32 {
  while (low < high) {
    const middle = low + ((high - low) >> 1)
    if (areTied(load<u32>(word(order, middle)), row, leading, deciding)) high = middle
    else low = middle + 1
  }
  return low
}

/** The place after the last one that ties with `place`. */
function tiesEnd(order: usize, place: u32, count: u32, leading: usize, deciding: usize): u32 {
  const row = load<u32>(word(order, place))
  let step: u32 = 1
  // All before `low` tie.
  let low = place + 1
  while (low < count) {
    const next = min<u32>(low + step, count) - 1
    if (!areTied(load<u32>(word(order, next)), row, leading, deciding)) {
      let high = next
      while (low < high) {
        const middle = low + ((high - low) >> 1)
        if (areTied(load<u32>(word(order, middle)), row, leading, deciding)) low = middle + 1
        else high = middle
      }
      return low
    }
    low = next + 1
    step <<= 1
  }
  return count
}

function areTied(row: u32, other: u32, leading: usize, deciding: usize): bool {
  for (let column = leading; column < deciding; column += COLUMN_BYTES)
    if (rankOf(column, row) !== rankOf(column, other)) return false
  return true
}

function rankOf(column: usize, row: u32): u32 {
  const code = codeAt(load<u32>(column), load<u32>(column, 4), row)
  const ranks: usize = load<u32>(column, 8)
  return ranks === 0 ? code : load<u32>(word(ranks, code))
}

/** Where `walkOrder` stopped, and what it still had to skip and had found by then. */
let walkSkip: u32 = 0
let walkFound: u32 = 0

export function walkSkipLeft(): u32 {
  return walkSkip
}

export function walkFoundSoFar(): u32 {
  return walkFound
}

/**
 * Walks `order` from position `from` to `to`, backwards when `to` is smaller (then `from` itself is not included). Skips
 * the first `skip` rows whose mask bit is set and writes the next ones to `rows`, after `found` others, until there are
 * `most`.
 */
export function walkOrder(
  order: usize,
  from: u32,
  to: u32,
  mask: usize,
  skip: u32,
  found: u32,
  most: u32,
  rows: usize,
): void {
  const backwards = to < from
  const steps = backwards ? from - to : to - from
  let at = word(order, backwards ? from - 1 : from)
  const stride: usize = backwards ? -4 : 4
  for (let step: u32 = 0; step < steps && found < most; step++, at += stride) {
    const row = load<u32>(at)
    const bit = bitAt(mask, row)
    if (skip > 0) skip -= bit
    else {
      store<u32>(word(rows, found), row)
      found += bit
    }
  }
  walkSkip = skip
  walkFound = found
}
