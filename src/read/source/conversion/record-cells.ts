/** Reads back the records that `RecordFile` wrote. */

import { readChunks } from '../source.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const LF = 0x0a

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

/** Cells of a record. */
export function countCells(bytes: Uint8Array): number {
  let quoted = false
  let cells = 1
  for (const byte of bytes) {
    if (byte === QUOTE) quoted = !quoted
    else if (byte === COMMA && !quoted) cells++
  }
  return cells
}

/** The cells of a record as they stand, quotes included. */
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
