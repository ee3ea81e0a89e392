/**
 * Where the catalog of a folder is at home. With one folder, its own `catalog.db` is asked and changed. With several nodes
 * the rows are in PostgreSQL and version files are objects, and the folder has a copy of both (`mirror/`).
 */

import { rmSync } from 'node:fs'
import type { CatalogDb, CatalogRows } from '../../db/catalog.ts'
import type { LeaseTable } from '../../db/postgres/shared-catalog.ts'
import type { DataDir, StoredVersion } from '../files/data-dir.ts'
import { sweepDrafts } from './drafts.ts'
import { localIndex, type SearchIndex } from './search/search-index.ts'
import { refuseReuse, sortUnrecorded, sweepVersionFiles } from './version-files.ts'

/** A node that does not serve what was published; its name is for people. */
export type LateNode = { readonly name: string; readonly reason: string }

export interface CatalogHome {
  /** Of datasets: what was changed is read in this folder when `change` resolves. */
  readonly rows: CatalogRows
  /** Of drafts, which no folder has a copy of. */
  readonly draftRows: CatalogRows
  /** Which node works on a draft; null where locks of the folder say it. */
  readonly leases: LeaseTable | null
  readonly index: SearchIndex
  /**
   * Has everything read in this folder that was committed before the call, on any node: for what decides by what is served.
   * @param dataset that matters to the caller
   * @throws CommandError `failed` when the dataset's present version cannot be had, or the database does not answer
   */
  catchUp(dataset?: string): Promise<void>
  /** In the transaction that gives a number. @throws CommandError `damaged` when a file has that or a later number */
  checkNumber(dataset: string, version: number): void
  /** Takes a file back that was put into this folder and not published. */
  dropFile(dataset: string, version: number): void
  /** Nodes that do not serve the present version of a dataset yet, after a bounded wait for them. */
  lateNodes(dataset: string): Promise<readonly LateNode[]>
  /**
   * Deletes version files that nothing refers to and that were numbered here, and what is left of drafts that are gone. For
   * the start of the program.
   */
  sweep(): void
  /** Version files that this catalog never gave their number: a sign that it is older than the folder, or another's. */
  unknownFiles(): StoredVersion[]
  close(): void
}

export function ownFolder(db: CatalogDb, dataDir: DataDir): CatalogHome {
  return {
    rows: db,
    draftRows: db,
    leases: null,
    index: localIndex(db.writing),
    catchUp: async () => {},
    checkNumber: (dataset, version) => refuseReuse(dataDir, dataset, version),
    dropFile: (dataset, version) => rmSync(dataDir.versionFile(dataset, version), { force: true }),
    lateNodes: async () => [],
    sweep: () =>
      db.whileLocked(() => {
        sweepVersionFiles(db, dataDir)
        sweepDrafts(db, dataDir)
      }),
    unknownFiles: () => sortUnrecorded(db, dataDir).unknown,
    close() {},
  }
}
