/** Orders of rows, kept per sort, so that a page at any offset is a look-up. */

import { buildAlone, type Matches } from '../filter/matches.ts'
import type { Kept } from '../memory/kept-regions.ts'
import type { OpenDataset } from '../memory/open-dataset.ts'
import type { SortField } from '../query.ts'
import type { Work } from '../turns.ts'
import { sortAll } from './sort-all.ts'
import type { SortColumn } from './sort-column.ts'
import { settle, type Ties } from './sort-leading.ts'
import { sortListed } from './sort-listed.ts'

/** The fields that decide the order: the sort asked for, then the default order. */
export function effectiveSort(dataset: OpenDataset, sort: readonly SortField[]): readonly SortField[] {
  const named = new Set(sort.map((field) => field.column))
  return [...sort, ...dataset.defaultSort.filter((field) => !named.has(field.column))]
}

/** Names an order. */
export function orderKeyOf(sort: readonly SortField[], matches: Matches | null): string {
  const fields = sort.map((field) => `${field.descending ? '-' : ''}${field.column}`).join()
  return `${fields}|${matches?.key ?? ''}`
}

/**
 * All rows, or the matching ones, in the order of `sort` (an effective one), nulls last, ties as in the file. In use
 * until `dataset.orders.leave`. Places are final after `settleOrder`.
 * @throws DamagedFileError when a segment does not load
 */
export function* findOrder(
  dataset: OpenDataset,
  sort: readonly SortField[],
  matches: Matches | null,
): Work<Kept> {
  const key = orderKeyOf(sort, matches)
  for (;;) {
    const kept = dataset.orders.use(key)
    if (kept) return kept
    if (!dataset.building) break
    yield dataset.building
  }
  return yield* buildAlone(dataset, () => buildOrder(dataset, sort, matches, key))
}

function* buildOrder(
  dataset: OpenDataset,
  sort: readonly SortField[],
  matches: Matches | null,
  key: string,
): Work<Kept> {
  // A column with one value decides nothing.
  const columns = sort.map((field) => sortColumn(dataset, field)).filter(({ size }) => size > 1)
  if (matches) {
    const count = matches.total
    return dataset.orders.keep(key, yield* sortListed(dataset, columns, matches), count * 4, count)
  }
  const { at, bytes, ties } = yield* sortAll(dataset, columns)
  const order = dataset.orders.keep(key, at, bytes, dataset.rows)
  if (ties) tiesIn.set(order, ties)
  return order
}

/** Where orders are not yet final. */
const tiesIn = new WeakMap<Kept, Ties>()

/**
 * Makes the places `from` to `to` of an order from `findOrder` final. To be called before they are read.
 * @returns as `settle`
 */
export function* settleOrder(dataset: OpenDataset, order: Kept, from: number, to: number): Work<number> {
  const ties = tiesIn.get(order)
  return ties ? yield* settle(dataset, order.at, ties, from, to) : 0
}

function sortColumn(dataset: OpenDataset, { column, descending }: SortField): SortColumn {
  const { distinct, nullCount, codeWidth, segments } = dataset.columns[column]!
  const codes = dataset.segment(column, 'codes')
  const ranks = dataset.segment(column, 'ranks')
  const top = segments.ranks === undefined ? distinct : dataset.regions.words[ranks / 4 + distinct]!
  const size = nullCount === 0 ? top : top + 1
  return { codes, width: codeWidth, ranks, top, descending: descending ? 1 : 0, size }
}
