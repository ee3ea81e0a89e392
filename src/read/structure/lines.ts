/** Records at the beginning of a file as texts, from which its structure is detected. */

import type { RaggedRecord } from '../records/record-mender.ts'
import { readCells } from '../records/sample.ts'
import type { Separators } from '../records/separators.ts'

/** Records below a candidate that distinguish a header from data. */
export const COMPARED = 20

/** A record that is not blank, anywhere in a file. */
export interface Line
  extends Pick<RaggedRecord, 'record' | 'blankBefore' | 'line' | 'nextLine' | 'cells' | 'broken'> {
  /** Offsets after the byte order mark: its start, and the start of the next one. */
  readonly start: number
  readonly end: number
  /** Its bytes, without the line end. */
  readonly bytes: Uint8Array
  /** Its cells as they are, and trimmed; read when first used. */
  readonly raw: readonly string[]
  readonly texts: readonly string[]
}

/** @param block that contains the record; @param offset of the block in the file, after the byte order mark */
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
