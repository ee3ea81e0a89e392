/** Turns a file of any encoding into a UTF-8 work file, so that all later steps read one encoding only. */

import { closeSync, openSync } from 'node:fs'
import { atEnd } from '../../../base/closing.ts'
import { writeFully } from '../../report/disk.ts'
import { BROKEN_BYTE } from '../../report/marks.ts'
import { refuse } from '../../report/reasons.ts'
import { readChunks } from '../source.ts'
import { decodeUtf32 } from './encoding-names.ts'

const REPLACEMENTS = /\ufffd/g
/** The Windows code pages have no control characters there: the Encoding Standard decodes undefined bytes to these. */
const UNASSIGNED = /[\ufffd\u0080-\u009f]/g

/**
 * Bytes that the encoding lacks become `BROKEN_BYTE`, one for each place: records that contain it are quarantined.
 * @param from size of the byte order mark, which is skipped
 * @returns the number of such places
 * @throws CommandError `refused` when the text contains NUL characters
 */
export function decodeToUtf8(path: string, from: number, encoding: string, target: string): number {
  const output = openSync(target, 'wx', 0o600)
  using _ = atEnd(() => closeSync(output))
  let broken = 0
  for (const text of encoding === 'utf-8' ? utf8Texts(path, from) : decodedTexts(path, from, encoding)) {
    if (text.includes('\0')) throw refuse('wrong_encoding', { encoding }, 'it holds NUL characters')
    broken += text.split(BROKEN_BYTE).length - 1
    writeFully(output, Buffer.from(text), target)
  }
  return broken
}

function* decodedTexts(path: string, from: number, encoding: string): Generator<string> {
  const decoder = encoding.startsWith('utf-32')
    ? null
    : new TextDecoder(encoding as Bun.Encoding, { ignoreBOM: true })
  const meaningless = encoding.startsWith('windows-') ? UNASSIGNED : REPLACEMENTS
  const mark = (text: string) => text.replace(meaningless, BROKEN_BYTE)
  for (const chunk of readChunks(path, from))
    yield mark(decoder?.decode(chunk, { stream: true }) ?? decodeUtf32(chunk, encoding))
  if (decoder) yield mark(decoder.decode())
}

const REPLACEMENT = Buffer.from('\ufffd')
/** Replaces the file's own replacement characters during decoding; of the same length, and in no text. */
const OWN_REPLACEMENT = '\ufdd3'

/** A file as UTF-8, with a `BROKEN_BYTE` for each invalid place. The file's own U+FFFD stays. */
export function* utf8Texts(path: string, from: number): Generator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for (const bytes of wholeCharacters(path, from)) {
    for (let at = bytes.indexOf(REPLACEMENT); at >= 0; at = bytes.indexOf(REPLACEMENT, at))
      bytes.write(OWN_REPLACEMENT, at)
    const text = decoder.decode(bytes).replace(REPLACEMENTS, BROKEN_BYTE)
    yield text.replaceAll(OWN_REPLACEMENT, '\ufffd')
  }
}

/** A file's bytes in pieces that do not split UTF-8 characters; each may be changed, and is overwritten by the next one. */
export function* wholeCharacters(path: string, from = 0): Generator<Buffer> {
  let open = Buffer.alloc(0)
  for (const chunk of readChunks(path, from)) {
    const read = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    const bytes = open.length === 0 ? read : Buffer.concat([open, read])
    const end = endOfWhole(bytes)
    open = Buffer.from(bytes.subarray(end))
    yield bytes.subarray(0, end)
  }
  if (open.length > 0) yield open
}

/** The length without an incomplete character at the end. */
function endOfWhole(bytes: Uint8Array): number {
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
