/** What is published: answers from memory while nothing changed, and the verbs that change it. */

import Database from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { CommandError, DamagedFileError } from '../errors.ts'
import type { DataDir, StoredVersion } from '../storage/data-dir.ts'
import { verifyVersionFile } from '../storage/verify-version.ts'
import { type CatalogDb, openCatalogDb } from './database.ts'
import { toDescriptor } from './descriptor.ts'
import { type EntryRow, toEntry } from './entry.ts'
import { refuseEmptyCatalog, refuseMissingCatalog } from './lost-catalog.ts'
import {
  earlierVersion,
  publishVersion,
  removeDataset,
  reserveVersion,
  rollbackVersion,
  sweepVersionFiles,
  unknownVersionFiles,
} from './publish.ts'
import type {
  CatalogEntry,
  Descriptor,
  Quality,
  ServedDataset,
  VersionRecord,
  VersionSummary,
} from './record.ts'
import { CatalogSearch } from './search.ts'
import { type DatasetSource, DatasetSources, type NewSource } from './sources.ts'

export interface CatalogOptions {
  /** How many versions of a dataset stay after a publish, the served one included; at least 1, 2 by default. */
  readonly keepVersions?: number
}

export interface CatalogPage {
  readonly total: number
  readonly datasets: CatalogEntry[]
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
  readonly #dataDir: DataDir
  readonly #db: CatalogDb
  readonly #keepVersions: number
  readonly #statements: ReturnType<typeof prepareStatements>
  readonly #search: CatalogSearch
  readonly #served = new LRUCache<string, Loaded>({
    max: PARSED_RECORDS,
  })
  /** `PRAGMA data_version` for which `#served` and `#revision` hold; -1 when they must be read again. */
  #seen = -1
  #revision = 0

  /**
   * @throws CommandError `failed` when `catalog.db` cannot be opened or is newer than the program, `damaged` when it is
   * gone or new although version files are there; DamagedFileError when it cannot be read
   */
  static open(dataDir: DataDir, options: CatalogOptions = {}): Catalog {
    refuseMissingCatalog(dataDir)
    const db = openCatalogDb(dataDir.catalogDb)
    try {
      refuseEmptyCatalog(db, dataDir)
      return new Catalog(dataDir, db, options.keepVersions ?? 2)
    } catch (error) {
      db.$client.close()
      if (error instanceof Database.SqliteError) throw new DamagedFileError(dataDir.catalogDb, error.message)
      throw error
    }
  }

  private constructor(dataDir: DataDir, db: CatalogDb, keepVersions: number) {
    this.#dataDir = dataDir
    this.#db = db
    this.#keepVersions = Math.max(1, keepVersions)
    this.#statements = prepareStatements(db.$client)
    this.#search = new CatalogSearch(db.$client)
    this.sources = new DatasetSources(db, () => {
      this.#seen = -1
    })
  }

  /** Raised by every publish, rollback and removal, in whichever process; for ETags of catalog answers. */
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
  list(query: { domain?: string | undefined; limit: number; offset: number }): CatalogPage {
    const domain = query.domain ?? null
    const total = this.#statements.count.get({ domain }) ?? 0
    const rows = this.#statements.page.all({ domain, limit: query.limit, offset: query.offset })
    return { total, datasets: rows.map(toEntry) }
  }

  /** Ids and domains of the first datasets, in the same order. */
  names(most: number): { id: string; domain: string }[] {
    return this.#statements.names.all(most)
  }

  /** Best match first, ties by id. A text without words finds nothing; no text makes it fail. */
  search(text: string, page: { limit: number; offset: number }): CatalogPage {
    return this.#search.find(text, page.limit, page.offset)
  }

  /** Datasets served, their domains, and the sum of their rows. */
  totals(): { datasets: number; domains: number; rows: number } {
    return this.#statements.totals.get() ?? { datasets: 0, domains: 0, rows: 0 }
  }

  /** Domains with datasets that are served, by name. */
  domains(): { domain: string; datasets: number }[] {
    return this.#statements.domains.all()
  }

  /** Versions published last, of whichever dataset that is served; newest first. */
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
   * @throws CommandError `damaged` when a file of that or a later number is there
   */
  reserveVersion(id: string): number {
    return reserveVersion(this.#db, this.#dataDir, id)
  }

  /**
   * Serves a new version from the next request on, or changes nothing.
   * @param moveIntoPlace puts the file at `DataDir.versionFile`; called inside the transaction
   * @param source where the data can be fetched again; null: nowhere
   * @returns files no longer kept, for `DataDir.discard`
   * @throws CommandError `usage` when the id is published in another domain
   */
  publish(record: VersionRecord, moveIntoPlace: () => void, source: NewSource | null = null): string[] {
    return this.#changing(() =>
      publishVersion(this.#db, this.#dataDir, record, moveIntoPlace, this.#keepVersions, source),
    )
  }

  /**
   * Serves the previously served version again, as it was, after its file was read in whole and found sound.
   * @returns its number
   * @throws CommandError `failed` when there is none, `damaged` when its file is; the served version then stays
   */
  rollback(id: string): number {
    const { version, file } = earlierVersion(this.#db, id)
    try {
      verifyVersionFile(this.#dataDir.versionFile(id, version), file.sha256)
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error
      const served = this.find(id)?.version
      throw new CommandError('damaged', `${error.message}; version ${served} of ${id} stays the served one`)
    }
    this.#changing(() => rollbackVersion(this.#db, id, version))
    return version
  }

  /**
   * @returns the dataset's files, for `DataDir.discard`
   * @throws CommandError `failed` when there is no such dataset
   */
  remove(id: string): string[] {
    return this.#changing(() => removeDataset(this.#db, this.#dataDir, id))
  }

  /** Deletes version files that nothing refers to and that were numbered here. */
  sweep(): void {
    sweepVersionFiles(this.#db, this.#dataDir)
  }

  /** Version files that this catalog never gave their number: a sign that it is older than the folder, or another's. */
  unknownFiles(): StoredVersion[] {
    return unknownVersionFiles(this.#db, this.#dataDir)
  }

  close(): void {
    this.#db.$client.close()
  }

  #load(id: string): Loaded | undefined {
    this.#refresh()
    const known = this.#served.get(id)
    if (known) return known
    // Unknown ids are not remembered: clients choose them.
    const json = this.#statements.served.get(id)
    if (json === undefined) return undefined
    const record = this.#parse(json)
    const served = toServed(record, this.#dataDir.versionFile(id, record.version))
    const loaded = { served, record, source: this.sources.find(id) }
    this.#served.set(id, loaded)
    return loaded
  }

  /** @throws DamagedFileError */
  #parse(record: string): VersionRecord {
    try {
      return JSON.parse(record) as VersionRecord
    } catch {
      throw new DamagedFileError(this.#dataDir.catalogDb, 'the record of a version cannot be read')
    }
  }

  /** Other connections' commits show in `data_version`; the own ones are reported by `#changing`. */
  #refresh(): void {
    const current = this.#statements.dataVersion.get() as number
    if (current === this.#seen) return
    this.#served.clear()
    this.#revision = this.#statements.revision.get() as number
    this.#seen = current
  }

  #changing<T>(change: () => T): T {
    try {
      return change()
    } finally {
      this.#seen = -1
    }
  }
}

function prepareStatements(database: Database.Database) {
  const inDomain = 'd.served_version IS NOT NULL AND (@domain IS NULL OR d.domain = @domain)'
  const served = 'JOIN versions v ON v.dataset_id = d.id AND v.version = d.served_version'
  return {
    dataVersion: database.prepare<[], number>('PRAGMA data_version').pluck(),
    revision: database.prepare<[], number>('SELECT value FROM revision').pluck(),
    served: database
      .prepare<[string], string>(`SELECT v.record FROM datasets d ${served} WHERE d.id = ?`)
      .pluck(),
    recordOf: database
      .prepare<[string, number], string>('SELECT record FROM versions WHERE dataset_id = ? AND version = ?')
      .pluck(),
    count: database
      .prepare<[{ domain: string | null }], number>(`SELECT count(*) FROM datasets d WHERE ${inDomain}`)
      .pluck(),
    page: database.prepare<[{ domain: string | null; limit: number; offset: number }], EntryRow>(`
      SELECT d.id, d.domain, v.title, v.description, v.row_count, v.imported_at FROM datasets d ${served}
      WHERE ${inDomain} ORDER BY d.domain, d.id LIMIT @limit OFFSET @offset
    `),
    names: database.prepare<[number], { id: string; domain: string }>(
      'SELECT id, domain FROM datasets WHERE served_version IS NOT NULL ORDER BY domain, id LIMIT ?',
    ),
    totals: database.prepare<[], { datasets: number; domains: number; rows: number }>(`
      SELECT count(*) AS datasets, count(DISTINCT d.domain) AS domains, coalesce(sum(v.row_count), 0) AS rows
      FROM datasets d ${served}
    `),
    domains: database.prepare<[], { domain: string; datasets: number }>(`
      SELECT domain, count(*) AS datasets FROM datasets WHERE served_version IS NOT NULL
      GROUP BY domain ORDER BY domain
    `),
    news: database
      .prepare<[number], string>(`
      SELECT v.record FROM versions v JOIN datasets d ON d.id = v.dataset_id
      WHERE d.served_version IS NOT NULL AND v.version <= d.served_version
      ORDER BY v.imported_at DESC, d.id, v.version DESC LIMIT ?
    `)
      .pluck(),
    versions: database.prepare<[string], { version: number; served: number; record: string }>(`
      SELECT v.version, v.version IS d.served_version AS served, v.record
      FROM versions v JOIN datasets d ON d.id = v.dataset_id WHERE d.id = ? ORDER BY v.version DESC
    `),
  }
}

function toServed(record: VersionRecord, file: string): ServedDataset {
  const { dataset, version, rows, columns, primary_key, provenance } = record
  return {
    id: dataset.id,
    domain: dataset.domain,
    version,
    rows,
    lastUpdated: provenance.imported_at,
    sourceUrl: dataset.source_url,
    primaryKey: primary_key,
    columns,
    file,
    sha256: record.file.sha256,
  }
}
