/** The catalog's full-text index (FTS5) and the query over it. */

import type Database from 'better-sqlite3'
import { wordsOf } from '../../base/text/words.ts'
import { type CatalogEntry, toEntry, type VersionRecord } from './record.ts'

/** Everything, or some domains and some `domain/dataset`s. */
export type Places = 'all' | ReadonlySet<string>

/** Whether a dataset is in a part of the catalog. */
export function holdsDataset(places: Places, domain: string, id: string): boolean {
  return places === 'all' || places.has(domain) || places.has(`${domain}/${id}`)
}

/** The condition of a query over `datasets d`; its parameter is `placesParameter`. */
export const IN_PLACES = `(@places IS NULL
  OR d.domain IN (SELECT value FROM json_each(@places))
  OR d.domain || '/' || d.id IN (SELECT value FROM json_each(@places)))`

export function placesParameter(places: Places): string | null {
  return places === 'all' ? null : JSON.stringify([...places])
}

/** The condition of a query over `datasets d`; its parameter is a moment as `imported_at` is written, or null. */
export const IS_RECENT = `(@since IS NULL OR @since <=
  (SELECT imported_at FROM versions WHERE dataset_id = d.id AND version = d.served_version))`

/**
 * BM25 weights of title, description, column names, and the rest. So far apart on purpose: BM25 levels off with the
 * weight, and with small factors a short description would outrank a long title. With these, a dataset found by its
 * title stands before one found by its description, regardless of their lengths; within a level BM25 decides.
 */
const RANK = 'bm25(search, 1e9, 1e6, 1e3, 1.0)'

/** The index beside the rows. A database without one of its own is left as it is; its readers write theirs. */
export interface SearchIndex {
  /** Indexes a version's texts under the dataset's number, replacing the earlier ones. */
  put(number: number, record: VersionRecord): void
  drop(number: number): void
}

export const NO_INDEX: SearchIndex = { put() {}, drop() {} }

/** The index in `catalog.db`. Call it while a transaction of that connection is open, to which it then belongs. */
export function localIndex(writing: Database.Database): SearchIndex {
  const insert = writing.prepare<[number, string, string, string, string]>(
    'INSERT INTO search (rowid, title, description, columns, others) VALUES (?, ?, ?, ?, ?)',
  )
  const remove = writing.prepare<[number]>('DELETE FROM search WHERE rowid = ?')
  return {
    put(number, { dataset, columns }) {
      remove.run(number)
      const names = indexed(...columns.flatMap(({ name, title }) => [name, title]))
      const others = indexed(dataset.id, dataset.domain, dataset.publisher, ...dataset.keywords)
      insert.run(number, indexed(dataset.title), indexed(dataset.description), names, others)
    },
    drop(number) {
      remove.run(number)
    },
  }
}

const FEW_TERMS = 32

/** The part of a list that is shown. */
export interface Page {
  readonly limit: number
  readonly offset: number
}

/** Finds datasets; prepared once per connection. */
export function prepareSearch(database: Database.Database) {
  type Parameters = { readonly query: string; readonly places: string | null; readonly since: string | null }
  const count = database
    .prepare<[Parameters], number>(`
      SELECT count(*) FROM search WHERE search MATCH @query
      AND (@places IS NULL AND @since IS NULL OR rowid IN (
        SELECT number FROM datasets d WHERE ${IN_PLACES} AND ${IS_RECENT}))
    `)
    .pluck()
  const any = database.prepare<[string], number>('SELECT 1 FROM search WHERE search MATCH ? LIMIT 1').pluck()
  const page = database.prepare<[Parameters & Page], Omit<CatalogEntry, 'endpoint'>>(`
    SELECT d.id, d.domain, v.title, v.description, v.row_count, v.imported_at AS last_updated
    FROM search
    JOIN datasets d ON d.number = search.rowid
    JOIN versions v ON v.dataset_id = d.id AND v.version = d.served_version
    WHERE search MATCH @query AND ${IN_PLACES} AND ${IS_RECENT}
    ORDER BY ${RANK}, d.id
    LIMIT @limit OFFSET @offset
  `)
  /** All words must occur, the last one may be the beginning of a word. Best match first, ties by id. */
  return (
    text: string,
    { since = null, limit, offset }: Page & { since?: string | null | undefined },
    within: Places,
  ) => {
    const words = wordsOf(text)
    const last = words.pop()
    if (last === undefined) return { total: 0, datasets: [] }
    // Terms of FTS5, all in quotes, so that no text of a client is ever syntax. Repeated words are asked for once.
    const terms = [...Array.from(new Set(words), (word) => `"${word}"`), `"${last}" *`]
    // An address can hold thousands of words, and each is a lookup of 12 us.
    for (let from = 0; from < terms.length && terms.length > FEW_TERMS; from += FEW_TERMS)
      if (!any.get(terms.slice(from, from + FEW_TERMS).join(' '))) return { total: 0, datasets: [] }
    const parameters = { query: terms.join(' '), places: placesParameter(within), since }
    const total = count.get(parameters) ?? 0
    return { total, datasets: page.all({ ...parameters, limit, offset }).map(toEntry) }
  }
}

function indexed(...texts: readonly (string | null)[]): string {
  return texts.flatMap((text) => (text === null ? [] : wordsOf(text))).join(' ')
}
