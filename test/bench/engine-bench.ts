/** The engine alone, in this process: no HTTP, the version file opened as the service opens it. */

import { OpenDataset } from '../../src/engine/memory.ts'
import type { Filter, SortField } from '../../src/engine/query.ts'
import { countRows, listPage } from '../../src/engine/run.ts'
import { VersionFile } from '../../src/storage/open-version.ts'
import { atMost, type Measurement, plainly } from './report.ts'

export type Condition = readonly [
  column: string,
  operator: Filter['operator'],
  ...values: (string | number | boolean)[],
]

/** Each makes the same kind of filters with other values for every `k`. */
export const COMBINATIONS: readonly ((k: number) => readonly Condition[])[] = [
  (k) => [['partner_country_code', 'eq', at(PARTNERS, k)]],
  (k) => [['partner_country_code', 'ne', at(PARTNERS, k)]],
  (k) => [['partner_country_code', 'in', at(PARTNERS, k), at(PARTNERS, k + 3), 'zw']],
  (k) => [['cn8_code', 'not_in', `${10 + k}000000`, '02000000']],
  (k) => [
    ['flow_code', 'eq', 1],
    ['month', 'eq', 1 + k],
    ['partner_country_code', 'eq', 'fr'],
  ],
  (k) => [
    ['value_lei', 'gte', 100_000 * (k + 1)],
    ['flow_code', 'eq', 2],
  ],
  (k) => [
    ['value_lei', 'gt', 100 + k],
    ['value_lei', 'lte', 900_000],
    ['net_mass_kg', 'lt', 5000],
    ['month', 'gte', 3],
  ],
  (k) => [['cn8_description', 'contains', at(WORDS, k)]],
  (k) => [
    ['cn8_description', 'starts_with', at(BEGINNINGS, k)],
    ['supplementary_quantity', 'is_null', false],
  ],
  (k) => [
    ['origin_country_code', 'is_null', true],
    ['month', 'ne', 1 + k],
  ],
]
const PARTNERS = ['de', 'it', 'fr', 'hu', 'pl', 'bg', 'tr', 'cn']
const WORDS = ['oțel', 'plastic', 'lână', 'cauciuc', 'aluminiu']
const BEGINNINGS = ['mașini', 'părți', 'țesături', 'produse', 'aparate']
/** How often each combination is counted; the median is what counts. */
const VARIANTS = 5

function at(values: readonly string[], k: number): string {
  return values[k % values.length] as string
}

export const SORTS: readonly (readonly string[])[] = [
  ['value_lei'],
  ['-net_mass_kg'],
  ['cn8_description'],
  ['partner_country_code', '-value_lei'],
  ['origin_country_code', 'month', '-net_mass_kg'],
  ['value_lei', '-net_mass_kg', 'cn8_description'],
]

/** Filters and sorts over the version file at `path`; each figure is the worst of its kind. */
export async function measureEngine(path: string): Promise<Measurement[]> {
  const file = VersionFile.open(path)
  try {
    const dataset = OpenDataset.open(file)
    return [
      ...(await measureFilters(dataset)),
      await measureRecurring(dataset),
      ...(await measureSorts(dataset)),
    ]
  } finally {
    file.close()
  }
}

async function measureFilters(dataset: OpenDataset): Promise<Measurement[]> {
  let slowest = { ms: 0, filters: '' }
  for (const combination of COMBINATIONS) {
    const times: number[] = []
    for (let k = 0; k < VARIANTS; k++) {
      const filters = combination(k).map((condition) => toFilter(dataset, condition))
      if (k === 0) await loadColumns(dataset, filters)
      forget(dataset)
      times.push(await timed(() => countRows(dataset, filters)))
    }
    const ms = times.toSorted((a, b) => a - b)[VARIANTS >> 1] as number
    const filters = combination(0).map((condition) => condition.slice(0, 2).join(' '))
    if (ms > slowest.ms) slowest = { ms, filters: filters.join(', ') }
  }
  const target = Math.max(1, (5 * dataset.rows) / 2_000_000)
  return [
    atMost('filters, exact total, never seen', slowest.ms, target, ' ms', `slowest: ${slowest.filters}`),
  ]
}

/** Gives up what is kept of filters, so that the next count looks at the rows again. */
function forget(dataset: OpenDataset): void {
  while (dataset.masks.giveUpOldest() || dataset.combinations.giveUpOldest());
}

/** New combinations of filters that were asked for one by one before. */
async function measureRecurring(dataset: OpenDataset): Promise<Measurement> {
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
  const ms = times.toSorted((a, b) => a - b)[times.length >> 1] as number
  return plainly('filters seen before, combined anew', ms, ' ms', 'median of 192 of three filters each')
}

/** Reads the columns from the file: that is paid once per start, and is a part of no query's time. */
async function loadColumns(dataset: OpenDataset, filters: readonly Filter[]): Promise<void> {
  for (const { column } of filters) {
    await countRows(dataset, [{ column, operator: 'is_null', operands: [[false]] }])
  }
}

async function measureSorts(dataset: OpenDataset): Promise<Measurement[]> {
  const share = dataset.rows / 2_000_000
  let first = { ms: 0, sort: '' }
  let later = { ms: 0, sort: '' }
  const fields = dataset.columns.map((_, i) => i)
  await listPage(dataset, { filters: [], sort: [], fields, limit: 50, offset: 0, count: true })
  for (const names of SORTS) {
    const sort = names.map((name) => toSortField(dataset, name))
    const page = (offset: number) => () =>
      listPage(dataset, { filters: [], sort, fields, limit: 50, offset, count: true })
    const ms = await timed(page(0))
    if (ms > first.ms) first = { ms, sort: names.join(',') }
    for (const offset of [0, dataset.rows >> 1, dataset.rows - 50]) {
      const again = await timed(page(offset))
      if (again > later.ms) later = { ms: again, sort: names.join(',') }
    }
  }
  return [
    atMost('sort, first use', first.ms, Math.max(5, 60 * share), ' ms', `slowest: ${first.sort}`),
    atMost('sort, later uses, any offset', later.ms, 2, ' ms', `slowest: ${later.sort}`),
  ]
}

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function columnAt(dataset: OpenDataset, name: string): number {
  return dataset.columns.findIndex((column) => column.name === name)
}

function toSortField(dataset: OpenDataset, name: string): SortField {
  const descending = name.startsWith('-')
  return { column: columnAt(dataset, descending ? name.slice(1) : name), descending }
}

function toFilter(dataset: OpenDataset, [name, operator, ...values]: Condition): Filter {
  return { column: columnAt(dataset, name), operator, operands: [values] }
}
