/** One pass over a file that is not UTF-8: its words with bytes above ASCII, and how much of it would be UTF-8. */

import { readChunks } from './source.ts'
import { Utf8Steps } from './utf8-steps.ts'

export interface HighBytes {
  /** Different words with such bytes, one Latin-1 character a byte, by how often they occur. */
  readonly words: ReadonlyMap<string, number>
  readonly validSequences: number
  /** Bytes that belong to no UTF-8 character. */
  readonly wrongBytes: number
}

/** Different words that are kept; of what comes later, only words with a byte not seen before. */
const MOST_WORDS = 20_000
const LONGEST_WORD = 40
const NO_BREAK_SPACE = 0xa0

/** What words are made of: letters, digits, bytes above ASCII, and the signs inside numbers and names. */
const IN_WORD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 ? Number(byte !== NO_BREAK_SPACE) : Number(/[a-z0-9.'-]/i.test(String.fromCharCode(byte))),
)

export function findHighBytes(path: string): HighBytes {
  const steps = new Utf8Steps()
  const words = new HighWords()
  for (const chunk of readChunks(path)) {
    let from = 0
    let isHigh = false
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (byte >= 0x80 || steps.isOpen) steps.take(byte)
      if (IN_WORD[byte] === 1) {
        if (byte >= 0x80) isHigh = true
        continue
      }
      if (isHigh) words.add(chunk, from, at)
      from = at + 1
      isHigh = false
    }
    if (isHigh) words.add(chunk, from, chunk.length)
  }
  steps.finish()
  return { words: words.counts, validSequences: steps.valid, wrongBytes: steps.wrong }
}

class HighWords {
  readonly counts = new Map<string, number>()
  private readonly seen = new Uint8Array(256)

  add(bytes: Uint8Array, start: number, end: number): void {
    const isFull = this.counts.size >= MOST_WORDS
    if (isFull && !this.hasNewByte(bytes, start, end)) return
    const from = Math.max(start, end - LONGEST_WORD)
    const word = Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from).toString('latin1')
    this.counts.set(word, (this.counts.get(word) ?? 0) + 1)
    for (let at = from; at < end; at++) this.seen[bytes[at] as number] = 1
  }

  private hasNewByte(bytes: Uint8Array, start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (this.seen[bytes[at] as number] === 0) return true
    return false
  }
}
