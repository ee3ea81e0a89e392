/** The last refused file of each dataset, until something is published after it or the dataset is removed. */

import { asc, eq, gte } from 'drizzle-orm'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import type { CatalogRows } from '../../db/catalog.ts'
import { refusals } from '../../db/schema/catalog-schema.ts'
import type { DbReading, Transaction } from '../../db/transaction.ts'

type RefusedFile = typeof refusals.$inferSelect

/** @param db of the folder, for what is shown with a dataset */
export function refusalsIn(db: DbReading, rows: CatalogRows) {
  return {
    find: (dataset: string): RefusedFile | undefined =>
      db.select().from(refusals).where(eq(refusals.dataset, dataset)).get(),
    /** Ordered by dataset. @param since leaves earlier ones out */
    list(since: Date): RefusedFile[] {
      const late = gte(refusals.at, formatTimestamp(since))
      return db.select().from(refusals).where(late).orderBy(asc(refusals.dataset)).all()
    },
    /** Replaces the dataset's earlier one. */
    record({ dataset, ...refused }: Omit<RefusedFile, 'at'>, now: Date): Promise<void> {
      const said = { ...refused, at: formatTimestamp(now) }
      return rows.change(async (tx) => {
        const row = tx.insert(refusals).values({ dataset, ...said })
        await row.onConflictDoUpdate({ target: refusals.dataset, set: said })
      })
    },
    /** Call it when a file of the dataset turned out to be the one that is served. */
    async settle(dataset: string): Promise<void> {
      const [refused] = await rows.now.select().from(refusals).where(eq(refusals.dataset, dataset))
      if (refused !== undefined) await rows.change((tx) => settleRefusal(tx, dataset))
    },
  }
}

/** Call it inside the transaction that publishes or removes the dataset. */
export async function settleRefusal(tx: Transaction, dataset: string): Promise<void> {
  await tx.delete(refusals).where(eq(refusals.dataset, dataset))
}
