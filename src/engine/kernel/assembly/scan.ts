/** Scans codes into row masks. `../instantiate.ts` says what the whole kernel relies on. */

import { bitAt } from './addresses'

/** How a scan combines with what the mask holds, as `SCAN` in filter/scans.ts numbers it; 2 is "and not". */
const SET: u32 = 0
const AND: u32 = 1

/** The bits of 16 rows whose code minus `low` is at most `span`, unsigned: one comparison tests both ends of a range. */
function inRange<Code>(at: usize, low: v128, span: v128): u64 {
  let found: v128
  if (sizeof<Code>() === 1) found = i8x16.le_u(i8x16.sub(v128.load(at), low), span)
  else if (sizeof<Code>() === 2)
    found = i8x16.narrow_i16x8_s(inRange2(at, low, span), inRange2(at + 16, low, span))
  else found = i8x16.narrow_i16x8_s(inRange4(at, low, span), inRange4(at + 32, low, span))
  return (i8x16.bitmask(found) as u64) & 0xffff
}

function inRange2(at: usize, low: v128, span: v128): v128 {
  return i16x8.le_u(i16x8.sub(v128.load(at), low), span)
}

function inRange4(at: usize, low: v128, span: v128): v128 {
  const first = i32x4.le_u(i32x4.sub(v128.load(at), low), span)
  return i16x8.narrow_i32x4_s(first, i32x4.le_u(i32x4.sub(v128.load(at, 16), low), span))
}

function combine(mask: usize, found: u64, mode: u32): void {
  if (mode === SET) store<u64>(mask, found)
  else if (mode === AND) store<u64>(mask, load<u64>(mask) & found)
  else store<u64>(mask, load<u64>(mask) & ~found)
}

/** Scans for codes in `[low, low + span]` into the mask words `from` to `to`. Words that can only stay zero are skipped. */
export function scanRange(
  codes: usize,
  width: u32,
  from: u32,
  to: u32,
  low: u32,
  span: u32,
  mask: usize,
  mode: u32,
): void {
  if (width === 1)
    scanRangeOf<u8>(codes, from, to, i8x16.splat(low as i8), i8x16.splat(span as i8), mask, mode)
  else if (width === 2)
    scanRangeOf<u16>(codes, from, to, i16x8.splat(low as i16), i16x8.splat(span as i16), mask, mode)
  else scanRangeOf<u32>(codes, from, to, i32x4.splat(low), i32x4.splat(span), mask, mode)
}

function scanRangeOf<Code>(
  codes: usize,
  from: u32,
  to: u32,
  low: v128,
  span: v128,
  mask: usize,
  mode: u32,
): void {
  const rows16 = 16 * sizeof<Code>()
  for (let word = from; word < to; word++) {
    const target = mask + ((word as usize) << 3)
    if (mode !== SET && load<u64>(target) === 0) continue
    const at = codes + (word as usize) * 4 * rows16
    const found =
      inRange<Code>(at, low, span) |
      (inRange<Code>(at + rows16, low, span) << 16) |
      (inRange<Code>(at + 2 * rows16, low, span) << 32) |
      (inRange<Code>(at + 3 * rows16, low, span) << 48)
    combine(target, found, mode)
  }
}

/** Scans for codes whose bit is set in the code mask `table` into the mask words `from` to `to`. */
export function scanTable(
  codes: usize,
  width: u32,
  from: u32,
  to: u32,
  table: usize,
  mask: usize,
  mode: u32,
): void {
  if (width === 1) scanTable1(codes, from, to, table, mask, mode)
  else if (width === 2) scanTableWide<u16>(codes, from, to, table, mask, mode)
  else scanTableWide<u32>(codes, from, to, table, mask, mode)
}

/**
 * Tests 16 one-byte codes at a time. The 256 bits of the table are regrouped by the codes' low four bits; one swizzle
 * fetches the eight bits for the high four bits 0-7 and another those for 8-15.
 */
function scanTable1(codes: usize, from: u32, to: u32, table: usize, mask: usize, mode: u32): void {
  const lanes = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
  let lower = i8x16.splat(0)
  let upper = i8x16.splat(0)
  for (let low: u32 = 0; low < 16; low++) {
    let lowerBits: u32 = 0
    let upperBits: u32 = 0
    for (let high: u32 = 0; high < 8; high++) {
      lowerBits |= bitAt(table, (high << 4) | low) << high
      upperBits |= bitAt(table, ((high + 8) << 4) | low) << high
    }
    const lane = i8x16.eq(lanes, i8x16.splat(low as i8))
    lower = v128.bitselect(i8x16.splat(lowerBits as i8), lower, lane)
    upper = v128.bitselect(i8x16.splat(upperBits as i8), upper, lane)
  }
  for (let word = from; word < to; word++) {
    const target = mask + ((word as usize) << 3)
    if (mode !== SET && load<u64>(target) === 0) continue
    const at = codes + ((word as usize) << 6)
    const found =
      inTable1(at, lower, upper) |
      (inTable1(at + 16, lower, upper) << 16) |
      (inTable1(at + 32, lower, upper) << 32) |
      (inTable1(at + 48, lower, upper) << 48)
    combine(target, found, mode)
  }
}

function inTable1(at: usize, lower: v128, upper: v128): u64 {
  const code = v128.load(at)
  const low = v128.and(code, i8x16.splat(15))
  const high = i8x16.shr_u(code, 4)
  const bit = i8x16.swizzle(i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128), high)
  const inUpper = i8x16.lt_s(code, i8x16.splat(0))
  const bits = v128.bitselect(i8x16.swizzle(upper, low), i8x16.swizzle(lower, low), inUpper)
  return (i8x16.bitmask(i8x16.eq(v128.and(bits, bit), bit)) as u64) & 0xffff
}

/** Up to this many rows left in a word, testing them one by one is cheaper than testing all 64. */
const SPARSE: u64 = 20

function scanTableWide<Code>(codes: usize, from: u32, to: u32, table: usize, mask: usize, mode: u32): void {
  for (let word = from; word < to; word++) {
    const target = mask + ((word as usize) << 3)
    const before: u64 = mode === SET ? u64.MAX_VALUE : load<u64>(target)
    if (before === 0) continue
    const first = codes + ((word as usize) << 6) * sizeof<Code>()
    let found: u64 = 0
    if (popcnt(before) <= SPARSE) {
      for (let left = before; left !== 0; left &= left - 1) {
        const bit = ctz(left)
        found |= (bitAt(table, load<Code>(first + (bit as usize) * sizeof<Code>()) as u32) as u64) << bit
      }
    } else {
      // Four sums, because one would wait for itself at every code.
      for (let four: u64 = 0; four < 64; four += 4) {
        const at = first + (four as usize) * sizeof<Code>()
        const low = codeBit<Code>(table, at, 0) | (codeBit<Code>(table, at, 1) << 1)
        const high = codeBit<Code>(table, at, 2) | (codeBit<Code>(table, at, 3) << 1)
        found |= ((low | (high << 2)) as u64) << four
      }
    }
    combine(target, found, mode)
  }
}

function codeBit<Code>(table: usize, at: usize, index: usize): u32 {
  return bitAt(table, load<Code>(at + index * sizeof<Code>()) as u32)
}
