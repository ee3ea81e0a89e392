/** What is published: answers from memory while nothing changed, and the verbs that change it. */

import Database from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { CommandError, DamagedFileError, saysDamage } from '../../base/errors.ts'
import { type CatalogDb, openCatalogDb } from '../../db/catalog.ts'
import { makeMirror } from '../../db/catalog-mirror.ts'
import type { NodeTable } from '../../db/postgres/node-table.ts'
import type { SharedCatalog } from '../../db/postgres/shared-catalog.ts'
import type { DataDir, StoredVersion } from '../files/data-dir.ts'
import { verifyVersionFile } from '../files/verify-version.ts'
import { ObjectDigests } from '../objects/object-digests.ts'
import type { NamedObjects } from '../objects/sweep.ts'
import { toDescriptor, toEntry } from './descriptor.ts'
import { Drafts } from './drafts.ts'
import { type DatasetEdit, editDataset } from './edit.ts'
import { type CatalogHome, type LateNode, OwnFolder } from './home.ts'
import { refuseCopy, refuseEmptyCatalog, refuseMissingCatalog, refuseOwnCatalog } from './lost-catalog.ts'
import type { CatalogMirror } from './mirror/mirror.ts'
import { NodeHome } from './mirror/node-home.ts'
import { readNamedFiles } from './named-files.ts'
import { type Places, placesParameter } from './places.ts'
import {
  dropVersions,
  earlierVersion,
  type PublicationTerms,
  publishVersion,
  removeDataset,
  reserveVersion,
  rollbackVersion,
  serveVersion,
} from './publish.ts'
import type {
  CatalogEntry,
  Descriptor,
  Quality,
  ServedDataset,
  VersionRecord,
  VersionSummary,
} from './record.ts'
import { Refusals } from './refusals.ts'
import { CatalogSearch } from './search.ts'
import { type DatasetSource, DatasetSources, type NewSource } from './sources.ts'
import { prepareStatements } from './statements.ts'
import { parseRecord, toServed } from './stored-record.ts'

export interface CatalogOptions {
  /** How many versions of a dataset stay after a publish, the served one included; at least 1, 2 by default. */
  readonly keepVersions?: number
}

export interface CatalogPage {
  readonly total: number
  readonly datasets: CatalogEntry[]
}

/** Which part of the catalog is listed. */
interface ListQuery {
  readonly domain?: string | undefined
  /** Published at that moment or later, as `last_updated` is written. */
  readonly since?: string | undefined
  readonly limit: number
  readonly offset: number
}

interface Loaded {
  readonly served: ServedDataset
  readonly record: VersionRecord
  readonly source: DatasetSource | undefined
}

/** Datasets whose record is kept parsed. Beyond it, one SQL query and a `JSON.parse` per first use. */
const PARSED_RECORDS = 1000

export class Catalog {
  /** Where the datasets come from and when they are fetched again. */
  readonly sources: DatasetSources
  /** Files that were refused since the last publish of their dataset. */
  readonly refusals: Refusals
  /** What publishers are working on. */
  readonly drafts: Drafts
  /** Of a node: what keeps its copy up to date, and the table of all nodes; null for a folder that stands alone. */
  readonly shared: { readonly mirror: CatalogMirror; readonly nodes: NodeTable } | null
  readonly #dataDir: DataDir
  readonly #db: CatalogDb
  readonly #home: CatalogHome
  readonly #keepVersions: number
  readonly #statements: ReturnType<typeof prepareStatements>
  readonly #search: CatalogSearch
  readonly #served = new LRUCache<string, Loaded>({
    max: PARSED_RECORDS,
  })
  /** `PRAGMA data_version` for which `#served` and `#revision` hold; -1 before the first read. */
  #seen = -1
  #revision = 0

  /**
   * @throws CommandError `failed` when `catalog.db` cannot be opened or is newer than the program, `damaged` when it is
   * gone or new although version files exist; DamagedFileError when it cannot be read
   */
  static open(dataDir: DataDir, options: CatalogOptions = {}): Catalog {
    refuseMissingCatalog(dataDir)
    const db = openCatalogDb(dataDir.catalogDb)
    try {
      refuseCopy(db, dataDir)
      refuseEmptyCatalog(db, dataDir)
      return new Catalog(dataDir, db, new OwnFolder(db, dataDir), options)
    } catch (error) {
      db.close()
      if (error instanceof Database.SqliteError) throw new DamagedFileError(dataDir.catalogDb, error.message)
      throw error
    }
  }

  /**
   * Opens the folder of a node, which has copies of what is kept elsewhere. What was published meanwhile is read after
   * `catchUp`; without the database the copy is read as it is.
   * @throws CommandError `failed` when the folder has a catalog of its own, and as `open`; DamagedFileError
   */
  static openNode(dataDir: DataDir, shared: SharedCatalog, options: CatalogOptions = {}): Catalog {
    if (dataDir.remote !== null) dataDir.remote.digests = new ObjectDigests(shared)
    const db = openCatalogDb(dataDir.catalogDb)
    try {
      refuseOwnCatalog(db, dataDir)
      makeMirror(db)
      const home = new NodeHome(db, dataDir, shared)
      return new Catalog(dataDir, db, home, options, { mirror: home.mirror, nodes: shared.nodes })
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
    this.shared = shared
    this.#dataDir = dataDir
    this.#db = db
    this.#keepVersions = Math.max(1, keepVersions)
    this.#statements = prepareStatements(db.reading)
    this.#search = new CatalogSearch(db.reading)
    this.#home = home
    this.sources = new DatasetSources(db, home.rows)
    this.refusals = new Refusals(db, home.rows)
    this.drafts = new Drafts(home.draftRows, home.draftHolds, dataDir)
  }

  /** Raised by every publish, rollback and removal in any process; for ETags of catalog answers. */
  get revision(): number {
    this.#refresh()
    return this.#revision
  }

  /** The version being served, or undefined. About 1 us; the same object until the catalog changes. */
  find(id: string): ServedDataset | undefined {
    return this.#load(id)?.served
  }

  /** Everything that was published with the served version, or with another kept one. */
  record(id: string, version?: number): VersionRecord | undefined {
    if (version === undefined) return this.#load(id)?.record
    const json = this.#statements.recordOf.get(id, version)
    return json === undefined ? undefined : this.#parse(json)
  }

  descriptor(id: string): Descriptor | undefined {
    const loaded = this.#load(id)
    return loaded && toDescriptor(loaded.record, loaded.source)
  }

  quality(id: string): Quality | undefined {
    return this.record(id)?.quality
  }

  /** Ordered by domain, then id. */
  list(query: ListQuery, within: Places = 'all'): CatalogPage {
    const { domain = null, since = null, limit, offset } = query
    const places = placesParameter(within)
    const statements = this.#statements[places === null ? 'everywhere' : 'within']
    const total = statements.count.get({ domain, since, places }) ?? 0
    const rows = statements.page.all({ domain, since, places, limit, offset })
    return { total, datasets: rows.map(toEntry) }
  }

  /** Datasets whose served version was made of a file of that name. */
  publishedFrom(fileName: string): { id: string; domain: string }[] {
    return this.#statements.publishedFrom.all(fileName)
  }

  /** Ids and domains of the first datasets, in the same order. */
  names(most: number): { id: string; domain: string }[] {
    return this.#statements.names.all(most)
  }

  /** Best match first, ties by id. A text without words finds nothing; no text makes it fail. */
  search(text: string, page: Omit<ListQuery, 'domain'>, within: Places = 'all'): CatalogPage {
    return this.#search.find(text, page, within)
  }

  /** Datasets served, their domains, and the sum of their rows. */
  totals(): { datasets: number; domains: number; rows: number } {
    return this.#statements.totals.get() ?? { datasets: 0, domains: 0, rows: 0 }
  }

  /** Domains with datasets that are served, by name. */
  domains(): { domain: string; datasets: number }[] {
    return this.#statements.domains.all()
  }

  /** The latest published versions of all served datasets, newest first. */
  news(most: number): VersionRecord[] {
    return this.#statements.news.all(most).map((record) => this.#parse(record))
  }

  /** The kept versions, newest first; empty when there is no such dataset. */
  versions(id: string): VersionSummary[] {
    return this.#statements.versions.all(id).map(({ version, served, record }) => {
      const { rows, quarantined, provenance, file } = this.#parse(record)
      const { imported_at, source_file, source_sha256 } = provenance
      const path = this.#dataDir.versionFile(id, version)
      return {
        version,
        served: served === 1,
        rows,
        quarantined,
        imported_at,
        source_file,
        source_sha256,
        file: path,
        ...file,
      }
    })
  }

  /**
   * A number for a version about to be published. Never given twice, also after the dataset's removal.
   * @throws CommandError `damaged` when a file of that or a later number exists
   */
  reserveVersion(id: string): Promise<number> {
    return this.#home.rows.change(async (tx) => {
      const version = await reserveVersion(tx, id)
      this.#home.checkNumber(id, version)
      return version
    })
  }

  /**
   * Serves a new version from the next request on, or changes nothing.
   * @param moveIntoPlace puts the file at `DataDir.versionFile`; called inside the transaction
   * @param source where the data can be fetched again; null: nowhere
   * @param terms what must hold then, and what is done with it
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
   * Serves the previously served version again, as it was, after its file was read in whole and found sound.
   * @returns its number
   * @throws CommandError `failed` when there is none, `damaged` when its file is; the served version then stays
   */
  async rollback(id: string): Promise<number> {
    const { index } = this.#home
    const earlier = await earlierVersion(this.#home.rows.now, id)
    await this.#verify(earlier)
    await this.#home.rows.change((tx) => rollbackVersion(tx, index, id, earlier.version))
    return earlier.version
  }

  /**
   * Serves any kept version, as it was, after its file was read in whole and found sound. One that was rolled back may be
   * served again; the version served now stays kept.
   * @throws CommandError `failed` when it is not kept, `damaged` when its file is; the served version then stays
   */
  async serve(id: string, version: number): Promise<void> {
    await this.#home.catchUp(id)
    const { index } = this.#home
    const record = this.record(id, version)
    if (record === undefined) {
      const kept = this.versions(id).map((one) => one.version)
      if (kept.length === 0) throw new CommandError('failed', `there is no dataset ${id}`)
      throw new CommandError(
        'failed',
        `version ${version} of ${id} is not kept; those that are: ${kept.join(', ')}`,
      )
    }
    await this.#verify(record)
    await this.#home.rows.change((tx) => serveVersion(tx, index, id, version))
  }

  /** Changes the texts of a dataset; its data, cursors and digests stay. @throws CommandError as `editDataset` does */
  edit(id: string, edit: DatasetEdit): Promise<void> {
    return this.#home.rows.change((tx) => editDataset(tx, this.#home.index, id, edit))
  }

  /** @throws CommandError `damaged` when the file of a version is */
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
   * @returns the dataset's files, for `DataDir.discard`
   * @throws CommandError `failed` when there is no such dataset
   */
  async remove(id: string): Promise<string[]> {
    return this.#filesOf(id, await this.#home.rows.change((tx) => removeDataset(tx, this.#home.index, id)))
  }

  /**
   * Takes kept versions of a dataset down.
   * @returns their files, for `DataDir.discard`
   * @throws CommandError `failed` when one is served by now
   */
  async drop(id: string, versions: readonly number[]): Promise<string[]> {
    await this.#home.rows.change((tx) => dropVersions(tx, id, versions))
    return this.#filesOf(id, versions)
  }

  /** Versions that were taken down, by dataset. */
  taken(): { readonly id: string; readonly dropped: readonly number[] }[] {
    const rows = this.#statements.taken.all()
    return rows.map(({ id, dropped }) => ({ id, dropped: JSON.parse(dropped) }))
  }

  /** Overwrites what was deleted from `catalog.db`, as far as nothing reads it. */
  eraseDeleted(): Promise<void> {
    return this.#db.eraseDeleted()
  }

  /**
   * Deletes version files that nothing refers to and that were numbered here, and what is left of drafts that are gone. For
   * the start of the program.
   */
  sweep(): void {
    this.#home.sweep()
  }

  /** Version files that this catalog never gave their number: a sign that it is older than the folder, or another's. */
  unknownFiles(): StoredVersion[] {
    return this.#home.unknownFiles()
  }

  /**
   * Has everything read here that was committed before the call, on any node: for what decides by what is served.
   * @param dataset that matters to the caller @throws CommandError as `CatalogHome.catchUp`
   */
  catchUp(dataset?: string): Promise<void> {
    return this.#home.catchUp(dataset)
  }

  /** What is named at this moment, for a sweep of objects. */
  named(): Promise<NamedObjects> {
    return readNamedFiles(this.#home)
  }

  /** Nodes that do not serve the present version of a dataset yet, after a bounded wait for them. */
  lateNodes(id: string): Promise<readonly LateNode[]> {
    return this.#home.lateNodes(id)
  }

  close(): void {
    this.#home.close()
    this.#db.close()
  }

  #load(id: string): Loaded | undefined {
    this.#refresh()
    const known = this.#served.get(id)
    if (known) return known
    // Unknown ids are not cached: clients choose them.
    const row = this.#statements.served.get(id)
    if (row === undefined) return undefined
    const record = this.#parse(row.record)
    const served = toServed(record, this.#dataDir.versionFile(id, record.version), row.open === 1)
    const loaded = { served, record, source: this.sources.find(id) }
    this.#served.set(id, loaded)
    return loaded
  }

  /** @throws DamagedFileError */
  #parse(record: string): VersionRecord {
    try {
      return parseRecord(record)
    } catch {
      throw new DamagedFileError(this.#dataDir.catalogDb, 'the record of a version cannot be read')
    }
  }

  /** Every commit shows in `data_version`, since other connections write. */
  #refresh(): void {
    const current = this.#statements.dataVersion.get() as number
    if (current === this.#seen) return
    this.#served.clear()
    this.#revision = this.#statements.revision.get() as number
    this.#seen = current
  }
}
