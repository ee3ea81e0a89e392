/**
 * The ledger of a data folder: `limits.db`. All of it can be lost: windows begin again, and quotas are read from
 * `usage.db`. So nothing is forced to the disk, and a process that opens it alone empties it first, which removes the
 * remains of a power cut and the blocks of killed processes.
 *
 * Lifetime: a row names a network for as long as its window looks back, at most an hour, and a minute more. Removed
 * rows are overwritten, and disappear from the write-ahead log.
 */

import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { closing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { systemFailure } from '../../base/text/system-failure.ts'
import { connect, createPrivateFile, cutLog, isDamage, openDatabase } from '../open.ts'
import type { CountLedger, LedgerChange, LedgerRow } from './ledger.ts'

/** Others that open the file at the same moment. */
const OPEN_MS = 5000
const SWEPT_AT_ONCE = 300

const TABLE = `
  CREATE TABLE IF NOT EXISTS limit_counts (
    name TEXT NOT NULL,
    who TEXT NOT NULL,
    version INTEGER NOT NULL,
    slots TEXT NOT NULL,
    empty_at INTEGER NOT NULL,
    PRIMARY KEY (name, who)
  );
  CREATE INDEX IF NOT EXISTS limit_counts_empty ON limit_counts (empty_at);
`

export class SqliteLedger implements CountLedger {
  readonly isVital = false
  readonly freshMs = 0
  readonly ahead = 0
  readonly #database: Database.Database
  readonly #statements: ReturnType<typeof prepareStatements>
  /** Whether the write-ahead log holds no swept row. */
  #isCut = true

  /**
   * @param path of `limits.db`; made when missing, made again when damaged
   * @throws CommandError `failed` when it cannot be opened
   */
  static open(path: string): SqliteLedger {
    try {
      return new SqliteLedger(path)
    } catch (error) {
      if (!(error instanceof CommandError) || error.kind !== 'damaged') throw error
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
      return new SqliteLedger(path)
    }
  }

  private constructor(path: string) {
    emptyIfAlone(path)
    this.#database = openDatabase(path, { durability: 'normal', secureDelete: true })
    try {
      // No request waits for the disk. A power cut may damage the file, and the next start empties it.
      this.#database.pragma('synchronous = OFF')
      this.#database.exec(TABLE)
      // A write takes microseconds. If it would have to wait longer, the process counts alone.
      this.#database.pragma('busy_timeout = 50')
      this.#statements = prepareStatements(this.#database)
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  read(name: string, who: string): LedgerRow | undefined {
    return this.#statements.read.get(name, who)
  }

  change({ name, who, known, next }: LedgerChange): boolean {
    const { insert, update, remove } = this.#statements
    if (next === null) return known === 0 || remove.run(name, who, known).changes === 1
    const { version, slots, emptyAt } = next
    const { changes } =
      known === 0
        ? insert.run(name, who, version, slots, emptyAt)
        : update.run(version, slots, emptyAt, name, who, known)
    return changes === 1
  }

  sweep(now: number): number {
    const { changes } = this.#statements.sweep.run(now)
    if (changes === SWEPT_AT_ONCE) return 0
    if (changes > 0) this.#isCut = false
    // If another process is reading, the log is emptied the next time.
    this.#isCut ||= cutLog(this.#database)
    return this.#isCut ? (this.#statements.nextEmpty.get() ?? Number.POSITIVE_INFINITY) - now : 0
  }

  close(): void {
    this.#database.close()
  }
}

/**
 * Leaving the write-ahead log needs the file exclusively, so it succeeds only when no other process has it open. If one
 * opens it meanwhile, either it finds the file empty, or this transaction sees that the log is back and changes nothing.
 */
function emptyIfAlone(path: string): void {
  try {
    createPrivateFile(path)
    using database = closing(connect(path, { timeout: OPEN_MS }))
    if (!leaveLog(database)) return
    database.pragma('secure_delete = ON')
    database.exec('BEGIN EXCLUSIVE')
    if (database.pragma('journal_mode', { simple: true }) === 'delete')
      database.exec('DROP TABLE IF EXISTS limit_counts')
    database.exec('COMMIT')
  } catch (error) {
    throw systemFailure(`cannot open ${path}`, error, isDamage(error) ? 'damaged' : 'failed')
  }
}

/** @returns whether no other process has the file open with a log */
function leaveLog(database: Database.Database): boolean {
  try {
    database.pragma('busy_timeout = 0')
    return database.pragma('journal_mode = DELETE', { simple: true }) === 'delete'
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false
    throw error
  } finally {
    database.pragma(`busy_timeout = ${OPEN_MS}`)
  }
}

function prepareStatements(database: Database.Database) {
  return {
    read: database.prepare<[string, string], LedgerRow>(
      'SELECT version, slots FROM limit_counts WHERE name = ? AND who = ?',
    ),
    insert: database.prepare<[string, string, number, string, number]>(
      'INSERT INTO limit_counts (name, who, version, slots, empty_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    update: database.prepare<[number, string, number, string, string, number]>(
      'UPDATE limit_counts SET version = ?, slots = ?, empty_at = ? WHERE name = ? AND who = ? AND version = ?',
    ),
    remove: database.prepare<[string, string, number]>(
      'DELETE FROM limit_counts WHERE name = ? AND who = ? AND version = ?',
    ),
    nextEmpty: database.prepare<[], number | null>('SELECT min(empty_at) FROM limit_counts').pluck(),
    sweep: database.prepare<[number]>(
      `DELETE FROM limit_counts WHERE rowid IN (SELECT rowid FROM limit_counts WHERE empty_at <= ? LIMIT ${SWEPT_AT_ONCE})`,
    ),
  }
}
