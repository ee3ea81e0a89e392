/** The queries over the catalog's full-text index: specification 4.3, contract 14. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { shorten } from '../../../base/text/fit-text.ts'
import { suggest } from '../../../base/text/suggest.ts'
import { foldLetters } from '../../../base/text/words.ts'
import { type CatalogEntry, toEntry, type VersionRecord } from '../record.ts'
import { IN_PLACES, IS_RECENT, type Page, type Places, placesParameter } from './places.ts'
import { FIELDS, type Field } from './search-index.ts'
import { type SearchTerm, type Synonyms, termsOf } from './search-terms.ts'
import type { SearchedTexts } from './searched-texts.ts'

/** Where a dataset has a word of a search. */
export interface SearchMatch {
  readonly field: (typeof FIELDS)[Field]['name']
  /** The column's name for a column or value; else null. */
  readonly column: string | null
  readonly text: string
}

/** A dataset that a search found. */
export interface FoundEntry extends CatalogEntry {
  /** The place of each word, in the order of the words; each place once. */
  readonly matches: readonly SearchMatch[]
}

export interface FoundPage {
  readonly total: number
  readonly datasets: readonly FoundEntry[]
  /** If nothing is found: the best three. */
  readonly suggestions: readonly Suggestion[]
}

/** Other words, and what they find. */
export interface Suggestion {
  readonly words: string
  /** Ids of datasets, the best first. */
  readonly ids: readonly string[]
}

/** The datasets whose rows a searcher may read, so that values count: all, those open to everybody, or none. */
export type RowReads = 'all' | 'open' | 'none'

export interface Searcher {
  /** The places in which datasets may be found. */
  readonly within: Places
  readonly reads: RowReads
}

/** An FTS5 expression that looks for a word in a field, and what a match is worth; the highest comes first. */
interface Asked {
  readonly weight: number
  readonly words: string
}

/** A dataset that has all words, with what each is worth there. */
interface Hit {
  readonly number: number
  readonly weights: readonly number[]
  readonly worth: number
}

export type SearchedPage = Page & { readonly since?: string | null | undefined }

const BY_WEIGHT = Object.keys(FIELDS) as Field[]
/** Twice the next field's, so that a word in the title outweighs words elsewhere; 1 more if it is not a synonym. */
const weightOf = (field: Field) => 2 ** (BY_WEIGHT.length - BY_WEIGHT.indexOf(field))
const OF_VALUES = weightOf('texts') + 1

/** Words whose place counts and is reported; the others must only occur. */
const MOST_PLACES = 8
/** Words that are looked up together; each takes 12 us. */
const FEW_TERMS = 32
const TURN_MS = 8
const MOST_SUGGESTIONS = 3
const SUGGESTED_IDS = 5
const LONGEST_TEXT = 200

/** Finds datasets; prepared once per connection. */
export class CatalogSearch {
  readonly #having: Database.Statement<[string], number>
  readonly #served: Database.Statement<[object], [number: number, open: 0 | 1]>
  readonly #entry: Database.Statement<[number], Omit<CatalogEntry, 'endpoint'>>
  readonly #texts: Database.Statement<[string], string | null>
  readonly #known: Database.Statement<[string, string, number, number], string>
  readonly #synonyms: () => Synonyms
  readonly #recordOf: (id: string) => VersionRecord | undefined

  constructor(
    database: Database.Database,
    synonyms: () => Synonyms,
    recordOf: (id: string) => VersionRecord | undefined,
  ) {
    const isServed = 'v.dataset_id = d.id AND v.version = d.served_version'
    this.#synonyms = synonyms
    this.#recordOf = recordOf
    this.#having = database.prepare<[string], number>('SELECT rowid FROM search WHERE search MATCH ?').pluck()
    this.#served = database
      .prepare<[object], [number, 0 | 1]>(`SELECT number, open FROM datasets d
       WHERE served_version IS NOT NULL AND ${IN_PLACES} AND ${IS_RECENT} ORDER BY id`)
      .raw()
    this.#entry = database.prepare(`
      SELECT d.id, d.domain, v.title, v.description, v.row_count, v.imported_at AS last_updated
      FROM datasets d JOIN versions v ON ${isServed} WHERE d.number = ?`)
    this.#texts = database
      .prepare<[string], string | null>(
        `SELECT search_texts -> 'columns' FROM datasets d JOIN versions v ON ${isServed} WHERE d.id = ?`,
      )
      .pluck()
    this.#known = database
      .prepare<[string, string, number, number], string>(
        'SELECT term FROM search_words WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? LIMIT 5000',
      )
      .pluck()
  }

  /** All words must occur, the last one may be the beginning of a word. Best match first, ties by id. */
  find(
    text: string,
    { limit, offset, since = null }: SearchedPage,
    searcher: Searcher,
  ): { total: number; datasets: { entry: CatalogEntry; matches: () => SearchMatch[] }[] } {
    const terms = termsOf(text, this.#synonyms())
    if (terms.length === 0 || this.#missesEarly(terms)) return { total: 0, datasets: [] }
    const hits = this.#hits(askedOf(terms), searcher, since).sort((a, b) => b.worth - a.worth)
    const datasets = hits.slice(offset, offset + limit).flatMap(({ number, weights }) => {
      const entry = this.#entry.get(number)
      // Another process may have removed it meanwhile.
      if (entry === undefined) return []
      return { entry: toEntry(entry), matches: () => this.#matchesOf(entry.id, terms, weights) }
    })
    return { total: hits.length, datasets }
  }

  /** What `find` finds with the matches, or suggestions if it finds nothing; in turns of the event loop. */
  async answer(text: string, page: SearchedPage, searcher: Searcher): Promise<FoundPage> {
    const { total, datasets: found } = this.find(text, page, searcher)
    const datasets: FoundEntry[] = []
    let turn = performance.now()
    for (const { entry, matches } of found) {
      datasets.push({ ...entry, matches: matches() })
      if (performance.now() - turn < TURN_MS) continue
      await nextTurn()
      turn = performance.now()
    }
    return { total, datasets, suggestions: total === 0 ? await this.#suggest(text, searcher) : [] }
  }

  /** Ordered by id. SQL alone, joining and grouping by words, takes four times as long. */
  #hits(asked: readonly (readonly Asked[])[], { within, reads }: Searcher, since: string | null): Hit[] {
    const byTerm: Map<number, number>[] = []
    for (const places of asked) {
      const worth = new Map<number, number>()
      for (const { weight, words } of places) {
        if (weight <= OF_VALUES && reads === 'none') continue
        for (const number of this.#having.all(words))
          if (!worth.has(number) && byTerm.at(-1)?.has(number) !== false) worth.set(number, weight)
      }
      if (worth.size === 0) return []
      byTerm.push(worth)
    }
    const hits: Hit[] = []
    for (const [number, open] of this.#served.all({ places: placesParameter(within), since })) {
      const least = reads === 'all' || open === 1 ? 0 : OF_VALUES
      if (!byTerm.every((worth) => (worth.get(number) ?? 0) > least)) continue
      const weights = byTerm.map((worth) => worth.get(number)!)
      hits.push({ number, weights, worth: weights.reduce((sum, weight) => sum + weight) })
    }
    return hits
  }

  #missesEarly(terms: readonly SearchTerm[]): boolean {
    for (let from = 0; from < terms.length && terms.length > FEW_TERMS; from += FEW_TERMS)
      if (!this.#having.get(allOf(terms.slice(from, from + FEW_TERMS)))) return true
    return false
  }

  #matchesOf(id: string, terms: readonly SearchTerm[], weights: readonly number[]): SearchMatch[] {
    const record = this.#recordOf(id)
    const matches = terms.slice(0, MOST_PLACES).flatMap((term, at) => {
      const field = BY_WEIGHT.find((field) => (weights[at] ?? 0) >= weightOf(field))
      if (record === undefined || field === undefined) return []
      return (field === 'texts' ? this.#valueOf(id, term) : placeOf(field, term, record)) ?? []
    })
    return [...new Map(matches.map((match) => [JSON.stringify(match), match])).values()]
  }

  /** The shortest text with a word, which is most likely the word itself. */
  #valueOf(id: string, { hint, isIn }: SearchTerm): SearchMatch | undefined {
    const columns: SearchedTexts['columns'] = JSON.parse(this.#texts.get(id) ?? '{}')
    const found = Object.entries(columns).flatMap(([column, texts]) => {
      const folded = foldLetters(texts.map((text) => text.replaceAll('\n', ' ')).join('\n')).split('\n')
      return texts
        .filter((_, at) => hint.test(folded[at]!) && isIn(folded[at]!))
        .map((text) => ({ field: 'value' as const, column, text: shorten(text, LONGEST_TEXT) }))
    })
    return found.sort((a, b) => a.text.length - b.text.length)[0]
  }

  /** The best three of: words that occur in some dataset, and all but one of them. Each search takes a turn. */
  async #suggest(text: string, searcher: Searcher): Promise<Suggestion[]> {
    const finds = async (words: string, limit = 1) => {
      await nextTurn()
      return this.find(words, { limit, offset: 0 }, searcher).datasets.map(({ entry }) => entry.id)
    }
    const known: string[] = []
    for (const { word } of termsOf(text, this.#synonyms()).slice(0, MOST_PLACES))
      for (const near of [word, ...this.#near(word)])
        if ((await finds(near)).length > 0) {
          known.push(near)
          break
        }
    const shorter = known.map((_, at) => known.toSpliced(at, 1).join(' '))
    const suggestions: Suggestion[] = []
    for (const words of new Set([known.join(' '), ...shorter, ...known])) {
      if (suggestions.length === MOST_SUGGESTIONS) break
      const ids = await finds(words, SUGGESTED_IDS)
      if (ids.length > 0) suggestions.push({ words, ids })
    }
    return suggestions
  }

  #near(word: string): string[] {
    const [first = ''] = word
    const end = String.fromCodePoint(first.codePointAt(0)! + 1)
    const slips = Math.ceil(word.length / 3)
    return suggest(word, this.#known.all(first, end, word.length - slips, word.length + slips))
  }
}

function allOf(terms: readonly SearchTerm[]): string {
  return terms.map(({ own, others }) => (others === null ? own : `(${own} OR ${others})`)).join(' AND ')
}

/** Expressions for each word; those beyond the first ones are looked up together, and must only occur. */
function askedOf(terms: readonly SearchTerm[]): Asked[][] {
  const asked = terms.slice(0, MOST_PLACES).map(({ own, others }) =>
    BY_WEIGHT.flatMap((field) => {
      const weight = weightOf(field)
      const itself = { weight: weight + 1, words: `${field} : ${own}` }
      return others === null ? [itself] : [itself, { weight, words: `${field} : ${others}` }]
    }),
  )
  if (terms.length <= MOST_PLACES) return asked
  const rest = allOf(terms.slice(MOST_PLACES))
  const described = BY_WEIGHT.filter((field) => field !== 'texts').join(' ')
  const words = `{${described}} : (${rest})`
  return [
    ...asked,
    [
      { weight: OF_VALUES + 1, words },
      { weight: OF_VALUES, words: rest },
    ],
  ]
}

function placeOf(field: Field, { isIn }: SearchTerm, record: VersionRecord): SearchMatch | undefined {
  const { name, texts } = FIELDS[field]
  if (name === 'column') {
    const column = record.columns.find(({ name, title }) => isIn(`${title ?? ''} ${name}`))
    return column && { field: name, column: column.name, text: column.title ?? column.name }
  }
  const text = texts(record).find((text) => text !== null && isIn(text))
  return text == null ? undefined : { field: name, column: null, text: shorten(text, LONGEST_TEXT) }
}
