/** Dictionary entries, which are texts, as values of Parquet's types and encodings, and the pages and buffers for them. */

import { ByteSink } from '../../columns/byte-sink.ts'
import { dayNumber, parseNumber, secondOfDay } from '../../columns/entry-keys.ts'
import { entryText } from '../../filter/entry-search.ts'
import type { OpenDataset } from '../../memory/open-dataset.ts'
import type { Work } from '../../turns.ts'
import { appendVarint } from './thrift.ts'

const GROUP = 8

/** Rows of a group, which bounds what a reader has to hold in memory, and of a page. */
export const GROUP_ROWS = 2 ** 17
export const PAGE_ROWS = 2 ** 15

/** Buffers that all chunks use, one after the other. */
export class ChunkScratch {
  readonly codes = new Uint32Array(GROUP_ROWS)
  /** The place in the dictionary of each row with a value. */
  readonly places = new Uint32Array(GROUP_ROWS)
  readonly levels = new Uint32Array(PAGE_ROWS)
  readonly used = new Uint32Array(GROUP_ROWS)
  /** The place of each code in the dictionary, from 1; all zeros between chunks. */
  table = new Uint32Array(0)
  readonly values = new ByteSink(2 ** 18)
  readonly page = new ByteSink(2 ** 18)
  readonly packed = new ByteSink(2 ** 18)
}

/** How the values of a column are stored. */
export type ValueKind = 'integer' | 'decimal' | 'boolean' | 'date' | 'micros' | 'nanos' | 'text'

/** A column of the dataset as one of the file. */
export interface StoredColumn {
  readonly column: number
  readonly name: string
  readonly kind: ValueKind
}

/** Length of `2024-01-31T12:00:00Z`; a fraction is a point and its digits. */
const WHOLE_SECONDS = 20
/** Nanoseconds in 64 bits reach from 1677-09-21 to 2262-04-11. */
const NANOS_FROM = '1678'
const NANOS_TO = '2262'

const BLOCK_ENTRIES = 2 ** 16

/**
 * How a column is stored. Instants are counted in microseconds or, where the source has finer ones, in nanoseconds; where
 * these do not fit into 64 bits, they are texts.
 * @throws DamagedFileError when a segment does not load
 */
export function* valueKindOf(dataset: OpenDataset, column: number): Work<ValueKind> {
  const { type, distinct } = dataset.columns[column]!
  if (type === 'string') return 'text'
  if (type !== 'datetime') return type
  let digits = 0
  for (let from = 0; from < distinct; from += BLOCK_ENTRIES) {
    const to = Math.min(distinct, from + BLOCK_ENTRIES)
    const words = dataset.regions.words
    const offsets = dataset.segment(column, 'offsets') / 4
    for (let entry = from; entry < to; entry++) {
      const length = words[offsets + entry + 1]! - words[offsets + entry]!
      digits = Math.max(digits, length - WHOLE_SECONDS - 1)
    }
    yield
  }
  if (digits <= 6) return 'micros'
  const years = [1, distinct].map((code) => entryText(dataset, column, code).slice(0, 4))
  return digits <= 9 && years[0]! >= NANOS_FROM && years[1]! < NANOS_TO ? 'nanos' : 'text'
}

/** Appends the value of the text `bytes[from..to)`. Booleans are packed by their writer. */
export function appendValue(
  kind: Exclude<ValueKind, 'boolean'>,
  sink: ByteSink,
  bytes: Buffer,
  from: number,
  to: number,
): void {
  if (kind === 'text') {
    appendWord(sink, to - from)
    sink.reserve(to - from)
    // `Buffer.copy` needs no view of each text, which would be garbage.
    sink.length += bytes.copy(sink.bytes, sink.length, from, to)
  } else if (kind === 'integer') {
    const value = parseNumber(bytes, from, to)
    appendWord(sink, value >>> 0)
    appendWord(sink, Math.floor(value / 2 ** 32))
  } else if (kind === 'decimal') {
    double[0] = parseNumber(bytes, from, to)
    sink.append(doubleBytes, 0, 8)
  } else if (kind === 'date') appendWord(sink, dayNumber(bytes, from))
  else appendInstant(sink, bytes, from, to, kind === 'micros' ? 6 : 9)
}

const double = new Float64Array(1)
const long = new BigInt64Array(double.buffer)
const doubleBytes = new Uint8Array(double.buffer)

function appendWord(sink: ByteSink, value: number): void {
  sink.reserve(4)
  const { bytes, length } = sink
  bytes[length] = value & 0xff
  bytes[length + 1] = (value >>> 8) & 0xff
  bytes[length + 2] = (value >>> 16) & 0xff
  bytes[length + 3] = (value >>> 24) & 0xff
  sink.length += 4
}

/** @param digits of the fraction that are kept */
function appendInstant(sink: ByteSink, bytes: Uint8Array, from: number, to: number, digits: number): void {
  const seconds = dayNumber(bytes, from) * 86_400 + secondOfDay(bytes, from)
  let fraction = 0
  for (let i = 0; i < digits; i++) {
    const at = from + WHOLE_SECONDS + i
    fraction = fraction * 10 + (at < to - 1 ? bytes[at]! - 0x30 : 0)
  }
  long[0] = BigInt(seconds) * (digits === 6 ? 1_000_000n : 1_000_000_000n) + BigInt(fraction)
  sink.append(doubleBytes, 0, 8)
}

// Parquet's hybrid of run lengths and packed bits, least significant bit first, for levels, indices and booleans.
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
  let at = from + 1
  while (at < to && values[at] === values[from]) at++
  if (at >= to) {
    appendVarint(sink, (to - from) * 2)
    for (let left = width, rest = values[from]!; left > 0; left -= 8, rest >>>= 8) sink.push(rest & 0xff)
    return
  }
  const groups = Math.ceil((to - from) / GROUP)
  appendVarint(sink, groups * 2 + 1)
  appendPacked(sink, values, from, to, width)
  // Zeros complete the last group.
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

const ZSTD_LEVEL = 3
/** Up to this many bytes are compressed on this thread, since handing them to another one takes longer. */
const MOST_PACKED_AT_ONCE = 2 ** 18

/** Makes a page of values and levels; the levels say which rows have a value. */
export function fillPage(page: ByteSink, levels: Uint32Array, rows: number, values: ByteSink): void {
  page.length = 4
  appendHybrid(page, levels, 0, rows, 1)
  new DataView(page.bytes.buffer).setUint32(0, page.length - 4, true)
  page.append(values.bytes, 0, values.length)
}

/** Compresses a page, on another thread if that takes more than a small part of a turn. */
export function pack({ bytes, length }: ByteSink): Uint8Array | Promise<Uint8Array> {
  const page = bytes.subarray(0, length)
  const options = { level: ZSTD_LEVEL }
  return length > MOST_PACKED_AT_ONCE ? Bun.zstdCompress(page, options) : Bun.zstdCompressSync(page, options)
}

/** The least and the largest text by their bytes. */
export function boundsOfTexts(
  dataset: OpenDataset,
  column: number,
  codes: Uint32Array,
): readonly [min: Uint8Array, max: Uint8Array] {
  const { bytes, words } = dataset.regions
  const offsets = dataset.segment(column, 'offsets') / 4
  const heap = Buffer.from(bytes.buffer, dataset.segment(column, 'heap'))
  const from = (code: number) => words[offsets + code - 1]!
  const to = (code: number) => words[offsets + code]!
  const compare = (a: number, b: number) => heap.compare(heap, from(b), to(b), from(a), to(a))
  let [min, max] = [codes[0]!, codes[0]!]
  for (const code of codes) {
    if (compare(code, min) < 0) min = code
    if (compare(code, max) > 0) max = code
  }
  return [
    Uint8Array.from(heap.subarray(from(min), to(min))),
    Uint8Array.from(heap.subarray(from(max), to(max))),
  ]
}
