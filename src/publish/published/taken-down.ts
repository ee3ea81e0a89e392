/** Notices versions that were taken down, by any process or node, and ends what reads them here. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { COPIES_FOLDER } from '../../db/copy-before.ts'
import type { OpenDatasets } from '../../query/open-datasets.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { DataDir } from '../../store/files/data-dir.ts'

/** How often each process on a folder looks. */
export const LOOK_MS = 500

export class TakenDownVersions {
  readonly #catalog: Catalog
  readonly #dataDir: DataDir
  readonly #openDatasets: OpenDatasets
  /** Paths of their files. */
  readonly #known = new Set<string>()
  readonly #timer = setInterval(() => void this.look().catch(() => {}), LOOK_MS).unref()
  #revision = -1

  constructor(catalog: Catalog, dataDir: DataDir, openDatasets: OpenDatasets) {
    this.#catalog = catalog
    this.#dataDir = dataDir
    this.#openDatasets = openDatasets
  }

  /** When it resolves, nothing here reads or has what was taken down before the call. @throws DatabaseAway */
  async look(): Promise<void> {
    const { revision } = this.#catalog
    if (revision === this.#revision) return
    const all = this.#catalog
      .taken()
      .flatMap(({ id, dropped }) => dropped.map((n) => this.#dataDir.versionFile(id, n)))
    const found = all.filter((path) => !this.#known.has(path))
    for (const path of found) this.#openDatasets.end(path)
    if (found.length > 0 && this.#catalog.shared !== null) await this.#dropCopies(found)
    for (const path of found) this.#known.add(path)
    this.#revision = revision
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Of a node: what the command that took them down cannot reach. */
  async #dropCopies(paths: readonly string[]): Promise<void> {
    this.#dataDir.discard(paths, { cuts: true })
    rmSync(join(this.#dataDir.root, COPIES_FOLDER), { recursive: true, force: true })
    for (const draft of this.#dataDir.draftIds()) {
      if ((await this.#catalog.drafts.stateOf(draft)) === undefined) this.#dataDir.draft(draft).remove()
    }
    await this.#catalog.eraseDeleted()
  }
}
