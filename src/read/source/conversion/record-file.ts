/** A work file of records from the converters: UTF-8, comma, LF, double quotes. */

import { closeSync, openSync } from 'node:fs'
import { writeFully } from '../../report/disk.ts'
import { readChunks } from '../source.ts'
import type { Budget } from './budget.ts'

const FLUSH_CHARACTERS = 1 << 19
const NEEDS_QUOTES = /[",\r\n]/
const QUOTE = 0x22
const COMMA = 0x2c
const LF = 0x0a

/** If it is disposed of unfinished, the last records are missing. */
export class RecordFile implements Disposable {
  readonly path: string
  readonly #budget: Budget
  #file: number | null
  #text = ''

  constructor(path: string, budget: Budget) {
    this.path = path
    this.#budget = budget
    this.#file = openSync(path, 'w', 0o600)
  }

  /** Appends escaped text. @throws CommandError when the file grows too large or the disk is full */
  append(text: string): void {
    this.#text += text
    if (this.#text.length > FLUSH_CHARACTERS) this.#flush()
  }

  #flush(): void {
    const bytes = Buffer.from(this.#text, 'utf8')
    this.#text = ''
    this.#budget.take(bytes.length)
    writeFully(this.#file as number, bytes, this.path)
  }

  finish(): void {
    this.#flush()
    this[Symbol.dispose]()
  }

  [Symbol.dispose](): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
  }
}

/** A text as a cell (RFC 4180). */
export function escapeCell(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The records of a file that `RecordFile` wrote, without their line ends. */
export function* splitRecords(path: string): Generator<Buffer> {
  let carried: Buffer = Buffer.alloc(0)
  let quoted = false
  for (const chunk of readChunks(path)) {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      if (byte === QUOTE) quoted = !quoted
      if (byte !== LF || quoted) continue
      const piece = Buffer.from(chunk.buffer, chunk.byteOffset + start, at - start)
      yield carried.length === 0 ? piece : Buffer.concat([carried, piece])
      carried = Buffer.alloc(0)
      start = at + 1
    }
    carried = Buffer.concat([carried, chunk.subarray(start)])
  }
}

/** The number of cells in a record. */
export function countCells(bytes: Uint8Array): number {
  let quoted = false
  let cells = 1
  for (const byte of bytes) {
    if (byte === QUOTE) quoted = !quoted
    else if (byte === COMMA && !quoted) cells++
  }
  return cells
}

/** The cells of a record as they are, including quotes. */
export function splitCells(text: string): string[] {
  const cells: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) quoted = !quoted
    else if (code === COMMA && !quoted) {
      cells.push(text.slice(start, at))
      start = at + 1
    }
  }
  cells.push(text.slice(start))
  return cells
}
