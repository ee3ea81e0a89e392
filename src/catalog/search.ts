/** The catalog's full-text index (FTS5) and the query over it. */

import type Database from 'better-sqlite3'
import { type EntryRow, toEntry } from './entry.ts'
import type { CatalogEntry, VersionRecord } from './record.ts'
import { wordsOf } from './search-words.ts'

/**
 * BM25 weights of title, description, column names, and the rest. So far apart on purpose: BM25 levels off with the
 * weight, and with small factors a short description would outrank a long title. With these, a dataset found by its
 * title stands before one found by its description whatever their lengths; within a level BM25 decides.
 */
const RANK = 'bm25(search, 1e9, 1e6, 1e3, 1.0)'

/** Puts a version's texts under the dataset's number, in place of what was there. */
export function indexDataset(database: Database.Database, number: number, record: VersionRecord): void {
  const { dataset, columns } = record
  removeFromIndex(database, number)
  database
    .prepare('INSERT INTO search (rowid, title, description, columns, others) VALUES (?, ?, ?, ?, ?)')
    .run(
      number,
      indexed(dataset.title),
      indexed(dataset.description),
      indexed(...columns.map((column) => column.name)),
      indexed(dataset.id, dataset.domain, dataset.publisher, ...dataset.keywords),
    )
}

export function removeFromIndex(database: Database.Database, number: number): void {
  database.prepare('DELETE FROM search WHERE rowid = ?').run(number)
}

const FEW_TERMS = 32

/** Finds datasets; prepared once per connection. */
export class CatalogSearch {
  readonly #count: Database.Statement<[string], number>
  readonly #any: Database.Statement<[string], number>
  readonly #page: Database.Statement<[string, number, number], EntryRow>

  constructor(database: Database.Database) {
    this.#count = database
      .prepare<[string], number>('SELECT count(*) FROM search WHERE search MATCH ?')
      .pluck()
    this.#any = database
      .prepare<[string], number>('SELECT 1 FROM search WHERE search MATCH ? LIMIT 1')
      .pluck()
    this.#page = database.prepare<[string, number, number], EntryRow>(`
      SELECT d.id, d.domain, v.title, v.description, v.row_count, v.imported_at
      FROM search
      JOIN datasets d ON d.number = search.rowid
      JOIN versions v ON v.dataset_id = d.id AND v.version = d.served_version
      WHERE search MATCH ?
      ORDER BY ${RANK}, d.id
      LIMIT ? OFFSET ?
    `)
  }

  /** All words must occur, the last one may be the beginning of a word. Best match first, ties by id. */
  find(text: string, limit: number, offset: number): { total: number; datasets: CatalogEntry[] } {
    const terms = termsOf(text)
    if (terms.length === 0 || this.#missesEarly(terms)) return { total: 0, datasets: [] }
    const query = terms.join(' ')
    const total = this.#count.get(query) ?? 0
    return { total, datasets: this.#page.all(query, limit, offset).map(toEntry) }
  }

  /** An address holds thousands of words, each a look-up of 12 us; a few of them mostly settle that nothing matches. */
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
