/**
 * Where the rows of the catalog are asked and changed. Lists, searches and look-ups of datasets read the folder's own
 * `catalog.db`; what must be true at this moment is asked here.
 */

import { sql } from 'drizzle-orm'
import {
  type CatalogDb,
  type CatalogReading,
  type CatalogTransaction,
  inTransaction,
} from '../../db/catalog.ts'
import { revision } from '../../db/schema/catalog-schema.ts'

export interface CatalogRows {
  /** For questions whose answer must be true now. Await them: a database of the network has no other way. */
  readonly now: CatalogReading
  /**
   * Runs `work` as one transaction. It may run twice, when another one was in its way: what it does outside of the
   * database must be the same the second time.
   * @throws CommandError `failed` when nothing can be written
   */
  change<T>(work: (tx: CatalogTransaction) => Promise<T>): Promise<T>
}

/** The rows of the folder's own `catalog.db`. */
export function localRows(db: CatalogDb): CatalogRows {
  return { now: db, change: (work) => inTransaction(db, work) }
}

/** Every change that a catalog answer shows raises the number that ETags of catalog answers hold. */
export async function raiseRevision(tx: CatalogTransaction): Promise<void> {
  await tx.update(revision).set({ value: sql`${revision.value} + 1` })
}
