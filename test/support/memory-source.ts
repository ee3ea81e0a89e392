/** A dataset's segments in plain arrays instead of a version file, for tests below the file formats. */

import {
  type ColumnLayout,
  type ColumnType,
  codeWidthFor,
  type SegmentKind,
  type SegmentSource,
} from '../../src/engine/columns/column.ts'
import { encodeDictionary } from '../../src/engine/columns/dictionary.ts'
import type { Segment } from '../../src/engine/columns/segment.ts'
import { PART_BYTES } from '../../src/store/files/version-format.ts'
import type { PlainTable } from './random-table.ts'

/** A column as its distinct texts and, per row, the index of one of them; negative for null. */
export interface IndexedColumn {
  readonly name: string
  readonly type: ColumnType
  readonly texts: readonly string[]
  readonly indexOf: (row: number) => number
}

/** All bytes of a segment in one array. */
export function segmentBytes(segment: Segment): Uint8Array {
  const bytes = new Uint8Array(segment.length)
  let length = 0
  for (const piece of segment) {
    bytes.set(piece, length)
    length += piece.length
  }
  if (length !== segment.length) throw new Error(`a segment of ${segment.length} bytes gave ${length}`)
  return bytes
}

/** Encodes a plain table as the ingest would. */
export function memorySource(table: PlainTable): SegmentSource {
  const columns = table.columns.map(({ name, type }, position) => {
    const values = table.rows.map((row) => row[position]!)
    const texts = [...new Set(values.filter((value) => value !== null).map(String))]
    const indexes = new Map(texts.map((text, index) => [text, index]))
    const indexOf = (row: number) => indexes.get(String(values[row])) ?? -1
    return { name, type, texts, indexOf: (row: number) => (values[row] === null ? -1 : indexOf(row)) }
  })
  return indexedSource(table.rows.length, columns)
}

function* partsOf(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES)
}

/** Encodes columns given by index: large datasets of few distinct texts, without a value per cell. */
export function indexedSource(rows: number, columns: readonly IndexedColumn[]): SegmentSource {
  const encoded = columns.map((column) => encodeColumn(rows, column))
  return {
    rows,
    columns: encoded.map(({ layout }) => layout),
    parts: (column, kind) => partsOf(encoded[column]!.segments.get(kind)!),
  }
}

/** The same, but each part takes longer than a turn. */
export function slowSource(source: SegmentSource): SegmentSource {
  return {
    ...source,
    *parts(column, kind) {
      for (const part of source.parts(column, kind)) {
        for (const until = performance.now() + 6; performance.now() < until; );
        yield part
      }
    },
  }
}

function encodeColumn(rows: number, { name, type, texts, indexOf }: IndexedColumn) {
  const parts = texts.map((text) => Buffer.from(text))
  const offsets = new Uint32Array(texts.length + 1)
  for (const [i, part] of parts.entries()) offsets[i + 1] = offsets[i]! + part.length
  const dictionary = encodeDictionary(type, { heap: new Uint8Array(Buffer.concat(parts)), offsets })
  const { distinct, codeOf } = dictionary
  const codeWidth = codeWidthFor(distinct)
  const codes = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[codeWidth]
  const coded = new codes(rows)
  let nullCount = 0
  for (let row = 0; row < rows; row++) {
    const index = indexOf(row)
    if (index < 0) nullCount++
    else coded[row] = codeOf[index]!
  }
  const segments = new Map<SegmentKind, Uint8Array>(
    [...dictionary.segments].map(([kind, segment]) => [kind, segmentBytes(segment)]),
  )
  segments.set('codes', new Uint8Array(coded.buffer))
  const sizes = Object.fromEntries([...segments].map(([kind, bytes]) => [kind, bytes.length]))
  const layout: ColumnLayout = { name, type, distinct, nullCount, codeWidth, segments: sizes }
  return { layout, segments }
}
