/** Writes a version file, outside the directory it will be served from. */

import { closeSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { sha256File } from '../../base/crypto/sha256.ts'
import { systemFailure } from '../../base/text/system-failure.ts'
import { connect } from '../../db/open.ts'
import type { ColumnLayout, SegmentKind } from '../../engine/columns/column.ts'
import type { MendedRow, QuarantinedRow } from '../../read/report/quarantine.ts'
import { syncFolder, syncPath } from './data-dir.ts'
import type { FileDigest } from './remote-files.ts'
import {
  checksumOf,
  FORMAT,
  HEADER_PART,
  PAGE_BYTES,
  PART_BYTES,
  type StoredColumn,
  type StoredSegment,
  TABLES,
  type VersionHeader,
} from './version-format.ts'

/**
 * Columns and segments may come in any order, each once. Ends with `finish` or `abort`; `abort` after `finish` does
 * nothing, so it can be called in a `finally`.
 */
export class VersionWriter {
  readonly path: string
  readonly #database: Database.Database
  readonly #insertPart: Database.Statement<[number, Uint8Array]>
  readonly #columns: StoredColumn[] = []
  readonly #part = new Uint8Array(PART_BYTES)
  #nextPart = 1
  #quarantined = 0
  #mended = 0
  #done = false

  /** @param path must not exist; its folder must @throws CommandError `failed` when the file cannot be made */
  constructor(path: string) {
    this.path = path
    try {
      closeSync(openSync(path, 'wx', 0o600))
      this.#database = connect(path)
      setPragmas(this.#database)
      this.#database.exec(`${TABLES} BEGIN`)
      this.#insertPart = this.#database.prepare('INSERT INTO part VALUES (?, ?)')
    } catch (error) {
      throw systemFailure(`cannot write ${path}`, error)
    }
  }

  /** Announces the column at a position (0-based). */
  writeColumn(position: number, column: Omit<ColumnLayout, 'segments'>): void {
    const { name, type, distinct, nullCount, codeWidth } = column
    this.#columns[position] = { name, type, distinct, nullCount, codeWidth, segments: {} }
  }

  /**
   * Writes one segment of an announced column. Chunks may be of any length and are not kept.
   * @throws CommandError `failed` when the disk is full
   */
  writeSegment(position: number, kind: SegmentKind, chunks: Uint8Array | Iterable<Uint8Array>): void {
    const column = this.#columns[position]
    if (!column) throw new Error(`column ${position} was not announced`)
    if (column.segments[kind]) throw new Error(`segment ${kind} of column ${column.name} was already written`)

    const segment: StoredSegment = { bytes: 0, firstPart: this.#nextPart, checksums: [] }
    let filled = 0
    for (const chunk of chunks instanceof Uint8Array ? [chunks] : chunks) {
      for (let from = 0; from < chunk.length; ) {
        const piece = chunk.subarray(from, from + PART_BYTES - filled)
        from += piece.length
        if (piece.length === PART_BYTES) {
          this.#writePart(segment, piece)
          continue
        }
        this.#part.set(piece, filled)
        filled += piece.length
        if (filled < PART_BYTES) continue
        this.#writePart(segment, this.#part)
        filled = 0
      }
    }
    if (filled > 0) this.#writePart(segment, this.#part.subarray(0, filled))
    column.segments[kind] = segment
  }

  /** Stores refused rows in the order given; may be called again. */
  writeQuarantine(rows: Iterable<QuarantinedRow>): void {
    const insert = this.#database.prepare(
      'INSERT INTO quarantine VALUES (NULL, @line, @column, @reason, @raw)',
    )
    this.#quarantined += this.#insertAll(insert, rows)
  }

  /** Stores records with more or fewer cells that became rows, in the order given; may be called again. */
  writeMended(rows: Iterable<MendedRow>): void {
    const insert = this.#database.prepare('INSERT INTO mended VALUES (NULL, @line, @kind, @raw)')
    this.#mended += this.#insertAll(insert, rows)
  }

  /**
   * Completes the file and waits until the disk holds it.
   * @returns size and SHA-256 (hex) of the whole file
   * @throws CommandError `failed` when the disk is full
   */
  finish(info: Pick<VersionHeader, 'dataset' | 'domain' | 'version' | 'rows'>): FileDigest {
    const { dataset, domain, version, rows } = info
    const columns = Array.from(this.#columns)
    const gap = columns.findIndex((column) => !column?.segments.codes)
    if (gap >= 0) throw new Error(`column ${gap} has no codes`)
    const kept = { quarantined: this.#quarantined, mended: this.#mended }
    const header: VersionHeader = { format: FORMAT, dataset, domain, version, rows, ...kept, columns }
    try {
      const json = JSON.stringify(header)
      this.#database.prepare('INSERT INTO header VALUES (?, ?)').run(json, checksumOf(json, HEADER_PART))
      this.#database.exec('COMMIT')
      this.#database.close()
      this.#done = true
      syncPath(this.path, 'r+')
      syncFolder(dirname(this.path))
      return sha256File(this.path)
    } catch (error) {
      throw systemFailure(`cannot write ${this.path}`, error)
    }
  }

  /** Removes the unfinished file. */
  abort(): void {
    if (this.#done) return
    this.#done = true
    this.#database.close()
    rmSync(this.path, { force: true })
  }

  #insertAll(insert: Database.Statement, rows: Iterable<object>): number {
    let count = 0
    this.#guard(() => {
      for (const row of rows) count += insert.run(row).changes
    })
    return count
  }

  #writePart(segment: StoredSegment, bytes: Uint8Array): void {
    this.#guard(() => this.#insertPart.run(this.#nextPart, bytes))
    segment.checksums.push(checksumOf(bytes, this.#nextPart))
    segment.bytes += bytes.length
    this.#nextPart++
  }

  /** Explains SQLite's own errors; errors of the caller's iterator pass through unchanged. */
  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      throw error instanceof Database.SqliteError ? systemFailure(`cannot write ${this.path}`, error) : error
    }
  }
}

function setPragmas(database: Database.Database): void {
  database.pragma(`page_size = ${PAGE_BYTES}`)
  // An unfinished file is deleted, so nothing needs to be rolled back.
  database.pragma('journal_mode = OFF')
  // Synced once, by `finish`.
  database.pragma('synchronous = OFF')
  // No other process opens the file yet.
  database.pragma('locking_mode = EXCLUSIVE')
  // Parts go through once; a larger cache only delays them.
  database.pragma('cache_size = -4000')
}
