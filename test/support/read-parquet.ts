/** Reads Parquet files with a third-party library; instants and dates stay numbers. */

import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet'

export type ParquetValue = string | number | bigint | boolean | null

export interface ReadParquet {
  readonly metadata: FileMetaData
  readonly rows: readonly Readonly<Record<string, ParquetValue>>[]
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const keep = (value: bigint | number) => value

/** @throws Error on an incomplete file */
export async function readParquet(bytes: Uint8Array): Promise<ReadParquet> {
  const file = bytes.slice().buffer
  const rows = await parquetReadObjects({
    file,
    compressors: { ZSTD: (input) => Bun.zstdDecompressSync(input) },
    // Dates are days, datetimes micro- or nanoseconds.
    parsers: {
      timestampFromMilliseconds: keep,
      timestampFromMicroseconds: keep,
      timestampFromNanoseconds: keep,
      dateFromDays: keep,
      // By default a mark at the beginning of a text is dropped.
      stringFromBytes: (bytes?: Uint8Array) => bytes && decoder.decode(bytes),
    } as never,
  })
  return { metadata: parquetMetadata(file), rows: rows as ReadParquet['rows'] }
}
