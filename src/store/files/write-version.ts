/** Writes a version file, outside the directory it will be served from. */

import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { sha256File } from '../../base/crypto/sha256.ts'
import type { CommandError } from '../../base/errors.ts'
import { systemFailure } from '../../base/text/system-failure.ts'
import type { CodeWidth, ColumnType, SegmentKind } from '../../engine/columns/column.ts'
import type { MendedRow, QuarantinedRow } from '../../read/report/quarantine.ts'
import { syncFolder } from './data-dir.ts'
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

export interface ColumnInfo {
  readonly name: string
  readonly type: ColumnType
  readonly distinct: number
  readonly nullCount: number
  readonly codeWidth: CodeWidth
}

export interface VersionInfo {
  readonly dataset: string
  readonly domain: string
  readonly version: number
  readonly rows: number
}

/**
 * Columns and segments may come in any order, each once. Ends with `finish` or `abort`; `abort` after `finish` does
 * nothing, so it can stand in a `finally`.
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

  /**
   * @param path must not exist; its folder must
   * @throws CommandError `failed` when the file cannot be made
   */
  constructor(path: string) {
    this.path = path
    try {
      closeSync(openSync(path, 'wx', 0o600))
      this.#database = new Database(path)
      setPragmas(this.#database)
      this.#database.exec(`${TABLES} BEGIN`)
      this.#insertPart = this.#database.prepare('INSERT INTO part VALUES (?, ?)')
    } catch (error) {
      throw writingFailed(path, error)
    }
  }

  /** Announces the column at a position (0-based). */
  writeColumn(position: number, info: ColumnInfo): void {
    const { name, type, distinct, nullCount, codeWidth } = info
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

  /** Keeps refused rows, in the order given; may be called again. */
  writeQuarantine(rows: Iterable<QuarantinedRow>): void {
    try {
      const insert = this.#database.prepare('INSERT INTO quarantine VALUES (NULL, ?, ?, ?, ?)')
      for (const { line, column, reason, raw } of rows) {
        insert.run(line, column, reason, raw)
        this.#quarantined++
      }
    } catch (error) {
      throw this.#databaseFailed(error)
    }
  }

  /** Keeps records of another width that became rows, in the order given; may be called again. */
  writeMended(rows: Iterable<MendedRow>): void {
    try {
      const insert = this.#database.prepare('INSERT INTO mended VALUES (NULL, ?, ?, ?)')
      for (const { line, kind, raw } of rows) {
        insert.run(line, kind, raw)
        this.#mended++
      }
    } catch (error) {
      throw this.#databaseFailed(error)
    }
  }

  /**
   * Completes the file and waits until the disk holds it.
   * @returns size and SHA-256 (hex) of the whole file
   * @throws CommandError `failed` when the disk is full
   */
  finish(info: VersionInfo): { bytes: number; sha256: string } {
    const { dataset, domain, version, rows } = info
    const columns = Array.from(this.#columns)
    const gap = columns.findIndex((column) => !column?.segments.codes)
    if (gap >= 0) throw new Error(`column ${gap} has no codes`)
    const header: VersionHeader = {
      format: FORMAT,
      dataset,
      domain,
      version,
      rows,
      quarantined: this.#quarantined,
      mended: this.#mended,
      columns,
    }
    try {
      const json = JSON.stringify(header)
      this.#database.prepare('INSERT INTO header VALUES (?, ?)').run(json, checksumOf(json, HEADER_PART))
      this.#database.exec('COMMIT')
      this.#database.close()
      this.#done = true
      syncFile(this.path)
      syncFolder(dirname(this.path))
      return sha256File(this.path)
    } catch (error) {
      throw writingFailed(this.path, error)
    }
  }

  /** Gives up: removes the unfinished file. */
  abort(): void {
    if (this.#done) return
    this.#done = true
    this.#database.close()
    rmSync(this.path, { force: true })
  }

  #writePart(segment: StoredSegment, bytes: Uint8Array): void {
    try {
      this.#insertPart.run(this.#nextPart, bytes)
    } catch (error) {
      throw this.#databaseFailed(error)
    }
    segment.checksums.push(checksumOf(bytes, this.#nextPart))
    segment.bytes += bytes.length
    this.#nextPart++
  }

  /** Only SQLite's own errors: what the caller's iterator throws passes through as it is. */
  #databaseFailed(error: unknown): unknown {
    return error instanceof Database.SqliteError ? writingFailed(this.path, error) : error
  }
}

function setPragmas(database: Database.Database): void {
  database.pragma(`page_size = ${PAGE_BYTES}`)
  // A file that is not finished is thrown away, so nothing needs to be rolled back.
  database.pragma('journal_mode = OFF')
  // Synced once, by `finish`.
  database.pragma('synchronous = OFF')
  // No other process opens the file yet.
  database.pragma('locking_mode = EXCLUSIVE')
  // Parts go through once; a larger cache only delays them.
  database.pragma('cache_size = -4000')
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function writingFailed(path: string, error: unknown): CommandError {
  return systemFailure(`cannot write ${path}`, error)
}
