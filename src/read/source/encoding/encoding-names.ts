/**
 * Encodings by name, and those that the first bytes show. Understands the labels of the Encoding Standard, and a few that
 * publishers' tools print.
 */

import { refuse } from '../../report/reasons.ts'

/** Names that `TextDecoder` does not know, or knows as another one. */
const OTHER_NAMES: Record<string, string> = {
  'utf-8-sig': 'utf-8',
  utf16: 'utf-16le',
  utf32: 'utf-32le',
  'utf-32': 'utf-32le',
  latin10: 'iso-8859-16',
}

/**
 * The name under which an encoding is reported. `utf-16` and `utf-32` without a byte order mean little-endian.
 * @throws CommandError `usage` for an unknown encoding
 */
export function normalizeEncoding(name: string): string {
  const label = name.trim().toLowerCase().replaceAll('_', '-')
  const known = OTHER_NAMES[label] ?? label
  if (known === 'utf-32le' || known === 'utf-32be') return known
  try {
    return new TextDecoder(known as Bun.Encoding).encoding
  } catch {
    throw refuse('unknown_encoding', { encoding: name })
  }
}

/** UTF-32 first: its little-endian mark begins with UTF-16's. */
const MARKS: readonly { encoding: string; mark: readonly number[] }[] = [
  { encoding: 'utf-32le', mark: [0xff, 0xfe, 0, 0] },
  { encoding: 'utf-32be', mark: [0, 0, 0xfe, 0xff] },
  { encoding: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
]

/** The byte order mark that a file begins with, or null (Unicode 15, 23.8). */
export function findByteOrderMark(head: Uint8Array): { encoding: string; bytes: number } | null {
  const found = MARKS.find(({ mark }) => mark.every((byte, i) => head[i] === byte))
  return found ? { encoding: found.encoding, bytes: found.mark.length } : null
}

/**
 * UTF-16 or UTF-32 without a mark: delimiters, digits and line ends are ASCII in any language, so the zero bytes of their
 * upper halves are all at the same positions.
 */
export function guessWideEncoding(head: Uint8Array): string | undefined {
  const zeros = [0, 0, 0, 0]
  const whole = head.length & ~3
  for (let i = 0; i < whole; i++) if (head[i] === 0) zeros[i & 3]!++
  const quarter = whole / 4
  const [a = 0, b = 0, c = 0, d = 0] = zeros.map((count) => count / Math.max(1, quarter))
  // In each UTF-32 unit the two upper bytes are zero, and so is the third except for letters with diacritics.
  if (c > 0.9 && d > 0.9 && b > 0.5 && a < 0.1) return 'utf-32le'
  if (a > 0.9 && b > 0.9 && c > 0.5 && d < 0.1) return 'utf-32be'
  if (b > 0.3 && d > 0.3 && a < 0.02 && c < 0.02) return 'utf-16le'
  if (a > 0.3 && c > 0.3 && b < 0.02 && d < 0.02) return 'utf-16be'
  return undefined
}

/** The encoding with two or four bytes for each character in which a file begins, or undefined. */
export function findWideEncoding(head: Uint8Array): string | undefined {
  const mark = findByteOrderMark(head)
  if (mark) return mark.encoding === 'utf-8' ? undefined : mark.encoding
  return guessWideEncoding(head)
}

/** The beginning of a text in UTF-16 or UTF-32, without its mark; unreadable pieces become U+FFFD. */
export function decodeWideHead(head: Uint8Array, encoding: string): string {
  const whole = head.subarray(findByteOrderMark(head)?.bytes ?? 0, head.length & ~3)
  if (encoding.startsWith('utf-32')) return decodeUtf32(whole, encoding)
  return new TextDecoder(encoding as Bun.Encoding).decode(whole)
}

/** A piece of UTF-32 (Unicode 15, 3.10), which `TextDecoder` does not support. Invalid units become U+FFFD. */
export function decodeUtf32(bytes: Uint8Array, encoding: string): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const whole = bytes.length & ~3
  let text = ''
  for (let at = 0; at < whole; at += 4) {
    const point = view.getUint32(at, encoding === 'utf-32le')
    const isCharacter = point <= 0x10ffff && (point < 0xd800 || point >= 0xe000)
    text += isCharacter ? String.fromCodePoint(point) : '\ufffd'
  }
  return whole < bytes.length ? `${text}\ufffd` : text
}
