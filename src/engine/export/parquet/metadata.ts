/** What a Parquet file holds besides its values (apache/parquet-format, `parquet.thrift`): page headers and the footer. */

import { ByteSink } from '../../columns/byte-sink.ts'
import type { ValueKind } from './entry-values.ts'
import { ThriftWriter } from './thrift.ts'

/** How values of a file are stored: like those of a column, or as exact decimals. */
type FileKind = ValueKind | 'exact'

const PHYSICAL = { boolean: 0, int32: 1, int64: 2, double: 5, bytes: 6, fixedBytes: 7 } as const
/** Digits of an exact decimal, and the bytes that hold them. */
export const EXACT_DIGITS = 38
export const EXACT_BYTES = 16
export const ENCODING = { plain: 0, runs: 3, dictionary: 8 } as const
const OPTIONAL = 1
const ZSTD = 6
const DATA_PAGE = 0
const DICTIONARY_PAGE = 2

interface KindFacts {
  readonly physical: number
  /** `ConvertedType`, the older of the two ways to name a type: readers of ten years ago know no other. */
  readonly converted?: number
  /** Writes the member of the union `LogicalType`. */
  readonly logical?: (writer: ThriftWriter) => void
}

function timestamp(unit: number): (writer: ThriftWriter) => void {
  return (writer) =>
    writer.structField(8, () => {
      writer.bool(1, true)
      writer.structField(2, () => writer.structField(unit))
    })
}

const KINDS: Readonly<Record<FileKind, KindFacts>> = {
  exact: { physical: PHYSICAL.fixedBytes, converted: 5 },
  integer: {
    physical: PHYSICAL.int64,
    converted: 18,
    logical: (writer) =>
      writer.structField(10, () => {
        writer.i8(1, 64)
        writer.bool(2, true)
      }),
  },
  decimal: { physical: PHYSICAL.double },
  boolean: { physical: PHYSICAL.boolean },
  date: { physical: PHYSICAL.int32, converted: 6, logical: (writer) => writer.structField(6) },
  micros: { physical: PHYSICAL.int64, converted: 10, logical: timestamp(2) },
  nanos: { physical: PHYSICAL.int64, logical: timestamp(3) },
  text: { physical: PHYSICAL.bytes, converted: 0, logical: (writer) => writer.structField(1) },
}

export interface FileColumn {
  readonly name: string
  readonly kind: FileKind
  readonly scale?: number
}

/** The smallest and the largest value, in plain encoding without the length of a text. */
export interface ValueBounds {
  readonly min: Uint8Array
  readonly max: Uint8Array
}

/** What the footer says about a column in a row group. */
export interface ChunkFacts {
  readonly column: Pick<FileColumn, 'name' | 'kind'>
  readonly rows: number
  readonly nulls: number
  readonly bounds: ValueBounds | null
  readonly encodings: readonly number[]
  /** Where the dictionary's page begins; null: none. */
  readonly dictionaryAt: number | null
  readonly dataAt: number
  /** Bytes of the pages with their headers, before and after compression. */
  readonly bytes: number
  readonly packedBytes: number
}

/** Header of a dictionary's page. */
export function dictionaryHeader(entries: number, bytes: number, packedBytes: number): ThriftWriter {
  return pageHeader(DICTIONARY_PAGE, bytes, packedBytes, (writer) =>
    writer.structField(7, () => {
      writer.i32(1, entries)
      writer.i32(2, ENCODING.plain)
    }),
  )
}

/** Header of a page of values; nulls count as values. */
export function dataHeader(
  values: number,
  encoding: number,
  bytes: number,
  packedBytes: number,
): ThriftWriter {
  return pageHeader(DATA_PAGE, bytes, packedBytes, (writer) =>
    writer.structField(5, () => {
      writer.i32(1, values)
      writer.i32(2, encoding)
      writer.i32(3, ENCODING.runs)
      writer.i32(4, ENCODING.runs)
    }),
  )
}

function pageHeader(
  type: number,
  bytes: number,
  packedBytes: number,
  write: (writer: ThriftWriter) => void,
): ThriftWriter {
  const writer = new ThriftWriter()
  writer.struct(() => {
    writer.i32(1, type)
    writer.i32(2, bytes)
    writer.i32(3, packedBytes)
    write(writer)
  })
  return writer
}

/** The footer, put together while the row groups are written. */
export class Footer {
  readonly #columns: readonly FileColumn[]
  readonly #groups = new ThriftWriter(new ByteSink(4096))
  #groupCount = 0
  #rows = 0

  constructor(columns: readonly FileColumn[]) {
    this.#columns = columns
  }

  addGroup(rows: number, chunks: readonly ChunkFacts[]): void {
    const writer = this.#groups
    const sum = (of: (chunk: ChunkFacts) => number) => chunks.reduce((total, chunk) => total + of(chunk), 0)
    writer.struct(() => {
      writer.list(1, 'struct', chunks.length)
      for (const chunk of chunks) writer.struct(() => writeChunk(writer, chunk))
      writer.i64(
        2,
        sum((chunk) => chunk.bytes),
      )
      writer.i64(3, rows)
      writer.i64(5, startOf(chunks[0]!))
      writer.i64(
        6,
        sum((chunk) => chunk.packedBytes),
      )
    })
    this.#groupCount++
    this.#rows += rows
  }

  /** The bytes after the last row group, up to the end of the file. */
  finish(createdBy: string, metadata: Readonly<Record<string, string>>): Uint8Array {
    const writer = new ThriftWriter(new ByteSink(this.#groups.sink.length + 4096))
    writer.struct(() => {
      writer.i32(1, 2)
      this.#writeSchema(writer)
      writer.i64(3, this.#rows)
      writer.list(4, 'struct', this.#groupCount)
      writer.sink.append(this.#groups.sink.bytes, 0, this.#groups.sink.length)
      const pairs = Object.entries(metadata)
      writer.list(5, 'struct', pairs.length)
      for (const [key, value] of pairs)
        writer.struct(() => {
          writer.binary(1, key)
          writer.binary(2, value)
        })
      writer.binary(6, createdBy)
      // Bounds are in the order that the type defines.
      writer.list(7, 'struct', this.#columns.length)
      for (const _ of this.#columns) writer.struct(() => writer.structField(1))
    })
    const { sink } = writer
    const length = Buffer.alloc(4)
    length.writeUInt32LE(sink.length)
    sink.append(length, 0, 4)
    sink.appendLatin1('PAR1')
    return sink.take()
  }

  #writeSchema(writer: ThriftWriter): void {
    writer.list(2, 'struct', this.#columns.length + 1)
    writer.struct(() => {
      writer.binary(4, 'schema')
      writer.i32(5, this.#columns.length)
    })
    for (const { name, kind, scale } of this.#columns) {
      const { physical, converted, logical } = KINDS[kind]
      writer.struct(() => {
        writer.i32(1, physical)
        if (scale !== undefined) writer.i32(2, EXACT_BYTES)
        writer.i32(3, OPTIONAL)
        writer.binary(4, name)
        if (converted !== undefined) writer.i32(6, converted)
        if (scale !== undefined) writeScale(writer, scale)
        else if (logical !== undefined) writer.structField(10, () => logical(writer))
      })
    }
  }
}

function writeScale(writer: ThriftWriter, scale: number): void {
  writer.i32(7, scale)
  writer.i32(8, EXACT_DIGITS)
  writer.structField(10, () =>
    writer.structField(5, () => {
      writer.i32(1, scale)
      writer.i32(2, EXACT_DIGITS)
    }),
  )
}

function startOf({ dictionaryAt, dataAt }: ChunkFacts): number {
  return dictionaryAt ?? dataAt
}

function writeChunk(writer: ThriftWriter, chunk: ChunkFacts): void {
  const { column, rows, nulls, bounds, encodings, dictionaryAt, dataAt, bytes, packedBytes } = chunk
  writer.i64(2, startOf(chunk))
  writer.structField(3, () => {
    writer.i32(1, KINDS[column.kind].physical)
    writer.list(2, 'i32', encodings.length)
    for (const encoding of encodings) writer.zigzag(encoding)
    writer.list(3, 'binary', 1)
    writer.bytes(column.name)
    writer.i32(4, ZSTD)
    writer.i64(5, rows)
    writer.i64(6, bytes)
    writer.i64(7, packedBytes)
    writer.i64(9, dataAt)
    if (dictionaryAt !== null) writer.i64(11, dictionaryAt)
    writer.structField(12, () => {
      writer.i64(3, nulls)
      if (bounds === null) return
      writer.binary(5, bounds.max)
      writer.binary(6, bounds.min)
    })
  })
}
