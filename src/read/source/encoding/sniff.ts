/** Detects the encoding of a text from all of its bytes. */

import { isAscii, isUtf8 } from 'node:buffer'
import { BROKEN_BYTE } from '../../report/marks.ts'
import { refuse } from '../../report/reasons.ts'
import { readChunks, readHead, type SourceFile } from '../source.ts'
import { utf8Texts, wholeCharacters } from './decode.ts'
import { findByteOrderMark, guessWideEncoding, normalizeEncoding } from './encoding-names.ts'
import { type EncodingDoubt, guessEncoding, LEAST_CONFIDENCE } from './encoding-score.ts'

export interface Survey {
  readonly encoding: string
  /** 0..1 */
  readonly confidence: number
  /** Size of the byte order mark, to be skipped. */
  readonly markBytes: number
  /** The bytes after the mark are valid UTF-8. */
  readonly isUtf8: boolean
  /** The reading of another encoding, if the bytes prove none. */
  readonly doubt: EncodingDoubt | null
}

const HEAD_BYTES = 1 << 16
/** From this share of UTF-8 words a file has two encodings: letters of other encodings rarely look like UTF-8. */
const WORTH_A_DOUBT = 0.1

/**
 * Reads the whole file once, and twice more if it is not in a Unicode encoding.
 * @param wanted the requested encoding; undefined: detect it
 * @throws CommandError `refused` for binary data; `usage` for an unknown encoding
 */
export function surveyFile(source: SourceFile, wanted: string | undefined): Survey {
  const asked = wanted === undefined ? undefined : normalizeEncoding(wanted)
  const head = readHead(source.path, 0, HEAD_BYTES)
  const mark = findByteOrderMark(head)
  const wide = mark?.encoding ?? asked ?? guessWideEncoding(head)
  const scan = scanFile(source.path)
  const survey = { markBytes: 0, confidence: 1, isUtf8: false, doubt: null }
  if (wide?.startsWith('utf-16') || wide?.startsWith('utf-32')) {
    const markBytes = mark?.encoding === (asked ?? mark?.encoding) ? (mark?.bytes ?? 0) : 0
    return { ...survey, encoding: asked ?? wide, markBytes }
  }
  if (scan.firstNul >= 0)
    throw refuse('not_text', {}, `${source.name} has a NUL byte at offset ${scan.firstNul}`)
  const markBytes = mark !== null && (asked ?? 'utf-8') === 'utf-8' ? mark.bytes : 0
  if (asked !== undefined) {
    return {
      ...survey,
      encoding: asked,
      markBytes,
      isUtf8: scan.isUtf8 && (asked === 'utf-8' || scan.isAscii),
      // Text in another encoding is hardly ever valid UTF-8.
      doubt:
        scan.isUtf8 && !scan.isAscii && asked !== 'utf-8'
          ? doubtByUtf8(findHighBytes(source.path).words.keys(), asked)
          : null,
    }
  }
  if (scan.isUtf8) return { ...survey, encoding: 'utf-8', markBytes, isUtf8: true }
  const { words, highBytes } = findHighBytes(source.path)
  const { characters, bytes } = countUtf8(source.path)
  // Other encodings rarely look like UTF-8: with at least as many valid characters as wrong bytes it is broken UTF-8.
  if (mark !== null || characters >= highBytes - bytes) return { ...survey, encoding: 'utf-8', markBytes }
  const guess = guessEncoding(words)
  const inUtf8 = [...words.keys()].filter((word) => isUtf8(Buffer.from(word, 'latin1')))
  const doubt = inUtf8.length < WORTH_A_DOUBT * words.size ? null : doubtByUtf8(inUtf8, guess.encoding)
  return { ...survey, ...guess, ...(doubt && { confidence: LEAST_CONFIDENCE, doubt }) }
}

/** @param words in UTF-8, one Latin-1 character for each byte; only the first is used */
function doubtByUtf8([word]: Iterable<string>, encoding: string): EncodingDoubt | null {
  if (word === undefined) return null
  const bytes = Buffer.from(word, 'latin1')
  const taken = new TextDecoder(encoding as Bun.Encoding).decode(bytes)
  return { word: taken, other: { encoding: 'utf-8', word: bytes.toString() } }
}

function scanFile(path: string) {
  let valid = true
  let ascii = true
  let firstNul = -1
  let offset = 0
  for (const bytes of wholeCharacters(path)) {
    const nul = firstNul < 0 ? bytes.indexOf(0) : -1
    if (nul >= 0) firstNul = offset + nul
    offset += bytes.length
    if (isAscii(bytes)) continue
    ascii = false
    valid &&= isUtf8(bytes)
  }
  return { isUtf8: valid, isAscii: ascii, firstNul }
}

/** The number of a file's non-ASCII characters in UTF-8, and their bytes. */
function countUtf8(path: string): { characters: number; bytes: number } {
  let [characters, bytes] = [0, 0]
  for (const text of utf8Texts(path, 0)) {
    const high = text.replaceAll(BROKEN_BYTE, '').replace(/\p{ASCII}+/gu, '')
    characters += [...high].length
    bytes += Buffer.byteLength(high)
  }
  return { characters, bytes }
}

/** The most different words that are kept; after that, only words with a byte not seen before. */
const MOST_WORDS = 20_000
const LONGEST_WORD = 40
const NO_BREAK_SPACE = 0xa0

/** The bytes of words: letters, digits, bytes above ASCII, and the signs inside numbers and names. */
const IN_WORD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 ? Number(byte !== NO_BREAK_SPACE) : Number(/[a-z0-9.'-]/i.test(String.fromCharCode(byte))),
)

/**
 * A file's different words with bytes above ASCII, one Latin-1 character for each byte, with their number of occurrences;
 * and the number of such bytes.
 */
function findHighBytes(path: string) {
  let highBytes = 0
  const words = new Map<string, number>()
  const seen = new Uint8Array(256)
  const add = (bytes: Uint8Array, start: number, end: number) => {
    let isNew = words.size < MOST_WORDS
    for (let at = start; at < end && !isNew; at++) isNew = seen[bytes[at] as number] === 0
    if (!isNew) return
    const from = Math.max(start, end - LONGEST_WORD)
    const word = Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from).toString('latin1')
    words.set(word, (words.get(word) ?? 0) + 1)
    for (let at = from; at < end; at++) seen[bytes[at] as number] = 1
  }
  for (const chunk of readChunks(path)) {
    let from = 0
    let isHigh = false
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (byte >= 0x80) highBytes++
      if (IN_WORD[byte] === 1) {
        if (byte >= 0x80) isHigh = true
        continue
      }
      if (isHigh) add(chunk, from, at)
      from = at + 1
      isHigh = false
    }
    if (isHigh) add(chunk, from, chunk.length)
  }
  return { words, highBytes }
}
