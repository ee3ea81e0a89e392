/** Parquet's hybrid of run lengths and packed bits, least significant bit first: of levels, indices and booleans. */

import type { ByteSink } from '../../columns/byte-sink.ts'
import { appendVarint } from './thrift.ts'

/** Values are packed in groups of so many. */
const GROUP = 8

/** Bits that hold numbers up to `largest`; at least 1. */
export function bitWidthOf(largest: number): number {
  return Math.max(1, 32 - Math.clz32(largest))
}

/** Appends `values[from..to)` as one run where they are all equal, else packed in `width` (up to 24) bits each. */
export function appendHybrid(
  sink: ByteSink,
  values: Uint32Array,
  from: number,
  to: number,
  width: number,
): void {
  if (isConstant(values, from, to)) {
    appendVarint(sink, (to - from) * 2)
    for (let left = width, rest = values[from]!; left > 0; left -= 8, rest >>>= 8) sink.push(rest & 0xff)
    return
  }
  const groups = Math.ceil((to - from) / GROUP)
  appendVarint(sink, groups * 2 + 1)
  appendPacked(sink, values, from, to, width)
  // The last group is whole: zeros stand for the values that it lacks.
  const length = groups * width - Math.ceil(((to - from) * width) / 8)
  for (let i = 0; i < length; i++) sink.push(0)
}

/** Appends values of `width` bits each, and zeros up to a whole byte. */
export function appendPacked(
  sink: ByteSink,
  values: Uint32Array,
  from: number,
  to: number,
  width: number,
): void {
  sink.reserve(Math.ceil(((to - from) * width) / 8))
  const { bytes } = sink
  let at = sink.length
  let held = 0
  let bits = 0
  for (let i = from; i < to; i++) {
    held |= values[i]! << bits
    bits += width
    while (bits >= 8) {
      bytes[at++] = held & 0xff
      held >>>= 8
      bits -= 8
    }
  }
  if (bits > 0) bytes[at++] = held & 0xff
  sink.length = at
}

function isConstant(values: Uint32Array, from: number, to: number): boolean {
  const first = values[from]!
  for (let i = from + 1; i < to; i++) if (values[i] !== first) return false
  return true
}
