/** The most frequent values of columns, each with its count, in the rows that filters match (contract 7). */

import { countCodes, countersOf, findShownCodes } from './filter/code-counts.ts'
import { entryText } from './filter/entry-search.ts'
import { findMatches, type Matches, workAlone } from './filter/matches.ts'
import { planFilters, rowNeeds } from './filter/plan.ts'
import { MOST_COUNTERS, type Needs, type OpenDataset } from './memory/open-dataset.ts'
import { Scratch } from './memory/scratch.ts'
import { type Filter, isColumnFilter } from './row-query.ts'
import { blocksOf, type Work } from './turns.ts'

export interface FacetsQuery {
  readonly filters: readonly Filter[]
  readonly columns: readonly number[]
  readonly limit: number
}

/** Values equal under `eq` count as one. The rows counted are those that match the filters on other columns. */
export interface Facet {
  readonly column: number
  readonly distinct: number
  readonly nulls: number
  readonly other: number
  /** Most frequent first, then in the column's order. */
  readonly values: readonly { readonly value: string; readonly count: number }[]
}

/**
 * Counts values of columns, in the order of the columns. A column's own filters do not narrow its facet.
 * @throws DamagedFileError when a segment does not load; BusyError, DeadlineError when it is long work
 */
export function countFacets(
  dataset: OpenDataset,
  query: FacetsQuery,
): readonly Facet[] | Promise<readonly Facet[]> {
  const needs: Needs = [[query.columns, 'valued'], ...rowNeeds(dataset, query.filters)]
  return dataset.run(needs, facetsOf(dataset, query))
}

function* facetsOf(dataset: OpenDataset, query: FacetsQuery): Work<readonly Facet[]> {
  const facets = new Map<number, Facet>()
  for (const { filters, columns } of passesOf(dataset, query)) {
    using matches = yield* findMatches(dataset, filters)
    for (const batch of batchesOf(dataset, columns)) {
      const work = () => countColumns(dataset, matches, batch, query.limit)
      // Counters beyond the usual bound exist for one piece of work at a time, like other large scratch.
      const isLarge = countersOf(dataset, batch[0]!) > MOST_COUNTERS
      while (isLarge && dataset.building) yield dataset.building
      const counted = yield* isLarge ? workAlone(dataset, 'building', work) : work()
      for (const facet of counted) facets.set(facet.column, facet)
    }
  }
  return query.columns.map((column) => facets.get(column)!)
}

/** Groups columns that are counted in the same rows: most have no filter on them and share one pass. */
function passesOf(dataset: OpenDataset, { filters, columns }: FacetsQuery) {
  const passes = new Map<string, { readonly filters: readonly Filter[]; readonly columns: number[] }>()
  for (const column of columns) {
    const isOwn = (filter: Filter) => isColumnFilter(filter) && filter.column === column
    const others = filters.some(isOwn) ? filters.filter((filter) => !isOwn(filter)) : filters
    const { key } = planFilters(dataset, others)
    const pass = passes.get(key)
    if (pass) pass.columns.push(column)
    else passes.set(key, { filters: others, columns: [column] })
  }
  return passes.values()
}

/** Batches of columns whose counters stay within bounds; a column with more values is a separate batch. */
function batchesOf(dataset: OpenDataset, columns: readonly number[]): readonly number[][] {
  const batches: number[][] = []
  let counters = Number.POSITIVE_INFINITY
  for (const column of columns) {
    counters += countersOf(dataset, column)
    if (counters > MOST_COUNTERS) {
      batches.push([])
      counters = countersOf(dataset, column)
    }
    batches.at(-1)!.push(column)
  }
  return batches
}

function* countColumns(
  dataset: OpenDataset,
  matches: Matches,
  columns: readonly number[],
  limit: number,
): Work<readonly Facet[]> {
  using scratch = new Scratch(dataset)
  const counters = yield* countCodes(dataset, matches, columns, scratch)
  const facets: Facet[] = []
  for (const [index, column] of columns.entries())
    facets.push(yield* facetOf(dataset, column, counters[index]!, matches.total, limit))
  return facets
}

function* facetOf(
  dataset: OpenDataset,
  column: number,
  counters: number,
  total: number,
  limit: number,
): Work<Facet> {
  const { distinct } = dataset.columns[column]!
  const ranks = dataset.segment(column, 'ranks')
  const frequent = new MostFrequent(limit)
  for (const [from, to] of blocksOf(distinct)) {
    const { words } = dataset.regions
    if (ranks === 0) frequent.addCodes(words, counters / 4, from + 1, to)
    else frequent.addRanks(words, counters / 4, ranks / 4, from + 1, to)
    yield
  }
  frequent.end()
  const { values } = frequent
  const shown = values.some(({ first, last }) => first !== last)
    ? yield* findShownCodes(dataset, column)
    : null
  const nulls = dataset.regions.words[counters / 4]!
  return {
    column,
    distinct: frequent.distinct,
    nulls,
    other: values.reduce((rest, { count }) => rest - count, total - nulls),
    values: values.map(({ rank, first, count }) => ({
      value: entryText(dataset, column, shown ? shown[rank]! : first),
      count,
    })),
  }
}

interface Counted {
  readonly rank: number
  readonly first: number
  readonly last: number
  readonly count: number
}

/** Keeps the most frequent of the values, which are added in the column's order. */
class MostFrequent {
  readonly values: Counted[] = []
  distinct = 0
  readonly #limit: number
  #least = 0
  #rank = 0
  #first = 0
  #last = 0
  #count = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  addCodes(words: Uint32Array, counters: number, from: number, to: number): void {
    for (let code = from; code <= to; code++) {
      const count = words[counters + code]!
      if (count === 0) continue
      this.distinct++
      if (count > this.#least) this.#insert({ rank: code, first: code, last: code, count })
    }
  }

  /** The same where codes that compare equal share a rank. */
  addRanks(words: Uint32Array, counters: number, ranks: number, from: number, to: number): void {
    for (let code = from; code <= to; code++) {
      const rank = words[ranks + code]!
      if (rank !== this.#rank) {
        this.end()
        this.#rank = rank
        this.#first = code
      }
      this.#last = code
      this.#count += words[counters + code]!
    }
  }

  /** Call it after the last code, whose value then has no further spelling. */
  end(): void {
    const count = this.#count
    this.#count = 0
    if (count === 0) return
    this.distinct++
    if (count > this.#least) {
      this.#insert({ rank: this.#rank, first: this.#first, last: this.#last, count })
    }
  }

  /** Inserts a value after all that occur as often, since those come first in the column's order. */
  #insert(value: Counted): void {
    let low = 0
    for (let high = this.values.length; low < high; ) {
      const middle = (low + high) >> 1
      if (this.values[middle]!.count < value.count) high = middle
      else low = middle + 1
    }
    this.values.splice(low, 0, value)
    if (this.values.length > this.#limit) this.values.pop()
    if (this.values.length === this.#limit) this.#least = this.values.at(-1)!.count
  }
}
