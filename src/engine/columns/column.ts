/**
 * The shape of a stored column: a sorted dictionary of its distinct values and, per row, the code of one of them.
 * Code 0 is null; codes 1..distinct follow the column's order. Ingest writes it, storage keeps it, the engine reads it.
 */

export const COLUMN_TYPES = ['string', 'integer', 'decimal', 'boolean', 'date', 'datetime'] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]

/**
 * A filter value after coercion: text for string, date (`YYYY-MM-DD`) and datetime (RFC 3339, `Z`) columns, number
 * for integer and decimal, boolean for boolean.
 */
export type Value = string | number | boolean

export type CodeWidth = 1 | 2 | 4

/** The narrowest code that can number `distinct` values and null. */
export function codeWidthFor(distinct: number): CodeWidth {
  return distinct < 0x100 ? 1 : distinct < 0x10000 ? 2 : 4
}

/** The codes in a buffer from `at` on, a multiple of their width. */
export function viewCodes(width: CodeWidth, buffer: ArrayBufferLike, at: number, count: number) {
  if (width === 1) return new Uint8Array(buffer, at, count)
  return width === 2 ? new Uint16Array(buffer, at, count) : new Uint32Array(buffer, at, count)
}

/**
 * The byte runs a column consists of. All integers are little-endian.
 * - `codes`         one code of `codeWidth` bytes per row
 * - `offsets`, `heap`   entry k (1..distinct) is `heap[offsets[k-1] .. offsets[k])`; u32; raw UTF-8 text of the value
 * - `ranks`         u32 per code 0..distinct: entries that compare equal share one rank; left out when none do
 * - `flags`         u8 per code 0..distinct, bits of `ENTRY_FLAGS`; left out when all are 0
 * - `json_*`, `csv_*`   side tables (ascending u32 codes, u32 offsets, bytes) for the entries whose escaped text differs
 * - `fold_offsets`, `fold_heap`   folded text of every entry, for `contains`; left out when no entry differs from its fold
 */
export const SEGMENT_KINDS = [
  'codes',
  'offsets',
  'heap',
  'ranks',
  'flags',
  'json_codes',
  'json_offsets',
  'json_heap',
  'csv_codes',
  'csv_offsets',
  'csv_heap',
  'fold_offsets',
  'fold_heap',
] as const
export type SegmentKind = (typeof SEGMENT_KINDS)[number]

/** Bits of the `flags` segment. */
export const ENTRY_FLAGS = {
  /** CSV must put the text between quotes. */
  csvQuoted: 1,
  /** The JSON text is in the `json_*` side table (it needs escapes). */
  jsonDiffers: 2,
  /** The CSV text (inner quotes doubled) is in the `csv_*` side table. */
  csvDiffers: 4,
  /** CSV puts `'` before the text; only in an export that requests it, never in a version file. */
  csvGuarded: 8,
} as const

/** What is known about a column without reading any of its segments. */
export interface ColumnLayout {
  readonly name: string
  readonly type: ColumnType
  /** Number of dictionary entries, without null. */
  readonly distinct: number
  readonly nullCount: number
  readonly codeWidth: CodeWidth
  readonly segments: Readonly<Partial<Record<SegmentKind, number>>>
}

/** Where the engine reads a dataset's bytes: a version file, or plain arrays in a test. */
export interface SegmentSource {
  readonly rows: number
  readonly columns: readonly ColumnLayout[]
  /**
   * The bytes of one segment in pieces of 1 MB at most, each valid until the next.
   * @throws DamagedFileError when a checksum does not match
   */
  parts(column: number, kind: SegmentKind): Iterable<Uint8Array>
}

/** Distinct values in any order: entry i is the UTF-8 text `heap[offsets[i] .. offsets[i+1])`. */
export interface RawEntries {
  readonly heap: Uint8Array
  readonly offsets: Uint32Array
}
