/** Walking an order of rows. */

import { bitAt, word } from './addresses'

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
 * Goes through `order` from position `from` to `to`, backwards when `to` is smaller (then `from` itself is not
 * included), and writes the rows whose mask bit is set to `rows`, after the first `skip` of them, until `most` are
 * written. `found` of them are there already.
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
