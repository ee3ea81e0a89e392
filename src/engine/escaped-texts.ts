/** Side tables for the entries that JSON or CSV write differently from their raw text. */

import { ByteSink } from './byte-sink.ts'
import { ENTRY_FLAGS, type SegmentKind } from './column.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Which of `ENTRY_FLAGS` one byte inside a text calls for. */
const FLAGS_OF_BYTE = new Uint8Array(256)
for (let control = 0; control < 0x20; control++) FLAGS_OF_BYTE[control] = ENTRY_FLAGS.jsonDiffers
FLAGS_OF_BYTE[BACKSLASH] = ENTRY_FLAGS.jsonDiffers
for (const byte of Buffer.from('\r\n')) FLAGS_OF_BYTE[byte]! |= ENTRY_FLAGS.csvQuoted
FLAGS_OF_BYTE[0x2c] = ENTRY_FLAGS.csvQuoted
FLAGS_OF_BYTE[QUOTE] = ENTRY_FLAGS.csvQuoted | ENTRY_FLAGS.csvDiffers | ENTRY_FLAGS.jsonDiffers

/** What RFC 8259 section 7 writes for a byte that may not stand for itself. */
function jsonEscape(byte: number): string {
  return JSON.stringify(String.fromCharCode(byte)).slice(1, -1)
}

const JSON_ESCAPES = Array.from({ length: 256 }, (_, byte) =>
  FLAGS_OF_BYTE[byte]! & ENTRY_FLAGS.jsonDiffers ? jsonEscape(byte) : '',
)
const CSV_ESCAPES = Array.from({ length: 256 }, (_, byte) => (byte === QUOTE ? '""' : ''))

/** Flags by code; an empty text is quoted in CSV, where nothing at all means null. */
function collectFlags(heap: Uint8Array, offsets: Uint32Array): Uint8Array {
  const flags = new Uint8Array(offsets.length)
  for (let code = 1; code < offsets.length; code++) {
    const to = offsets[code]!
    let found = 0
    for (let at = offsets[code - 1]!; at < to; at++) found |= FLAGS_OF_BYTE[heap[at]!]!
    flags[code] = offsets[code - 1] === to ? ENTRY_FLAGS.csvQuoted : found
  }
  return flags
}

function addSideTable(
  segments: Map<SegmentKind, Uint8Array>,
  format: 'json' | 'csv',
  heap: Uint8Array,
  offsets: Uint32Array,
  flags: Uint8Array,
): void {
  const flag = format === 'json' ? ENTRY_FLAGS.jsonDiffers : ENTRY_FLAGS.csvDiffers
  const escapes = format === 'json' ? JSON_ESCAPES : CSV_ESCAPES
  const codes: number[] = []
  const ends: number[] = [0]
  const escaped = new ByteSink(1024)
  for (let code = 1; code < offsets.length; code++) {
    if ((flags[code]! & flag) === 0) continue
    for (let at = offsets[code - 1]!; at < offsets[code]!; at++) {
      const byte = heap[at]!
      const escaping = escapes[byte]!
      if (escaping === '') escaped.push(byte)
      else escaped.appendLatin1(escaping)
    }
    codes.push(code)
    ends.push(escaped.length)
  }
  if (codes.length === 0) return
  segments.set(`${format}_codes`, new Uint8Array(Uint32Array.from(codes).buffer))
  segments.set(`${format}_offsets`, new Uint8Array(Uint32Array.from(ends).buffer))
  segments.set(`${format}_heap`, escaped.take())
}

/** Adds `flags` and the `json_*` and `csv_*` tables that a string column's dictionary needs, and no others. */
export function addEscapedTexts(
  segments: Map<SegmentKind, Uint8Array>,
  heap: Uint8Array,
  offsets: Uint32Array,
): void {
  const flags = collectFlags(heap, offsets)
  if (flags.every((flag) => flag === 0)) return
  segments.set('flags', flags)
  addSideTable(segments, 'json', heap, offsets, flags)
  addSideTable(segments, 'csv', heap, offsets, flags)
}
