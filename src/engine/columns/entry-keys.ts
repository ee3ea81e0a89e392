/**
 * Sort keys of dictionary entries. Numbers become doubles; all other types become bytes whose order is the column's order
 * (`text/order.ts` for strings).
 */

import { fold } from '../../base/text/fold.ts'
import { characterKey, orderKey } from '../../base/text/order.ts'
import { ByteSink, copyBytes } from './byte-sink.ts'
import type { ColumnType, RawEntries } from './column.ts'

/** Entry i is `bytes[offsets[i] .. offsets[i+1])`. */
export interface EntryTexts {
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
}

/** Keys of a string column, and the lengths of the folded texts; null when no entry differs from its fold. */
export interface StringKeys {
  readonly keys: EntryTexts
  readonly foldLengths: Uint32Array | null
}

const ZERO = 0x30
const MINUS = 0x2d
const POINT = 0x2e

/** The exact powers of ten: a mantissa below 2^53 divided by one of them is correctly rounded (Clinger 1990). */
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)

/** The number written in `bytes[from .. to)`, a canonical text: every form that JavaScript prints is understood. */
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

/** A piece of ASCII as a string. */
function latin1(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')
}

/** Keys of integer and decimal columns: the entries' numbers. */
export function numericKeys(entries: RawEntries): Float64Array {
  const { heap, offsets } = entries
  const keys = new Float64Array(offsets.length - 1)
  // Adding zero turns -0 into 0, which is equal to it.
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

/** Days since 1970-01-01 of a date in the proleptic Gregorian calendar (Hinnant, days_from_civil). */
export function dayNumber(bytes: Uint8Array, at: number): number {
  const month = twoDigits(bytes, at + 5)
  const year = twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2) - (month <= 2 ? 1 : 0)
  const era = Math.floor(year / 400)
  const yearOfEra = year - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + twoDigits(bytes, at + 8) - 1
  return (
    era * 146_097 + yearOfEra * 365 + (yearOfEra >> 2) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  )
}

/** Seconds of the time in a datetime that begins at `at`. */
export function secondOfDay(bytes: Uint8Array, at: number): number {
  return twoDigits(bytes, at + 11) * 3600 + twoDigits(bytes, at + 14) * 60 + twoDigits(bytes, at + 17)
}

function twoDigits(bytes: Uint8Array, at: number): number {
  return (bytes[at]! - ZERO) * 10 + bytes[at + 1]! - ZERO
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
 * Folds and keys are tabulated below this code: for characters of two bytes of UTF-8 that never take part in composition,
 * which covers the Latin alphabets of Europe. A text with any other character is folded as a whole.
 */
const FIRST_COMBINING = 0x300
const shortFolds: string[] = []
const shortKeys: string[] = []
/** The fold's two bytes; 0 where it has another length and is only in `shortFolds`. */
const SHORT_FOLD_BYTES = new Uint16Array(FIRST_COMBINING)
const SHORT_DIFFERS = new Uint8Array(FIRST_COMBINING)
/** By how many bytes the fold of such a character is longer. */
const SHORT_GROWTH = new Int8Array(FIRST_COMBINING)
const encoder = new TextEncoder()
for (let code = 0x80; code < FIRST_COMBINING; code++) {
  const character = String.fromCharCode(code)
  const folded = fold(character)
  const utf8 = Buffer.from(folded, 'utf8')
  shortFolds[code] = utf8.toString('latin1')
  shortKeys[code] = orderKey(folded)
  SHORT_DIFFERS[code] = folded === character ? 0 : 1
  SHORT_GROWTH[code] = utf8.length - 2
  if (utf8.length === 2) SHORT_FOLD_BYTES[code] = utf8.readUInt16BE()
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Order keys of the entries of a string column, and the lengths of their folds.
 * @param longest bytes after which a key is cut: most texts differ long before that
 */
export function stringKeys({ heap, offsets }: RawEntries, longest: number): StringKeys {
  const count = offsets.length - 1
  const keys = new ByteSink(Math.min(heap.length + (heap.length >> 2), count * longest))
  const keyOffsets = new Uint32Array(count + 1)
  const foldLengths = new Uint32Array(count)
  const fold = new FoldCheck()
  for (let i = 0; i < count; i++) {
    foldLengths[i] = appendKey(heap, offsets[i]!, offsets[i + 1]!, longest, keys, fold)
    keyOffsets[i + 1] = keys.length
  }
  return {
    keys: { bytes: keys.bytes, offsets: keyOffsets },
    foldLengths: fold.differs ? foldLengths : null,
  }
}

/** Whether some text differs from its fold. */
class FoldCheck {
  differs = false
}

/** Appends the key of one text, cut at `longest` bytes; returns the length of its fold. */
function appendKey(
  heap: Uint8Array,
  from: number,
  to: number,
  longest: number,
  keys: ByteSink,
  check: FoldCheck,
): number {
  // A character of two bytes has a key of at most seven.
  keys.reserve(Math.min((to - from) * 4, longest + 7))
  const keyBytes = keys.bytes
  const start = keys.length
  const limit = start + longest
  let key = start
  let length = to - from
  let differs = 0
  for (let at = from; at < to; at++) {
    const byte = heap[at]!
    if (byte < 0x80) {
      if (key < limit) keyBytes[key++] = ASCII_KEYS[byte]!
      differs |= ASCII_FOLDS[byte]! ^ byte
      continue
    }
    const code = byte < 0xe0 && at + 1 < to ? ((byte & 0x1f) << 6) | (heap[++at]! & 0x3f) : FIRST_COMBINING
    if (code >= FIRST_COMBINING || code < 0x80) return appendWholeKey(heap, from, to, longest, keys, check)
    differs |= SHORT_DIFFERS[code]!
    length += SHORT_GROWTH[code]!
    if (key >= limit) continue
    const shortKey = shortKeys[code]!
    for (let k = 0; k < shortKey.length; k++) keyBytes[key++] = shortKey.charCodeAt(k)
  }
  keys.length = Math.min(key, limit)
  check.differs ||= differs !== 0
  return length
}

/** The same for a text with characters that are not in the tables. */
function appendWholeKey(
  heap: Uint8Array,
  from: number,
  to: number,
  longest: number,
  keys: ByteSink,
  check: FoldCheck,
): number {
  const text = decoder.decode(heap.subarray(from, to))
  const folded = fold(text)
  check.differs ||= folded !== text
  const start = keys.length
  // A character has at least one byte of key; one more is taken, since the last may be half a surrogate pair.
  keys.appendLatin1(orderKey(folded.slice(0, longest + 1)))
  keys.length = Math.min(keys.length, start + longest)
  return Buffer.byteLength(folded)
}

/** Appends the folded text of `heap[from .. to)` in UTF-8. */
export function appendFold(heap: Uint8Array, from: number, to: number, folds: ByteSink): void {
  const start = folds.length
  // A character of two bytes has a fold of at most four.
  folds.reserve((to - from) * 2)
  const foldBytes = folds.bytes
  let folded = start
  for (let at = from; at < to; at++) {
    const byte = heap[at]!
    if (byte < 0x80) {
      foldBytes[folded++] = ASCII_FOLDS[byte]!
      continue
    }
    const code = byte < 0xe0 && at + 1 < to ? ((byte & 0x1f) << 6) | (heap[++at]! & 0x3f) : FIRST_COMBINING
    if (code >= FIRST_COMBINING || code < 0x80) {
      const utf8 = encoder.encode(fold(decoder.decode(heap.subarray(from, to))))
      folds.append(utf8, 0, utf8.length)
      return
    }
    const pair = SHORT_FOLD_BYTES[code]!
    if (pair !== 0) {
      foldBytes[folded++] = pair >>> 8
      foldBytes[folded++] = pair
      continue
    }
    const shortFold = shortFolds[code]!
    for (let k = 0; k < shortFold.length; k++) foldBytes[folded++] = shortFold.charCodeAt(k)
  }
  folds.length = folded
}
