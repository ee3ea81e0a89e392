/** Records of a file's beginning as texts, to find its structure in. */

import type { RaggedRecord } from '../records/record-mender.ts'
import { readCells } from '../records/sample.ts'
import type { Separators } from '../records/separators.ts'

/** Records below a candidate that tell a header from data. */
export const COMPARED = 20

/** A record that is not blank, anywhere in a file. */
export interface Line
  extends Pick<RaggedRecord, 'record' | 'blankBefore' | 'line' | 'nextLine' | 'cells' | 'broken'> {
  /** Offsets behind the byte order mark: where it begins, and where the next one does. */
  readonly start: number
  readonly end: number
  /** Its bytes, without the line end. */
  readonly bytes: Uint8Array
  /** Its cells as they stand, and trimmed; read when first asked for. */
  readonly raw: readonly string[]
  readonly texts: readonly string[]
}

/** @param block that holds the record; @param offset of the block in the file, behind the byte order mark */
export function toLine(block: Uint8Array, offset: number, separators: Separators, found: RaggedRecord): Line {
  let raw: readonly string[] | null = null
  let texts: string[] | null = null
  const bytes = block.slice(found.start, found.end)
  return {
    ...found,
    start: offset + found.start,
    end: offset + found.next,
    bytes,
    get raw() {
      raw ??= readCells(bytes, separators, { ...found, start: 0, end: bytes.length }).texts
      return raw
    },
    get texts() {
      texts ??= this.raw.map((text) => text.trim())
      return texts
    },
  }
}

/** A record of the header. */
export type Level = Pick<Line, 'record' | 'texts'>
