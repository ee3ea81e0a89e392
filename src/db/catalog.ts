/** `catalog.db`, open and migrated. */

import Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { DamagedFileError } from '../base/errors.ts'
import { systemFailure } from '../base/text/system-failure.ts'
import { migrate } from './migrate.ts'
import { SCHEMAS } from './migrations.ts'
import { cutLog, isDamage, openDatabase } from './open.ts'
import * as schema from './schema/catalog-schema.ts'
import { TransactionQueue } from './transaction.ts'

type Drizzle = BetterSQLite3Database<typeof schema>

/** For verbs that only read: the database, or the transaction they belong to. */
export type CatalogReading = Pick<Drizzle, 'select'>
/** For verbs that belong into a transaction. */
export type CatalogTransaction = Pick<Drizzle, 'select' | 'insert' | 'update' | 'delete'>

/** Reads on a connection of its own, which sees what is committed; writes with `inTransaction`. */
export interface CatalogDb extends CatalogReading {
  /** The connection that reads, for prepared statements. */
  readonly reading: Database.Database
  /** The connection that writes. */
  readonly writing: Database.Database
  readonly transactions: TransactionQueue<CatalogTransaction>
  /** Takes what was deleted out of the search index and the write-ahead log, which stays while another connection reads. */
  eraseDeleted(): Promise<void>
  close(): void
}

/**
 * Full durability: a publish deletes files of earlier versions right after its commit. Were that commit lost in a power
 * cut, the catalog would name files that are gone. Deleted rows are overwritten: records of versions show rows.
 * @throws CommandError `failed` when the file cannot be opened or was made by another version
 */
export function openCatalogDb(path: string): CatalogDb {
  const writing = openDatabase(path, { durability: 'full', secureDelete: true })
  migrate(writing, SCHEMAS.catalog)
  const reading = openDatabase(path, { readonly: true })
  const transactions = new TransactionQueue<CatalogTransaction>(writing, drizzle({ client: writing, schema }))
  return Object.assign(drizzle({ client: reading, schema }), {
    reading,
    writing,
    transactions,
    eraseDeleted: () =>
      transactions.alone(() => {
        // A deletion leaves the words in place until segments are merged.
        writing.exec("INSERT INTO search (search) VALUES ('optimize')")
        cutLog(writing)
      }),
    close() {
      reading.close()
      writing.close()
    },
  })
}

/**
 * Runs `work` as one transaction: what it reads stays true until it has written. It awaits queries only.
 * @throws CommandError `failed` when the file cannot be written; DamagedFileError
 */
export async function inTransaction<T>(
  { transactions, writing }: CatalogDb,
  work: (tx: CatalogTransaction) => Promise<T>,
): Promise<T> {
  try {
    return await transactions.run(work)
  } catch (error) {
    throw explain(writing, error)
  }
}

/**
 * Runs `work` under the write lock. Synchronous, for the start of the program, before any other transaction.
 * @throws as `inTransaction`
 */
export function whileLocked<T>({ writing }: CatalogDb, work: () => T): T {
  try {
    return writing.transaction(work).immediate()
  } catch (error) {
    throw explain(writing, error)
  }
}

function explain({ name }: Database.Database, error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  if (isDamage(error)) return new DamagedFileError(name, error.message)
  return systemFailure(`cannot write ${name}`, error)
}
