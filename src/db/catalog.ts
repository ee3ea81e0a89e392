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
 * Where the rows of the catalog are asked and changed. Lists, searches and look-ups of datasets read the folder's own
 * `catalog.db`; what must be true at this moment is asked here.
 */
export interface CatalogRows {
  /** For questions whose answer must be true now. Await them: a database of the network has no other way. */
  readonly now: DbReading
  /**
   * Runs `work` as one transaction. It may run twice, when another one was in its way: what it does outside of the
   * database must be the same the second time.
   * @throws CommandError `failed` when nothing can be written; DamagedFileError
   */
  change<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

export type CatalogDb = ReturnType<typeof openCatalogDb>

/**
 * Full durability: a publish deletes files of earlier versions right after its commit. Were that commit lost in a power
 * cut, the catalog would name files that are gone. Deleted rows are overwritten: records of versions show rows.
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
    /** Takes what was deleted out of the search index and the write-ahead log, which stays while another connection reads. */
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

/** Every change that a catalog answer shows raises the number that ETags of catalog answers hold. */
export async function raiseRevision(tx: Transaction): Promise<void> {
  await tx.update(revision).set({ value: sql`${revision.value} + 1` })
}
