/** Lists, searches and look-ups of published datasets. Look-ups are answered from memory until the catalog changes. */

import type Database from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { DamagedFileError } from '../../base/errors.ts'
import { commitNumberOf } from '../../db/transaction.ts'
import type { DataDir } from '../files/data-dir.ts'
import {
  type CatalogEntry,
  completeRecord,
  type Descriptor,
  type Quality,
  type ServedDataset,
  toDescriptor,
  toEntry,
  toServed,
  type VersionRecord,
} from './record.ts'
import { IN_PLACES, IS_RECENT, type Page, type Places, placesParameter } from './search/places.ts'
import { CatalogSearch, type FoundPage, type SearchedPage, type Searcher } from './search/search.ts'
import { synonymsIn } from './search/search-terms.ts'
import type { DatasetSource, DatasetSources } from './sources.ts'

const EVERYTHING: Searcher = { within: 'all', reads: 'all' }

export interface CatalogPage {
  readonly total: number
  readonly datasets: CatalogEntry[]
}

interface ListQuery extends Page {
  readonly domain?: string | undefined
  /** Published at that moment or later, in the form of `last_updated`. */
  readonly since?: string | undefined
}

export type VersionSummary = ReturnType<CatalogLookups['versions']>[number]

interface Loaded {
  readonly served: ServedDataset
  readonly record: VersionRecord
  readonly source: DatasetSource | undefined
}

export class CatalogLookups {
  /** Where the datasets come from, and when they are fetched again. */
  readonly sources: DatasetSources
  readonly #dataDir: DataDir
  readonly #statements: ReturnType<typeof prepareStatements>
  readonly #search: CatalogSearch
  readonly #synonyms: ReturnType<typeof synonymsIn>
  /** Beyond this number, a look-up costs a SQL query and a `JSON.parse`. */
  readonly #served = new LRUCache<string, Loaded>({ max: 1000 })
  /** The number of commits for which `#served` and `#revision` are valid; -1 before the first read. */
  #seen = -1
  #revision = 0

  /** @param reading the connection to `catalog.db` that only reads */
  constructor(dataDir: DataDir, reading: Database.Database, sources: DatasetSources) {
    this.#dataDir = dataDir
    this.#statements = prepareStatements(reading)
    this.#synonyms = synonymsIn(dataDir.referenceDir)
    this.#search = new CatalogSearch(
      reading,
      () => this.#synonyms().synonyms,
      (id) => this.record(id),
    )
    this.sources = sources
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

  /** The record of the served version, or of another kept one. */
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

  /** Datasets whose served version was made from a file of that name. */
  publishedFrom(fileName: string): { id: string; domain: string }[] {
    return this.#statements.publishedFrom.all(fileName)
  }

  /** Names of the columns of all served datasets. Reads every record, so not for the main thread. */
  *columnNames(): Generator<{ readonly id: string; readonly columns: readonly string[] }> {
    for (const { id, names } of this.#statements.columnNames.iterate())
      yield { id, columns: JSON.parse(names) }
  }

  /** Ids and domains of the first datasets, in the same order. */
  names(most: number): { id: string; domain: string }[] {
    return this.#statements.names.all(most)
  }

  /** Best match first, ties by id. A text without words finds nothing; no text makes it fail. */
  search(text: string, page: SearchedPage, searcher: Searcher = EVERYTHING): CatalogPage {
    const { total, datasets } = this.#search.find(text, page, searcher)
    return { total, datasets: datasets.map(({ entry }) => entry) }
  }

  /** As `search`, with the place of the words in each dataset, and with other words if no dataset has them all. */
  answerSearch(text: string, page: SearchedPage, searcher: Searcher = EVERYTHING): Promise<FoundPage> {
    return this.#search.answer(text, page, searcher)
  }

  /** Changes with the table of synonyms, on which searches depend besides the revision. */
  get synonymsTag(): string {
    return this.#synonyms().tag
  }

  /** Datasets served, their domains, and the sum of their rows. */
  totals(): { datasets: number; domains: number; rows: number } {
    return this.#statements.totals.get() ?? { datasets: 0, domains: 0, rows: 0 }
  }

  /** Domains with served datasets, by name. */
  domains(): { domain: string; datasets: number }[] {
    return this.#statements.domains.all()
  }

  /** The latest published versions of all served datasets, newest first. */
  news(most: number): VersionRecord[] {
    return this.#statements.news.all(most).map((record) => this.#parse(record))
  }

  /** The kept versions, newest first; empty when there is no such dataset. */
  versions(id: string) {
    return this.#statements.versions.all(id).map(({ version, served, record }) => {
      const { rows, quarantined, provenance, file } = this.#parse(record)
      const { imported_at, source_file, source_sha256 } = provenance
      const path = this.#dataDir.versionFile(id, version)
      const origin = { imported_at, source_file, source_sha256 }
      return { version, served: served === 1, rows, quarantined, ...origin, file: path, ...file }
    })
  }

  /** The records of the kept versions, read one by one. */
  *records(id: string): Generator<VersionRecord> {
    for (const { record } of this.#statements.versions.all(id)) yield this.#parse(record)
  }

  /** Versions that were taken down, by dataset. */
  taken(): { readonly id: string; readonly dropped: readonly number[] }[] {
    const rows = this.#statements.taken.all()
    return rows.map(({ id, dropped }) => ({ id, dropped: JSON.parse(dropped) }))
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
      return completeRecord(JSON.parse(record))
    } catch {
      throw new DamagedFileError(this.#dataDir.catalogDb, 'the record of a version cannot be read')
    }
  }

  /** Other connections write, so every commit changes the number. */
  #refresh(): void {
    const current = this.#statements.commitNumber()
    if (current === this.#seen) return
    this.#served.clear()
    this.#revision = this.#statements.revision.get() as number
    this.#seen = current
  }
}

interface ListParameters {
  readonly domain: string | null
  readonly since: string | null
  /** JSON. */
  readonly places: string | null
}

const SERVED = 'JOIN versions v ON v.dataset_id = d.id AND v.version = d.served_version'

function prepareStatements(database: Database.Database) {
  return {
    commitNumber: commitNumberOf(database),
    revision: database.prepare<[], number>('SELECT value FROM revision').pluck(),
    served: database.prepare<[string], { record: string; open: number }>(
      `SELECT v.record, d.open FROM datasets d ${SERVED} WHERE d.id = ?`,
    ),
    recordOf: database
      .prepare<[string, number], string>('SELECT record FROM versions WHERE dataset_id = ? AND version = ?')
      .pluck(),
    everywhere: prepareList(database, ''),
    within: prepareList(database, `AND ${IN_PLACES}`),
    publishedFrom: database.prepare<[string], { id: string; domain: string }>(`
      SELECT d.id, d.domain FROM datasets d ${SERVED}
      WHERE json_extract(v.record, '$.provenance.source_file') = ? ORDER BY d.domain, d.id
    `),
    columnNames: database.prepare<[], { id: string; names: string }>(`
      SELECT d.id, (SELECT json_group_array(value ->> 'name') FROM json_each(v.record, '$.columns')) AS names
      FROM datasets d ${SERVED}
    `),
    names: database.prepare<[number], { id: string; domain: string }>(
      'SELECT id, domain FROM datasets WHERE served_version IS NOT NULL ORDER BY domain, id LIMIT ?',
    ),
    totals: database.prepare<[], { datasets: number; domains: number; rows: number }>(`
      SELECT count(*) AS datasets, count(DISTINCT d.domain) AS domains, coalesce(sum(v.row_count), 0) AS rows
      FROM datasets d ${SERVED}
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
    taken: database.prepare<[], { id: string; dropped: string }>(
      "SELECT id, dropped FROM datasets WHERE dropped <> '[]'",
    ),
    versions: database.prepare<[string], { version: number; served: number; record: string }>(`
      SELECT v.version, v.version IS d.served_version AS served, v.record
      FROM versions v JOIN datasets d ON d.id = v.dataset_id WHERE d.id = ? ORDER BY v.version DESC
    `),
  }
}

/** The list of datasets. It is a fifth faster without the condition on places, when nothing is hidden. */
function prepareList(database: Database.Database, condition: string) {
  const isListed = `d.served_version IS NOT NULL AND (@domain IS NULL OR d.domain = @domain) ${condition}`
  return {
    count: database
      .prepare<[ListParameters], number>(`SELECT count(*) FROM datasets d WHERE ${isListed} AND ${IS_RECENT}`)
      .pluck(),
    page: database.prepare<[ListParameters & Page], Omit<CatalogEntry, 'endpoint'>>(`
      SELECT d.id, d.domain, v.title, v.description, v.row_count, v.imported_at AS last_updated FROM datasets d ${SERVED}
      WHERE ${isListed} AND ${IS_RECENT} ORDER BY d.domain, d.id LIMIT @limit OFFSET @offset
    `),
  }
}
