/** A typed column in the form of a version file (dictionary, codes, counts), and its canonical sibling. */

import {
  type CodeWidth,
  type ColumnType,
  codeWidthFor,
  type SegmentKind,
  type Value,
  viewCodes,
} from '../../engine/columns/column.ts'
import {
  dictionaryText,
  type EncodedDictionary,
  encodeDictionary,
  type SortedEntries,
} from '../../engine/columns/dictionary.ts'
import { TextHeap } from './cell-text.ts'
import { INVALID, type TypedColumn } from './conversion.ts'
import type { Standardize } from './reference.ts'

export interface ServedColumn {
  readonly type: ColumnType
  readonly dictionary: EncodedDictionary
  readonly codeWidth: CodeWidth
  /** The code of each cell id, 0 for null. */
  readonly codeOf: Uint32Array
  readonly counts: Float64Array
}

/**
 * @param counts imported rows for each cell id; a value without imported rows does not enter the dictionary
 * @param sorted the order of the column's values, if known already
 */
export function encodeColumn(typed: TypedColumn, counts: Uint32Array, sorted?: SortedEntries): ServedColumn {
  const valueIds = typed.valueIds ?? counts.map((_, id) => id)
  // 1 for each entry that an imported row has, 0 for those that only refused rows have.
  const used = new Uint8Array(typed.values.offsets.length - 1)
  for (let id = 0; id < counts.length; id++) {
    const value = valueIds[id] as number
    if (counts[id] !== 0 && value !== 0 && value !== INVALID) used[value - 1] = 1
  }
  const dictionary = encodeDictionary(typed.type, typed.values, used.includes(0) ? used : null, sorted)
  const codeOf = new Uint32Array(counts.length)
  const rowsPerCode = new Float64Array(dictionary.distinct + 1)
  for (let id = 0; id < codeOf.length; id++) {
    const value = valueIds[id] as number
    const code = value === 0 || value === INVALID ? 0 : (dictionary.codeOf[value - 1] as number)
    codeOf[id] = code
    rowsPerCode[code]! += counts[id] as number
  }
  const codeWidth = codeWidthFor(dictionary.distinct)
  return { type: typed.type, dictionary, codeWidth, codeOf, counts: rowsPerCode }
}

/** The value of a code, for JSON; null for code 0. */
export function valueOfCode(column: ServedColumn, code: number): Value | null {
  if (code === 0) return null
  const text = dictionaryText(column.dictionary, code)
  if (column.type === 'integer' || column.type === 'decimal') return Number(text)
  return column.type === 'boolean' ? text === 'true' : text
}

/** Bytes of every segment, for the memory limit. */
export function segmentBytes(column: ServedColumn, rows: number): Partial<Record<SegmentKind, number>> {
  const bytes: Partial<Record<SegmentKind, number>> = { codes: rows * column.codeWidth }
  for (const [kind, segment] of column.dictionary.segments) bytes[kind] = segment.length
  return bytes
}

/** @param lane the cell ids of all rows, block by block; @param refused rows to leave out */
export function* codeChunks(
  column: ServedColumn,
  lane: Iterable<Uint32Array>,
  refused: Uint16Array | null,
): Generator<Uint8Array> {
  const { codeOf, codeWidth } = column
  let row = 0
  for (const ids of lane) {
    const codes = viewCodes(codeWidth, new ArrayBuffer(ids.length * codeWidth), 0, ids.length)
    let kept = 0
    for (let i = 0; i < ids.length; i++, row++) {
      if (refused !== null && refused[row] !== 0) continue
      codes[kept++] = codeOf[ids[i] as number] as number
    }
    yield new Uint8Array(codes.buffer, 0, kept * codeWidth)
  }
}

/**
 * A column over the same cell ids as `source` with the standardized spelling of each value, and the number of rows whose
 * value the table does not know, so that it keeps its own spelling.
 */
export function standardizeColumn(
  source: ServedColumn,
  standardize: Standardize,
): { typed: TypedColumn; unknown: number } {
  const { distinct } = source.dictionary
  const values = new TextHeap(distinct, distinct * 12)
  const numbers = new Map<string, number>()
  const numberOfCode = new Uint32Array(distinct + 1)
  let unknown = 0
  for (let code = 1; code <= distinct; code++) {
    const own = String(valueOfCode(source, code))
    const found = standardize(own)
    if (found === undefined) unknown += source.counts[code] as number
    const text = found ?? own
    const number = numbers.get(text) ?? values.addText(text)
    numbers.set(text, number)
    numberOfCode[code] = number
  }
  const valueIds = source.codeOf.map((code) => numberOfCode[code] as number)
  return { typed: { type: 'string', values: values.entries(), valueIds, repairs: null }, unknown }
}
