/** Times filters and sorts over one opened version, in this process and without HTTP. */

import type { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import type { ColumnFilter } from '../../src/engine/row-query.ts'
import { countRows, listPage } from '../../src/engine/run.ts'
import { COMBINATIONS, type Condition, PARTNERS, SORTS, toFilter, toSortField, VARIANTS } from './queries.ts'

/** A time in milliseconds, and what took it. */
export interface Timed {
  readonly ms: number
  readonly what: string
}

/** The slowest of the filter combinations, each the median of counts with new values. */
export async function slowestFilters(dataset: OpenDataset): Promise<Timed> {
  let slowest: Timed = { ms: 0, what: '' }
  for (const combination of COMBINATIONS) {
    const times: number[] = []
    for (let k = 0; k < VARIANTS; k++) {
      const filters = combination(k).map((condition) => toFilter(dataset, condition))
      if (k === 0) await loadColumns(dataset, filters)
      forget(dataset)
      times.push(await timed(() => countRows(dataset, filters)))
    }
    const ms = middle(times)
    const what = combination(0).map((condition) => condition.slice(0, 2).join(' '))
    if (ms > slowest.ms) slowest = { ms, what: what.join(', ') }
  }
  return slowest
}

/** New combinations of filters that were each used before: the median of 192 of three filters each. */
export async function recurringFilters(dataset: OpenDataset): Promise<number> {
  const combinations = PARTNERS.flatMap((partner) =>
    Array.from({ length: 24 }, (_, i): readonly Condition[] => [
      ['partner_country_code', 'eq', partner],
      ['month', 'eq', 1 + (i % 12)],
      ['flow_code', 'eq', i < 12 ? 1 : 2],
    ]),
  ).map((conditions) => conditions.map((condition) => toFilter(dataset, condition)))
  for (const filters of combinations) for (const filter of filters) await countRows(dataset, [filter])
  const times: number[] = []
  for (const filters of combinations) times.push(await timed(() => countRows(dataset, filters)))
  return middle(times)
}

/** The slowest first use of a sort, and the slowest later page at the beginning, the middle or the end. */
export async function slowestSorts(dataset: OpenDataset): Promise<{ first: Timed; later: Timed }> {
  let first: Timed = { ms: 0, what: '' }
  let later: Timed = { ms: 0, what: '' }
  const fields = dataset.columns.map((_, i) => i)
  await listPage(dataset, { filters: [], sort: [], fields, limit: 50, offset: 0, count: true })
  for (const names of SORTS) {
    const sort = names.map((name) => toSortField(dataset, name))
    const what = names.join(',')
    const page = (offset: number) => () =>
      listPage(dataset, { filters: [], sort, fields, limit: 50, offset, count: true })
    const ms = await timed(page(0))
    if (ms > first.ms) first = { ms, what }
    for (const offset of [0, dataset.rows >> 1, Math.max(0, dataset.rows - 50)]) {
      const again = await timed(page(offset))
      if (again > later.ms) later = { ms: again, what }
    }
  }
  return { first, later }
}

/** Empties the caches of filters, so that the next count reads the rows again. */
export function forget(dataset: OpenDataset): void {
  while (dataset.masks.giveUpOldest() || dataset.combinations.giveUpOldest());
}

/** Reads the columns from the file, which happens once per start and does not count towards a query. */
async function loadColumns(dataset: OpenDataset, filters: readonly ColumnFilter[]): Promise<void> {
  for (const { column } of filters) {
    await countRows(dataset, [{ column, operator: 'is_null', operands: [[false]] }])
  }
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] as number
}

export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
