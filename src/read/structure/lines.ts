/** Records of a file's beginning as texts, to find its structure in. */

import type { RaggedRecord } from '../records/record-mender.ts'
import { readCells } from '../records/sample.ts'
import type { Separators } from '../records/separators.ts'

/** Records below a candidate that tell a header from data. */
export const COMPARED = 20

/** A record that is not blank, anywhere in a file. */
export interface Line {
  /** Place among the records, from 1, blank ones included; how many of those before it were blank. */
  readonly record: number
  readonly blankBefore: number
  /** Line of the file, from 1, and the one behind it. */
  readonly line: number
  readonly nextLine: number
  readonly cells: number
  readonly broken: boolean
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
  let raw: string[] | null = null
  let texts: string[] | null = null
  const bytes = block.slice(found.start, found.end)
  const here = { ...found, start: 0, end: bytes.length }
  const read = () => {
    raw ??= readCells(bytes, separators, here).map(({ text }) => text)
    return raw
  }
  const { record, blankBefore, line, nextLine, cells, broken } = found
  return {
    record,
    blankBefore,
    line,
    nextLine,
    cells,
    broken,
    start: offset + found.start,
    end: offset + found.next,
    bytes,
    get raw() {
      return read()
    },
    get texts() {
      texts ??= read().map((text) => text.trim())
      return texts
    },
  }
}

/** A record of the header, its cells trimmed. */
export interface Level {
  /** Place among the records, from 1. */
  readonly record: number
  readonly cells: readonly string[]
}

export function toLevel({ record, texts }: Line): Level {
  return { record, cells: texts }
}
