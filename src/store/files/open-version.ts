/** Reads a version file. Every byte is checked when it is read; any mismatch is a `DamagedFileError`. */

import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { closing } from '../../base/closing.ts'
import { sha256File } from '../../base/crypto/sha256.ts'
import { DamagedFileError } from '../../base/errors.ts'
import { saysFilesShort } from '../../base/process/open-files.ts'
import { connect } from '../../db/open.ts'
import { discard } from '../../engine/columns/byte-sink.ts'
import type { ColumnLayout, SegmentKind, SegmentSource } from '../../engine/columns/column.ts'
import type { MendedRow, QuarantinedRow } from '../../read/report/quarantine.ts'
import {
  checksumOf,
  PART_BYTES,
  parseHeader,
  type StoredSegment,
  segmentsOf,
  type VersionHeader,
} from './version-format.ts'

export class VersionFile implements SegmentSource {
  readonly path: string
  readonly header: VersionHeader
  readonly rows: number
  readonly columns: readonly ColumnLayout[]
  readonly #database: Database.Database
  readonly #readPart: Database.Statement<[number], Uint8Array<ArrayBuffer>>

  /**
   * Opening reads only the header.
   * @throws DamagedFileError when the file is missing, cut short or not a database, or its header is wrong
   */
  static open(path: string): VersionFile {
    return guard(path, 'it cannot be opened', () => {
      const database = connect(path, { readonly: true, fileMustExist: true })
      try {
        return new VersionFile(path, database)
      } catch (error) {
        database.close()
        throw error
      }
    })
  }

  private constructor(path: string, database: Database.Database) {
    // The file never changes, so the shared lock of the first read is kept instead of being taken at every read.
    database.pragma('locking_mode = EXCLUSIVE')
    // Each part is read once, into the engine's memory. (No mmap: a bad disk block would then kill the process.)
    database.pragma('cache_size = -256')
    database.pragma('trusted_schema = OFF')
    const stored = database
      .prepare<[], { json: string; checksum: string }>('SELECT json, checksum FROM header')
      .get()
    if (!stored) throw new DamagedFileError(path, 'it has no header')
    this.path = path
    this.header = parseHeader(path, stored.json, stored.checksum)
    this.rows = this.header.rows
    this.columns = this.header.columns.map((column) => ({
      ...column,
      segments: Object.fromEntries(segmentsOf(column).map(([kind, segment]) => [kind, segment.bytes])),
    }))
    this.#database = database
    this.#readPart = database
      .prepare<[number], Uint8Array<ArrayBuffer>>('SELECT bytes FROM part WHERE id = ?')
      .pluck()
  }

  /** The bytes of one segment; empty if the column has no such segment. @throws as `parts` */
  read(column: number, kind: SegmentKind): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.columns[column]?.segments[kind] ?? 0)
    let at = 0
    for (const part of this.parts(column, kind)) {
      bytes.set(part, at)
      at += part.length
    }
    return bytes
  }

  /**
   * The bytes of one segment in pieces of `PART_BYTES`, the last one shorter, so that a column need not fit in memory.
   * Each is valid until the next; there are none if the column has no such segment.
   * @throws DamagedFileError with column and segment when a part is missing or fails its checksum
   */
  *parts(column: number, kind: SegmentKind): Generator<Uint8Array> {
    const stored = this.header.columns[column]
    const segment = stored?.segments[kind]
    if (!segment) return
    const place = `column ${stored.name}, segment ${kind}`
    let at = 0
    for (const index of segment.checksums.keys()) {
      const part = guard(this.path, place, () => this.#part(segment, index, place))
      at += part.length
      if (at > segment.bytes)
        throw new DamagedFileError(this.path, `${place}: more than ${segment.bytes} bytes`)
      yield part
      discard(part)
    }
    if (at !== segment.bytes)
      throw new DamagedFileError(this.path, `${place}: ${at} of ${segment.bytes} bytes`)
  }

  /**
   * The refused rows in file order, read in pages, so that no statement stays open in between.
   * @param offset rows to skip
   * @throws DamagedFileError
   */
  quarantine(offset = 0): Generator<QuarantinedRow> {
    return this.#pages('quarantine', 'line, "column", reason, raw', offset)
  }

  /** The mended records in file order, as `quarantine`. @throws DamagedFileError */
  mended(offset = 0): Generator<MendedRow> {
    return this.#pages('mended', 'line, kind, raw', offset)
  }

  *#pages<T>(table: 'quarantine' | 'mended', columns: string, offset: number): Generator<T> {
    const page = this.#database.prepare<[number], T & { id: number }>(
      `SELECT id, ${columns} FROM ${table} WHERE id > ? ORDER BY id LIMIT 256`,
    )
    for (let last = offset; ; ) {
      const rows = guard(this.path, table, () => page.all(last))
      for (const { id, ...row } of rows) {
        last = id
        yield row as T
      }
      if (rows.length === 0) return
    }
  }

  /**
   * Reads everything: each segment against its checksums, the counts of kept rows, SQLite's own structures.
   * @throws DamagedFileError
   */
  verify(): void {
    this.header.columns.forEach((column, position) => {
      for (const [kind] of segmentsOf(column)) for (const _ of this.parts(position, kind));
    })
    guard(this.path, 'structure', () => {
      const found = this.#database.pragma('integrity_check(1)', { simple: true })
      if (found !== 'ok') throw new DamagedFileError(this.path, String(found))
      const { quarantined: quarantine, mended } = this.header
      for (const [table, rows] of Object.entries({ quarantine, mended })) {
        const kept = this.#database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get()
        if (kept !== rows) throw new DamagedFileError(this.path, `${table} holds ${kept} of ${rows} rows`)
      }
    })
  }

  close(): void {
    this.#database.close()
  }

  #part(segment: StoredSegment, index: number, place: string): Uint8Array<ArrayBuffer> {
    const id = segment.firstPart + index
    const part = this.#readPart.get(id)
    if (!part) throw new DamagedFileError(this.path, `${place}: part ${id} is missing`)
    if (checksumOf(part, id) !== segment.checksums[index])
      throw new DamagedFileError(this.path, `${place}: part ${id} fails its checksum`)
    return part
  }
}

/**
 * Checks a whole version file, as `datasets verify` and the ingest do.
 * @param sha256 lower-case hex of the whole file from the catalog; left out when there is none yet
 * @throws DamagedFileError with the first fault
 */
export function verifyVersionFile(path: string, sha256?: string): void {
  using file = closing(VersionFile.open(path))
  file.verify()
  if (sha256 === undefined) return
  const found = sha256File(path).sha256
  if (found !== sha256)
    throw new DamagedFileError(path, `its SHA-256 is ${found}, the catalog holds ${sha256}`)
}

/** Reports SQLite's own errors (corrupt, not a database, I/O error, cannot open) as damage. */
function guard<T>(path: string, place: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof DamagedFileError) throw error
    // The file may be intact: this process has just no open files left.
    if (saysFilesShort(error)) throw error
    if (!existsSync(path)) throw new DamagedFileError(path, `${place}: the file is missing`)
    if (error instanceof Database.SqliteError) throw new DamagedFileError(path, `${place}: ${error.message}`)
    throw error
  }
}

/** Rows per block: as many as one part holds of the widest codes. Parts of narrower codes hold several whole blocks. */
const BLOCK_ROWS = PART_BYTES / 4

export type Codes = Uint8Array | Uint16Array | Uint32Array

/** The distinct values of a column as stored; entry k (1..distinct) is `heap[offsets[k-1] .. offsets[k])`. */
export interface StoredDictionary {
  readonly column: ColumnLayout
  readonly heap: Uint8Array
  readonly offsets: Uint32Array
}

/** @param position of the column within the file @throws DamagedFileError */
export function readDictionary(file: VersionFile, position: number): StoredDictionary {
  const offsets = new Uint32Array(file.read(position, 'offsets').buffer)
  return { column: columnAt(file, position), heap: file.read(position, 'heap'), offsets }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text of a code, 1..distinct; null for code 0. */
export function textOfCode({ heap, offsets }: StoredDictionary, code: number): string | null {
  return code === 0 ? null : decoder.decode(heap.subarray(offsets[code - 1], offsets[code]))
}

/**
 * The codes of all rows in blocks, with the same rows per block for all columns; each is valid until the next.
 * @throws DamagedFileError
 */
export function* codeBlocks(file: VersionFile, position: number): Generator<Codes> {
  const { codeWidth } = columnAt(file, position)
  for (const part of file.parts(position, 'codes')) {
    // Wider codes need an alignment that SQLite's buffers do not guarantee.
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
