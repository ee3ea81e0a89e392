/** Cells as bytes and as texts: outer white space, plain numbers, misread control characters, concatenated texts. */

import { shorten as cut } from '../../base/text/fit-text.ts'
import { ByteSink, enlarge } from '../../engine/columns/byte-sink.ts'
import type { RawEntries } from '../../engine/columns/column.ts'

/** The most digits of a whole number; longer ones are identifiers. */
export const INTEGER_DIGITS = 15

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function decodeText(heap: Uint8Array, start: number, end: number): string {
  if (end - start > 24) return decoder.decode(heap.subarray(start, end))
  let text = ''
  for (let at = start; at < end; at++) {
    const byte = heap[at] as number
    if (byte >= 0x80) return decoder.decode(heap.subarray(start, end))
    text += String.fromCharCode(byte)
  }
  return text
}

/**
 * Start of a cell after its leading white space: that of `String.prototype.trim`, and the zero-width characters that word
 * processors and web pages leave at the edges (U+200B, U+200E, U+200F, U+2060).
 */
export function trimStart(heap: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end) {
    const width = blankWidth(heap, at, end)
    if (width === 0) break
    at += width
  }
  return at
}

/** End of a cell without its trailing white space. */
export function trimEnd(heap: Uint8Array, start: number, end: number): number {
  let at = end
  while (at > start) {
    const last = heap[at - 1] as number
    if (isAsciiBlank(last)) at--
    else if (last < 0x80) break
    else if (at - 2 >= start && blankWidth(heap, at - 2, at) === 2) at -= 2
    else if (at - 3 >= start && blankWidth(heap, at - 3, at) === 3) at -= 3
    else break
  }
  return at
}

function isAsciiBlank(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13)
}

const OTHER_BLANKS = [0x1680, 0x200e, 0x200f, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x3000, 0xfeff]

/** Length in bytes of the white-space character at a position; 0 if there is none. */
function blankWidth(heap: Uint8Array, at: number, end: number): number {
  const byte = heap[at] as number
  if (byte < 0x80) return isAsciiBlank(byte) ? 1 : 0
  if (byte === 0xc2) return at + 1 < end && heap[at + 1] === 0xa0 ? 2 : 0
  if (at + 2 >= end) return 0
  const code =
    ((byte & 0x0f) << 12) | (((heap[at + 1] as number) & 0x3f) << 6) | ((heap[at + 2] as number) & 0x3f)
  if (byte < 0xe0 || byte >= 0xf0) return 0
  return (code >= 0x2000 && code <= 0x200b) || OTHER_BLANKS.includes(code) ? 3 : 0
}

/** `0`, or up to 15 digits without a leading zero, with or without a minus: already canonical. */
export function isPlainInteger(heap: Uint8Array, start: number, end: number): boolean {
  let at = start
  if (heap[at] === 0x2d) at++
  const digits = end - at
  if (digits < 1 || digits > INTEGER_DIGITS) return false
  if (heap[at] === 0x30) return digits === 1 && at === start
  for (; at < end; at++) {
    const digit = (heap[at] as number) - 0x30
    if (digit < 0 || digit > 9) return false
  }
  return true
}

/**
 * Digits, a point, and digits that do not end in 0; at most 15 of them, without a leading zero, with or without a minus.
 * Such a decimal is already canonical: a double keeps any 15 digits.
 */
export function isPlainDecimal(heap: Uint8Array, start: number, end: number): boolean {
  const first = heap[start] === 0x2d ? start + 1 : start
  if (end - first > INTEGER_DIGITS + 1 || heap[end - 1] === 0x30) return false
  let point = -1
  let zeros = 0
  for (let at = first; at < end; at++) {
    const byte = heap[at] as number
    if (byte === 0x2e && point < 0) point = at
    else if (byte < 0x30 || byte > 0x39) return false
    else if (byte === 0x30 && point === at - 1 - zeros) zeros++
  }
  if (point <= first || point === end - 1) return false
  // From six zeros after `0.` on, JavaScript writes a number with an exponent.
  return heap[first] !== 0x30 || (point === first + 1 && zeros < 6)
}

/** Concatenated texts: each added text is copied, and gets a number, from 1. */
export class TextHeap {
  count = 0
  readonly #heap: ByteSink
  #offsets: Uint32Array<ArrayBuffer>

  constructor(texts: number, bytes: number) {
    this.#heap = new ByteSink(bytes)
    this.#offsets = new Uint32Array(texts + 2)
  }

  addBytes(source: Uint8Array, start: number, end: number): number {
    this.#heap.append(source, start, end)
    return this.#close()
  }

  addAscii(text: string): number {
    this.#heap.appendLatin1(text)
    return this.#close()
  }

  addText(text: string): number {
    const bytes = new TextEncoder().encode(text)
    return this.addBytes(bytes, 0, bytes.length)
  }

  entries(): RawEntries {
    const { bytes, length } = this.#heap
    return { heap: bytes.subarray(0, length), offsets: this.#offsets.subarray(0, this.count + 1) }
  }

  #close(): number {
    this.count++
    if (this.count >= this.#offsets.length) this.#offsets = enlarge(this.#offsets, this.#offsets.length * 2)
    this.#offsets[this.count] = this.#heap.length
    return this.count
  }
}

const FIRST = 0x80
const LAST = 0x9f
/** Five of the bytes are undefined in windows-1252 too, and stay. */
const SIGNS = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, i) => FIRST + i))

/** Whether UTF-8 has controls that are characters of windows-1252: all begin with 0xc2, as do U+00A0 to U+00BF. */
export function hasMisreadControls(heap: Uint8Array, start: number, end: number): boolean {
  const bytes = heap.subarray(start, end)
  for (let at = bytes.indexOf(0xc2); at >= 0; at = bytes.indexOf(0xc2, at + 1)) {
    const next = bytes[at + 1]
    if (next !== undefined && next >= FIRST && next <= LAST && SIGNS.charCodeAt(next - FIRST) > LAST)
      return true
  }
  return false
}

/** A control, or two to four characters that are the bytes of one UTF-8 character. */
const CONTROLS =
  /[\u00c3-\u00c5\u00c8\u00cd-\u00d1][\u0080-\u00bf]|\u00e2[\u0080-\u00bf]{2}|\u00f0[\u0080-\u00bf]{3}|[\u0080-\u009f]/g

/**
 * A text with the intended characters. If a control is part of a UTF-8 character that was read byte by byte, as in `Ä` and
 * U+0083 for `ă`, it stays: replacing the control would make two characters of one.
 */
export function replaceControls(text: string): string {
  return text.replace(CONTROLS, (found) =>
    found.length > 1 ? found : (SIGNS[found.charCodeAt(0) - FIRST] as string),
  )
}

/** `cell` is its id, from 1. */
export type DistinctText = Readonly<{ cell: number; text: string }>

/** Every distinct cell that is neither blank nor null. Cells that differ only in outer white space come separately. */
export function* distinctTexts(
  { heap, offsets }: RawEntries,
  nulls?: ReadonlySet<string>,
): Generator<DistinctText> {
  for (let cell = 1; cell < offsets.length; cell++) {
    const text = readCell(heap, offsets, cell)
    if (text !== '' && !nulls?.has(text)) yield { cell, text }
  }
}

/** At most a thousand texts, enough to see whether a column has a trait at all, evenly spread, as a file may be sorted. */
export function sampleTexts({ heap, offsets }: RawEntries): string[] {
  const cells = offsets.length - 1
  const step = Math.max(1, cells / 1000)
  const texts: string[] = []
  for (let at = 0; at < cells; at += step) {
    const text = readCell(heap, offsets, Math.floor(at) + 1)
    if (text !== '') texts.push(text)
  }
  return texts
}

/** A text on one line, cut to a readable length. */
export function shorten(text: string, length = 60): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not reach a terminal
  return cut(text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' '), length - 1)
}

function readCell(heap: Uint8Array, offsets: Uint32Array, cell: number): string {
  const from = offsets[cell - 1] as number
  const end = trimEnd(heap, from, offsets[cell] as number)
  return decodeText(heap, trimStart(heap, from, end), end)
}
