/** One column of a version file read as plain data: its distinct values, and the codes of its rows block by block. */

import type { ColumnLayout } from '../../engine/columns/column.ts'
import type { VersionFile } from './open-version.ts'
import { PART_BYTES } from './version-format.ts'

/** Rows per block: of the widest code, the rows of one part. Parts of narrower ones hold whole blocks. */
const BLOCK_ROWS = PART_BYTES / 4

export type Codes = Uint8Array | Uint16Array | Uint32Array

/** The distinct values of a column as they are stored; entry k (1..distinct) is `heap[offsets[k-1] .. offsets[k])`. */
export interface StoredDictionary {
  readonly column: ColumnLayout
  readonly heap: Uint8Array
  readonly offsets: Uint32Array
}

/**
 * @param position of the column within the file
 * @throws DamagedFileError
 */
export function readDictionary(file: VersionFile, position: number): StoredDictionary {
  const column = columnAt(file, position)
  const heap = new Uint8Array(column.segments.heap ?? 0)
  const offsets = new Uint8Array(4 * (column.distinct + 1))
  if (column.segments.heap !== undefined) file.read(position, 'heap', heap)
  if (column.segments.offsets !== undefined) file.read(position, 'offsets', offsets)
  return { column, heap, offsets: new Uint32Array(offsets.buffer) }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text of a code, 1..distinct; null for code 0. */
export function textOfCode({ heap, offsets }: StoredDictionary, code: number): string | null {
  return code === 0 ? null : decoder.decode(heap.subarray(offsets[code - 1], offsets[code]))
}

/**
 * The codes of all rows, with the same number of rows in each block for all columns; each is valid until the next.
 * @throws DamagedFileError
 */
export function* codeBlocks(file: VersionFile, position: number): Generator<Codes> {
  const { codeWidth } = columnAt(file, position)
  for (const part of file.parts(position, 'codes')) {
    // Wider codes need their own alignment, which a buffer of SQLite's does not promise.
    const bytes = part.byteOffset % codeWidth === 0 ? part : part.slice()
    const rows = bytes.length / codeWidth
    const Codes = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[codeWidth]
    const codes = new Codes(bytes.buffer as ArrayBuffer, bytes.byteOffset, rows)
    for (let from = 0; from < rows; from += BLOCK_ROWS) yield codes.subarray(from, from + BLOCK_ROWS)
  }
}

function columnAt(file: VersionFile, position: number): ColumnLayout {
  const column = file.columns[position]
  if (!column) throw new RangeError(`there is no column ${position}`)
  return column
}
