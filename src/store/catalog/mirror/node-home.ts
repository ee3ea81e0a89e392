/**
 * The home of a catalog that several nodes share: rows in PostgreSQL, version files as objects, and a copy of both in this
 * folder, from which all is read.
 */

import { statSync } from 'node:fs'
import { CommandError } from '../../../base/errors.ts'
import type { CatalogDb } from '../../../db/catalog.ts'
import type { SharedCatalog } from '../../../db/postgres/shared-catalog.ts'
import type { DataDir, StoredVersion } from '../../files/data-dir.ts'
import type { DraftHolds } from '../drafts.ts'
import type { CatalogHome, LateNode } from '../home.ts'
import { sortUnrecorded } from '../publish.ts'
import type { CatalogRows } from '../rows.ts'
import { NO_INDEX } from '../search.ts'
import { DraftLeases } from './draft-leases.ts'
import { CatalogMirror } from './mirror.ts'
import { readStamp } from './read-changes.ts'
import { waitForNodes } from './wait-for-nodes.ts'

/** A file that was written longer ago is on its way nowhere. */
const LEFT_BEHIND_MS = 3_600_000

export class NodeHome implements CatalogHome {
  readonly rows: CatalogRows
  readonly draftRows: CatalogRows
  readonly draftHolds: DraftHolds
  readonly index = NO_INDEX
  readonly mirror: CatalogMirror
  readonly #catalog: SharedCatalog
  readonly #copy: CatalogDb
  readonly #dataDir: DataDir

  /** @param copy made by `makeMirror` */
  constructor(copy: CatalogDb, dataDir: DataDir, catalog: SharedCatalog) {
    this.#copy = copy
    this.#dataDir = dataDir
    this.#catalog = catalog
    this.mirror = new CatalogMirror({ db: copy, catalog, dataDir })
    this.draftRows = catalog
    this.draftHolds = new DraftLeases(catalog.leases)
    this.rows = {
      now: catalog.now,
      change: async (work) => {
        const result = await catalog.change(work)
        // It is committed. What cannot be read here now, the next sync brings.
        await this.mirror.sync().catch(() => {})
        return result
      },
    }
  }

  async catchUp(dataset?: string): Promise<void> {
    const { behind } = await this.mirror.sync()
    const late = behind.find((one) => one.dataset === dataset)
    if (late === undefined) return
    throw new CommandError('failed', `the present version of ${dataset} cannot be read here: ${late.reason}`)
  }

  /** Files here are copies: one that has the number of another version is replaced. */
  checkNumber(): void {}

  /** The transaction may have been committed although it failed here. */
  dropFile(): void {}

  async lateNodes(dataset: string): Promise<readonly LateNode[]> {
    const stamp = await readStamp(this.#catalog.now, dataset)
    return stamp === undefined ? [] : await waitForNodes(this.#catalog.nodes, stamp)
  }

  /** Files of versions that the copy does not have, unless they may be on their way; folders of drafts that are gone later. */
  sweep(): void {
    const { leftover, unknown } = sortUnrecorded(this.#copy, this.#dataDir)
    const paths = [...leftover, ...unknown.map(({ path }) => path)]
    this.#dataDir.discard(paths.filter((path) => isOld(path)))
  }

  /** Every file here is a copy. */
  unknownFiles(): StoredVersion[] {
    return []
  }

  close(): void {
    this.#catalog.close()
  }
}

function isOld(path: string): boolean {
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return written !== undefined && Date.now() - written > LEFT_BEHIND_MS
}
