/** Opens databases with fixed tables. Version files have their own rules (`store/files/version-format.ts`). */

import { closeSync, openSync } from 'node:fs'
import { toNamespacedPath } from 'node:path'
import Database from 'better-sqlite3'
import { systemFailure } from '../base/text/system-failure.ts'

export interface OpenOptions {
  /** For a second connection that only reads: it sees every other connection's commits in `PRAGMA data_version`. */
  readonly?: boolean
  /**
   * `full`: a commit survives a power cut. `normal`: it survives the end of the process in any way; a power cut may lose
   * the last moments but leaves the file whole.
   */
  durability?: 'full' | 'normal'
  /** Overwrites deleted data, so that erased personal data does not linger in free pages. */
  secureDelete?: boolean
}

/**
 * @param path of the file; made (readable only by its owner) when it does not exist, unless `readonly`
 * @throws CommandError `failed` when the file cannot be opened, `damaged` when it is not a database or is broken
 */
export function openDatabase(path: string, options: OpenOptions = {}): Database.Database {
  try {
    if (!options.readonly) createPrivateFile(path)
    // Writers of one file queue; the longest transaction (a publish with its search index) takes milliseconds.
    const database = connect(path, { readonly: options.readonly ?? false, timeout: 10_000 })
    try {
      // The file is ours, yet a tampered schema must not run functions with side effects.
      database.pragma('trusted_schema = OFF')
      // The default page cache of 16 MB per connection is more than these files ever need.
      database.pragma('cache_size = -4000')
      if (options.readonly) return database

      // Readers never wait for a writer and a writer never waits for readers.
      if (database.pragma('journal_mode', { simple: true }) !== 'wal') database.pragma('journal_mode = WAL')
      database.pragma(`synchronous = ${options.durability === 'normal' ? 'NORMAL' : 'FULL'}`)
      // References are part of the schema's promise; SQLite checks them only with this setting.
      database.pragma('foreign_keys = ON')
      // After a burst of writes the log is cut back to this size.
      database.pragma('journal_size_limit = 16777216')
      if (options.secureDelete) database.pragma('secure_delete = ON')
      return database
    } catch (error) {
      database.close()
      throw error
    }
  } catch (error) {
    throw systemFailure(`cannot open ${path}`, error, isDamage(error) ? 'damaged' : 'failed')
  }
}

/** Leaves room for the suffixes of SQLite's side files. */
const LONG_PATH = 240

/** A path for SQLite: Windows opens paths of more than 260 characters only in a special form. */
export function sqlitePath(path: string): string {
  return path.length > LONG_PATH ? toNamespacedPath(path) : path
}

/** A connection to a file. */
export function connect(path: string, options?: Database.Options): Database.Database {
  return new Database(sqlitePath(path), options)
}

/** Whether SQLite says that a file is not a valid database, as opposed to a full disk or a lock. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCodeOf(error))
}

/** Whether a database cannot be used now: damaged, on a full or failing disk, or locked too long by a writer. */
export function isUnusable(error: unknown): boolean {
  return isDamage(error) || /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|BUSY)/.test(sqliteCodeOf(error))
}

/** Drizzle wraps errors as the cause of its own. */
function sqliteCodeOf(error: unknown): string {
  if (error instanceof Database.SqliteError) return error.code
  return error instanceof Error && error.cause !== undefined ? sqliteCodeOf(error.cause) : ''
}

/** Empties the write-ahead log, whose older pages still hold deleted rows. @returns false if a reader prevented it */
export function cutLog(database: Database.Database): boolean {
  const timeout = database.pragma('busy_timeout', { simple: true }) as number
  database.pragma('busy_timeout = 0')
  try {
    return database.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0
  } finally {
    database.pragma(`busy_timeout = ${timeout}`)
  }
}

/**
 * SQLite would create the file readable by all users. A file that exists is not opened here: closing it would drop the
 * locks that other connections of this process hold on it (POSIX).
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
