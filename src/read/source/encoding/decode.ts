/** Turns a file of any encoding into a UTF-8 work file, so that everything behind it reads one encoding only. */

import { isUtf8 } from 'node:buffer'
import { closeSync, openSync } from 'node:fs'
import { writeFully } from '../../report/disk.ts'
import { BROKEN_BYTE } from '../../report/marks.ts'
import { refuse } from '../../report/reasons.ts'
import { readChunks } from '../source.ts'
import { decodeUtf32 } from './encoding-names.ts'
import { Utf8Steps } from './utf8-steps.ts'

const REPLACEMENTS = /\ufffd/g
/** The code pages of Windows have no control characters there: the Encoding Standard gives these to bytes without a meaning. */
const UNASSIGNED = /[\ufffd\u0080-\u009f]/g
const BROKEN = Buffer.from(BROKEN_BYTE)
const LONGEST_CHARACTER = 4

/**
 * Bytes that the encoding does not have become `BROKEN_BYTE`, one for each place: records that hold it are quarantined.
 * @param from bytes of the byte order mark, skipped
 * @returns how many places there were
 * @throws CommandError `refused` when the text holds NUL characters
 */
export function decodeToUtf8(path: string, from: number, encoding: string, target: string): number {
  const output = openSync(target, 'wx', 0o600)
  let broken = 0
  try {
    for (const piece of encoding === 'utf-8' ? utf8Pieces(path, from) : decodedPieces(path, from, encoding)) {
      if (piece.bytes.includes(0)) throw refuse('wrong_encoding', { encoding }, 'it holds NUL characters')
      broken += piece.broken
      writeFully(output, piece.bytes, target)
    }
    return broken
  } finally {
    closeSync(output)
  }
}

type Piece = { readonly bytes: Uint8Array; readonly broken: number }

function* decodedPieces(path: string, from: number, encoding: string): Generator<Piece> {
  const encoder = new TextEncoder()
  const decoder = encoding.startsWith('utf-32')
    ? null
    : new TextDecoder(encoding as Bun.Encoding, { ignoreBOM: true })
  const meaningless = encoding.startsWith('windows-') ? UNASSIGNED : REPLACEMENTS
  const mark = (text: string): Piece => {
    let broken = 0
    const marked = text.replace(meaningless, () => {
      broken++
      return BROKEN_BYTE
    })
    return { bytes: encoder.encode(marked), broken }
  }
  for (const chunk of readChunks(path, from))
    yield mark(decoder?.decode(chunk, { stream: true }) ?? decodeUtf32(chunk, encoding))
  if (decoder) yield mark(decoder.decode())
}

/** UTF-8 as it stands, U+FFFD of its own included, with marks in place of broken bytes. */
function* utf8Pieces(path: string, from: number): Generator<Piece> {
  const steps = new Utf8Steps()
  let open: number[] = []
  for (const chunk of readChunks(path, from)) {
    if (!steps.isOpen && isUtf8(chunk)) {
      yield { bytes: chunk, broken: 0 }
      continue
    }
    const marked = markBroken(chunk, steps, open)
    open = marked.open
    yield marked
  }
  if (steps.finish() > 0) yield { bytes: BROKEN, broken: 1 }
}

/** @param open bytes of a character that the last chunk broke off */
function markBroken(
  chunk: Uint8Array,
  steps: Utf8Steps,
  open: readonly number[],
): Piece & { open: number[] } {
  const bytes = new Uint8Array((chunk.length + LONGEST_CHARACTER) * BROKEN.length)
  let character = [...open]
  let length = 0
  let broken = 0
  for (const byte of chunk) {
    const wrong = byte >= 0x80 || steps.isOpen ? steps.take(byte) : 0
    if (wrong > 0) {
      // Bytes of one broken character are one place; a byte that cannot begin another one is a place of its own.
      const places = character.length > 0 && byte >= 0x80 && !steps.isOpen ? 2 : 1
      for (let place = 0; place < places; place++, length += BROKEN.length) bytes.set(BROKEN, length)
      broken += places
      character = []
      if (byte >= 0x80 && !steps.isOpen) continue
    }
    character.push(byte)
    if (steps.isOpen) continue
    bytes.set(character, length)
    length += character.length
    character = []
  }
  return { bytes: bytes.subarray(0, length), broken, open: character }
}
