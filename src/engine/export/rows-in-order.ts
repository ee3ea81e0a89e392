/** The rows of an export as batches of row numbers, in file order or sorted. */

import { findMatches, gatherRows, type Matches } from '../filter/matches.ts'
import { rowNeeds } from '../filter/plan.ts'
import type { OpenDataset } from '../memory/open-dataset.ts'
import type { Kept } from '../memory/regions.ts'
import type { Filter, SortField } from '../row-query.ts'
import { effectiveSort, FEW_MATCHES, findOrder, orderKeyOf, settleOrder } from '../sort/sort.ts'
import { runInTurns, type Work } from '../turns.ts'

export interface RowsQuery {
  readonly filters: readonly Filter[]
  readonly sort: readonly SortField[]
}

/**
 * A reader of the rows that a query matches. It uses an order only while it gathers a batch; otherwise the order of each
 * sort would stay in memory until the slowest client is done. If it was evicted by the next batch, it is made again.
 */
export class RowsInOrder implements Disposable {
  readonly total: number
  readonly #dataset: OpenDataset
  readonly #matches: Matches
  readonly #sort: readonly SortField[]
  /** The rows whose order is read; null: the order of all rows, from which the matching ones are picked. */
  readonly #ordered: Matches | null
  /** Where the next batch begins: a row number, or a place in the order. */
  #next = 0

  private constructor(dataset: OpenDataset, matches: Matches, sort: readonly SortField[]) {
    this.#dataset = dataset
    this.#matches = matches
    this.total = matches.total
    this.#sort = sort
    const { mask, rows, total } = matches
    const sortsFew =
      mask !== 0 && !dataset.orders.has(orderKeyOf(this.#sort, null)) && total * FEW_MATCHES <= dataset.rows
    this.#ordered = rows !== 0 || sortsFew ? matches : null
  }

  /**
   * Finds the rows and, for a sort, their order, while the request can still be refused.
   * @throws DamagedFileError when a segment does not load; BusyError, DeadlineError
   */
  static async open(dataset: OpenDataset, { filters, sort }: RowsQuery): Promise<RowsInOrder> {
    using held = new DisposableStack()
    const effective = sort.length === 0 ? [] : effectiveSort(dataset, sort)
    const needs = rowNeeds(dataset, filters, effective)
    const matches = held.use(await dataset.run(needs, findMatches(dataset, filters)))
    const rows = new RowsInOrder(dataset, matches, effective)
    if (rows.total > 0 && sort.length > 0) {
      const order = await dataset.turns.run(findOrder(dataset, rows.#sort, rows.#ordered))
      order[Symbol.dispose]()
    }
    held.move()
    return rows
  }

  /** Writes the next row numbers, at most `most`, to address `rows`. @returns how many; 0 at the end */
  async next(rows: number, most: number): Promise<number> {
    if (this.total === 0) return 0
    if (this.#sort.length > 0) return await runInTurns(this.#gatherSorted(rows, most))
    const count = gatherRows(this.#dataset, this.#matches, this.#next, rows, most)
    if (count > 0) this.#next = this.#dataset.regions.words[rows / 4 + count - 1]! + 1
    return count
  }

  [Symbol.dispose](): void {
    this.#matches[Symbol.dispose]()
  }

  *#gatherSorted(rows: number, most: number): Work<number> {
    using order = yield* findOrder(this.#dataset, this.#sort, this.#ordered)
    if (this.#ordered === null && this.#matches.mask !== 0) return yield* this.#walk(order, rows, most)
    const from = this.#next
    const count = Math.min(most, this.total - from)
    yield* settleOrder(this.#dataset, order, from, from + count)
    this.#dataset.regions.words.copyWithin(rows / 4, order.at / 4 + from, order.at / 4 + from + count)
    this.#next += count
    return count
  }

  *#walk(order: Kept, rows: number, most: number): Work<number> {
    const { kernel, rows: all } = this.#dataset
    let found = 0
    while (found < most && this.#next < all) {
      const from = this.#next
      // No more rows than there is room for, so that the walk never stops inside the block.
      const to = Math.min(all, from + most - found)
      yield* settleOrder(this.#dataset, order, from, to)
      kernel.walkOrder(order.at, from, to, this.#matches.mask, 0, found, most, rows)
      found = kernel.walkFoundSoFar()
      this.#next = to
      yield
    }
    return found
  }
}
