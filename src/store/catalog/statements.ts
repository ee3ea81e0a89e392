/** The queries of the catalog, prepared once per connection. */

import type Database from 'better-sqlite3'
import type { EntryRow } from './descriptor.ts'
import { IN_PLACES } from './places.ts'
import { IS_RECENT } from './recent.ts'

interface ListParameters {
  readonly domain: string | null
  /** Published since then; null: at any time. */
  readonly since: string | null
  /** JSON; null: everywhere. */
  readonly places: string | null
}

const SERVED = 'JOIN versions v ON v.dataset_id = d.id AND v.version = d.served_version'

export function prepareStatements(database: Database.Database) {
  return {
    dataVersion: database.prepare<[], number>('PRAGMA data_version').pluck(),
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

/** The list of datasets: one condition less makes it a fifth faster where nothing is hidden. */
function prepareList(database: Database.Database, condition: string) {
  const isListed = `d.served_version IS NOT NULL AND (@domain IS NULL OR d.domain = @domain) ${condition}`
  return {
    count: database
      .prepare<[ListParameters], number>(`SELECT count(*) FROM datasets d WHERE ${isListed} AND ${IS_RECENT}`)
      .pluck(),
    page: database.prepare<[ListParameters & { limit: number; offset: number }], EntryRow>(`
      SELECT d.id, d.domain, v.title, v.description, v.row_count, v.imported_at FROM datasets d ${SERVED}
      WHERE ${isListed} AND ${IS_RECENT} ORDER BY d.domain, d.id LIMIT @limit OFFSET @offset
    `),
  }
}
