/** What a file is, found out from its bytes, all of them: its kind and its encoding. */

import { isAscii, isUtf8 } from 'node:buffer'
import { CommandError } from '../../errors.ts'
import { recogniseFile } from '../source/file-format.ts'
import { readChunks, readHead, type SourceFile } from '../source/source.ts'
import { findByteOrderMark, guessWideEncoding, normalizeEncoding } from './encoding-names.ts'
import { guessEncoding } from './encoding-score.ts'

export interface Survey {
  readonly encoding: string
  /** 0..1 */
  readonly confidence: number
  /** Bytes of the byte order mark, to be skipped. */
  readonly markBytes: number
  /** The bytes behind the mark are valid UTF-8 as they stand. */
  readonly isUtf8: boolean
}

const HEAD_BYTES = 1 << 16
/** From so many valid sequences per wrong byte on, a file is damaged UTF-8 and not another encoding. */
const MOSTLY_UTF8 = 4

/**
 * Reads the whole file once, and a second time when it is in no Unicode encoding.
 * @param wanted the encoding asked for; undefined: find out
 * @param isKnown it is delimited text, whatever it looks like
 * @throws CommandError `refused` for an empty file, other formats, binary data and damaged UTF-8; `usage` for an unknown encoding
 */
export function surveyFile(source: SourceFile, wanted: string | undefined, isKnown = false): Survey {
  const asked = wanted === undefined ? undefined : normalizeEncoding(wanted)
  const head = readHead(source.path, 0, HEAD_BYTES)
  if (head.length === 0) throw new CommandError('refused', `${source.name} is empty`)
  const { format, name } = recogniseFile(source.path)
  if (format !== 'csv' && !isKnown) {
    throw new CommandError(
      'refused',
      `${source.name} is ${name}; delimited text, XLSX, XLS, ODS, JSON and NDJSON can be read: save it as CSV`,
    )
  }
  const mark = findByteOrderMark(head)
  const wide = mark?.encoding ?? asked ?? guessWideEncoding(head)
  const scan = scanFile(source.path)
  const survey = { markBytes: 0, confidence: 1, isUtf8: false }
  if (wide?.startsWith('utf-16') || wide?.startsWith('utf-32')) {
    const markBytes = mark?.encoding === (asked ?? mark?.encoding) ? (mark?.bytes ?? 0) : 0
    return { ...survey, encoding: asked ?? wide, markBytes }
  }
  if (scan.firstNul >= 0) {
    throw new CommandError(
      'refused',
      `${source.name} is not text: it has a NUL byte at offset ${scan.firstNul}. If it is text in UTF-16 or UTF-32, say so with --encoding`,
    )
  }
  const markBytes = mark !== null && (asked ?? 'utf-8') === 'utf-8' ? mark.bytes : 0
  if (asked !== undefined) {
    return {
      ...survey,
      encoding: asked,
      markBytes,
      isUtf8: scan.isUtf8 && (asked === 'utf-8' || scan.isAscii),
    }
  }
  if (scan.isUtf8) return { ...survey, encoding: 'utf-8', markBytes, isUtf8: true }
  const bytes = countHighBytes(source.path)
  if (mark !== null || bytes.validSequences >= MOSTLY_UTF8 * bytes.wrongBytes) {
    const wrong = bytes.wrongBytes === 1 ? '1 byte' : `${bytes.wrongBytes} bytes`
    throw new CommandError(
      'refused',
      `${source.name} is UTF-8 except for ${wrong}, the first on line ${bytes.firstWrongLine}. Mend the file, or accept a � for each with --encoding utf-8`,
    )
  }
  return { ...survey, ...guessEncoding(bytes.counts) }
}

interface Scan {
  readonly isUtf8: boolean
  readonly isAscii: boolean
  /** Offset of the first NUL byte, -1 without one. */
  readonly firstNul: number
}

function scanFile(path: string): Scan {
  let valid = true
  let ascii = true
  let firstNul = -1
  let offset = 0
  // The start of a character that the last chunk broke off, at most three bytes.
  let carried: Uint8Array = new Uint8Array(0)
  for (const chunk of readChunks(path)) {
    const nul = firstNul < 0 ? chunk.indexOf(0) : -1
    if (nul >= 0) firstNul = offset + nul
    offset += chunk.length
    if (!valid || (carried.length === 0 && isAscii(chunk))) continue
    ascii = false
    const joined = carried.length === 0 ? chunk : Buffer.concat([carried, chunk])
    const whole = wholeCharacters(joined)
    valid = isUtf8(joined.subarray(0, whole))
    carried = joined.slice(whole)
  }
  return { isUtf8: valid && carried.length === 0, isAscii: ascii, firstNul }
}

/** Length without the unfinished character at the end. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) break
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return needed > back ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}

interface HighBytes {
  readonly counts: Float64Array
  readonly validSequences: number
  readonly wrongBytes: number
  readonly firstWrongLine: number
}

/** Counts bytes above ASCII, for `guessEncoding`, and how many of them would form UTF-8 characters. */
function countHighBytes(path: string): HighBytes {
  const counts = new Float64Array(512)
  let validSequences = 0
  let wrongBytes = 0
  let firstWrongLine = 0
  let line = 1
  let previous = 0
  let expected = 0
  let started = 0
  // What the next byte of a character may be: RFC 3629 leaves out surrogates, overlong forms and what is beyond U+10FFFF.
  let least = 0x80
  let most = 0xbf
  const wrong = (bytes: number) => {
    wrongBytes += bytes
    if (firstWrongLine === 0) firstWrongLine = line
  }
  for (const chunk of readChunks(path)) {
    for (const byte of chunk) {
      if (expected > 0 && byte >= least && byte <= most) {
        started++
        least = 0x80
        most = 0xbf
        if (--expected === 0) {
          validSequences++
          started = 0
        }
      } else {
        if (expected > 0) wrong(started)
        expected = byte >= 0xc2 && byte < 0xf5 ? (byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1) : 0
        started = expected > 0 ? 1 : 0
        least = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80
        most = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf
        if (expected === 0 && byte >= 0x80) wrong(1)
      }
      if (byte >= 0x80) counts[previous >= 0x30 && previous <= 0x39 ? 256 + byte : byte]!++
      if (byte === 10) line++
      previous = byte
    }
  }
  if (expected > 0) wrong(started)
  return { counts, validSequences, wrongBytes, firstWrongLine }
}
