/** The catalog of a data directory: look-ups of what is published (`lookups.ts`), and the verbs that change it. */

import Database from 'better-sqlite3'
import { sql } from 'drizzle-orm'
import { CommandError, DamagedFileError, saysDamage } from '../../base/errors.ts'
import { type CatalogDb, openCatalogDb } from '../../db/catalog.ts'
import { makeMirror } from '../../db/catalog-mirror.ts'
import { Postgres } from '../../db/postgres/open.ts'
import { type NodeTable, openSharedCatalog, type SharedCatalog } from '../../db/postgres/shared-catalog.ts'
import { datasets, drafts, versions } from '../../db/schema/catalog-schema.ts'
import type { DataDir } from '../files/data-dir.ts'
import { verifyVersionFile } from '../files/open-version.ts'
import { keptDigests } from '../objects/open-objects.ts'
import type { NamedObjects } from '../objects/sweep.ts'
import { Drafts, removeDrafts } from './drafts.ts'
import { type DatasetEdit, editDataset } from './edit.ts'
import { type CatalogHome, ownFolder } from './home.ts'
import { CatalogLookups } from './lookups.ts'
import type { CatalogMirror } from './mirror/mirror.ts'
import { nodeHome } from './mirror/node-home.ts'
import { failVersion } from './missing-dataset.ts'
import {
  changedMeanwhile,
  dropVersions,
  earlierVersion,
  type PublicationTerms,
  publishVersion,
  removeDataset,
  serve,
  serveVersion,
} from './publish.ts'
import type { VersionRecord } from './record.ts'
import { refusalsIn } from './refusals.ts'
import { completeIndex } from './search/search-index.ts'
import { DatasetSources, type NewSource } from './sources.ts'
import { refuseCopy, refuseEmptyCatalog, refuseMissingCatalog, refuseOwnCatalog } from './version-files.ts'

/** How many versions of a dataset are kept after a publication, the served one included; at least 1, by default 2. */
export type CatalogOptions = { readonly keepVersions?: number }

export class Catalog extends CatalogLookups {
  readonly refusals: ReturnType<typeof refusalsIn>
  readonly drafts: Drafts
  /** On a node: the mirror that keeps its copy up to date, and the table of all nodes; null on a single machine. */
  readonly shared: { readonly mirror: CatalogMirror; readonly nodes: NodeTable } | null
  readonly catchUp: CatalogHome['catchUp']
  readonly lateNodes: CatalogHome['lateNodes']
  readonly sweep: CatalogHome['sweep']
  readonly unknownFiles: CatalogHome['unknownFiles']
  /** Overwrites data deleted from `catalog.db`, unless something is reading it. */
  readonly eraseDeleted: CatalogDb['eraseDeleted']
  readonly #dataDir: DataDir
  readonly #db: CatalogDb
  readonly #home: CatalogHome
  readonly #keepVersions: number

  /**
   * @throws CommandError `failed` when `catalog.db` cannot be opened or is newer than the program, `damaged` when it is
   * missing or empty although version files exist; DamagedFileError when it cannot be read
   */
  static open(dataDir: DataDir, options: CatalogOptions = {}): Catalog {
    refuseMissingCatalog(dataDir)
    return Catalog.#openDb(dataDir, (db) => {
      refuseCopy(db, dataDir)
      refuseEmptyCatalog(db, dataDir)
      completeIndex(db.writing, dataDir)
      return new Catalog(dataDir, db, ownFolder(db, dataDir), options)
    })
  }

  /**
   * Opens the folder of a node, which holds copies. Publications since then are visible after `catchUp`; without the
   * database the copy is read as it is.
   * @throws CommandError `failed` when the folder has a catalog of its own, and as `open`; DamagedFileError
   */
  static openNode(dataDir: DataDir, shared: SharedCatalog, options: CatalogOptions = {}): Catalog {
    if (dataDir.remote !== null) dataDir.remote.digests = keptDigests(shared)
    return Catalog.#openDb(dataDir, (db) => {
      refuseOwnCatalog(db, dataDir)
      makeMirror(db)
      completeIndex(db.writing, null)
      const home = nodeHome(db, dataDir, shared)
      return new Catalog(dataDir, db, home, options, { mirror: home.mirror, nodes: shared.nodes })
    })
  }

  static #openDb(dataDir: DataDir, make: (db: CatalogDb) => Catalog): Catalog {
    const db = openCatalogDb(dataDir.catalogDb)
    try {
      return make(db)
    } catch (error) {
      db.close()
      if (error instanceof Database.SqliteError) throw new DamagedFileError(dataDir.catalogDb, error.message)
      throw error
    }
  }

  private constructor(
    dataDir: DataDir,
    db: CatalogDb,
    home: CatalogHome,
    { keepVersions = 2 }: CatalogOptions,
    shared: Catalog['shared'] = null,
  ) {
    super(dataDir, db.reading, new DatasetSources(db, home.rows))
    this.shared = shared
    this.#dataDir = dataDir
    this.#db = db
    this.#keepVersions = Math.max(1, keepVersions)
    this.#home = home
    this.catchUp = home.catchUp
    this.lateNodes = home.lateNodes
    this.sweep = home.sweep
    this.unknownFiles = home.unknownFiles
    this.eraseDeleted = db.eraseDeleted
    this.refusals = refusalsIn(db, home.rows)
    this.drafts = new Drafts(home.draftRows, home.leases, dataDir)
  }

  /**
   * Reserves a number for a version about to be published. A number is never given twice, even after the dataset's
   * removal, and is used up even if nothing is published under it.
   * @throws CommandError `damaged` when a file of that or a later number exists
   */
  reserveVersion(id: string): Promise<number> {
    return this.#home.rows.change(async (tx) => {
      const [row] = await tx
        .insert(datasets)
        .values({ id, lastVersion: 1 })
        .onConflictDoUpdate({ target: datasets.id, set: { lastVersion: sql`${datasets.lastVersion} + 1` } })
        .returning({ version: datasets.lastVersion })
      this.#home.checkNumber(id, row!.version)
      return row!.version
    })
  }

  /**
   * Serves a new version from the next request on, or changes nothing.
   * @param moveIntoPlace puts the file at `DataDir.versionFile`; called inside the transaction
   * @param source where the data can be fetched again; null: nowhere
   * @param terms conditions of the publication, and changes made along with it
   * @returns files no longer kept, for `DataDir.discard`
   * @throws CommandError as `publishVersion` does
   */
  async publish(
    record: VersionRecord,
    moveIntoPlace: () => void,
    source: NewSource | null = null,
    terms: PublicationTerms = {},
  ): Promise<string[]> {
    const { id } = record.dataset
    const { index } = this.#home
    let file: 'aside' | 'moving' | 'placed' = 'aside'
    const move = () => {
      if (file === 'placed') return
      file = 'moving'
      moveIntoPlace()
      file = 'placed'
    }
    const publication = { record, moveIntoPlace: move, keepVersions: this.#keepVersions, source, terms }
    try {
      const { remote } = this.#dataDir
      if (remote !== null) {
        move()
        const { version } = record
        await remote.uploadVersion(this.#dataDir.versionFile(id, version), { id, version, file: record.file })
      }
      const dropped = await this.#home.rows.change((tx) => publishVersion(tx, index, publication))
      return this.#filesOf(id, dropped)
    } catch (error) {
      if (file !== 'aside') this.#home.dropFile(id, record.version)
      throw error
    }
  }

  #filesOf(id: string, versions: readonly number[]): string[] {
    return versions.map((version) => this.#dataDir.versionFile(id, version))
  }

  /**
   * Serves the previously served version again, as it was, after its whole file was verified.
   * @returns its number
   * @throws CommandError `failed` when there is none, `damaged` when its file is damaged; the served version then stays
   */
  async rollback(id: string): Promise<number> {
    const { index } = this.#home
    const earlier = await earlierVersion(this.#home.rows.now, id)
    await this.#verify(earlier)
    await this.#home.rows.change(async (tx) => {
      const found = await earlierVersion(tx, id)
      if (found.version !== earlier.version) throw changedMeanwhile(id)
      await serve(tx, index, found)
    })
    return earlier.version
  }

  /**
   * Serves any kept version, as it was, after its whole file was verified. One that was rolled back may be served
   * again; the version served until then stays kept.
   * @throws CommandError `failed` if it is not kept, `damaged` if its file is; the served version then stays
   */
  async serve(id: string, version: number): Promise<void> {
    await this.catchUp(id)
    const { index } = this.#home
    const record = this.record(id, version)
    if (record === undefined) throw failVersion(this, id, version)
    await this.#verify(record)
    await this.#home.rows.change((tx) => serveVersion(tx, index, id, version))
  }

  /** Changes the texts of a dataset; its data, cursors and digests stay. @throws CommandError as `editDataset` does */
  edit(id: string, edit: DatasetEdit): Promise<void> {
    return this.#home.rows.change((tx) => editDataset(tx, this.#home.index, id, edit))
  }

  async #verify({ dataset: { id }, version, file }: VersionRecord): Promise<void> {
    try {
      verifyVersionFile(await this.#dataDir.localVersion({ id, version, file }), file.sha256)
    } catch (error) {
      if (!saysDamage(error)) throw error
      const served = this.find(id)?.version
      throw new CommandError('damaged', `${error.message}; version ${served} of ${id} stays the served one`)
    }
  }

  /**
   * @param copies drafts that are removed in the same transaction
   * @returns the dataset's files, for `DataDir.discard`
   * @throws CommandError `failed` when there is no such dataset
   */
  async remove(id: string, copies: readonly string[] = []): Promise<string[]> {
    const numbers = await this.#home.rows.change(async (tx) => {
      await removeDrafts(tx, copies)
      return await removeDataset(tx, this.#home.index, id)
    })
    return this.#filesOf(id, numbers)
  }

  /**
   * Takes kept versions of a dataset down.
   * @param copies as in `remove`
   * @returns their files, for `DataDir.discard`
   * @throws CommandError `failed` when one is served by now
   */
  async drop(id: string, versions: readonly number[], copies: readonly string[]): Promise<string[]> {
    await this.#home.rows.change(async (tx) => {
      await removeDrafts(tx, copies)
      await dropVersions(tx, id, versions)
    })
    return this.#filesOf(id, versions)
  }

  /**
   * Everything that the catalog of all nodes names at this moment, for a sweep of objects.
   * @throws the database's errors
   */
  async named(): Promise<NamedObjects> {
    const { rows, draftRows } = this.#home
    return {
      versions: await rows.now.select({ id: versions.datasetId, version: versions.version }).from(versions),
      given: await rows.now.select({ id: datasets.id, last: datasets.lastVersion }).from(datasets),
      drafts: (await draftRows.now.select({ id: drafts.id }).from(drafts)).map(({ id }) => id),
    }
  }

  close(): void {
    this.#home.close()
    this.#db.close()
  }
}

/**
 * Opens the catalog of a data directory according to the settings: its own, or a node's copy of one in PostgreSQL.
 * @param connect opens the database; by default it must be reachable
 * @returns the catalog; the caller closes it, and with it the database
 * @throws CommandError, DamagedFileError as `Catalog.open`; DatabaseAway
 */
export async function openCatalog(
  dataDir: DataDir,
  { keep_versions: keepVersions, database_url: url }: { keep_versions: number; database_url: string | null },
  connect: (url: string) => Promise<Postgres> = Postgres.open,
): Promise<Catalog> {
  if (url === null) return Catalog.open(dataDir, { keepVersions })
  const postgres = await connect(url)
  try {
    return Catalog.openNode(dataDir, openSharedCatalog(postgres), { keepVersions })
  } catch (error) {
    postgres.close()
    throw error
  }
}
