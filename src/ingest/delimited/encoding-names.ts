/** Encodings by name. The Encoding Standard's labels are understood, and a few that publishers' tools print. */

import { CommandError } from '../../errors.ts'

const ALIASES: Record<string, string> = {
  utf8: 'utf-8',
  'utf-8-sig': 'utf-8',
  utf16: 'utf-16',
  utf32: 'utf-32',
  cp1250: 'windows-1250',
  cp1252: 'windows-1252',
  latin1: 'windows-1252',
  latin2: 'iso-8859-2',
  latin10: 'iso-8859-16',
}

/** What `TextDecoder` does not have; decoded by `decode.ts`. */
const UTF_32 = ['utf-32le', 'utf-32be']

/**
 * The name under which an encoding is reported. `utf-16` and `utf-32` without byte order mean little-endian.
 * @throws CommandError `usage` for an encoding nobody here knows
 */
export function normalizeEncoding(name: string): string {
  const label = name.trim().toLowerCase().replaceAll('_', '-')
  const known = ALIASES[label] ?? label
  if (known === 'utf-16') return 'utf-16le'
  if (known === 'utf-32') return 'utf-32le'
  if (UTF_32.includes(known)) return known
  try {
    return new TextDecoder(known as Bun.Encoding).encoding
  } catch {
    throw new CommandError(
      'usage',
      `unknown encoding '${name}'; usual ones are utf-8, windows-1250, iso-8859-2, iso-8859-16, windows-1252, utf-16le`,
    )
  }
}

export interface ByteOrderMark {
  readonly encoding: string
  readonly bytes: number
}

/** UTF-32 first: its little-endian mark begins with UTF-16's. */
const MARKS: readonly { encoding: string; mark: readonly number[] }[] = [
  { encoding: 'utf-32le', mark: [0xff, 0xfe, 0, 0] },
  { encoding: 'utf-32be', mark: [0, 0, 0xfe, 0xff] },
  { encoding: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
]

/** The byte order mark a file begins with, or null (Unicode 15, 23.8). */
export function findByteOrderMark(head: Uint8Array): ByteOrderMark | null {
  const found = MARKS.find(({ mark }) => mark.every((byte, i) => head[i] === byte))
  return found ? { encoding: found.encoding, bytes: found.mark.length } : null
}
