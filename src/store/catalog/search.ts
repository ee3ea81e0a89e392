/** The catalog's full-text index (FTS5) and the query over it. */

import type Database from 'better-sqlite3'
import { wordsOf } from '../../base/text/words.ts'
import { type EntryRow, toEntry } from './descriptor.ts'
import { IN_PLACES, IS_RECENT, type Places, placesParameter } from './places.ts'
import type { CatalogEntry, VersionRecord } from './record.ts'

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
export class LocalIndex implements SearchIndex {
  readonly #insert: Database.Statement<[number, string, string, string, string]>
  readonly #delete: Database.Statement<[number]>

  /** @param writing the connection that writes */
  constructor(writing: Database.Database) {
    this.#insert = writing.prepare(
      'INSERT INTO search (rowid, title, description, columns, others) VALUES (?, ?, ?, ?, ?)',
    )
    this.#delete = writing.prepare('DELETE FROM search WHERE rowid = ?')
  }

  put(number: number, { dataset, columns }: VersionRecord): void {
    this.drop(number)
    const names = indexed(...columns.flatMap(({ name, title }) => [name, title]))
    const others = indexed(dataset.id, dataset.domain, dataset.publisher, ...dataset.keywords)
    this.#insert.run(number, indexed(dataset.title), indexed(dataset.description), names, others)
  }

  drop(number: number): void {
    this.#delete.run(number)
  }
}

const FEW_TERMS = 32

interface SearchParameters {
  readonly query: string
  /** JSON; null: everywhere. */
  readonly places: string | null
  /** Published since then; null: at any time. */
  readonly since: string | null
}

interface Page {
  readonly limit: number
  readonly offset: number
}

/** Finds datasets; prepared once per connection. */
export class CatalogSearch {
  readonly #count: Database.Statement<[SearchParameters], number>
  readonly #any: Database.Statement<[string], number>
  readonly #page: Database.Statement<[SearchParameters & Page], EntryRow>

  constructor(database: Database.Database) {
    this.#count = database
      .prepare<[SearchParameters], number>(`
        SELECT count(*) FROM search WHERE search MATCH @query
        AND (@places IS NULL AND @since IS NULL OR rowid IN (
          SELECT number FROM datasets d WHERE ${IN_PLACES} AND ${IS_RECENT}))
      `)
      .pluck()
    this.#any = database
      .prepare<[string], number>('SELECT 1 FROM search WHERE search MATCH ? LIMIT 1')
      .pluck()
    this.#page = database.prepare<[SearchParameters & Page], EntryRow>(`
      SELECT d.id, d.domain, v.title, v.description, v.row_count, v.imported_at
      FROM search
      JOIN datasets d ON d.number = search.rowid
      JOIN versions v ON v.dataset_id = d.id AND v.version = d.served_version
      WHERE search MATCH @query AND ${IN_PLACES} AND ${IS_RECENT}
      ORDER BY ${RANK}, d.id
      LIMIT @limit OFFSET @offset
    `)
  }

  /** All words must occur, the last one may be the beginning of a word. Best match first, ties by id. */
  find(
    text: string,
    page: Page & { readonly since?: string | undefined },
    within: Places,
  ): { total: number; datasets: CatalogEntry[] } {
    const terms = termsOf(text)
    if (terms.length === 0 || this.#missesEarly(terms)) return { total: 0, datasets: [] }
    const { since = null, limit, offset } = page
    const parameters = { query: terms.join(' '), places: placesParameter(within), since }
    const total = this.#count.get(parameters) ?? 0
    return { total, datasets: this.#page.all({ ...parameters, limit, offset }).map(toEntry) }
  }

  /** Words searched for at most: an address can hold thousands, and each is a lookup of 12 us. */
  #missesEarly(terms: readonly string[]): boolean {
    for (let from = 0; from < terms.length && terms.length > FEW_TERMS; from += FEW_TERMS) {
      if (!this.#any.get(terms.slice(from, from + FEW_TERMS).join(' '))) return true
    }
    return false
  }
}

/**
 * The words as FTS5 terms, all in quotes, so that no text of a client is ever syntax; the last one as a prefix.
 * Repeated words are asked for once.
 */
function termsOf(text: string): string[] {
  const words = wordsOf(text)
  const last = words.pop()
  if (last === undefined) return []
  const whole = [...new Set(words)].map((word) => `"${word}"`)
  return [...whole, `"${last}" *`]
}

function indexed(...texts: readonly (string | null)[]): string {
  return texts.flatMap((text) => (text === null ? [] : wordsOf(text))).join(' ')
}
