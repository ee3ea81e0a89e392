/**
 * Where the catalog of a folder is at home. With one folder, its own `catalog.db` is asked and changed. With several nodes
 * the rows are in PostgreSQL and version files are objects, and the folder has a copy of both (`mirror/`).
 */

import { rmSync } from 'node:fs'
import { type CatalogDb, whileLocked } from '../../db/catalog.ts'
import type { DataDir, StoredVersion } from '../files/data-dir.ts'
import { type DraftHolds, sweepDrafts } from './drafts.ts'
import { type CatalogRows, localRows } from './rows.ts'
import { LocalIndex, type SearchIndex } from './search.ts'
import { refuseReuse, sortUnrecorded, sweepVersionFiles } from './version-files.ts'

/** A node that does not serve what was published. */
export interface LateNode {
  /** Of the node, for people: the name of its machine. */
  readonly name: string
  readonly reason: string
}

/** One folder: its locks say all. */
const NO_OTHERS: DraftHolds = {
  isHeld: async () => false,
  hold: async () => ({ release: async () => {} }),
}

export interface CatalogHome {
  /** Of datasets: what was changed is read in this folder when `change` resolves. */
  readonly rows: CatalogRows
  /** Of drafts, which no folder has a copy of. */
  readonly draftRows: CatalogRows
  readonly draftHolds: DraftHolds
  readonly index: SearchIndex
  /**
   * Has everything read in this folder that was committed before the call.
   * @param dataset that matters to the caller
   * @throws CommandError `failed` when the dataset's present version cannot be had, or the database does not answer
   */
  catchUp(dataset?: string): Promise<void>
  /** In the transaction that gives a number. @throws CommandError `damaged` when a file has that number */
  checkNumber(dataset: string, version: number): void
  /** Takes a file back that was put into this folder and not published. */
  dropFile(dataset: string, version: number): void
  /** Nodes that do not serve the present version of a dataset, after a time in which they may have got it. */
  lateNodes(dataset: string): Promise<readonly LateNode[]>
  /** Deletes what crashed processes left. */
  sweep(): void
  close(): void
  /** Version files that this catalog never gave their number. */
  unknownFiles(): StoredVersion[]
}

/** The home of a folder that stands alone. */
export class OwnFolder implements CatalogHome {
  readonly rows: CatalogRows
  readonly draftRows: CatalogRows
  readonly draftHolds = NO_OTHERS
  readonly index: SearchIndex
  readonly #db: CatalogDb
  readonly #dataDir: DataDir

  constructor(db: CatalogDb, dataDir: DataDir) {
    this.#db = db
    this.#dataDir = dataDir
    this.rows = localRows(db)
    this.draftRows = this.rows
    this.index = new LocalIndex(db.writing)
  }

  async catchUp(): Promise<void> {}

  checkNumber(dataset: string, version: number): void {
    refuseReuse(this.#dataDir, dataset, version)
  }

  dropFile(dataset: string, version: number): void {
    rmSync(this.#dataDir.versionFile(dataset, version), { force: true })
  }

  async lateNodes(): Promise<readonly LateNode[]> {
    return []
  }

  sweep(): void {
    whileLocked(this.#db, () => {
      sweepVersionFiles(this.#db, this.#dataDir)
      sweepDrafts(this.#db, this.#dataDir)
    })
  }

  unknownFiles(): StoredVersion[] {
    return sortUnrecorded(this.#db, this.#dataDir).unknown
  }

  close(): void {}
}
