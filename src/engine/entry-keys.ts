/**
 * Sort keys of dictionary entries. Numbers become the 64 bits of a double, bent so that unsigned order is numeric
 * order; all other types become bytes whose plain order is the column's order (`text/order.ts` for strings).
 */

import { fold } from '../text/fold.ts'
import { characterKey, orderKey } from '../text/order.ts'
import { ByteSink, copyBytes } from './byte-sink.ts'
import type { ColumnType } from './column.ts'
import type { RawEntries } from './dictionary.ts'

/** Entry i is `bytes[offsets[i] .. offsets[i+1])`. */
export interface EntryTexts {
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
}

/** Keys of a string column, and the folded texts when some entry differs from its own. */
export interface StringKeys {
  readonly keys: EntryTexts
  readonly folds: EntryTexts | null
}

const ZERO = 0x30
const MINUS = 0x2d
const POINT = 0x2e

/** Exact powers: a mantissa below 2^53 divided by one of them is correctly rounded (Clinger 1990). */
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)

/** The number written in `bytes[from .. to)`; canonical texts only, so every form JavaScript prints is understood. */
export function parseNumber(bytes: Uint8Array, from: number, to: number): number {
  const negative = bytes[from] === MINUS
  let mantissa = 0
  let fraction = -1
  for (let at = negative ? from + 1 : from; at < to; at++) {
    const byte = bytes[at]!
    if (byte === POINT) fraction = at
    else if (byte >= ZERO && byte <= ZERO + 9) mantissa = mantissa * 10 + (byte - ZERO)
    else return Number(latin1(bytes, from, to))
  }
  const places = fraction < 0 ? 0 : to - 1 - fraction
  if (mantissa > Number.MAX_SAFE_INTEGER || places > 22) return Number(latin1(bytes, from, to))
  const value = mantissa / POWERS_OF_TEN[places]!
  return negative ? -value : value
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')
}

/** The entries' numbers. */
export function numericKeys(entries: RawEntries): Float64Array {
  const { heap, offsets } = entries
  const keys = new Float64Array(offsets.length - 1)
  // Adding zero turns -0, which equals 0, into it.
  for (let i = 0; i < keys.length; i++) keys[i] = parseNumber(heap, offsets[i]!, offsets[i + 1]!) + 0
  return keys
}

/** The end of the part of a datetime that decides its instant: without `Z` and a fraction's trailing zeros. */
export function instantEnd(bytes: Uint8Array, from: number, to: number): number {
  const wholeSeconds = from + 'YYYY-MM-DDTHH:MM:SS'.length
  let end = to - 1
  if (end <= wholeSeconds) return end
  while (end > wholeSeconds && bytes[end - 1] === ZERO) end--
  return bytes[end - 1] === POINT ? end - 1 : end
}

/** Keys of boolean, date and datetime columns: the text itself, datetimes reduced to their instant. */
export function plainKeys(type: ColumnType, entries: RawEntries): EntryTexts {
  const { heap, offsets } = entries
  if (type !== 'datetime') return { bytes: heap, offsets }
  const bytes = new Uint8Array(heap.length)
  const ends = new Uint32Array(offsets.length)
  let length = 0
  for (let i = 0; i + 1 < offsets.length; i++) {
    const end = instantEnd(heap, offsets[i]!, offsets[i + 1]!)
    copyBytes(heap, offsets[i]!, end, bytes, length)
    length += end - offsets[i]!
    ends[i + 1] = length
  }
  return { bytes, offsets: ends }
}

/** Key bytes and fold of each ASCII character, which take one byte each. */
export const ASCII_KEYS = new Uint8Array(128)
const ASCII_FOLDS = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  const folded = fold(String.fromCharCode(code))
  ASCII_FOLDS[code] = folded.charCodeAt(0)
  ASCII_KEYS[code] = characterKey(folded).charCodeAt(0)
}

/**
 * Fold and key of the characters that two bytes of UTF-8 write and that never take part in composition, which covers
 * the Latin alphabets of Europe; a text with any other character is folded as a whole.
 */
const FIRST_COMBINING = 0x300
const shortFolds: string[] = []
const shortKeys: string[] = []
const encoder = new TextEncoder()
for (let code = 0x80; code < FIRST_COMBINING; code++) {
  const folded = fold(String.fromCharCode(code))
  shortFolds[code] = Buffer.from(folded, 'utf8').toString('latin1')
  shortKeys[code] = orderKey(folded)
}

/** Order keys of all entries of a string column, and their folds. */
export function stringKeys(entries: RawEntries): StringKeys {
  const { heap, offsets } = entries
  const count = offsets.length - 1
  const keys = new ByteSink(heap.length + (heap.length >> 2))
  const folds = new ByteSink(heap.length)
  const keyOffsets = new Uint32Array(count + 1)
  const foldOffsets = new Uint32Array(count + 1)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for (let i = 0; i < count; i++) {
    const from = offsets[i]!
    const to = offsets[i + 1]!
    if (!appendShort(heap, from, to, keys, folds)) {
      keys.length = keyOffsets[i]!
      folds.length = foldOffsets[i]!
      const folded = fold(decoder.decode(heap.subarray(from, to)))
      keys.appendLatin1(orderKey(folded))
      const utf8 = encoder.encode(folded)
      folds.append(utf8, 0, utf8.length)
    }
    keyOffsets[i + 1] = keys.length
    foldOffsets[i + 1] = folds.length
  }
  const differs = !sameBytes(heap, folds) || !sameOffsets(offsets, foldOffsets)
  return {
    keys: { bytes: keys.bytes, offsets: keyOffsets },
    folds: differs ? { bytes: folds.bytes, offsets: foldOffsets } : null,
  }
}

/** Appends fold and key character by character; false at the first character that the tables do not hold. */
function appendShort(heap: Uint8Array, from: number, to: number, keys: ByteSink, folds: ByteSink): boolean {
  // A character of two bytes has a key of at most seven.
  keys.reserve((to - from) * 4)
  folds.reserve((to - from) * 2)
  const keyBytes = keys.bytes
  const foldBytes = folds.bytes
  let key = keys.length
  let folded = folds.length
  for (let at = from; at < to; at++) {
    const byte = heap[at]!
    if (byte < 0x80) {
      keyBytes[key++] = ASCII_KEYS[byte]!
      foldBytes[folded++] = ASCII_FOLDS[byte]!
      continue
    }
    const code = byte < 0xe0 && at + 1 < to ? ((byte & 0x1f) << 6) | (heap[++at]! & 0x3f) : FIRST_COMBINING
    if (code >= FIRST_COMBINING || code < 0x80) return false
    const shortKey = shortKeys[code]!
    for (let k = 0; k < shortKey.length; k++) keyBytes[key++] = shortKey.charCodeAt(k)
    const shortFold = shortFolds[code]!
    for (let k = 0; k < shortFold.length; k++) foldBytes[folded++] = shortFold.charCodeAt(k)
  }
  keys.length = key
  folds.length = folded
  return true
}

function sameBytes(heap: Uint8Array, folds: ByteSink): boolean {
  return heap.length === folds.length && Buffer.compare(heap, folds.bytes.subarray(0, folds.length)) === 0
}

function sameOffsets(left: Uint32Array, right: Uint32Array): boolean {
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return false
  return true
}
