/** Segments as they are written to a file, in pieces: the largest are as long as all texts of a column together. */

import { ByteSink, copyBytes } from './byte-sink.ts'
import { ENTRY_FLAGS, type RawEntries, type SegmentKind } from './column.ts'

/** The bytes of one segment, produced while they are read; each piece is valid until the next. */
export interface Segment extends Iterable<Uint8Array> {
  readonly length: number
}

const PIECE_BYTES = 1 << 16

function wholeSegment(bytes: Uint8Array): Segment {
  return { length: bytes.length, [Symbol.iterator]: () => [bytes].values() }
}

export function wordSegment(words: Uint32Array): Segment {
  return wholeSegment(new Uint8Array(words.buffer, words.byteOffset, words.byteLength))
}

/**
 * A segment of texts converted by `write`.
 * @param length of all converted texts @param write appends one text
 */
export function textSegment(
  chosen: Uint32Array,
  length: number,
  write: (entry: number, sink: ByteSink) => void,
): Segment {
  return { length, [Symbol.iterator]: () => writeTexts(chosen, write) }
}

/** A segment of unchanged texts, one after the other. */
export function rawTextSegment(entries: RawEntries, chosen: Uint32Array, length: number): Segment {
  return { length, [Symbol.iterator]: () => copyTexts(entries, chosen) }
}

function* copyTexts({ heap, offsets }: RawEntries, chosen: Uint32Array) {
  const piece = new Uint8Array(PIECE_BYTES)
  let filled = 0
  for (let i = 0; i < chosen.length; i++) {
    const from = offsets[chosen[i]!]!
    const to = offsets[chosen[i]! + 1]!
    if (filled + to - from > PIECE_BYTES) {
      yield piece.subarray(0, filled)
      filled = 0
    }
    if (to - from > PIECE_BYTES) yield heap.subarray(from, to)
    else {
      copyBytes(heap, from, to, piece, filled)
      filled += to - from
    }
  }
  yield piece.subarray(0, filled)
}

function* writeTexts(chosen: Uint32Array, write: (entry: number, sink: ByteSink) => void) {
  const sink = new ByteSink(2 * PIECE_BYTES)
  for (let i = 0; i < chosen.length; i++) {
    write(chosen[i]!, sink)
    if (sink.length < PIECE_BYTES) continue
    yield sink.bytes.subarray(0, sink.length)
    sink.length = 0
  }
  yield sink.bytes.subarray(0, sink.length)
}

// Side tables for the entries that JSON or CSV write differently from their raw text.
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Which of `ENTRY_FLAGS` a byte in a text requires. */
const FLAGS_OF_BYTE = new Uint8Array(256)
for (let control = 0; control < 0x20; control++) FLAGS_OF_BYTE[control] = ENTRY_FLAGS.jsonDiffers
FLAGS_OF_BYTE[BACKSLASH] = ENTRY_FLAGS.jsonDiffers
for (const byte of Buffer.from('\r\n')) FLAGS_OF_BYTE[byte]! |= ENTRY_FLAGS.csvQuoted
FLAGS_OF_BYTE[0x2c] = ENTRY_FLAGS.csvQuoted
FLAGS_OF_BYTE[QUOTE] = ENTRY_FLAGS.csvQuoted | ENTRY_FLAGS.csvDiffers | ENTRY_FLAGS.jsonDiffers

/** What is written for each byte that has to be escaped; in JSON by RFC 8259, section 7. */
const JSON_ESCAPES = Array.from({ length: 256 }, (_, byte) =>
  FLAGS_OF_BYTE[byte]! & ENTRY_FLAGS.jsonDiffers
    ? JSON.stringify(String.fromCharCode(byte)).slice(1, -1)
    : '',
)
const CSV_ESCAPES = Array.from({ length: 256 }, (_, byte) => (byte === QUOTE ? '""' : ''))

/** Flags by code. An empty text is quoted in CSV, where an empty field without quotes means null. */
function collectFlags({ heap, offsets }: RawEntries, firsts: Uint32Array): Uint8Array {
  // Texts are read in the order in which they are stored, which is faster than in the order of their codes.
  const found = new Uint8Array(offsets.length - 1)
  for (let entry = 0; entry < found.length; entry++) {
    const from = offsets[entry]!
    const to = offsets[entry + 1]!
    let flags = from === to ? ENTRY_FLAGS.csvQuoted : 0
    for (let at = from; at < to; at++) flags |= FLAGS_OF_BYTE[heap[at]!]!
    found[entry] = flags
  }
  const flags = new Uint8Array(firsts.length + 1)
  for (let i = 0; i < firsts.length; i++) flags[i + 1] = found[firsts[i]!]!
  return flags
}

function addSideTable(
  segments: Map<SegmentKind, Segment>,
  format: 'json' | 'csv',
  { heap, offsets }: RawEntries,
  firsts: Uint32Array,
  flags: Uint8Array,
): void {
  const flag = format === 'json' ? ENTRY_FLAGS.jsonDiffers : ENTRY_FLAGS.csvDiffers
  const escapes = format === 'json' ? JSON_ESCAPES : CSV_ESCAPES
  // Bytes by which an escaped text is longer, by byte of the raw one.
  const growth = Uint8Array.from(escapes, (escaping) => Math.max(0, escaping.length - 1))
  const codes = Uint32Array.from(flags.keys().filter((code) => (flags[code]! & flag) !== 0))
  if (codes.length === 0) return
  const ends = new Uint32Array(codes.length + 1)
  let end = 0
  for (let i = 0; i < codes.length; i++) {
    const entry = firsts[codes[i]! - 1]!
    for (let at = offsets[entry]!; at < offsets[entry + 1]!; at++) end += 1 + growth[heap[at]!]!
    ends[i + 1] = end
  }
  segments.set(`${format}_codes`, wordSegment(codes))
  segments.set(`${format}_offsets`, wordSegment(ends))
  const write = (code: number, sink: ByteSink) => {
    const entry = firsts[code - 1]!
    for (let at = offsets[entry]!; at < offsets[entry + 1]!; at++) {
      const byte = heap[at]!
      const escaping = escapes[byte]!
      if (escaping === '') sink.push(byte)
      else sink.appendLatin1(escaping)
    }
  }
  segments.set(`${format}_heap`, textSegment(codes, end, write))
}

/** Adds `flags` and the `json_*` and `csv_*` tables that a string column's dictionary needs, and no others. */
export function addEscapedTexts(
  segments: Map<SegmentKind, Segment>,
  entries: RawEntries,
  firsts: Uint32Array,
): void {
  const flags = collectFlags(entries, firsts)
  if (flags.every((flag) => flag === 0)) return
  segments.set('flags', wholeSegment(flags))
  addSideTable(segments, 'json', entries, firsts, flags)
  addSideTable(segments, 'csv', entries, firsts, flags)
}
