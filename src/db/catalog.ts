/** `catalog.db`, open and migrated. */

import Database from 'better-sqlite3'
import { sql } from 'drizzle-orm'
import { DamagedFileError } from '../base/errors.ts'
import { systemFailure } from '../base/text/system-failure.ts'
import { SCHEMAS } from './migrations.ts'
import { cutLog, isDamage } from './open.ts'
import { revision } from './schema/catalog-schema.ts'
import { type DbReading, openForTransactions, type Transaction } from './transaction.ts'

/**
 * Where the rows of the catalog are changed, and read when the answer must be current. Lists, searches and look-ups of
 * datasets read the folder's own `catalog.db`.
 */
export interface CatalogRows {
  /** For queries whose answer must be current. Await them: the database may be across the network. */
  readonly now: DbReading
  /**
   * Runs `work` as one transaction. After a conflict with another one it may run twice: its effects outside the database
   * must be the same the second time.
   * @throws CommandError `failed` when nothing can be written; DamagedFileError
   */
  change<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

export type CatalogDb = ReturnType<typeof openCatalogDb>

/**
 * Full durability: publishing deletes files of earlier versions right after its commit. If a power cut lost that commit,
 * the catalog would name files that are gone. Deleted rows are overwritten: records of versions show rows of data.
 * @throws CommandError `failed` when the file cannot be opened or was made by another version
 */
export function openCatalogDb(path: string) {
  const db = openForTransactions(path, SCHEMAS.catalog)
  const { writing, transactions } = db
  const rows: CatalogRows = {
    now: db,
    async change(work) {
      try {
        return await transactions.run(work)
      } catch (error) {
        throw explain(path, error)
      }
    },
  }
  return Object.assign(db, rows, {
    /**
     * Runs `work` under the write lock. Synchronous, for the start of the program, before any other transaction.
     * @throws as `change`
     */
    whileLocked<T>(work: () => T): T {
      try {
        return writing.transaction(work).immediate()
      } catch (error) {
        throw explain(path, error)
      }
    },
    /** Removes deleted words from the search index, and empties the write-ahead log unless another connection reads. */
    eraseDeleted: () =>
      transactions.alone(() => {
        // A deletion leaves the words in place until segments are merged.
        writing.exec("INSERT INTO search (search) VALUES ('optimize')")
        cutLog(writing)
      }),
  })
}

function explain(path: string, error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  if (isDamage(error)) return new DamagedFileError(path, error.message)
  return systemFailure(`cannot write ${path}`, error)
}

/** Raises the number in the ETags of catalog answers. Call it with every change that such an answer shows. */
export async function raiseRevision(tx: Transaction): Promise<void> {
  await tx.update(revision).set({ value: sql`${revision.value} + 1` })
}
