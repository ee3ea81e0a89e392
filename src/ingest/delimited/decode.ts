/** Turns a file of any encoding into a UTF-8 work file, so that everything behind it reads one encoding only. */

import { closeSync, openSync } from 'node:fs'
import { CommandError } from '../../errors.ts'
import { writeFully } from '../disk.ts'
import { readChunks } from '../source/source.ts'

const REPLACEMENT = '\ufffd'

/**
 * @param from bytes of the byte order mark, skipped
 * @returns how many characters could not be read and became U+FFFD; only UTF-8 asked for by name allows any
 * @throws CommandError `refused` when the bytes are not in that encoding or hold NUL characters
 */
export function decodeToUtf8(path: string, from: number, encoding: string, target: string): number {
  const output = openSync(target, 'wx', 0o600)
  const encoder = new TextEncoder()
  let replaced = 0
  try {
    for (const text of decodedTexts(path, from, encoding)) {
      if (text.includes('\0'))
        throw new CommandError(
          'refused',
          `read as ${encoding}, the file holds NUL characters: it is not text`,
        )
      if (encoding === 'utf-8') replaced += text.split(REPLACEMENT).length - 1
      writeFully(output, encoder.encode(text), target)
    }
    return replaced
  } catch (error) {
    if (error instanceof TypeError) throw notIn(encoding)
    throw error
  } finally {
    closeSync(output)
  }
}

function notIn(encoding: string): CommandError {
  return new CommandError('refused', `the file is not valid ${encoding}; name its encoding with --encoding`)
}

function* decodedTexts(path: string, from: number, encoding: string): Generator<string> {
  if (encoding.startsWith('utf-32')) return yield* utf32Texts(path, from, encoding === 'utf-32le')
  const decoder = new TextDecoder(encoding as Bun.Encoding, { fatal: encoding !== 'utf-8', ignoreBOM: true })
  for (const chunk of readChunks(path, from)) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** UTF-32 (Unicode 15, 3.10), which `TextDecoder` does not know. */
function* utf32Texts(path: string, from: number, littleEndian: boolean): Generator<string> {
  for (const chunk of readChunks(path, from)) {
    if (chunk.length % 4 !== 0) throw notIn('utf-32')
    const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length)
    const units: number[] = []
    for (let at = 0; at < chunk.length; at += 4) {
      const point = view.getUint32(at, littleEndian)
      if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) throw notIn('utf-32')
      if (point < 0x10000) units.push(point)
      else units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff))
    }
    // Pieces, because a call takes a limited number of arguments.
    let text = ''
    for (let at = 0; at < units.length; at += 8192) text += String.fromCharCode(...units.slice(at, at + 8192))
    yield text
  }
}
