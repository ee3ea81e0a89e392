/** Segments on their way to a file, in pieces: the largest are as long as all texts of a column together. */

import { ByteSink, copyBytes } from './byte-sink.ts'
import type { RawEntries } from './raw-entries.ts'

/** The bytes of one segment, made while they are read; each piece is valid until the next. */
export interface Segment extends Iterable<Uint8Array> {
  readonly length: number
}

const PIECE_BYTES = 1 << 16

/** A segment that is in memory. */
export function wholeSegment(bytes: Uint8Array): Segment {
  return { length: bytes.length, [Symbol.iterator]: () => [bytes].values() }
}

export function wordSegment(words: Uint32Array): Segment {
  return wholeSegment(new Uint8Array(words.buffer, words.byteOffset, words.byteLength))
}

/**
 * A segment of texts that `write` converts.
 * @param length of all of them @param write appends one
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
