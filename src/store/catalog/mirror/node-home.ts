/**
 * The home of a catalog that several nodes share: rows in PostgreSQL, version files as objects, and a copy of both in this
 * folder, from which all is read.
 */

import { statSync } from 'node:fs'
import { CommandError } from '../../../base/errors.ts'
import type { CatalogDb } from '../../../db/catalog.ts'
import type { LeaseTable } from '../../../db/postgres/lease-table.ts'
import { isLive, type NodeTable, type SeenNode } from '../../../db/postgres/node-table.ts'
import type { SharedCatalog } from '../../../db/postgres/shared-catalog.ts'
import type { DataDir, StoredVersion } from '../../files/data-dir.ts'
import type { DraftHold, DraftHolds } from '../drafts.ts'
import type { CatalogHome, LateNode } from '../home.ts'
import type { CatalogRows } from '../rows.ts'
import { NO_INDEX } from '../search.ts'
import { sortUnrecorded } from '../version-files.ts'
import { CatalogMirror } from './mirror.ts'
import type { Stamp } from './mirror-copy.ts'
import { readStamp } from './read-changes.ts'

/** Which node works on a draft: a lease that its process renews, and that passes on a while after the process is gone. */
const LEASE_MS = 15_000

const RENEW_MS = 4_000

class DraftLeases implements DraftHolds {
  readonly #leases: LeaseTable

  constructor(leases: LeaseTable) {
    this.#leases = leases
  }

  isHeld(id: string): Promise<boolean> {
    return this.#leases.isHeld(nameOf(id))
  }

  /**
   * A holder that loses it all the same, because it was frozen or without the database, does no harm: its reading is
   * written again as it was, and its publication is refused by the draft's state.
   */
  async hold(id: string): Promise<DraftHold | null> {
    const name = nameOf(id)
    const holder = crypto.randomUUID()
    if (!(await this.#leases.take(name, holder, LEASE_MS))) return null
    const renew = () => void this.#leases.take(name, holder, LEASE_MS).catch(() => {})
    const timer = setInterval(renew, RENEW_MS).unref()
    return {
      release: async () => {
        clearInterval(timer)
        // It is over by itself, soon.
        await this.#leases.release(name, holder).catch(() => {})
      },
    }
  }
}

/** The wait of a publication for the other nodes. */
const PATIENCE_MS = 10_000

const LOOK_MS = 200

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

/**
 * Waits until all live nodes serve a dataset as it was changed last, for a bounded time.
 * @returns those that do not when it is over @throws DatabaseAway
 */
export async function waitForNodes(
  nodes: NodeTable,
  change: Pick<Stamp, 'id' | 'number'>,
  patienceMs = PATIENCE_MS,
): Promise<readonly LateNode[]> {
  const end = performance.now() + patienceMs
  for (;;) {
    const late = (await nodes.list()).filter(isLive).flatMap((node) => nameLate(node, change))
    if (late.length === 0 || performance.now() >= end) return late
    await Bun.sleep(LOOK_MS)
  }
}

function nameLate(
  { name, revision, waitsFor }: SeenNode,
  { id, number }: Pick<Stamp, 'id' | 'number'>,
): LateNode[] {
  const reason = waitsFor[id]
  if (reason !== undefined) return [{ name, reason }]
  return revision >= number ? [] : [{ name, reason: 'it has not read the change yet' }]
}

function nameOf(id: string): string {
  return `draft ${id}`
}
