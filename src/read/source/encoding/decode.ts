/** Turns a file of any encoding into a UTF-8 work file, so that everything behind it reads one encoding only. */

import { isUtf8 } from 'node:buffer'
import { closeSync, openSync } from 'node:fs'
import { atEnd } from '../../../base/closing.ts'
import { writeFully } from '../../report/disk.ts'
import { BROKEN_BYTE } from '../../report/marks.ts'
import { refuse } from '../../report/reasons.ts'
import { readChunks } from '../source.ts'
import { decodeUtf32 } from './encoding-names.ts'

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
  using _ = atEnd(() => closeSync(output))
  let broken = 0
  for (const piece of encoding === 'utf-8' ? utf8Pieces(path, from) : decodedPieces(path, from, encoding)) {
    if (piece.bytes.includes(0)) throw refuse('wrong_encoding', { encoding }, 'it holds NUL characters')
    broken += piece.broken
    writeFully(output, piece.bytes, target)
  }
  return broken
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

/** UTF-8 one byte at a time (RFC 3629, which leaves out surrogates, overlong forms and what is beyond U+10FFFF). */
export class Utf8Steps {
  /** Whole characters of several bytes, and bytes that belong to none, so far. */
  valid = 0
  wrong = 0
  #expected = 0
  #started = 0
  #least = 0x80
  #most = 0xbf

  /** A character has begun and needs more bytes. */
  get isOpen(): boolean {
    return this.#expected > 0
  }

  /** @returns how many bytes, the current one included, turned out to belong to no character */
  take(byte: number): number {
    const { wrong } = this
    const expected = this.#expected
    if (expected > 0 && byte >= this.#least && byte <= this.#most) {
      this.#started++
      this.#least = 0x80
      this.#most = 0xbf
      if (--this.#expected === 0) this.valid++
      return 0
    }
    if (expected > 0) this.wrong += this.#started
    this.#expected = byte >= 0xc2 && byte < 0xf5 ? (byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1) : 0
    this.#started = 1
    this.#least = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80
    this.#most = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf
    if (this.#expected === 0 && byte >= 0x80) this.wrong++
    return this.wrong - wrong
  }

  /** The bytes end here. @returns as `take` */
  finish(): number {
    const left = this.#expected > 0 ? this.#started : 0
    this.wrong += left
    this.#expected = 0
    return left
  }
}
