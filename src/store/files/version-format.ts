/**
 * The version file: one ingested version of one dataset, an SQLite database that is written once and never changed.
 *
 *     header       one row: JSON (`VersionHeader`) and its checksum
 *     part         the columns' segments, cut into parts; `id` from 1, in the order written
 *     quarantine   rows that were refused, with line number, column, reason and raw text
 *     mended       records with more or fewer cells that became rows, with line number, what was done and raw text
 *
 * The header says which parts make up which segment and what each must hash to, so a part that is missing, changed or
 * swapped with another is noticed when it is read.
 */

import { DamagedFileError } from '../../base/errors.ts'
import { type ColumnLayout, SEGMENT_KINDS, type SegmentKind } from '../../engine/columns/column.ts'

/** Raised when the layout changes; older files are then read as they are or refused by number. */
export const FORMAT = 1

/**
 * Measured over 200 MB: parts of 1 MB stay in the processor's cache between the database, the checksum and the target
 * (2.6 GB/s, and 65 MB less memory than parts of 4 MB); pages of 8 KB are written at 2 GB/s, of 64 KB at 0.4 GB/s.
 */
export const PART_BYTES = 1 << 20
export const PAGE_BYTES = 8192

export const TABLES = `
  CREATE TABLE header (json TEXT NOT NULL, checksum TEXT NOT NULL);
  CREATE TABLE part (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
  CREATE TABLE quarantine (id INTEGER PRIMARY KEY, line INTEGER NOT NULL, "column" TEXT, reason TEXT NOT NULL, raw TEXT NOT NULL);
  CREATE TABLE mended (id INTEGER PRIMARY KEY, line INTEGER NOT NULL, kind TEXT NOT NULL, raw TEXT NOT NULL);
`

/** One segment: its length, its first part, and the checksum of each part (hex); parts are numbered consecutively. */
export interface StoredSegment {
  bytes: number
  firstPart: number
  checksums: string[]
}

export interface StoredColumn extends Omit<ColumnLayout, 'segments'> {
  segments: Partial<Record<SegmentKind, StoredSegment>>
}

export interface VersionHeader {
  format: number
  dataset: string
  domain: string
  version: number
  rows: number
  quarantined: number
  mended: number
  columns: StoredColumn[]
}

/** The part's number is mixed in, so that swapped parts are noticed. */
export function checksumOf(bytes: Uint8Array | string, part: number): string {
  return Bun.hash.xxHash64(bytes, BigInt(part)).toString(16)
}

/** The number that the header itself is hashed with; parts start at 1. */
export const HEADER_PART = 0

/**
 * @param path named in the error
 * @throws DamagedFileError when the text does not match its checksum or is of an unknown format
 */
export function parseHeader(path: string, json: string, checksum: string): VersionHeader {
  if (checksumOf(json, HEADER_PART) !== checksum)
    throw new DamagedFileError(path, 'its header fails its checksum')
  const header = JSON.parse(json) as VersionHeader
  if (header.format === FORMAT) return header
  throw new DamagedFileError(path, `format ${header.format} is unknown to this program (it reads ${FORMAT})`)
}

/** The segments a column has, in their fixed order. */
export function segmentsOf(column: StoredColumn): [SegmentKind, StoredSegment][] {
  return SEGMENT_KINDS.flatMap((kind): [SegmentKind, StoredSegment][] => {
    const segment = column.segments[kind]
    return segment ? [[kind, segment]] : []
  })
}
