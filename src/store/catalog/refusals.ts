/** The last file that was refused for each dataset, until something is published after it or the dataset is removed. */

import { asc, eq, gte } from 'drizzle-orm'
import type { Reason } from '../../base/errors.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import type { CatalogRows } from '../../db/catalog.ts'
import { refusals } from '../../db/schema/catalog-schema.ts'
import type { Reading, Transaction } from '../../db/transaction.ts'

export interface RefusedFile {
  readonly dataset: string
  /** That it was to be published in. */
  readonly domain: string
  /** RFC 3339 UTC. */
  readonly at: string
  /** In words for people, as the ingest said it. */
  readonly reason: string
  /** The same for pages; null of one that an earlier release recorded. */
  readonly reasons: readonly Reason[] | null
}

const COLUMNS = {
  dataset: refusals.datasetId,
  domain: refusals.domain,
  at: refusals.refusedAt,
  reason: refusals.reason,
  reasons: refusals.reasons,
}

export class Refusals {
  readonly #db: Reading
  readonly #rows: CatalogRows

  /** @param db of the folder, for what is shown with a dataset */
  constructor(db: Reading, rows: CatalogRows) {
    this.#db = db
    this.#rows = rows
  }

  find(dataset: string): RefusedFile | undefined {
    return this.#db.select(COLUMNS).from(refusals).where(eq(refusals.datasetId, dataset)).get()
  }

  /** Ordered by dataset. @param since earlier ones are left out */
  list(since: Date): RefusedFile[] {
    const late = gte(refusals.refusedAt, formatTimestamp(since))
    return this.#db.select(COLUMNS).from(refusals).where(late).orderBy(asc(refusals.datasetId)).all()
  }

  /** Replaces the dataset's earlier one. */
  record({ dataset, domain, reason, reasons }: Omit<RefusedFile, 'at'>, now: Date): Promise<void> {
    const said = { domain, reason, reasons, refusedAt: formatTimestamp(now) }
    return this.#rows.change(async (tx) => {
      await tx
        .insert(refusals)
        .values({ datasetId: dataset, ...said })
        .onConflictDoUpdate({ target: refusals.datasetId, set: said })
    })
  }

  /** A file of the dataset turned out to be what is served. */
  async settle(dataset: string): Promise<void> {
    const known = this.#rows.now.select({ dataset: refusals.datasetId }).from(refusals)
    const [refused] = await known.where(eq(refusals.datasetId, dataset))
    if (refused !== undefined) await this.#rows.change((tx) => settleRefusal(tx, dataset))
  }
}

/** Inside the transaction that publishes or removes the dataset. */
export async function settleRefusal(tx: Transaction, dataset: string): Promise<void> {
  await tx.delete(refusals).where(eq(refusals.datasetId, dataset))
}
