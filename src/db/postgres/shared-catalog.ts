/** The catalog of all nodes, in PostgreSQL. */

import type { CatalogReading, CatalogTransaction } from '../catalog.ts'
import { LeaseTable } from './lease-table.ts'
import { NodeTable } from './node-table.ts'
import type { Postgres } from './open.ts'

export interface SharedCatalog {
  /** For questions whose answer must be true now. @throws DatabaseAway */
  readonly now: CatalogReading
  /** Runs `work` as one transaction, again when another one was in its way. @throws DatabaseAway */
  change<T>(work: (tx: CatalogTransaction) => Promise<T>): Promise<T>
  /** Runs `work`, all of whose questions are about one moment. @throws DatabaseAway */
  atOneMoment<T>(work: (reading: CatalogReading) => Promise<T>): Promise<T>
  readonly nodes: NodeTable
  readonly leases: LeaseTable
  /** For what is not a record of the catalog. */
  readonly postgres: Postgres
  /** Closes the connections, which others of this process may share. */
  close(): void
}

export function openSharedCatalog(postgres: Postgres): SharedCatalog {
  const transactions = postgres.transactions<CatalogTransaction>()
  return {
    now: postgres.queries<CatalogReading>(),
    change: (work) => transactions.run(work),
    atOneMoment: (work) => postgres.atOneMoment(work),
    nodes: new NodeTable(postgres),
    leases: new LeaseTable(postgres),
    postgres,
    close: () => postgres.close(),
  }
}
