/**
 * Where the catalog of a folder lives. On a single machine that is its own `catalog.db`. With several nodes the rows
 * are in PostgreSQL and version files are objects, and the folder has a copy of both (`mirror/`).
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
  /** Rows of datasets. When `change` resolves, this folder shows the change. */
  readonly rows: CatalogRows
  /** Rows of drafts, which are not copied into folders. */
  readonly draftRows: CatalogRows
  /** Say which node works on a draft; null on a single machine, where locks in the folder do. */
  readonly leases: LeaseTable | null
  readonly index: SearchIndex
  /**
   * Makes everything visible in this folder that was committed on any node before the call: for decisions that depend on
   * what is served.
   * @param dataset the one that matters to the caller
   * @throws CommandError `failed` when the dataset's current version is not available, or the database does not answer
   */
  catchUp(dataset?: string): Promise<void>
  /**
   * Call it in the transaction that gives a number.
   * @throws CommandError `damaged` when a file has that or a later number
   */
  checkNumber(dataset: string, version: number): void
  /** Removes a file that was put into this folder and not published. */
  dropFile(dataset: string, version: number): void
  /** Nodes that do not serve the current version of a dataset yet, after a bounded wait for them. */
  lateNodes(dataset: string): Promise<readonly LateNode[]>
  /**
   * Deletes version files that were numbered here and that nothing refers to, and the remains of drafts. For the start
   * of the program.
   */
  sweep(): void
  /** Version files with numbers that this catalog never gave: it is older than the folder, or another folder's. */
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
