/** The engine's verbs: pages, walks and counts of an open dataset. */

import { findMatches, gatherRows, type Matches } from './filter/matches.ts'
import { rowNeeds } from './filter/plan.ts'
import { maskWords, type Needs, type OpenDataset } from './memory/open-dataset.ts'
import { Scratch } from './memory/scratch.ts'
import { rendererOf } from './render.ts'
import type { Filter, Page, PageQuery, SortField, WalkPage, WalkQuery } from './row-query.ts'
import { effectiveSort, FEW_MATCHES, findOrder, orderKeyOf, settleOrder } from './sort/sort.ts'
import { growingBlocksOf, type Work } from './turns.ts'

/** Where the order of all rows is kept, sorting only the matches beats a walk over more than this many rows per match. */
const WALK_STEPS_PER_MATCH = 4

/**
 * One page by offset, at once unless the work takes more than one turn. Rows returned at once are lent: they are valid
 * until the next operation on the dataset. Those of a promise belong to the caller.
 * @throws DamagedFileError when a segment does not load; BusyError, DeadlineError when it is long work
 */
export function listPage(dataset: OpenDataset, query: PageQuery): Page | Promise<Page> {
  const sort = effectiveSort(dataset, query.sort)
  const needs: Needs = [[query.fields, 'json'], ...rowNeeds(dataset, query.filters, sort)]
  return withRows(dataset, needs, pageOf(dataset, query, sort))
}

/**
 * The matching rows from a row number on, in file order; lent as in `listPage`.
 * @throws DamagedFileError when a segment does not load
 */
export function walkPage(dataset: OpenDataset, query: WalkQuery): WalkPage | Promise<WalkPage> {
  const needs: Needs = [[query.fields, 'json'], ...rowNeeds(dataset, query.filters)]
  return withRows(dataset, needs, stepOf(dataset, query))
}

/**
 * How many rows all filters match.
 * @throws DamagedFileError when a segment does not load
 */
export function countRows(dataset: OpenDataset, filters: readonly Filter[]): number | Promise<number> {
  return dataset.run(rowNeeds(dataset, filters), totalOf(dataset, filters))
}

/** Runs work whose result lends its rows. For a promise they are copied, since other work may run before it is read. */
function withRows<T extends { readonly rows: Uint8Array }>(
  dataset: OpenDataset,
  needs: Needs,
  work: Work<T>,
): T | Promise<T> {
  let isAtOnce = true
  function* lending(): Work<T> {
    const result = yield* work
    return isAtOnce ? result : { ...result, rows: result.rows.slice() }
  }
  const done = dataset.run(needs, lending())
  isAtOnce = false
  return done
}

/** `countRows` as part of other work. */
export function* totalOf(dataset: OpenDataset, filters: readonly Filter[]): Work<number> {
  using matches = yield* findMatches(dataset, filters)
  return matches.total
}

function* stepOf(dataset: OpenDataset, query: WalkQuery): Work<WalkPage> {
  using matches = yield* findMatches(dataset, query.filters)
  using scratch = new Scratch(dataset)
  const rows = scratch.allocate((query.limit + 1) * 4)
  const found = gatherRows(dataset, matches, query.from, rows, query.limit + 1)
  const count = Math.min(found, query.limit)
  const next = found > query.limit ? dataset.regions.words[rows / 4 + query.limit]! : null
  return { count, next, rows: yield* rendererOf(dataset).renderArray(query.fields, rows, count) }
}

function* pageOf(dataset: OpenDataset, query: PageQuery, sort: readonly SortField[]): Work<Page> {
  using matches = yield* findMatches(dataset, query.filters)
  const first = Math.min(query.offset, matches.total)
  const count = Math.min(query.limit, matches.total - first)
  return {
    total: query.count ? matches.total : null,
    count,
    hasNext: first + count < matches.total,
    rows: yield* renderSlice(dataset, query.fields, sort, matches, first, count),
  }
}

/** The matches `first` to `first + count`, not included, of the given order, as a JSON array. */
function* renderSlice(
  dataset: OpenDataset,
  fields: readonly number[],
  sort: readonly SortField[],
  matches: Matches,
  first: number,
  count: number,
): Work<Uint8Array> {
  const { mask, rows: list } = matches
  const renderer = rendererOf(dataset)
  if (count === 0) return yield* renderer.renderArray(fields, 0, 0)
  if (sort.length > 0 && (mask === 0 || !shouldWalk(dataset, sort, matches, first, count))) {
    using order = yield* findOrder(dataset, sort, mask !== 0 || list !== 0 ? matches : null)
    yield* settleOrder(dataset, order, first, first + count)
    return yield* renderer.renderArray(fields, order.at + first * 4, count)
  }
  if (list !== 0) return yield* renderer.renderArray(fields, list + first * 4, count)
  using scratch = new Scratch(dataset)
  const rows = scratch.allocate(count * 4)
  if (sort.length > 0) yield* walkSorted(dataset, sort, matches, first, count, rows)
  else {
    const from = mask === 0 ? first : dataset.kernel.findBit(mask, maskWords(dataset.rows), first)
    gatherRows(dataset, matches, from, rows, count)
  }
  return yield* renderer.renderArray(fields, rows, count)
}

/** Whether to walk the order of all rows and pick the matching ones, instead of sorting the matching ones. */
function shouldWalk(
  { orders, rows }: OpenDataset,
  sort: readonly SortField[],
  matches: Matches,
  first: number,
  count: number,
): boolean {
  const { total } = matches
  if (orders.has(orderKeyOf(sort, matches))) return false
  if (!orders.has(orderKeyOf(sort, null))) return total * FEW_MATCHES > rows
  return (Math.min(first + count, total - first) * rows) / total < total * WALK_STEPS_PER_MATCH
}

/** Walks the order of all rows from its nearer end and writes the page's row numbers to address `rows`. */
function* walkSorted(
  dataset: OpenDataset,
  sort: readonly SortField[],
  { mask, total }: Matches,
  first: number,
  count: number,
  rows: number,
): Work<void> {
  const { kernel, rows: all } = dataset
  using order = yield* findOrder(dataset, sort, null)
  const after = total - first - count
  const backwards = after < first
  let skip = backwards ? after : first
  let found = 0
  for (const [visited, until] of growingBlocksOf(all)) {
    const from = backwards ? all - visited : visited
    const to = backwards ? all - until : until
    yield* settleOrder(dataset, order, Math.min(from, to), Math.max(from, to))
    kernel.walkOrder(order.at, from, to, mask, skip, found, count, rows)
    skip = kernel.walkSkipLeft()
    found = kernel.walkFoundSoFar()
    if (found === count) break
    yield
  }
  if (backwards) dataset.regions.words.subarray(rows / 4, rows / 4 + count).reverse()
}
