/**
 * The home of a catalog that several nodes share: rows in PostgreSQL, version files as objects, and a copy of both in
 * this folder, which all look-ups read.
 */

import { statSync } from 'node:fs'
import { CommandError } from '../../../base/errors.ts'
import type { CatalogDb } from '../../../db/catalog.ts'
import { isLive, type NodeTable, type SharedCatalog } from '../../../db/postgres/shared-catalog.ts'
import type { DataDir } from '../../files/data-dir.ts'
import type { CatalogHome, LateNode } from '../home.ts'
import { NO_INDEX } from '../search/search-index.ts'
import { sortUnrecorded } from '../version-files.ts'
import { CatalogMirror } from './mirror.ts'
import { readStamp, type Stamp } from './mirror-copy.ts'

/** How long a publication waits for the other nodes. */
const PATIENCE_MS = 10_000

/** @param copy made by `makeMirror` */
export function nodeHome(
  copy: CatalogDb,
  dataDir: DataDir,
  catalog: SharedCatalog,
): CatalogHome & { readonly mirror: CatalogMirror } {
  const mirror = new CatalogMirror(copy, dataDir, catalog)
  return {
    mirror,
    draftRows: catalog,
    leases: catalog.leases,
    rows: {
      now: catalog.now,
      async change(work) {
        const result = await catalog.change(work)
        // The change is committed. If it cannot be read now, the next sync brings it.
        await mirror.sync().catch(() => {})
        return result
      },
    },
    index: NO_INDEX,
    async catchUp(dataset) {
      const { behind } = await mirror.sync()
      const late = behind.find((one) => one.dataset === dataset)
      if (late !== undefined)
        throw new CommandError(
          'failed',
          `the present version of ${dataset} cannot be read here: ${late.reason}`,
        )
    },
    // Files here are copies, and one with the number of another version is replaced.
    checkNumber() {},
    // The transaction may have been committed although it failed here.
    dropFile() {},
    async lateNodes(dataset) {
      const stamp = await readStamp(catalog.now, dataset)
      return stamp === undefined ? [] : await waitForNodes(catalog.nodes, stamp)
    },
    /** Removes files of versions that the copy does not have, unless they may be on their way. */
    sweep() {
      const { leftover, unknown } = sortUnrecorded(copy, dataDir)
      const isOld = (path: string) => {
        const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs
        // A file written longer ago is not on its way.
        return written !== undefined && Date.now() - written > 3_600_000
      }
      dataDir.discard([...leftover, ...unknown.map(({ path }) => path)].filter(isOld))
    },
    unknownFiles: () => [],
    close: () => catalog.close(),
  }
}

/**
 * Waits a bounded time until all live nodes serve the latest change of a dataset.
 * @returns the nodes that do not by then @throws DatabaseAway
 */
export async function waitForNodes(
  nodes: NodeTable,
  { id, number }: Pick<Stamp, 'id' | 'number'>,
  patienceMs = PATIENCE_MS,
): Promise<readonly LateNode[]> {
  const end = performance.now() + patienceMs
  for (;;) {
    const late = (await nodes.list()).filter(isLive).flatMap(({ name, revision, waitsFor }): LateNode[] => {
      const reason = waitsFor[id]
      if (reason !== undefined) return [{ name, reason }]
      return revision >= number ? [] : [{ name, reason: 'it has not read the change yet' }]
    })
    if (late.length === 0 || performance.now() >= end) return late
    await Bun.sleep(200)
  }
}
